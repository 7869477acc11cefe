"""The play page without a browser: what it asks, what it answers, what it refuses."""

import asyncio
import threading
from pathlib import Path
from urllib.parse import quote

import pytest
from nicegui import ui
from nicegui.testing import User
from tests.web.simulated import only, sees, until, visiting

from spiel_bot.games.base import WHITE
from spiel_bot.web import waiting
from spiel_bot.web.board.component import TrictracBoard
from spiel_bot.web.hall import Hall
from spiel_bot.web.tables import Table

START = "white 1*15, black 1*15; white rolls"
HOLE = (
    "white 1 2 3 7*2 8*2 9*2 10*2 11*2 12*2, black 1*15; white rolls; points 10-0; holes 4-0; "
    "run white; flag white"
)
STUCK = "white 1*15, black 1 18*2 19*2 20*2 21*2 22*2 23*2; white rolls"


def asks(user: User) -> str:
    cards = [one for one in user.find(ui.element).elements if "data-asks" in one.props]
    return str(cards[0].props["data-asks"]) if cards else ""


def message(user: User) -> str:
    labels = [one for one in user.find(ui.label).elements if "sb-message" in one.classes]
    return str(labels[0].text)


def scene(user: User) -> dict[str, object]:
    (board,) = user.find(TrictracBoard).elements
    found: dict[str, object] = board.props["scene"]
    return found


async def sit_down(
    user: User, hall: Hall, start: str = START, humans: tuple[int, ...] = (WHITE,)
) -> Table:
    """Open a table against random moves; nothing is animated."""
    table = hall.new_table("trictrac", humans=humans, against="random", start=start, seed=1)
    user.http_client.cookies.set("spiel_bot_speed", "off")
    await user.open(f"/?table={table.id}")
    await until(lambda: asks(user) not in ("", "nothing"))
    return table


def test_the_form_begins_a_game(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/")
        await sees(user, "Trictrac")
        opponent = only(user, ui.select, "opponent")
        assert isinstance(opponent, ui.select)
        opponent.value = "random"
        user.find("Begin").click()
        await until(lambda: len(hall.tables) == 1)
        await sees(user, "Throw for the start")

    visiting(tmp_path, scenario)


def test_a_roll_and_a_play(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall)
        user.find("Roll the dice").click()
        await until(lambda: asks(user) == "play")
        plays = scene(user)["plays"]
        assert isinstance(plays, list)
        user.find(TrictracBoard).trigger("play", plays[0])
        await until(lambda: len(table.happenings) == 4 and asks(user) == "button")
        assert table.happenings[1].side == WHITE
        assert scene(user)["came_by"]

    visiting(tmp_path, scenario)


@pytest.mark.parametrize(
    ("moves", "words"),
    [([[1, 20]], "R4.1"), ([[1, 7], [1, 24]], "1>24"), ([[1, -1]], "1: ")],
)
def test_a_refused_step_is_explained(tmp_path: Path, moves: list[list[int]], words: str) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall)
        user.find("Roll the dice").click()
        await until(lambda: asks(user) == "play")
        user.find(TrictracBoard).trigger("refused", moves)
        await until(lambda: words in message(user))
        assert len(table.happenings) == 1

    visiting(tmp_path, scenario)


def test_a_play_that_is_not_legal_changes_nothing(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall)
        user.find("Roll the dice").click()
        await until(lambda: asks(user) == "play")
        user.find(TrictracBoard).trigger("play", [[1, 24], [1, 23]])
        await until(lambda: "1>24" in message(user))
        user.find(TrictracBoard).trigger("play", "nonsense")
        assert len(table.happenings) == 1

    visiting(tmp_path, scenario)


def test_hold_then_undo_then_go(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall, HOLE)
        user.find("Roll the dice").click()
        await until(lambda: asks(user) == "choice")
        assert scene(user)["mover"] is None
        only(user, ui.button, "hold")
        user.find("Hold (tenir)").click()
        await until(lambda: asks(user) == "play")
        plays = scene(user)["plays"]
        assert isinstance(plays, list)
        user.find(TrictracBoard).trigger("play", plays[0])
        await until(lambda: asks(user) == "button")
        user.find("Undo").click()
        await until(lambda: asks(user) == "choice")
        assert len(table.happenings) == 1
        user.find("Go (s'en aller)").click()
        await until(lambda: asks(user) == "button")
        assert table.happenings[-1].is_go

    visiting(tmp_path, scenario)


def test_a_roll_that_cannot_be_played_is_passed(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall, STUCK, humans=(0, 1))
        user.find("Roll the dice").click()
        await until(lambda: len(table.happenings) == 1 and asks(user) == "button")
        user.find("No move is possible: go on").click()
        await until(lambda: len(table.happenings) == 2)
        assert table.happenings[-1].name == "no move"
        await sees(user, "Black to roll.")

    visiting(tmp_path, scenario)


def test_rolls_happen_of_themselves_if_wanted(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall)
        user.find(ui.switch).click()
        await until(lambda: asks(user) == "play")
        assert len(table.happenings) == 1

    visiting(tmp_path, scenario)


def test_resign_and_begin_again(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall)
        user.find("Resign").click()
        user.find("Yes, resign").click()
        await until(lambda: asks(user) == "over")
        await sees(user, "The game is over: Black wins.")
        assert table.is_over
        for name in ("hint", "resign"):
            button = only(user, ui.button, name)
            assert isinstance(button, ui.button)
            assert not button.enabled

    visiting(tmp_path, scenario)


def test_save_gives_the_game_file_and_load_goes_on_with_it(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        table = await sit_down(user, hall)
        user.find("Save").click()
        answer = await user.download.next()
        assert answer.text == table.text()
        user.find("Load").click()
        pasted = only(user, ui.textarea, "load-text")
        assert isinstance(pasted, ui.textarea)
        pasted.value = answer.text
        user.find("Go on with this game").click()
        await until(lambda: len(hall.tables) == 2)
        user.find("Load").click()
        only(user, ui.textarea, "load-text").value = "nothing"  # type: ignore[attr-defined]
        user.find("Go on with this game").click()
        await until(lambda: user.notify.messages)

    visiting(tmp_path, scenario)


def test_what_an_address_names_and_is_not_there_is_told(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/?table=gone")
        await sees(user, "That game is no longer here; begin a new one.")
        await user.open(f"/?position={quote('nonsense')}")
        await sees(user, "nonsense")
        await user.open(f"/?position={quote(HOLE)}")
        await sees(user, "The game begins with your position")

    visiting(tmp_path, scenario)


@pytest.mark.compiled
def test_a_hint_is_drawn_and_a_review_shows_the_game(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await sit_down(user, hall)
        user.find("Roll the dice").click()
        await until(lambda: asks(user) == "play")
        user.find("Hint").click()
        await until(lambda: "would play" in message(user))
        assert scene(user)["advice"]
        user.find("Resign").click()
        user.find("Yes, resign").click()
        await until(lambda: asks(user) == "over")
        user.find("Review the game").click()
        await until(lambda: user.find(ui.element).elements and _reviewed(user))

    visiting(tmp_path, scenario)


def _reviewed(user: User) -> bool:
    return any(isinstance(one, ui.echart) for one in user.find(ui.element).elements)


def test_a_speed_is_remembered(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await sit_down(user, hall)
        speed = only(user, ui.select, "speed")
        assert isinstance(speed, ui.select)
        speed.value = "slow"
        await asyncio.sleep(0)
        (board,) = user.find(TrictracBoard).elements
        assert board.props["speed"] == "slow"

    visiting(tmp_path, scenario)


def test_a_new_machine_is_told_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()

    def compile_slowly() -> None:
        may_go_on.wait()

    async def scenario(user: User, hall: Hall) -> None:
        cold = threading.Event()
        monkeypatch.setattr(waiting, "BOARD_IS_WARM", cold)
        monkeypatch.setattr(waiting, "warm_board", compile_slowly)
        await user.open("/")
        await sees(user, "The rules are being compiled for this machine")
        may_go_on.set()
        await sees(user, "Begin")

    try:
        visiting(tmp_path, scenario)
    finally:
        may_go_on.set()
