"""The pages of stored games without a browser: filter, replay, judge, export."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User
from tests.web.simulated import elements, happen, html, press, until, until_seen, visiting
from tests.web.stores import make_store

from spiel_bot.games.game_file_reader import parse_game
from spiel_bot.players.words import Language
from spiel_bot.web.board.component import TrictracBoard
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.opinions import bar
from spiel_bot.web.words.research import ResearchWords

WAIT = 3600.0  # a download has to be waited for with some limit; this is none


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store", "pig", "tic_tac_toe")


def test_games_are_listed_filtered_and_paged(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games")
        await until_seen(user, "18 games, page 1 of 1")
        assert 'href="/games/my%20tic_tac_toe/17"' in html(user)
        await user.open("/games?run=my+pig&iteration=2")
        await until_seen(user, "6 games, page 1 of 1")
        labels = {one.props["label"]: one for one in elements(user, ui.number)}
        assert labels["Iteration"].value == 2
        labels["Iteration"].value = 3
        press(user, "Filter")
        await until(lambda: user.back_history[-1] == "/games?run=my+pig&iteration=3")
        await user.open("/games?run=my+pig&min_plies=99999")
        await until_seen(user, "No stored game fits.")

    visiting(tmp_path, scenario)


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("/games?run=nobody", "no run 'nobody'"),
        ("/games?page=x", "page: expected a whole number from 1 on, got 'x'"),
        ("/games/my pig/99", "has no game 99"),
        ("/games/my pig/x", "has no game"),
        ("/games/nobody/1", "no run 'nobody'"),
    ],
)
def test_a_bad_link_is_one_clear_line(store: Path, tmp_path: Path, address: str, line: str) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open(address)
        await until_seen(user, line)

    visiting(tmp_path, scenario)


def test_games_without_a_store_are_one_clear_line(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games")
        await until_seen(user, "there is no run store at")

    visiting(tmp_path, scenario)


def test_a_filter_is_exported(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games?run=my+pig&iteration=2")
        await until_seen(user, "Game files (zip)")
        press(user, "Game files (zip)")
        answer = await user.download.next(timeout=WAIT)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert len(archive.namelist()) == 6
        press(user, "JSON lines")
        answer = await user.download.next(timeout=WAIT)
        assert answer.content.count(b"\n") == 6

    visiting(tmp_path, scenario)


def key(user: User, name: str) -> None:
    """Press a key."""
    given: dict[str, Any] = {"action": "keydown", "key": name, "code": name, "location": 0}
    given |= {"altKey": False, "ctrlKey": False, "shiftKey": False, "metaKey": False}
    (keyboard,) = elements(user, ui.keyboard)
    happen(user, keyboard, "key", given | {"repeat": False})


def test_a_game_is_replayed_by_buttons_keys_slider_and_number(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games/my tic_tac_toe/0")
        plies = hall.store().games.get(2, 0).plies
        await until_seen(user, f"Ply 0 of {plies}")
        assert "The game begins." in html(user)
        assert "Next: " in html(user)
        buttons = {one.props.get("data-go"): one for one in elements(user, ui.button)}
        for name, ply in (("next", 1), ("next", 2), ("previous", 1), ("last", plies), ("first", 0)):
            happen(user, buttons[name], "click", {})
            await until_seen(user, f"Ply {ply} of {plies}")
        for name, ply in (("ArrowRight", 1), ("End", plies), ("Home", 0), ("ArrowDown", 1)):
            key(user, name)
            await until_seen(user, f"Ply {ply} of {plies}")
        key(user, "x")
        (slider,) = elements(user, ui.slider)
        slider.value = 3
        await until_seen(user, f"Ply 3 of {plies}")
        (number,) = elements(user, ui.number)
        number.value = plies
        happen(user, number, "keydown.enter", {})
        await until_seen(user, f"Ply {plies} of {plies}")
        assert "The game is over" in html(user)

    visiting(tmp_path, scenario)


def test_the_opinion_of_the_search_is_shown(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games/my tic_tac_toe/0?ply=0")
        await until(lambda: "White&#x27;s value" in html(user))
        assert "(played)" in html(user)
        assert "full search" in html(user)
        await user.open("/games/my tic_tac_toe/0?ply=1")
        await until(lambda: "short search" in html(user))
        await user.open("/games/my tic_tac_toe/0?ply=4")
        await until(lambda: "nothing was searched" in html(user))
        await user.open("/games/my pig/0?ply=0")
        await until(lambda: "Nobody decides here." in html(user))
        assert "/search?game=pig&amp;position=" in html(user)

    visiting(tmp_path, scenario)


def test_a_judge_is_asked_about_a_decision_and_about_the_game(tmp_path: Path) -> None:
    make_store(tmp_path / "store", "tic_tac_toe", has_weights=False)

    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games/my tic_tac_toe/0?ply=2")
        await until_seen(user, "Ask a judge")
        press(user, "Ask a judge")
        await until(lambda: judged(user))
        press(user, "Judge the whole game")
        (chart,) = elements(user, ui.echart)
        await until(lambda: len(chart.options["series"]) == 2)
        key(user, "ArrowLeft")
        assert judged(user)

    visiting(tmp_path, scenario)


def judged(user: User) -> bool:
    return any("Judged now by rollout" in one.text for one in elements(user, ui.label))


def test_a_judge_who_cannot_be_loaded_is_named(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games/my tic_tac_toe/0?ply=2")
        await until_seen(user, "Ask a judge")
        for text in ("Ask a judge", "Judge the whole game"):
            press(user, text)
            await until(
                lambda: any("my tic_tac_toe@3" in one.text for one in elements(user, ui.label))
            )

    visiting(tmp_path, scenario)


def test_a_game_is_handed_out_as_a_file(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games/my pig/3")
        await until_seen(user, "Game file")
        press(user, "Game file")
        answer = await user.download.next(timeout=WAIT)
        played = parse_game(answer.content.decode())
        assert len(played.events) == hall.store().games.get(1, 3).plies

    visiting(tmp_path, scenario)


@pytest.mark.compiled
def test_a_game_of_trictrac_is_replayed_on_the_board(tmp_path: Path) -> None:
    make_store(tmp_path / "store", "trictrac")

    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/games/my trictrac/0?ply=1")
        await until(lambda: elements(user, TrictracBoard))
        (board,) = elements(user, TrictracBoard)
        assert board.props["scene"]["board"][0] == 15
        assert board.props["scene"]["dice"] is not None
        key(user, "ArrowRight")
        await until_seen(user, "Ply 2 of")
        assert board.props["scene"]["came_by"]
        assert board.props["scene"]["board"] != [15, *[0] * 22, -15]

    visiting(tmp_path, scenario)


def test_a_share_is_a_bar() -> None:
    shown = bar(0.5, ResearchWords(Language.EN))
    assert shown == '<span class="rs-bar" style="width: 45px"></span>50.0%'
