"""The board as a self-contained SVG for notebooks, the web page and the documentation."""

from collections.abc import Sequence
from html import escape
from math import dist

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac import elements as el
from spiel_bot.games.trictrac import geometry as geo
from spiel_bot.games.trictrac.geometry import Layout, Point
from spiel_bot.games.trictrac.state import SIDES
from spiel_bot.games.trictrac.view import BoardView, position_text, score_text

CROWDED = 5
"""Stacks above this size show their count as a number."""


def board_svg(
    view: BoardView,
    *,
    moves: Sequence[tuple[int, int]] = (),
    flip: bool = False,
    labels: bool = True,
) -> str:
    """Draw a position.

    Args:
        view: The position, before the moves that are drawn on it.
        moves: Arrows (from, to) in white's field numbers, in the order played; to 0 is out.
        flip: Turn the board so that black sits at the bottom; field numbers become black's.
        labels: Number the fields.

    Returns:
        The text of one svg element. It has no ids, styles or references, so that many can
        stand on one page.
    """
    layout = Layout(flip)
    parts = [
        _heading(view),
        _board(),
        _fields(layout),
        _rails(view, layout, labels),
        _checkers(view, layout),
        _moves(view, layout, moves),
        _tokens(view, layout),
        _dice(view, layout),
        _lines(view, layout),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _heading(view: BoardView) -> str:
    sides = [score_text(view, side) for side in (WHITE, BLACK)]
    dice = [f"dice {view.dice[0]} and {view.dice[1]}"] if view.dice else []
    title = "Trictrac board: " + "; ".join([*sides, *dice, *([view.status] if view.status else [])])
    size = f"{geo.WIDTH:g} {geo.HEIGHT:g}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {size}" '
        f'width="{geo.WIDTH:g}" height="{geo.HEIGHT:g}" style="max-width:100%;height:auto" '
        f'font-family="{el.FONT}" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(position_text(view))}</desc>"
    )


def _board() -> str:
    """Return card, frame, the ground of both tables and the bar between them."""
    board = (geo.BOARD_LEFT, geo.BOARD_TOP)
    shown = [
        el.rect(
            (0.75, 0.75),
            geo.WIDTH - 1.5,
            geo.HEIGHT - 1.5,
            rx=14,
            fill=el.CARD,
            stroke=el.CARD_EDGE,
            stroke_width=1.5,
        ),
        el.rect(board, geo.BOARD_WIDTH, geo.BOARD_HEIGHT, rx=8, fill=el.FRAME),
        _grain((geo.BOARD_LEFT + 5, geo.BOARD_TOP), geo.BOARD_WIDTH - 10, geo.LONG_RAIL),
        _grain((geo.BOARD_LEFT + 5, geo.TABLE_BOTTOM), geo.BOARD_WIDTH - 10, geo.LONG_RAIL),
        el.rect(
            (board[0] + 1, board[1] + 1),
            geo.BOARD_WIDTH - 2,
            geo.BOARD_HEIGHT - 2,
            rx=7,
            fill="none",
            stroke=el.FRAME_LIGHT,
            stroke_width=2,
        ),
    ]
    for left in (geo.TABLE_LEFT, geo.BAR_RIGHT):
        corner = (left, geo.TABLE_TOP)
        height = geo.TABLE_BOTTOM - geo.TABLE_TOP
        shown.append(el.rect(corner, geo.TABLE_WIDTH, height, fill=el.GROUND))
        shadow: dict[str, str | float] = {"fill": el.HOLE, "opacity": 0.16}
        shown.append(el.rect(corner, geo.TABLE_WIDTH, 5, **shadow))
        shown.append(el.rect((left, geo.TABLE_TOP + 5), 4, height - 5, **shadow))
        shown.append(
            el.rect(
                (left - 1.5, geo.TABLE_TOP - 1.5),
                geo.TABLE_WIDTH + 3,
                height + 3,
                fill="none",
                stroke=el.FRAME_DARK,
                stroke_width=3,
            )
        )
    for x in (geo.TABLE_LEFT - geo.SHORT_RAIL / 2, geo.TABLE_RIGHT + geo.SHORT_RAIL / 2):
        for y in (geo.TABLE_TOP + 24, geo.MIDDLE, geo.TABLE_BOTTOM - 24):
            shown.append(el.peg_hole((x, y), "rest"))
    middle = (geo.BAR_LEFT + geo.BAR_RIGHT) / 2
    shown.append(
        el.line(
            (middle, geo.BOARD_TOP + 3),
            (middle, geo.BOARD_TOP + geo.BOARD_HEIGHT - 3),
            stroke=el.FRAME_DARK,
            stroke_width=1.5,
        )
    )
    return "".join(shown)


def _grain(corner: Point, width: float, height: float) -> str:
    """Return a few faint lines of wood, unevenly spaced."""
    left, top = corner
    return "".join(
        el.line(
            (left, top + height * down),
            (left + width, top + height * down),
            stroke=el.FRAME_DARK,
            stroke_width=1,
            opacity=0.25,
        )
        for down in (0.13, 0.22, 0.47, 0.58, 0.82, 0.91)
    )


def _fields(layout: Layout) -> str:
    """Return the 24 arrows; the rest corners carry an inlaid brass line."""
    shown = []
    for field in range(1, 25):
        color = field % 2
        shown.append(
            el.polygon(
                layout.arrow(field),
                class_="field",
                fill=el.ARROW_COLORS[color],
                stroke=el.ARROW_EDGES[color],
                stroke_width=1,
                stroke_linejoin="round",
            )
        )
        if field in (12, 13):
            inlay = layout.arrow(field, inset=0.2)
            shown.append(el.polygon(inlay, fill="none", stroke=el.BRASS, stroke_width=1.5))
    return "".join(shown)


def _rails(view: BoardView, layout: Layout, labels: bool) -> str:
    """Return the peg holes, the pegs and the field numbers on the frame."""
    shown = []
    for side in (WHITE, BLACK):
        shown += [el.peg_hole(layout.hole(side, number)) for number in range(1, 13)]
        if view.holes[side] > 0:
            shown.append(el.peg(layout.hole(side, min(view.holes[side], 12)), side))
    if labels:
        for field in range(1, 25):
            place = layout.field_x(field), layout.y(layout.row_side(field), -15.0)
            corner = field in (12, 13)
            shown.append(
                el.text(
                    place,
                    str(layout.label(field)),
                    16.5,
                    class_="label",
                    text_anchor="middle",
                    font_weight="700" if corner else "500",
                    fill=el.BRASS_LIGHT if corner else el.LABEL,
                )
            )
    return "".join(shown)


def _checkers(view: BoardView, layout: Layout) -> str:
    shown = []
    for field, signed in enumerate(view.board, start=1):
        side, count = (WHITE, signed) if signed > 0 else (BLACK, -signed)
        places = [layout.checker(field, index, count) for index in range(count)]
        shown += [el.checker(place, side, field) for place in places]
        if count > CROWDED:
            shown.append(
                el.text(
                    places[-1],
                    str(count),
                    21,
                    class_="count",
                    text_anchor="middle",
                    font_weight="700",
                    fill=el.CHECKER_INKS[side],
                )
            )
    return "".join(shown)


def _tokens(view: BoardView, layout: Layout) -> str:
    """Return each side's token at its points.

    A second one beside it means bredouille in second: the other side has points too (R12.9).
    """
    shown = []
    for side in (WHITE, BLACK):
        x, y = layout.token(side, view.points[side])
        if view.run == side and view.points[1 - side]:
            back = -1 if view.points[side] in (6, 10) else 1
            beside = (x + back * layout.along() * 1.25 * geo.TOKEN_RADIUS, y)
            shown.append(el.token(beside, geo.TOKEN_RADIUS))
        shown.append(el.token((x, y), geo.TOKEN_RADIUS, str(view.points[side])))
    return "".join(shown)


def _dice(view: BoardView, layout: Layout) -> str:
    """Return the dice in the big-jan table, on the half of the side that acts."""
    if view.dice is None:
        return ""
    side = WHITE if view.player is None else view.player
    y = geo.MIDDLE
    if view.player is not None:
        y = layout.y(side, geo.STACK_HEIGHT + geo.STRIP_HEIGHT / 4)
    x = layout.column_x(8.5)
    return "".join(
        el.die((x + shift, y), face, side) for shift, face in zip((-22, 22), view.dice, strict=True)
    )


def _moves(view: BoardView, layout: Layout, moves: Sequence[tuple[int, int]]) -> str:
    """Return the arrows, each from the uppermost checker left by the arrows before it."""
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


def _lines(view: BoardView, layout: Layout) -> str:
    """Return the score of each side on its edge of the card, and the status of the game."""
    shown = []
    acting = view.player if view.player is not None else (BLACK if layout.flip else WHITE)
    for side in (WHITE, BLACK):
        y = layout.y(side, -geo.LONG_RAIL - geo.LINE_HEIGHT / 2)
        shown.append(
            el.circle(
                (geo.MARGIN + 15, y),
                10,
                fill=el.CHECKER_FILLS[side],
                stroke=el.CHECKER_FILLS[WHITE],
                stroke_width=1.5,
            )
        )
        score = score_text(view, side).removeprefix(SIDES[side])
        name = el.element("tspan", SIDES[side], font_weight="700", fill=el.LABEL)
        shown.append(
            el.element(
                "text",
                name + escape(score),
                x=geo.MARGIN + 34,
                y=y + 7,
                font_size=20,
                class_="score",
                fill=el.LABEL,
            )
        )
        if view.status and side == acting:
            size = max(13.0, min(20.0, 560 / len(view.status)))
            shown.append(
                el.text(
                    (geo.WIDTH - geo.MARGIN - 6, y),
                    view.status,
                    size,
                    class_="status",
                    text_anchor="end",
                    fill=el.BRASS_LIGHT,
                )
            )
    return "".join(shown)
