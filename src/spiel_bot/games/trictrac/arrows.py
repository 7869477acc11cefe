"""Moves drawn on the board as curved arrows."""

from collections.abc import Sequence
from math import dist

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac import elements as el
from spiel_bot.games.trictrac import geometry as geo
from spiel_bot.games.trictrac.geometry import Layout, Point
from spiel_bot.games.trictrac.view import BoardView


def move_arrows(view: BoardView, layout: Layout, moves: Sequence[tuple[int, int]]) -> str:
    """Return the arrows as SVG elements, each from the uppermost checker the ones before left.

    Args:
        view: The position before the moves.
        layout: Which side sits below.
        moves: (from, to) in white's field numbers, in the order played; to 0 is out.
    """
    board = list(view.board)
    shown = []
    for origin, target in moves:
        signed = board[origin - 1]
        side = (WHITE if signed > 0 else BLACK) if signed else (view.player or WHITE)
        one = 1 if side == WHITE else -1
        start = _place(view, layout, origin, max(abs(signed) - 1, 0))
        board[origin - 1] -= one
        if target == 0:
            end = (layout.outside(), start[1])
        else:
            end = _place(view, layout, target, abs(board[target - 1]))
            board[target - 1] += one
            shown.append(el.landing(end))
        shown.append(el.curved_arrow(start, _bend(start, end), end))
    return "".join(shown)


def _place(view: BoardView, layout: Layout, field: int, index: int) -> Point:
    """Return where checker number index of a stack lies, or would lie on top of it."""
    drawn = abs(view.board[field - 1])
    return layout.checker(field, index, max(drawn, 1))


def _bend(start: Point, end: Point) -> Point:
    """Return the control point of an arrow: off its straight line, towards the middle."""
    (x1, y1), (x2, y2) = start, end
    length = dist(start, end) or 1.0
    bow = min(0.28 * length, 70.0)
    normal = ((y1 - y2) / length, (x2 - x1) / length)
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    if abs(middle[1] - geo.MIDDLE) < geo.STRIP_HEIGHT:
        # A move across the board: bow towards the bar, away from the numbers on the rail.
        sign = 1 if normal[0] * ((geo.BAR_LEFT + geo.BAR_RIGHT) / 2 - middle[0]) > 0 else -1
    else:
        sign = 1 if normal[1] * (geo.MIDDLE - middle[1]) > 0 else -1
    return middle[0] + sign * bow * normal[0], middle[1] + sign * bow * normal[1]
