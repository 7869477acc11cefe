"""Line charts as SVG: one panel for each curve, or all curves in one to compare them.

Curves have panels of their own where their units differ: a loss and an Elo have no common scale.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from spiel_bot.charts.curve import Axis, Curve, axis_over, tick_text
from spiel_bot.errors import BadRequestError

WIDTH = 720
PANEL_HEIGHT = 230
COMPARISON_HEIGHT = 440
LEFT, RIGHT, TOP, BOTTOM = 76, 20, 34, 26
X_LABEL_HEIGHT = 22
TITLE_HEIGHT = 34
LEGEND_ROW = 18
LEGEND_COLUMNS = 2
# Okabe and Ito's palette: told apart with every kind of colour blindness.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
DASHES = ("", "7 3", "2 3")
"""Kinds of line for curves that share a panel: more of them than colours can be told apart."""
MAX_DOTS = 60  # with more points the dots run into a band
INK, FAINT = "#333333", "#e3e3e3"


def line_chart_svg(curves: Sequence[Curve], *, title: str, x_label: str) -> str:
    """Return a chart with a panel for each curve as a whole SVG document.

    Raises:
        BadRequestError: There is nothing to draw.
    """
    drawable = _drawable(curves)
    x_axis = _x_axis(drawable)
    parts = []
    for number, curve in enumerate(drawable):
        top = TITLE_HEIGHT + number * PANEL_HEIGHT
        panel = _Panel(x_axis, _y_axis([curve]), top + TOP, top + PANEL_HEIGHT - BOTTOM)
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<text x="{LEFT}" y="{top + 20}" fill="{colour}">{escape(curve.name)}</text>')
        parts += panel.axes() + panel.line(curve, colour)
    return _document(parts, TITLE_HEIGHT + PANEL_HEIGHT * len(drawable), title, x_label)


def comparison_svg(curves: Sequence[Curve], *, title: str, x_label: str) -> str:
    """Return a chart with all curves, which have the same unit, in one panel with a legend.

    Raises:
        BadRequestError: There is nothing to draw.
    """
    drawable = _drawable(curves)
    low = TITLE_HEIGHT + COMPARISON_HEIGHT - BOTTOM
    panel = _Panel(_x_axis(drawable), _y_axis(drawable), TITLE_HEIGHT + 10, low)
    parts = panel.axes()
    legend = low + BOTTOM + X_LABEL_HEIGHT + 6
    column = (WIDTH - LEFT - RIGHT) / LEGEND_COLUMNS
    rows = math.ceil(len(drawable) / LEGEND_COLUMNS)
    for number, curve in enumerate(drawable):
        colour = COLOURS[number % len(COLOURS)]
        dash = DASHES[number // len(COLOURS) % len(DASHES)]
        parts += panel.line(curve, colour, dash)
        x, y = LEFT + column * (number // rows), legend + LEGEND_ROW * (number % rows)
        parts += [
            f'<path d="M{x:g} {y - 4}h26" stroke="{colour}" stroke-width="1.8" '
            f'stroke-dasharray="{dash}"/>',
            f'<text x="{x + 32:g}" y="{y}">{escape(curve.name)}</text>',
        ]
    return _document(parts, low + BOTTOM, title, x_label, below=LEGEND_ROW * rows + 6)


def _drawable(curves: Sequence[Curve]) -> list[Curve]:
    drawable = [curve for curve in curves if curve.finite_points()]
    if not drawable:
        raise BadRequestError("there is nothing to plot: no curve has a finite point")
    return drawable


def _x_axis(curves: Sequence[Curve]) -> Axis:
    return axis_over([x for curve in curves for x, _, _ in curve.finite_points()], 8, is_snug=True)


def _y_axis(curves: Sequence[Curve]) -> Axis:
    points = [point for curve in curves for point in curve.finite_points()]
    return axis_over([end for _, y, error in points for end in (y - error, y + error)], 6)


def _document(parts: list[str], bottom: int, title: str, x_label: str, below: int = 0) -> str:
    """Return a whole document: its parts down to `bottom`, the label of x, and what is below."""
    height = bottom + X_LABEL_HEIGHT + below
    middle = (LEFT + WIDTH - RIGHT) / 2
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12" '
        f'fill="{INK}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    label = (
        f'<text x="{middle:g}" y="{bottom + X_LABEL_HEIGHT - 8}" text-anchor="middle">'
        f"{escape(x_label)}</text>"
    )
    return "\n".join([*head, *parts, label, "</svg>\n"])


@dataclass(frozen=True, slots=True)
class _Panel:
    """A stretch of the document with axes, from its row `high` down to `low`."""

    x_axis: Axis
    y_axis: Axis
    high: int
    low: int

    def column(self, x: float) -> float:
        return LEFT + self.x_axis.place(x) * (WIDTH - LEFT - RIGHT)

    def row(self, y: float) -> float:
        return self.low + self.y_axis.place(y) * (self.high - self.low)

    def axes(self) -> list[str]:
        low, parts = self.low, []
        for tick in self.y_axis.ticks:
            y = self.row(tick)
            parts += [
                f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>',
                f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick_text(tick)}</text>',
            ]
        for tick in self.x_axis.ticks:
            x = self.column(tick)
            parts += [
                f'<path d="M{x:.1f} {low}v5" stroke="{INK}"/>',
                f'<text x="{x:.1f}" y="{low + 18}" text-anchor="middle">{tick_text(tick)}</text>',
            ]
        frame = f"M{LEFT} {self.high}V{low}H{WIDTH - RIGHT}"
        return [*parts, f'<path d="{frame}" fill="none" stroke="{INK}"/>']

    def line(self, curve: Curve, colour: str, dash: str = "") -> list[str]:
        points, parts = curve.finite_points(), []
        bars = [
            f"M{self.column(x):.1f} {self.row(y - error):.1f}V{self.row(y + error):.1f}"
            for x, y, error in points
            if error > 0
        ]
        if bars:
            parts.append(
                f'<path d="{"".join(bars)}" stroke="{colour}" stroke-width="1.4" '
                'stroke-opacity="0.6"/>'
            )
        line = ""
        pen = "M"  # down again after a gap
        for x, y, _ in curve.points():
            if math.isfinite(x) and math.isfinite(y):
                line += f"{pen}{self.column(x):.1f} {self.row(y):.1f}"
                pen = "L"
            else:
                pen = "M"
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(
            f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="1.8" '
            f'stroke-linejoin="round"{dashes}/>'
        )
        if len(points) <= MAX_DOTS:
            dots = [(self.column(x), self.row(y)) for x, y, _ in points]
            parts += [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in dots
            ]
        return parts
