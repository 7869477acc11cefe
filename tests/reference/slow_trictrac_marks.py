"""Points, holes, bredouille and flag of trictrac, and what a game is worth: sections 12 to 15.

Sides are 0 and 1. Nothing here knows of the board.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

NOBODY = -1
DEAD = -2
"""The flag after it was lost by the side that had it: nobody gets it again (R14.4)."""

HOLES_OF_A_GAME = 12  # R14.1
HOLES_OF_A_MARQUE = 6  # R15.2


@dataclass(frozen=True)
class SlowMarks:
    """The marks of both sides (R12.2, R14.4)."""

    points: tuple[int, int] = (0, 0)
    holes: tuple[int, int] = (0, 0)
    bredouille: int = NOBODY
    """The side whose run of points has not been interrupted, or NOBODY."""
    flag: int = NOBODY
    """The side whose run of holes has not been interrupted, NOBODY or DEAD."""


def _with(pair: tuple[int, int], side: int, value: int) -> tuple[int, int]:
    """Return the pair with the entry of one side replaced."""
    return (value, pair[1]) if side == 0 else (pair[0], value)


def mark(marks: SlowMarks, side: int, gain: int) -> SlowMarks:
    """Let one side mark the points of one roll, all at once (R12.3)."""
    if gain == 0:  # R12.10
        return marks
    other = 1 - side
    bredouille = marks.bredouille
    if marks.points[side] == 0:  # 1
        bredouille = side
    elif bredouille == other:
        bredouille = NOBODY
    twelves, remainder = divmod(marks.points[side] + gain, 12)  # 2
    if twelves == 0:  # 3
        return replace(marks, points=_with(marks.points, side, remainder), bredouille=bredouille)
    won = 2 * twelves if bredouille == side else 2 * twelves - 1  # 4
    return SlowMarks(  # 5
        points=_with((0, 0), side, remainder),
        holes=_with(marks.holes, side, marks.holes[side] + won),
        bredouille=side if remainder > 0 else NOBODY,
        flag=flag_after_holes(marks, side),
    )


def flag_after_holes(marks: SlowMarks, side: int) -> int:
    """Return who has the flag once a side gains holes (R14.4).

    Args:
        marks: The marks before these holes.
        side: Who gains them.
    """
    if marks.flag == DEAD:
        return DEAD
    if marks.holes[side] == 0:
        return side
    if marks.flag == 1 - side:
        return DEAD
    return marks.flag


def gain_holes(marks: SlowMarks, side: int, holes: int) -> SlowMarks:
    """Add holes without points, for accounts that name only the holes."""
    return replace(
        marks,
        holes=_with(marks.holes, side, marks.holes[side] + holes),
        flag=flag_after_holes(marks, side),
    )


def leave(marks: SlowMarks) -> SlowMarks:
    """Return the marks after a side has gone: holes and flag stay (R13.3, R14.4)."""
    return replace(marks, points=(0, 0), bredouille=NOBODY)


def winner_of_game(marks: SlowMarks) -> int | None:
    """Return the side with twelve or more holes (R14.1), or None while there is none."""
    for side in (0, 1):
        if marks.holes[side] >= HOLES_OF_A_GAME:
            return side
    return None


def stake(marks: SlowMarks, winner: int) -> int:
    """Return the stake of an ordinary game: 2 for a grande bredouille, else 1 (R14.2)."""
    return 2 if marks.flag == winner and marks.holes[winner] >= HOLES_OF_A_GAME else 1


def alternative_stake(marks: SlowMarks, winner: int) -> int:
    """Return the stake of an ordinary game by the other convention (R14.3)."""
    loser_holes = marks.holes[1 - winner]
    if loser_holes == 0:
        return 4
    if marks.flag == winner:  # the loser has holes, and they came first: winner in second
        return 3
    if loser_holes < 6:  # here nobody has the run
        return 2
    return 1


class MarqueResult(NamedTuple):
    """How a marqué of the scored game ended."""

    winner: int | None
    """None for a refait (R15.3)."""
    multiplier: int | None


def marque_result(marks: SlowMarks) -> MarqueResult | None:
    """Return the result of a marqué when a side goes, or None if it continues (R15.2-R15.5)."""
    if max(marks.holes) < HOLES_OF_A_MARQUE:  # R15.4: a new setting only
        return None
    if marks.holes[0] == marks.holes[1]:  # R15.3
        return MarqueResult(None, None)
    winner = 0 if marks.holes[0] > marks.holes[1] else 1
    if marks.flag != winner:  # R15.6
        return MarqueResult(winner, 1)
    return MarqueResult(winner, 4 if marks.holes[winner] >= HOLES_OF_A_GAME else 2)  # R15.5


def marque_payment(winner_holes: int, loser_holes: int, multiplier: int, refaits: int) -> int:
    """Return what the loser of a marqué pays, consolation included (R15.7)."""
    consolation = 2 << refaits  # 2, doubled by each refait (OP-8)
    return multiplier * winner_holes - loser_holes + multiplier * consolation


def bets_received(marques: int, wins: int) -> int:
    """Return the bets received by a side that won so many of the marqués of a pair (R15.10)."""
    excess, odd = divmod(2 * wins - marques, 2)
    if odd:
        raise ValueError(f"the number of marqués of a pair must be even (R15.1), got {marques}")
    return 28 + 8 * (excess - 1) if excess > 0 else 0
