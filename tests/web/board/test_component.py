"""What comes back from a browser is read with care: anything may come."""

from typing import Any

import pytest

from spiel_bot.web.board.component import _board, _field, _moves
from spiel_bot.web.board.words import WORDS


@pytest.mark.parametrize(
    "value", [None, 7, "1>7", [1, 7], [[1]], [[0, 7]], [[1, 25]], [[1, True]], [[1, 7]] * 3, {}]
)
def test_what_is_no_list_of_moves_is_dropped(value: Any) -> None:
    assert _moves(value) is None


def test_moves_and_boards_are_read() -> None:
    assert _moves([[1, 7], [7, 0]]) == [(1, 7), (7, 0)]
    assert _moves([[1, -1]]) == [(1, -1)]
    board = [15, *[0] * 22, -15]
    assert _board(board) == board
    assert _field(24) == 24


@pytest.mark.parametrize("value", [None, [0] * 23, [0.5] * 24, [99] * 24, "0" * 24])
def test_what_is_no_board_is_dropped(value: Any) -> None:
    assert _board(value) is None


@pytest.mark.parametrize("value", [None, 0, 25, True, "1", [1]])
def test_what_is_no_field_is_dropped(value: Any) -> None:
    assert _field(value) is None


def test_both_languages_say_everything() -> None:
    assert set(WORDS["en"]) == set(WORDS["fr"])
