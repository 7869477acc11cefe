"""Values that come from outside: checked once, with one clear line if they are wrong."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, NotationError
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
            shown = count if count < 10**6 else "far more"
            raise NotationError(f"expected at most 15 checkers of {side}, got {shown}")
    return fields


def check_dice(dice: WholeNumbers) -> tuple[int, int]:
    """Return a roll, the higher number first.

    Raises:
        NotationError: It is not two whole numbers from 1 to 6.
    """
    numbers = _whole_numbers(dice, "a roll")
    if len(numbers) != 2 or not all(1 <= number <= 6 for number in numbers):
        raise NotationError(f"expected a roll of two numbers from 1 to 6, got {_short(numbers)}")
    return max(numbers), min(numbers)


def check_moves(moves: Any) -> list[tuple[int, int]]:
    """Return moves as pairs (from, to); to is 0 for out.

    Raises:
        NotationError: They are not pairs of fields, or more than two.
    """
    if isinstance(moves, str | bytes) or not isinstance(moves, Iterable):
        raise NotationError(f"expected moves as pairs (from, to), got {_short(moves)}")
    found = list(moves)
    if len(found) > 2:
        raise NotationError(f"expected at most two moves, one for each number, got {len(found)}")
    pairs = []
    for move in found:
        fields = _whole_numbers(move, "a move")
        if len(fields) != 2 or not 1 <= fields[0] <= NUM_FIELDS or not 0 <= fields[1] <= NUM_FIELDS:
            raise NotationError(
                f"expected a move (from 1-24, to 1-24 or 0 for out), got {_short(fields)}"
            )
        pairs.append((fields[0], fields[1]))
    return pairs


def check_number(value: Any, what: str, least: int, most: int) -> int:
    """Return one whole number of a range; NumPy's are welcome, booleans and floats are not.

    Raises:
        BadRequestError: It is something else.
    """
    number = _whole(value)
    if number is None or not least <= number <= most:
        raise BadRequestError(f"expected {what} from {least} to {most}, got {_short(value)}")
    return number


def check_flag(value: Any, what: str) -> bool:
    """Return true or false.

    Raises:
        BadRequestError: It is neither.
    """
    if not isinstance(value, bool | np.bool_):
        raise BadRequestError(f"expected {what} to be True or False, got {_short(value)}")
    return bool(value)


def check_text(text: object, what: str) -> None:
    """Refuse what is not a text.

    Raises:
        NotationError: It is not.
    """
    if not isinstance(text, str):
        raise NotationError(f"expected {what} as text, got a {type(text).__name__}")


def moved(board: Sequence[int], moves: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return a board with own checkers displaced, whatever the rules say; to 0 is out."""
    after = list(board)
    for source, target in moves:
        after[source - 1] -= 1
        if target:
            after[target - 1] += 1
    return tuple(after)


def _whole_numbers(values: Any, what: str) -> list[int]:
    if isinstance(values, str | bytes):
        raise NotationError(f"expected {what} as a list of whole numbers, got {_short(values)}")
    try:
        items = list(values)
    except TypeError:
        raise NotationError(
            f"expected {what} as a list of whole numbers, got {_short(values)}"
        ) from None
    numbers = []
    for item in items:
        number = _whole(item)
        if number is None:
            raise NotationError(f"expected {what} of whole numbers, got {_short(item)} in it")
        numbers.append(number)
    return numbers


def _whole(value: Any) -> int | None:
    """Return a whole number as Python's own, None for anything else."""
    if isinstance(value, bool | np.bool_ | np.ndarray):
        return None
    try:
        return operator.index(value)
    except Exception:  # an object from outside may raise what it likes
        return None


def _short(value: Any) -> str:
    """Return a value on one line, however long it is."""
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a very large number"
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
