"""A board and a roll as bit masks: bit f is field f of the mover (1 to 24).

Most questions of the rules are about fields that hold none, one or two checkers, and are then
answered for all fields at once by shifting a mask by a number of the dice.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel

Board = npt.NDArray[np.int8]  # [24] from the mover's side

FIELDS = 0x1FFFFFE  # 1..24
SMALL_JAN = 0x3F << 1
BIG_JAN = 0x3F << 7
OTHER_BIG_JAN = 0x3F << 13
RETURN_JAN = 0x3F << 19
BIG_TABLE = BIG_JAN | OTHER_BIG_JAN  # R1.5

CORNER_FIELD = 12  # R1.3
OTHER_CORNER_FIELD = 13
STACK = 1 << 1  # R1.2
CORNER = 1 << CORNER_FIELD
OTHER_CORNER = 1 << OTHER_CORNER_FIELD
HOME_FIELD = 19  # the first field of the return jan, from where checkers leave the board

NEARLY_FULL = 2
"""A jan that lacks more checkers than this cannot be full after one roll (R10.14)."""


class Turn(NamedTuple):
    """A position and a roll, prepared for all questions about what it gives and allows."""

    high: int
    low: int
    own: int  # fields with own checkers
    own2: int  # with two or more
    other: int  # fields with checkers of the opponent
    other2: int
    corner: int  # own checkers on 12
    stack: int  # own checkers on 1
    total: int  # own checkers on the board
    outside: int  # own checkers that are not yet in the return jan
    closed: int  # where no play may end with one checker more: R5.1, R7.1
    open: int  # where a checker may rest, R4.2
    stop: int  # where a play may end: open and not closed
    jan: int  # the one own jan that is full or lacks at most two checkers, else 0
    missing: int  # checkers it lacks
    own3: int  # fields with three or more own checkers; 0 without such a jan
    own4: int  # with four or more; likewise


@kernel
def read_turn(board: Board, high: int, low: int) -> Turn:
    """Read a board seen from the mover's side; `high` and `low` are the dice."""
    own, own2, other, other2, total, outside = read_fields(board)
    closed = closed_fields(board)
    opened = FIELDS & ~other
    jan, missing = nearly_full_jan(own, own2)
    own3, own4 = read_surplus(board) if jan else (0, 0)
    return Turn(
        high=high,
        low=low,
        own=own,
        own2=own2,
        other=other,
        other2=other2,
        corner=max(int(board[CORNER_FIELD - 1]), 0),
        stack=max(int(board[0]), 0),
        total=total,
        outside=outside,
        closed=closed,
        open=opened,
        stop=opened & ~closed,
        jan=jan,
        missing=missing,
        own3=own3,
        own4=own4,
    )


@kernel
def with_dice(turn: Turn, high: int, low: int) -> Turn:
    """Return the same position with other dice: whoever tries all rolls reads the board once."""
    return Turn(
        high=high,
        low=low,
        own=turn.own,
        own2=turn.own2,
        other=turn.other,
        other2=turn.other2,
        corner=turn.corner,
        stack=turn.stack,
        total=turn.total,
        outside=turn.outside,
        closed=turn.closed,
        open=turn.open,
        stop=turn.stop,
        jan=turn.jan,
        missing=turn.missing,
        own3=turn.own3,
        own4=turn.own4,
    )


@kernel
def read_fields(board: Board) -> tuple[int, int, int, int, int, int]:
    """Return own, own2, other, other2, total and outside of a `Turn`.

    Without branches, so that the compiler does all fields at once.
    """
    own = 0
    own2 = 0
    other = 0
    other2 = 0
    total = 0
    outside = 0
    for field in range(1, 25):
        checkers = int(board[field - 1])
        own |= int(checkers > 0) << field
        own2 |= int(checkers > 1) << field
        other |= int(checkers < 0) << field
        other2 |= int(checkers < -1) << field
        total += max(checkers, 0)
        outside += max(checkers, 0) if field < HOME_FIELD else 0
    return own, own2, other, other2, total, outside


@kernel
def closed_fields(board: Board) -> int:
    """Return the fields where the mover may not stop: his opponent's corner and forbidden jans.

    A jan is forbidden while the opponent has the material to fill it (R7.1, R7.6): two checkers
    at or behind its first field, four at or behind its second, and so on.
    """
    closed = OTHER_CORNER  # R5.1
    behind = 0
    small = True
    big = True
    for k in range(1, 7):  # fields 24 to 19
        behind += max(-int(board[24 - k]), 0)
        small = small and behind >= 2 * k
    for k in range(1, 7):  # fields 18 to 13
        behind += max(-int(board[18 - k]), 0)
        big = big and behind >= 2 * k
    if small:
        closed |= RETURN_JAN
    if big:
        closed |= OTHER_BIG_JAN
    return closed


@kernel
def nearly_full_jan(own: int, own2: int) -> tuple[int, int]:
    """Return the own jan that is or may become full by one roll, and how many checkers it lacks.

    It holds ten checkers or more, so there is at most one (R8.3). Jan 0 if there is none.
    """
    for jan in (SMALL_JAN, BIG_JAN, RETURN_JAN):
        missing = 12 - count_bits(own & jan) - count_bits(own2 & jan)  # R10.14
        if missing <= NEARLY_FULL:
            return jan, missing
    return 0, NEARLY_FULL + 1


@kernel
def read_surplus(board: Board) -> tuple[int, int]:
    """Return the fields with three and with four own checkers or more (R1.6)."""
    own3 = 0
    own4 = 0
    for field in range(1, 25):
        own3 |= int(board[field - 1] > 2) << field
        own4 |= int(board[field - 1] > 3) << field
    return own3, own4


@kernel
def count_bits(mask: int) -> int:
    """Return the number of fields in a mask. The compiler makes one instruction of the loop."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def field_of(bit: int) -> int:
    """Return the field of a mask with one bit."""
    return count_bits(bit - 1)
