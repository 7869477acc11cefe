"""What the browser needs to draw any position: shapes and places, from the game's own renderer.

The script of the board knows no shape and no measure. It puts copies of these shapes on these
places, so that the page, the documents and a notebook show the same board.
"""

from functools import cache
from pathlib import Path
from typing import Any

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac import elements as el
from spiel_bot.games.trictrac import geometry as geo
from spiel_bot.games.trictrac.geometry import Layout
from spiel_bot.games.trictrac.ground import ground_svg
from spiel_bot.games.trictrac.state import CHECKERS
from spiel_bot.games.trictrac.svg import CROWDED

SIDE_NUMBERS = (WHITE, BLACK)
STYLE_FILE = Path(__file__).with_name("board.css")
MIDDLE = (0.0, 0.0)
DIE_SIZE = 46.0
TOKEN_RADIUS = 15.0

PAINTS = (
    '<defs><radialGradient id="tt-felt" cx="50%" cy="50%" r="75%">'
    '<stop offset="0" stop-color="#37704f"/><stop offset="1" stop-color="#234b38"/>'
    "</radialGradient>"
    '<linearGradient id="tt-wood" x1="0" y1="0" x2="1" y2="1">'
    '<stop offset="0" stop-color="#85512f"/><stop offset=".35" stop-color="#6b3d21"/>'
    '<stop offset=".65" stop-color="#7a4929"/><stop offset="1" stop-color="#5a3119"/>'
    "</linearGradient></defs>"
)
"""Felt and wood that catch the light; a picture in a document has plain colours instead."""


@cache
def look() -> dict[str, Any]:
    """Return the look of the board as plain values for JSON."""
    return {
        "box": [geo.BOARD_LEFT, geo.BOARD_TOP, geo.BOARD_WIDTH, geo.BOARD_HEIGHT],
        "style": STYLE_FILE.read_text(encoding="utf-8"),
        "paints": PAINTS,
        "shapes": _shapes(),
        "crowded": CROWDED,
        # Distances of the checkers of a stack from the rail, by the size of the stack.
        "stacks": [_stack(count) for count in range(CHECKERS + 1)],
        "radius": geo.CHECKER_RADIUS,
        "views": [_view(Layout(flip)) for flip in (False, True)],
    }


def _shapes() -> dict[str, Any]:
    """Return everything that moves, drawn at the origin."""
    return {
        "checkers": [el.checker(MIDDLE, side) for side in SIDE_NUMBERS],
        "counts": [
            [el.count_badge(MIDDLE, side, str(count)) for count in range(CHECKERS + 1)]
            for side in SIDE_NUMBERS
        ],
        "pegs": [el.peg(MIDDLE, side) for side in SIDE_NUMBERS],
        "tokens": [el.token(MIDDLE, TOKEN_RADIUS, str(points)) for points in range(0, 12, 2)],
        "second_token": el.token(MIDDLE, TOKEN_RADIUS),
        "dice": [
            [el.die(MIDDLE, face, side, DIE_SIZE) for face in range(1, 7)] for side in SIDE_NUMBERS
        ],
    }


def _stack(count: int) -> list[float]:
    layout = Layout(False)
    rail = layout.y(WHITE, 0.0)
    return [round(rail - layout.checker(1, index, count)[1], 1) for index in range(count)]


def _view(layout: Layout) -> dict[str, Any]:
    """Return the ground and all places of a board seen from one side."""
    fields = range(1, 25)
    return {
        "ground": ground_svg(layout),
        "fields": {str(field): _field(layout, field) for field in fields},
        "exits": [_box(layout.exit_zone(side)) for side in SIDE_NUMBERS],
        "pegs": [[layout.hole(side, number) for number in range(13)] for side in SIDE_NUMBERS],
        "tokens": [
            [layout.token(side, points) for points in range(0, 12, 2)] for side in SIDE_NUMBERS
        ],
        "dice": [_dice(layout, side) for side in SIDE_NUMBERS],
        "along": layout.along(),
    }


def _field(layout: Layout, field: int) -> dict[str, Any]:
    side = layout.row_side(field)
    return {
        "label": layout.label(field),
        "x": layout.field_x(field),
        "rail": layout.y(side, 0.0),
        "up": -1 if layout.is_bottom(side) else 1,
        "column": _box(layout.column(field)),
        "arrow": " ".join(f"{el.num(x)},{el.num(y)}" for x, y in layout.arrow(field)),
    }


def _box(box: tuple[geo.Point, float, float]) -> list[float]:
    (left, top), width, height = box
    return [left, top, width, height]


def _dice(layout: Layout, side: int) -> list[geo.Point]:
    """Return the places of the two dice of a side, in the table of its big jan."""
    y = layout.y(side, geo.STACK_HEIGHT + geo.STRIP_HEIGHT / 2)
    x = layout.column_x(8.5)
    gap = DIE_SIZE * 0.65
    return [(x - gap, y), (x + gap, y)]
