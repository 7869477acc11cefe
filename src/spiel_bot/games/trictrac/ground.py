"""What lies under the checkers: the wooden frame, the felt, the arrows, the holes, the numbers."""

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac import elements as el
from spiel_bot.games.trictrac import geometry as geo
from spiel_bot.games.trictrac.geometry import Layout, Point


def ground_svg(layout: Layout, *, labels: bool = True) -> str:
    """Return the empty board as SVG elements; with `labels` the fields are numbered."""
    return "\n".join([_frame(), _fields(layout), _rails(layout, labels)])


def _frame() -> str:
    """Return the frame, the felt of both tables and the bar between them."""
    board = (geo.BOARD_LEFT, geo.BOARD_TOP)
    shown = [
        el.rect(board, geo.BOARD_WIDTH, geo.BOARD_HEIGHT, rx=8, class_="frame", fill=el.FRAME),
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
        shown.append(el.rect(corner, geo.TABLE_WIDTH, height, class_="felt", fill=el.GROUND))
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
                class_=f"field {('even', 'odd')[color]}",
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


def _rails(layout: Layout, labels: bool) -> str:
    """Return the peg holes and the field numbers on the frame."""
    shown = []
    for side in (WHITE, BLACK):
        shown += [el.peg_hole(layout.hole(side, number)) for number in range(1, 13)]
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
