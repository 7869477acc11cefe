"""Line charts as SVG: one panel for each curve, below each other, over the same x axis.

Curves have panels of their own because their units differ: a loss and an Elo have no common scale.
"""

import math
from collections.abc import Sequence
from html import escape

from spiel_bot.charts.curve import Axis, Curve, axis_over, tick_text
from spiel_bot.errors import BadRequestError

WIDTH = 720
PANEL_HEIGHT = 230
LEFT, RIGHT, TOP, BOTTOM = 76, 20, 34, 26
X_LABEL_HEIGHT = 22
TITLE_HEIGHT = 34
# Okabe and Ito's palette: told apart with every kind of colour blindness.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
MAX_DOTS = 60  # with more points the dots run into a band
INK, FAINT = "#333333", "#e3e3e3"


def line_chart_svg(curves: Sequence[Curve], *, title: str, x_label: str) -> str:
    """Return the chart as a whole SVG document.

    Raises:
        BadRequestError: There is nothing to draw.
    """
    drawable = [curve for curve in curves if curve.finite_points()]
    if not drawable:
        raise BadRequestError("there is nothing to plot: no curve has a finite point")
    height = TITLE_HEIGHT + PANEL_HEIGHT * len(drawable) + X_LABEL_HEIGHT
    x_axis = axis_over(
        [x for curve in drawable for x, _, _ in curve.finite_points()], 8, is_snug=True
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12" '
        f'fill="{INK}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    for number, curve in enumerate(drawable):
        top = TITLE_HEIGHT + number * PANEL_HEIGHT
        parts += _panel(curve, x_axis, top, COLOURS[number % len(COLOURS)])
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle:g}" y="{height - 8}" text-anchor="middle">{escape(x_label)}</text>'
    )
    return "\n".join([*parts, "</svg>\n"])


def _panel(curve: Curve, x_axis: Axis, top: int, colour: str) -> list[str]:
    points = curve.finite_points()
    ends = [end for _, y, error in points for end in (y - error, y + error)]
    y_axis = axis_over(ends, 6)
    low, high = top + PANEL_HEIGHT - BOTTOM, top + TOP

    def column(x: float) -> float:
        return LEFT + x_axis.place(x) * (WIDTH - LEFT - RIGHT)

    def row(y: float) -> float:
        return low + y_axis.place(y) * (high - low)

    parts = [f'<text x="{LEFT}" y="{top + 20}" fill="{colour}">{escape(curve.name)}</text>']
    for tick in y_axis.ticks:
        y = row(tick)
        parts += [
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick_text(tick)}</text>',
        ]
    for tick in x_axis.ticks:
        x = column(tick)
        parts += [
            f'<path d="M{x:.1f} {low}v5" stroke="{INK}"/>',
            f'<text x="{x:.1f}" y="{low + 18}" text-anchor="middle">{tick_text(tick)}</text>',
        ]
    parts.append(f'<path d="M{LEFT} {high}V{low}H{WIDTH - RIGHT}" fill="none" stroke="{INK}"/>')
    bars = [
        f"M{column(x):.1f} {row(y - error):.1f}V{row(y + error):.1f}"
        for x, y, error in points
        if error > 0
    ]
    if bars:
        parts.append(
            f'<path d="{"".join(bars)}" stroke="{colour}" stroke-width="1.4" stroke-opacity="0.6"/>'
        )
    line = ""
    pen = "M"  # down again after a gap
    for x, y, _ in curve.points():
        if math.isfinite(x) and math.isfinite(y):
            line += f"{pen}{column(x):.1f} {row(y):.1f}"
            pen = "L"
        else:
            pen = "M"
    parts.append(
        f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="1.8" '
        'stroke-linejoin="round"/>'
    )
    if len(points) <= MAX_DOTS:
        parts += [
            f'<circle cx="{column(x):.1f}" cy="{row(y):.1f}" r="2.6" fill="{colour}"/>'
            for x, y, _ in points
        ]
    return parts
