"""The shapes of the board as SVG text.

Nothing here has an id, a style sheet or a gradient: several boards can share one web page
or notebook without disturbing each other or the page.
"""

from html import escape
from math import atan2, cos, dist, pi, sin

from spiel_bot.games.trictrac.geometry import CHECKER_RADIUS, Point

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

CARD = "#2b1d15"
CARD_EDGE = "#6d4c33"
FRAME = "#6f4125"
FRAME_LIGHT = "#9a6540"
FRAME_DARK = "#41240f"
GROUND = "#2f6049"
# Even and odd fields: leather and ivory on green felt. They differ in lightness, not in hue alone.
ARROW_COLORS = ("#5e261c", "#ead9b2")
ARROW_EDGES = ("#c08a4a", "#8d6d3f")
BRASS = "#dcae4e"
BRASS_EDGE = "#6f4f14"
BRASS_LIGHT = "#f6dd9a"
HOLE = "#1d110a"
LABEL = "#f3e3c6"
MOVE = "#c8321e"
CHECKER_FILLS = ("#fbf5e6", "#2a211d")
CHECKER_EDGES = ("#5d4a33", "#b59a78")
CHECKER_RINGS = ("#bfa877", "#a08568")
CHECKER_INKS = ("#2a211d", "#fbf5e6")


def num(value: float) -> str:
    """Return a coordinate with at most one decimal.

    >>> num(12.0), num(1 / 3)
    ('12', '0.3')
    """
    return f"{round(value, 1):g}"


def element(name: str, content: str = "", /, **attributes: str | float) -> str:
    """Return one element; underscores in attribute names become hyphens."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        shown = value if isinstance(value, str) else num(value)
        parts.append(f' {key.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    parts.append(f">{content}</{name}>" if content else "/>")
    return "".join(parts)


def circle(center: Point, radius: float, **attributes: str | float) -> str:
    """Return a disc."""
    return element("circle", cx=center[0], cy=center[1], r=radius, **attributes)


def rect(corner: Point, width: float, height: float, **attributes: str | float) -> str:
    """Return a rectangle from its upper left corner."""
    return element("rect", x=corner[0], y=corner[1], width=width, height=height, **attributes)


def line(start: Point, end: Point, **attributes: str | float) -> str:
    """Return a straight line."""
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **attributes)


def polygon(points: list[Point], **attributes: str | float) -> str:
    """Return a filled polygon."""
    shown = " ".join(f"{num(x)},{num(y)}" for x, y in points)
    return element("polygon", points=shown, **attributes)


def text(center: Point, words: str, size: float, **attributes: str | float) -> str:
    """Return text whose middle height is at the point; capitals and digits look centred."""
    x, y = center
    return element("text", escape(words), x=x, y=y + 0.355 * size, font_size=size, **attributes)


def checker(center: Point, side: int, field: int = 0) -> str:
    """Return one checker: white with a turned ring and an eye, black with an inlaid star.

    The two are told apart by their shapes, whoever sees which colours.
    """
    name = ("white", "black")[side]
    disc = circle(
        center,
        CHECKER_RADIUS - 1,
        class_=f"checker {name}",
        data_field=str(field),
        fill=CHECKER_FILLS[side],
        stroke=CHECKER_EDGES[side],
        stroke_width=1.8,
    )
    ring = circle(
        center, CHECKER_RADIUS - 6, fill="none", stroke=CHECKER_RINGS[side], stroke_width=1.8
    )
    return disc + ring + (_eye(center) if side == 0 else _star(center))


def _eye(center: Point) -> str:
    """Return the mark of a white checker: a small circle."""
    return circle(center, 6.5, fill="none", stroke=CHECKER_RINGS[0], stroke_width=1.8)


def _star(center: Point) -> str:
    """Return the mark of a black checker: a star of four points."""
    x, y = center
    reach = (12.5, 4.0)
    points = [
        (x + reach[turn % 2] * sin(turn * pi / 4), y - reach[turn % 2] * cos(turn * pi / 4))
        for turn in range(8)
    ]
    return polygon(points, fill=CHECKER_RINGS[1])


def count_badge(center: Point, side: int, words: str) -> str:
    """Return the number of checkers in a stack, to lie on its uppermost."""
    ground = circle(center, 13.5, fill=CHECKER_FILLS[side])
    return ground + text(
        center,
        words,
        21,
        class_="count",
        text_anchor="middle",
        font_weight="700",
        fill=CHECKER_INKS[side],
    )


def peg_hole(center: Point, name: str = "hole") -> str:
    """Return an empty peg hole with a light lower rim."""
    rim = circle((center[0], center[1] + 0.9), 5.2, fill=FRAME_LIGHT)
    return rim + circle(center, 4.8, class_=name, fill=HOLE)


def peg(center: Point, side: int) -> str:
    """Return a peg seen from above, in its hole."""
    x, y = center
    return (
        circle((x, y + 1.5), 9.5, fill=HOLE, opacity=0.45)
        + circle(
            center,
            8.6,
            class_=f"peg {('white', 'black')[side]}",
            fill=BRASS,
            stroke=BRASS_EDGE,
            stroke_width=1.4,
        )
        + circle((x - 2.2, y - 2.4), 2.6, fill=BRASS_LIGHT)
    )


def token(center: Point, radius: float, words: str = "") -> str:
    """Return a brass token, with the points it stands for."""
    shown = (
        circle((center[0], center[1] + 1.2), radius, fill=HOLE, opacity=0.35)
        + circle(center, radius, class_="token", fill=BRASS, stroke=BRASS_EDGE, stroke_width=1.5)
        + circle(center, radius - 2.8, fill="none", stroke=BRASS_LIGHT, stroke_width=1)
    )
    if words:
        shown += text(center, words, 15.5, text_anchor="middle", font_weight="700", fill="#3b2606")
    return shown


_LOW, _MID, _HIGH = -0.26, 0.0, 0.26
_PIPS: tuple[tuple[Point, ...], ...] = (
    ((_MID, _MID),),
    ((_LOW, _LOW), (_HIGH, _HIGH)),
    ((_LOW, _LOW), (_MID, _MID), (_HIGH, _HIGH)),
    ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)),
    ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH), (_MID, _MID)),
    ((_LOW, _LOW), (_LOW, _MID), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _MID), (_HIGH, _HIGH)),
)


def die(center: Point, face: int, side: int, size: float = 35.0) -> str:
    """Return a die in the colour of the side that rolled it."""
    x, y = center
    corner = (x - size / 2, y - size / 2)
    shown = rect((corner[0] + 1, corner[1] + 2), size, size, rx=7, fill=HOLE, opacity=0.35)
    shown += rect(
        corner,
        size,
        size,
        rx=7,
        class_="die",
        fill=CHECKER_FILLS[side],
        stroke=CHECKER_EDGES[side],
        stroke_width=1.4,
    )
    for across, down in _PIPS[face - 1]:
        shown += circle((x + across * size, y + down * size), size * 0.088, fill=CHECKER_INKS[side])
    return shown


def curved_arrow(start: Point, control: Point, end: Point) -> str:
    """Return a slim arrow along a quadratic curve, light-edged to stand out anywhere.

    It starts inside the rim of the checker that moves and leaves a count on it readable.
    """
    reach = 0.72 * CHECKER_RADIUS / (dist(start, control) or 1.0)
    start = (
        start[0] + reach * (control[0] - start[0]),
        start[1] + reach * (control[1] - start[1]),
    )
    angle = atan2(end[1] - control[1], end[0] - control[0])
    head = 17.0
    tip = (end[0] + 4 * cos(angle), end[1] + 4 * sin(angle))
    neck = (tip[0] - 0.8 * head * cos(angle), tip[1] - 0.8 * head * sin(angle))
    wings = [
        (tip[0] + head * cos(angle + turn), tip[1] + head * sin(angle + turn))
        for turn in (pi - 0.42, pi + 0.42)
    ]
    curve = (
        f"M{num(start[0])} {num(start[1])}"
        f"Q{num(control[0])} {num(control[1])} {num(neck[0])} {num(neck[1])}"
    )
    triangle = [tip, wings[0], neck, wings[1]]
    shape = {"fill": "none", "stroke_linecap": "round"}
    halo = element("path", d=curve, stroke=LABEL, stroke_width=8, **shape)
    halo += circle(start, 7, fill=LABEL)
    halo += polygon(triangle, fill=LABEL, stroke=LABEL, stroke_width=4, stroke_linejoin="round")
    core = element("path", d=curve, stroke=MOVE, stroke_width=4.5, **shape)
    core += circle(start, 5.2, fill=MOVE)
    core += polygon(triangle, fill=MOVE, stroke=MOVE, stroke_width=1, stroke_linejoin="round")
    return element("g", halo + core, class_="move", opacity=0.82)


def landing(center: Point) -> str:
    """Return the dashed outline of the checker that arrives."""
    ring = {"fill": LABEL, "fill_opacity": "0.25", "stroke": LABEL, "stroke_width": "3.5"}
    dashes = {"fill": "none", "stroke": MOVE, "stroke_width": "2.2", "stroke_dasharray": "6 5"}
    radius = CHECKER_RADIUS - 2.5
    return element(
        "g",
        circle(center, radius, **ring) + circle(center, radius, **dashes),
        class_="landing",
        opacity=0.85,
    )
