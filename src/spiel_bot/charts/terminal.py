"""Line charts in a terminal, drawn with braille dots: two by four to a letter."""

import math

from spiel_bot.charts.curve import Axis, Curve, axis_over, tick_text
from spiel_bot.errors import BadRequestError

BLANK = 0x2800  # the braille letter without dots
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column] inside a letter


class Canvas:
    """A field of dots, from the lower left corner."""

    def __init__(self, columns: int, rows: int) -> None:
        """Make an empty field of `columns` by `rows` letters."""
        self.width, self.height = columns * 2, rows * 4
        self._letters = [[0] * columns for _ in range(rows)]

    def dot(self, x: int, y: int) -> None:
        """Set one dot."""
        down = self.height - 1 - y
        self._letters[down // 4][x // 2] |= DOTS[down % 4][x % 2]

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Set the dots between two, both included."""
        count = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
        for i in range(count + 1):
            self.dot(
                round(start[0] + (end[0] - start[0]) * i / count),
                round(start[1] + (end[1] - start[1]) * i / count),
            )

    def lines(self) -> list[str]:
        """Return the field as text, the top first."""
        return [
            "".join(chr(BLANK | bits) if bits else " " for bits in row) for row in self._letters
        ]


def line_chart_text(curve: Curve, *, x_label: str, width: int = 80, height: int = 12) -> str:
    """Return a chart of one curve, error bars included, in lines no longer than `width`.

    Raises:
        BadRequestError: There is nothing to draw.
    """
    points = curve.finite_points()
    if not points:
        raise BadRequestError(f"there is nothing to plot: {curve.name} has no finite point")
    ends = [end for _, y, error in points for end in (y - error, y + error)]
    y_axis = axis_over(ends, max(height // 2, 2), is_snug=True)
    x_axis = axis_over([x for x, _, _ in points], max(width // 14, 2), is_snug=True)
    margin = max(len(tick_text(tick)) for tick in y_axis.ticks) + 1
    canvas = Canvas(max(width - margin - 2, 10), height)
    _draw(canvas, curve, x_axis, y_axis)
    labels = {
        round((1 - y_axis.place(tick)) * (height - 1)): tick_text(tick) for tick in y_axis.ticks
    }
    lines = [f"{curve.name}"]
    for number, text in enumerate(canvas.lines()):
        mark = "┤" if number in labels else "│"
        lines.append(f"{labels.get(number, ''):>{margin}}{mark}{text}".rstrip())
    lines += _foot(x_axis, margin, canvas.width // 2, x_label)
    return "\n".join(lines)


def _draw(canvas: Canvas, curve: Curve, x_axis: Axis, y_axis: Axis) -> None:
    def place(x: float, y: float) -> tuple[int, int]:
        return (
            round(x_axis.place(x) * (canvas.width - 1)),
            round(y_axis.place(y) * (canvas.height - 1)),
        )

    before: tuple[int, int] | None = None
    for x, y, error in curve.points():
        if not (math.isfinite(x) and math.isfinite(y)):
            before = None
            continue
        here = place(x, y)
        canvas.line(before or here, here)
        before = here
        if error > 0:
            canvas.line(place(x, y - error), place(x, y + error))


def _foot(x_axis: Axis, margin: int, columns: int, x_label: str) -> list[str]:
    """Return the x axis: its line, its numbers, its name."""
    line = ["─"] * columns
    numbers = [" "] * (columns + margin + 8)
    free = 0
    for tick in x_axis.ticks:
        place = round(x_axis.place(tick) * (columns - 1))
        line[place] = "┬"
        text = tick_text(tick)
        start = max(margin + 1 + place - len(text) // 2, 0)
        if start >= free and start + len(text) <= margin + 1 + columns:
            numbers[start : start + len(text)] = text
            free = start + len(text) + 1
    return [
        " " * margin + "└" + "".join(line),
        "".join(numbers).rstrip(),
        (" " * (margin + 1) + x_label.center(columns)).rstrip(),
    ]
