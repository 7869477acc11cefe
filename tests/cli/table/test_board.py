import io
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from spiel_bot import load
from spiel_bot.cli.table.board import COLOURED, PLAIN, WIDTH, Look, draw, narrow
from spiel_bot.cli.table.narrator import Narrator
from spiel_bot.games.played import PlayedGame
from spiel_bot.games.trictrac.drawing import draw_board
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.players.session import Session
from spiel_bot.players.words import Language, Words

POSITION = "white 1*8 2 12*2 20, black 1*14 6; white plays 6-5; points 4-0; holes 3-11; flag lost"


def state_of(text: str = POSITION) -> np.void:
    return load("trictrac").from_notation(text).record


def test_the_board_is_that_of_the_plain_drawing() -> None:
    record = state_of()
    drawn = draw(record, Words(Language.EN), PLAIN).plain.splitlines()
    other = draw_board(view_of(record)).splitlines()
    rows = [line.strip() for line in drawn if line.strip().startswith("|")]
    expected = [line.strip() for line in other if line.startswith("|")]
    assert rows[1:6] == expected[:5]
    assert rows[7:12] == expected[6:]


def test_pegs_points_and_bredouille_are_shown_in_both_languages() -> None:
    record = state_of()
    english = draw(record, Words(Language.EN), PLAIN, human=(0,)).plain
    assert "O  White (you)   holes ###.........  3   points  4   bredouille" in english
    assert "X  Black         holes ###########. 11   points  0" in english
    assert english.endswith("dice  6-5")
    french = draw(record, Words(Language.FR), PLAIN).plain
    assert "Blanc         trous ###" in french
    assert french.endswith("dés  6-5")


def test_black_sits_below_and_counts_from_his_own_talon() -> None:
    lines = draw(state_of(), Words(Language.EN), PLAIN, below=1).plain.splitlines()
    bottom = [line for line in lines if line.strip().startswith("|")][-2]
    assert bottom.split()[1:3] == ["X", "."]
    assert lines[0].strip().startswith("O  White")


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("look", [PLAIN, COLOURED])
def test_a_narrow_terminal_gets_a_board_that_fits(look: Look, language: Language) -> None:
    record = state_of(POSITION.replace("4-0", "10-0").replace("3-11", "11-11"))
    lines = draw(record, Words(language), narrow(look), human=(0,)).plain.splitlines()
    assert len({len(line) for line in lines[1:-2]}) == 1
    assert max(map(len, lines)) <= 48
    wide = draw(record, Words(language), look, human=(0,)).plain.splitlines()
    assert max(map(len, wide)) <= WIDTH
    assert [line.split() for line in lines[3:8]] == [line.split() for line in wide[3:8]]


def test_the_board_is_never_broken_into_more_lines() -> None:
    session = Session(PlayedGame(game=load("trictrac"), name="trictrac", seed=1), {}, 1)
    for width, expected in ((80, 57), (60, 45), (40, 40)):
        out = io.StringIO()
        Narrator(Console(file=out, width=width), Words(Language.EN)).board(session)
        lines = out.getvalue().splitlines()
        assert len(lines) == 18
        assert max(len(line.rstrip()) for line in lines[2:-1]) == expected


@pytest.mark.parametrize("look", [PLAIN, COLOURED])
def test_every_line_of_the_board_is_equally_wide(look: Look) -> None:
    text = draw(state_of(), Words(Language.EN), look, touched=[24])
    widths = {len(line.rstrip()) for line in text.plain.splitlines()[1:-2]}
    assert len(widths) == 1
    console = Console(color_system="truecolor", force_terminal=True, no_color=False, width=80)
    with console.capture() as shown:
        console.print(text)
    assert ("48;2;120;82;48" in shown.get()) == (look is COLOURED)


@pytest.mark.parametrize(
    ("colours", "no_color", "look"),
    [
        ("truecolor", False, COLOURED),
        ("256", False, COLOURED),
        ("standard", False, PLAIN),
        ("truecolor", True, PLAIN),
        (None, False, PLAIN),
    ],
)
def test_the_sides_never_look_alike(colours: Any, no_color: bool, look: Look) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    console = Console(color_system=colours, force_terminal=True, no_color=no_color, file=file)
    assert Narrator(console, Words(Language.EN)).look is look
    ascii_file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    plain = Console(color_system=colours, force_terminal=True, file=ascii_file)
    assert Narrator(plain, Words(Language.EN)).look is PLAIN
