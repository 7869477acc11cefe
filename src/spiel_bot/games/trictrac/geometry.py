"""Where everything lies on the drawn board, in units of the picture.

The picture is a dark card: a line of text, the wooden board, a line of text. On the board
white's fields 1 to 12 run along one long side and 13 to 24 come back along the other, so
that 1 faces 24 and the rest corners 12 and 13 face each other at the far end.
"""

from dataclasses import dataclass

from spiel_bot.games.base import BLACK, WHITE

FIELD_WIDTH = 54.0
CHECKER_RADIUS = 24.0
STACK_HEIGHT = 216.0
ARROW_HEIGHT = 204.0
STRIP_HEIGHT = 88.0
BAR_WIDTH = 30.0
LONG_RAIL = 52.0
SHORT_RAIL = 36.0
MARGIN = 9.0
LINE_HEIGHT = 44.0
TOKEN_RADIUS = 13.0

BOARD_LEFT = MARGIN
BOARD_TOP = LINE_HEIGHT
BOARD_WIDTH = 2 * SHORT_RAIL + 12 * FIELD_WIDTH + BAR_WIDTH
BOARD_HEIGHT = 2 * LONG_RAIL + 2 * STACK_HEIGHT + STRIP_HEIGHT
WIDTH = BOARD_WIDTH + 2 * MARGIN
HEIGHT = BOARD_HEIGHT + 2 * LINE_HEIGHT

TABLE_LEFT = BOARD_LEFT + SHORT_RAIL
TABLE_RIGHT = TABLE_LEFT + 12 * FIELD_WIDTH + BAR_WIDTH
TABLE_TOP = BOARD_TOP + LONG_RAIL
TABLE_BOTTOM = TABLE_TOP + 2 * STACK_HEIGHT + STRIP_HEIGHT
TABLE_WIDTH = 6 * FIELD_WIDTH
BAR_LEFT = TABLE_LEFT + TABLE_WIDTH
BAR_RIGHT = BAR_LEFT + BAR_WIDTH
MIDDLE = (TABLE_TOP + TABLE_BOTTOM) / 2

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Places on a board seen from white's side, or turned by half a circle to black's."""

    flip: bool

    def is_bottom(self, side: int) -> bool:
        """Tell whether this side sits at the bottom of the picture."""
        return (side == BLACK) == self.flip

    def row_side(self, field: int) -> int:
        """Return the side along whose long rail this field lies."""
        return WHITE if field <= 12 else BLACK

    def label(self, field: int) -> int:
        """Return the number of a field from the side at the bottom."""
        return 25 - field if self.flip else field

    def column_x(self, column: float) -> float:
        """Return the middle of a column; 0 holds both stacks, 11 both rest corners."""
        if self.flip:
            column = 11 - column
        return TABLE_LEFT + (column + 0.5) * FIELD_WIDTH + (BAR_WIDTH if column > 5.5 else 0.0)

    def field_x(self, field: int) -> float:
        """Return the middle of a field."""
        return self.column_x(field - 1 if field <= 12 else 24 - field)

    def y(self, side: int, distance: float) -> float:
        """Return the height that lies this far from the inner edge of a side's long rail.

        A negative distance is on the rail or on the line of text outside it.
        """
        return TABLE_BOTTOM - distance if self.is_bottom(side) else TABLE_TOP + distance

    def arrow(self, field: int, inset: float = 0.0) -> list[Point]:
        """Return the corners of a field's arrow, or of a smaller one inlaid in it."""
        x, side = self.field_x(field), self.row_side(field)
        half = (FIELD_WIDTH / 2 - 2) * (1 - inset)
        base, tip = self.y(side, 4 * inset), self.y(side, ARROW_HEIGHT * (1 - inset))
        return [(x - half, base), (x + half, base), (x, tip)]

    def checker(self, field: int, index: int, count: int) -> Point:
        """Return the middle of one checker of a stack, index 0 next to the rail.

        Up to four checkers lie free; more overlap so that the stack keeps its height.
        """
        step = 2 * CHECKER_RADIUS
        if count > 1:
            step = min(step, (STACK_HEIGHT - step) / (count - 1))
        distance = CHECKER_RADIUS + min(index * step, STACK_HEIGHT - 2 * CHECKER_RADIUS)
        return self.field_x(field), self.y(self.row_side(field), distance)

    def hole(self, side: int, number: int) -> Point:
        """Return the middle of a peg hole; number 1 is next to the side's own stack.

        Number 0 is where the peg waits for the first hole: on the short rail by the stacks.
        """
        if number == 0:
            return self.outside(), self.y(side, 24.0)
        return self.column_x(number - 1), self.y(side, -36.0)

    def token(self, side: int, points: int) -> Point:
        """Return where a token shows these points.

        Zero lies at the rail by the stacks, 2 and 4 at the tips of the third and fifth
        arrows, 6 and 8 on the two sides of the bar, 10 at the far rail (Lepeintre 1818).
        """
        edge = TOKEN_RADIUS + 4 - FIELD_WIDTH / 2
        column = {
            0: edge / FIELD_WIDTH,
            2: 2.0,
            4: 4.0,
            6: 5 - edge / FIELD_WIDTH,
            8: 6 + edge / FIELD_WIDTH,
            10: 11 - edge / FIELD_WIDTH,
        }[points]
        return self.column_x(column), self.y(side, STACK_HEIGHT + STRIP_HEIGHT / 4)

    def along(self) -> int:
        """Return the direction on the page from the stacks to the corners: 1 is right."""
        return -1 if self.flip else 1

    def outside(self) -> float:
        """Return how far across the page checkers leave: on the short rail by the stacks."""
        return TABLE_RIGHT + SHORT_RAIL / 2 if self.flip else TABLE_LEFT - SHORT_RAIL / 2

    def exit_zone(self, side: int) -> tuple[Point, float, float]:
        """Return where checkers of a side leave: upper left corner, width and height.

        It is the half of the short rail by the stacks that its last field touches.
        """
        top = TABLE_TOP if self.is_bottom(side) else MIDDLE + STRIP_HEIGHT / 4
        height = STACK_HEIGHT + STRIP_HEIGHT / 4
        return (self.outside() - SHORT_RAIL / 2, top), SHORT_RAIL, height

    def column(self, field: int) -> tuple[Point, float, float]:
        """Return the ground of a field: upper left corner, width and height."""
        side = self.row_side(field)
        top = MIDDLE if self.is_bottom(side) else TABLE_TOP - LONG_RAIL
        height = STACK_HEIGHT + STRIP_HEIGHT / 2 + LONG_RAIL
        return (self.field_x(field) - FIELD_WIDTH / 2, top), FIELD_WIDTH, height
