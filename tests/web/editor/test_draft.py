"""A position set up by hand says the same as its line of text."""

import string

import pytest

from spiel_bot.errors import NotationError
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.web.editor.draft import EMPTY, START, Draft, draft_of
from spiel_bot.web.editor.words import TEXTS

TEXTS_OF_POSITIONS = [
    "white 1*15, black 1*15; white rolls",
    "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; black rolls; points 4-2; run white",
    "white 20 22*2, black 6*3 7*4; white rolls; points 6-10; holes 5-7; rolls 2-0",
]


@pytest.mark.parametrize("text", TEXTS_OF_POSITIONS)
def test_a_draft_is_read_back_from_its_own_text(text: str) -> None:
    draft = draft_of(text)
    assert draft_of(draft.text) == draft
    for clause in text.split("; "):
        assert clause in draft.text


def test_a_roll_of_the_text_becomes_the_dice() -> None:
    draft = draft_of("white 1*15, black 1*15; white plays 6-5; rolls 1-0")
    assert draft.dice == (6, 5)
    assert draft.roll == "6-5"
    assert draft.rolls == 0
    assert draft_of("white 1*15, black 1*15; white rolls", (4, 2)).dice == (4, 2)


def test_checkers_are_put_and_taken() -> None:
    draft = Draft(board=EMPTY).put(6, WHITE).put(6, WHITE).put(20, BLACK)
    assert draft.board[5] == 2
    assert draft.board[19] == -1
    assert draft.take(6).board[5] == 1
    assert draft.take(20).board[19] == 0
    assert draft.take(1) == draft
    assert draft.put(20, WHITE).board[19] == 1  # the field is taken over


def test_a_side_has_fifteen_checkers_and_no_more() -> None:
    draft = Draft()
    assert draft.board == START
    assert draft.put(7, WHITE) == draft
    assert draft.count(WHITE) == draft.count(BLACK) == 15


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(NotationError):
        draft_of("nonsense")


def test_both_languages_say_the_same_things() -> None:
    assert TEXTS["en"].keys() == TEXTS["fr"].keys()
    for key, text in TEXTS["en"].items():
        names = [
            {name for _, name, _, _ in string.Formatter().parse(one) if name}
            for one in (text, TEXTS["fr"][key])
        ]
        assert names[0] == names[1], key
