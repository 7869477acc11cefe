"""The editor and the referee's page without a browser."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from nicegui import ui
from nicegui.testing import User
from tests.web.simulated import only, sees, until, visiting

from spiel_bot.web.board.component import TrictracBoard
from spiel_bot.web.hall import Hall

HITS = "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; white rolls; points 4-2; run white"


def board(user: User) -> list[int]:
    (found,) = user.find(TrictracBoard).elements
    fields: list[int] = found.props["scene"]["board"]
    return fields


def set_value(user: User, kind: type[ui.element], test: str, value: object) -> None:
    only(user, kind, test).value = value  # type: ignore[attr-defined]


def test_a_link_is_judged(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open(f"/referee?position={quote(HITS)}&dice=6-5")
        await sees(user, "White: 6 points; Black: 0 points")
        await sees(user, "Legal plays: 11")
        user.find("1>7 1>6").click()
        (found,) = user.find(TrictracBoard).elements
        assert found.props["scene"]["advice"].count('class="move"') == 2
        for play, words in (("9>15 1>6", "(R4.2)"), ("1>7 1>6", "is legal"), ("x", "expected")):
            set_value(user, ui.input, "why", play)
            user.find(ui.input).trigger("keydown.enter")
            await sees(user, words)

    visiting(tmp_path, scenario)


def test_a_bad_link_says_what_is_wrong(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/referee?dice=7-7")
        await sees(user, "expected a roll such as 6-5")

    visiting(tmp_path, scenario)


def test_checkers_are_put_taken_and_dragged(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/referee")
        user.find(TrictracBoard).trigger("press", 7)
        await sees(user, "All fifteen white checkers are on the board")
        user.find("Empty board").click()
        assert board(user) == [0] * 24
        user.find(TrictracBoard).trigger("press", 7)
        set_value(user, ui.toggle, "brush", "black")
        user.find(TrictracBoard).trigger("press", 20)
        assert (board(user)[6], board(user)[19]) == (1, -1)
        set_value(user, ui.toggle, "brush", "take")
        user.find(TrictracBoard).trigger("press", 20)
        await sees(user, "White 1 of 15, black 0 of 15")
        user.find(TrictracBoard).trigger("edit", [0, 1, *[0] * 22])
        assert board(user)[1] == 1
        user.find("Starting position").click()
        assert board(user)[0] == 15

    visiting(tmp_path, scenario)


def test_roller_dice_and_marks_are_chosen(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open(f"/referee?position={quote(HITS)}")
        await sees(user, "Choose a roll to see what it scores.")
        set_value(user, ui.toggle, "die-1", 6)
        set_value(user, ui.toggle, "die-2", 5)
        await sees(user, "White: 6 points")
        set_value(user, ui.toggle, "mover", 1)
        await sees(user, "Black: ")
        labels = {one.props["label"]: one for one in user.find(ui.select).elements}
        labels["Points, White"].value = 8
        labels["Holes, Black"].value = 3
        labels["In bredouille"].value = 1
        labels["Rolls of this side before, since the setting"].value = 2
        text = only(user, ui.input, "position")
        assert isinstance(text, ui.input)
        for clause in ("black rolls", "points 8-2", "holes 0-3", "run black", "rolls 0-2"):
            assert clause in (text.value or "")

    visiting(tmp_path, scenario)


def test_a_position_is_typed(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/referee")
        set_value(user, ui.input, "position", HITS)
        user.find(ui.input).trigger("change")
        await until(lambda: board(user)[0] == 7)
        set_value(user, ui.input, "position", "white 1*15")
        user.find(ui.input).trigger("change")
        await sees(user, "expected 'white 1*15, black 1*15; white rolls'")
        assert board(user)[0] == 7

    visiting(tmp_path, scenario)


@pytest.mark.parametrize(
    ("left", "told"), [("", "The link is copied."), ("http://here", "Copy this link")]
)
def test_what_is_set_up_can_be_shared_and_played(tmp_path: Path, left: str, told: str) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        user.javascript_rules[re.compile(r".*clipboard.*", re.DOTALL)] = lambda _: left
        await user.open(f"/referee?position={quote(HITS)}&dice=6-5")
        user.find("Copy the link").click()
        await until(lambda: user.notify.contains(told))
        user.find("Play from here").click()
        await sees(user, "The game begins with your position")

    visiting(tmp_path, scenario)
