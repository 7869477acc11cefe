"""The board as a self-contained SVG for notebooks, the web page and the documentation."""

from collections.abc import Sequence
from html import escape

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac import elements as el
from spiel_bot.games.trictrac import geometry as geo
from spiel_bot.games.trictrac.arrows import move_arrows
from spiel_bot.games.trictrac.geometry import Layout
from spiel_bot.games.trictrac.ground import ground_svg
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
    captions: bool = True,
) -> str:
    """Draw a position.

    Args:
        view: The position, before the moves that are drawn on it.
        moves: Arrows (from, to) in white's field numbers, in the order played; to 0 is out.
        flip: Turn the board so that black sits at the bottom; field numbers become black's.
        labels: Number the fields.
        captions: Lay the board on a card with the score and the status; else only the board.

    Returns:
        The text of one svg element. It has no ids, styles or references, so that many can
        stand on one page.
    """
    layout = Layout(flip)
    parts = [
        _heading(view, captions),
        _card() if captions else "",
        ground_svg(layout, labels=labels),
        _pegs(view, layout),
        _checkers(view, layout),
        move_arrows(view, layout, moves),
        _tokens(view, layout),
        _dice(view, layout),
        _lines(view, layout) if captions else "",
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _heading(view: BoardView, captions: bool) -> str:
    sides = [score_text(view, side) for side in (WHITE, BLACK)]
    dice = [f"dice {view.dice[0]} and {view.dice[1]}"] if view.dice else []
    title = "Trictrac board: " + "; ".join([*sides, *dice, *([view.status] if view.status else [])])
    left, top, width, height = 0.0, 0.0, geo.WIDTH, geo.HEIGHT
    if not captions:
        left, top = geo.BOARD_LEFT, geo.BOARD_TOP
        width, height = geo.BOARD_WIDTH, geo.BOARD_HEIGHT
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'viewBox="{left:g} {top:g} {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="max-width:100%;height:auto" '
        f'font-family="{el.FONT}" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(position_text(view))}</desc>"
    )


def _card() -> str:
    return el.rect(
        (0.75, 0.75),
        geo.WIDTH - 1.5,
        geo.HEIGHT - 1.5,
        rx=14,
        fill=el.CARD,
        stroke=el.CARD_EDGE,
        stroke_width=1.5,
    )


def _pegs(view: BoardView, layout: Layout) -> str:
    return "".join(
        el.peg(layout.hole(side, min(view.holes[side], 12)), side)
        for side in (WHITE, BLACK)
        if view.holes[side] > 0
    )


def _checkers(view: BoardView, layout: Layout) -> str:
    shown = []
    for field, signed in enumerate(view.board, start=1):
        side, count = (WHITE, signed) if signed > 0 else (BLACK, -signed)
        places = [layout.checker(field, index, count) for index in range(count)]
        shown += [el.checker(place, side, field) for place in places]
        if count > CROWDED:
            shown.append(el.count_badge(places[-1], side, str(count)))
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
