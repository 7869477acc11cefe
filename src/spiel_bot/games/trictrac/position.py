"""Boards and rolls that come from outside: checked once, with one clear line if they are wrong."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from spiel_bot.errors import NotationError
from spiel_bot.games.trictrac.state import CHECKERS, NUM_FIELDS

WholeNumbers = Sequence[int] | npt.NDArray[Any]
"""Numbers as another program may hold them: a list, a tuple, an array."""


def check_board(board: WholeNumbers) -> list[int]:
    """Return a board as a list of 24 whole numbers from the mover's side (R1.1).

    Raises:
        NotationError: It has another length, holds something else, or too many checkers.
    """
    fields = _whole_numbers(board, "a board")
    if len(fields) != NUM_FIELDS:
        raise NotationError(f"expected a board of 24 numbers, got {len(fields)}")
    for side, sign in (("the mover", 1), ("the opponent", -1)):
        count = sum(max(sign * checkers, 0) for checkers in fields)
        if count > CHECKERS:
            raise NotationError(f"expected at most 15 checkers of {side}, got {count}")
    return fields


def check_dice(dice: WholeNumbers) -> tuple[int, int]:
    """Return a roll, the higher number first.

    Raises:
        NotationError: It is not two whole numbers from 1 to 6.
    """
    numbers = _whole_numbers(dice, "a roll")
    if len(numbers) != 2 or not all(1 <= number <= 6 for number in numbers):
        raise NotationError(f"expected a roll of two numbers from 1 to 6, got {list(dice)}")
    return max(numbers), min(numbers)


def check_moves(moves: object) -> list[tuple[int, int]]:
    """Return moves as pairs (from, to); to is 0 for out.

    Raises:
        NotationError: They are not pairs of fields, or more than two.
    """
    if isinstance(moves, str) or not isinstance(moves, Sequence):
        raise NotationError(f"expected moves as pairs (from, to), got {moves!r}")
    if len(moves) > 2:
        raise NotationError(f"expected at most two moves, one for each number, got {len(moves)}")
    pairs = []
    for move in moves:
        fields = _whole_numbers(move, "a move")
        if len(fields) != 2 or not 1 <= fields[0] <= NUM_FIELDS or not 0 <= fields[1] <= NUM_FIELDS:
            raise NotationError(
                f"expected a move (from 1-24, to 1-24 or 0 for out), got {tuple(move)}"
            )
        pairs.append((fields[0], fields[1]))
    return pairs


def _whole_numbers(values: Any, what: str) -> list[int]:
    """Return whole numbers as Python integers; NumPy's are welcome, booleans and floats are not."""
    try:
        items = list(values)
    except TypeError:
        raise NotationError(f"expected {what} as a list of whole numbers, got {values!r}") from None
    numbers = []
    for item in items:
        if isinstance(item, bool | str) or not hasattr(item, "__index__"):
            raise NotationError(f"expected {what} of whole numbers, got {item!r} in it")
        numbers.append(item.__index__())
    return numbers
