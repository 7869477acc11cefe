"""The shapes and places that the browser puts together."""

import json
import xml.etree.ElementTree as ET

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac import geometry as geo
from spiel_bot.games.trictrac.geometry import Layout
from spiel_bot.web.board.look import look


def test_the_look_is_plain_values_and_asks_for_nothing_outside() -> None:
    text = json.dumps(look())
    assert "http" not in text
    assert "@import" not in text


def test_every_shape_is_well_formed() -> None:
    shapes = look()["shapes"]
    drawn = [shapes["checkers"], shapes["pegs"], shapes["tokens"], *shapes["counts"]]
    drawn += [*shapes["dice"], [shapes["second_token"]]]
    for shape in [one for group in drawn for one in group]:
        ET.fromstring(f"<g>{shape}</g>")
    for view in look()["views"]:
        ET.fromstring(f"<g>{view['ground']}</g>")


def test_stacks_lie_where_the_renderer_puts_them() -> None:
    for flip, view in zip((False, True), look()["views"], strict=True):
        layout = Layout(flip)
        for field in range(1, 25):
            place = view["fields"][str(field)]
            for count in (1, 2, 5, 15):
                for index, distance in enumerate(look()["stacks"][count]):
                    x, y = layout.checker(field, index, count)
                    assert place["x"] == x
                    assert abs(place["rail"] + place["up"] * distance - y) < 0.1


def test_everything_is_inside_the_board() -> None:
    left, top, width, height = look()["box"]
    for view in look()["views"]:
        boxes = [place["column"] for place in view["fields"].values()] + view["exits"]
        for x, y, box_width, box_height in boxes:
            assert left <= x <= x + box_width <= left + width
            assert top <= y <= y + box_height <= top + height


def test_a_side_leaves_beyond_its_last_field() -> None:
    for flip in (False, True):
        layout = Layout(flip)
        for side, last in ((WHITE, 24), (BLACK, 1)):
            (_, top), _, height = layout.exit_zone(side)
            assert top <= layout.checker(last, 0, 1)[1] <= top + height


def test_a_peg_waits_on_the_short_rail_until_the_first_hole() -> None:
    x, y = Layout(False).hole(WHITE, 0)
    assert x < geo.TABLE_LEFT
    assert geo.MIDDLE < y < geo.TABLE_BOTTOM
