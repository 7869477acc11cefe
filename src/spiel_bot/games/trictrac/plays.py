"""One play as a small number, its code, and what it does to a board.

A code holds the two source fields, which number is played first, and whether the corner is
taken by puissance. Fields grow with the ordinals of their checkers, so codes stand in the same
order as the actions of `actions.py`, and the lowest code of a result has the lowest action.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.masks import (
    CORNER_FIELD,
    FIELDS,
    OTHER_CORNER_FIELD,
    Board,
    Turn,
)

Codes = npt.NDArray[np.int32]  # [N] play codes

# code = LOW_FIRST (the lower number is played first) + FIRST * source + SECOND * source
#        + PUISSANCE (both checkers reach 13 and are put on 12, R6.4)
# where the sources are fields, 0 for a number that is not played.
PUISSANCE = 1
SECOND = 1 << 1
FIRST = 1 << 6
LOW_FIRST = 1 << 11
CODE_LIMIT = 1 << 12

EMPTY_PLAY = 0
"""No number can be played (R3.5)."""

OUT_FIELD = 25
"""Where checkers are that have left the board."""

MAX_PLAYS = 225
"""Most different results of a roll: 15 first sources, and 15 second ones for each."""


@kernel
def corner_code(turn: Turn) -> int:
    """Return the code of taking the corner by puissance (R6.4)."""
    high_source = OTHER_CORNER_FIELD - turn.high
    low_source = OTHER_CORNER_FIELD - turn.low
    return FIRST * high_source + SECOND * low_source + PUISSANCE


@kernel
def is_low_first(code: int) -> bool:
    """Return whether the lower number is played first."""
    return code & LOW_FIRST != 0


@kernel
def first_source(code: int) -> int:
    """Return the source field of the number played first, 0 if it is not played."""
    return code >> 6 & 31


@kernel
def second_source(code: int) -> int:
    """Return the source field of the number played second, 0 if it is not played."""
    return code >> 1 & 31


@kernel
def is_puissance(code: int) -> bool:
    """Return whether the corner is taken by puissance (R6.4)."""
    return code & PUISSANCE != 0


@kernel
def first_number(code: int, high: int, low: int) -> int:
    """Return the number that is played first, or would be."""
    return low if is_low_first(code) else high


@kernel
def second_number(code: int, high: int, low: int) -> int:
    """Return the number that is played second, or would be."""
    return high if is_low_first(code) else low


@kernel
def target_of(source: int, number: int) -> int:
    """Return where a step ends: a field, or OUT_FIELD."""
    return min(source + number, OUT_FIELD)


@kernel
def play_on(board: Board, code: int, high: int, low: int) -> int:
    """Play on a board, in place; return how many checkers have left it."""
    exits = 0
    first = first_source(code)
    second = second_source(code)
    if first > 0:
        exits += step_on(board, first, first_number(code, high, low))
    if second > 0:
        exits += step_on(board, second, second_number(code, high, low))
    if is_puissance(code):  # R6.4: the two checkers go back from 13 to 12
        board[OTHER_CORNER_FIELD - 1] -= 2
        board[CORNER_FIELD - 1] += 2
    return exits


@kernel
def step_on(board: Board, source: int, number: int) -> int:
    """Advance one checker, in place; return 1 if it has left the board."""
    board[source - 1] -= 1
    target = source + number
    if target >= OUT_FIELD:
        return 1
    board[target - 1] += 1
    return 0


def moves_of_code(code: int, high: int, low: int) -> tuple[tuple[int, int], ...]:
    """Return a play as (from, to) for each number played; to is 0 for an exit.

    The two moves of puissance both end on 12, as they do on the board.
    """
    if is_puissance(code):
        sources = (first_source(code), second_source(code))
        return (sources[0], CORNER_FIELD), (sources[1], CORNER_FIELD)
    steps = (
        (first_source(code), first_number(code, high, low)),
        (second_source(code), second_number(code, high, low)),
    )
    return tuple(
        (source, target_of(source, number) % OUT_FIELD) for source, number in steps if source
    )


@kernel
def result_key(code: int, high: int, low: int) -> int:
    """Return a number that two plays of a roll share exactly when their results are the same.

    A result is told by the fields that lost a checker and those that gained one, after striking
    out a field that did both.
    """
    first = first_source(code)
    second = second_source(code)
    end_first = target_of(first, first_number(code, high, low)) if first > 0 else 0
    end_second = target_of(second, second_number(code, high, low)) if second > 0 else 0
    if is_puissance(code):
        end_first = end_second = CORNER_FIELD
    if end_first == second:  # one checker moved twice
        end_first = second = 0
    elif end_second == first:  # one checker took the place of the other
        end_second = first = 0
    lost = min(first, second) << 5 | max(first, second)
    gained = min(end_first, end_second) << 5 | max(end_first, end_second)
    return lost << 10 | gained


@kernel
def gained_fields(code: int, high: int, low: int) -> int:
    """Return the fields, as a mask, that hold more own checkers after a play."""
    gained = result_key(code, high, low) & 1023
    return (1 << (gained >> 5) | 1 << (gained & 31)) & FIELDS
