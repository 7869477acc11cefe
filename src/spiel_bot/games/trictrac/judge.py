"""What a roll is worth, how it may be played and what a score marks, in plain Python values.

The core of `referee.py`, over the kernels. All input is checked before it reaches them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import State
from spiel_bot.games.trictrac.jans import FOR_MOVER, NAMES
from spiel_bot.games.trictrac.marks import alternative_stake, stake, tally
from spiel_bot.games.trictrac.moves import legal_plays
from spiel_bot.games.trictrac.play_notation import Moves
from spiel_bot.games.trictrac.plays import MAX_PLAYS, moves_of_code, play_on
from spiel_bot.games.trictrac.position import (
    WholeNumbers,
    check_board,
    check_dice,
    check_flag,
    check_number,
)
from spiel_bot.games.trictrac.scoring import MAX_ENTRIES, score_entries
from spiel_bot.games.trictrac.state import DEAD, HOLES_OF_A_GAME, NOBODY, STATE

RULES = {
    "true_hit_big": "R10.3",
    "true_hit_small": "R10.3",
    "false_hit_big": "R10.6",
    "false_hit_small": "R10.6",
    "corner_hit": "R10.9",
    "two_tables": "R10.11",
    "contre_two_tables": "R10.11",
    "mezeas": "R10.12",
    "contre_mezeas": "R10.12",
    "six_tables": "R10.13",
    "small_jan_filled": "R10.16",
    "big_jan_filled": "R10.16",
    "return_jan_filled": "R10.16",
    "small_jan_conserved": "R10.19",
    "big_jan_conserved": "R10.19",
    "return_jan_conserved": "R10.19",
    "exit": "R10.21",
    "misery_made": "R10.22",
    "misery_conserved": "R10.22",
    "helpless": "R10.23",
}
FILLED = {"small_jan_filled": 1, "big_jan_filled": 7, "return_jan_filled": 19}
TWO_MISSING_RULE = "R10.15"
MANY = 10**9
"""More points, holes or rolls than any game has."""

MarksTuple = tuple[tuple[int, int], tuple[int, int], int | None]


class Play(NamedTuple):
    """One way to play a roll."""

    moves: Moves
    """(from, to) for each number played, to 0 for out; empty when nothing can be played."""

    result: tuple[int, ...]
    """The 24 fields afterwards, still from the mover's side."""


class JanScore(NamedTuple):
    """One thing a roll scores."""

    jan: str
    """Name as in R10.1, such as ``true_hit_small``."""

    ways: int
    points: int

    beneficiary: str
    """``mover`` or ``opponent``."""

    field: int | None
    """The field hit, from the mover's side; None for other jans."""

    rule: str
    """The rule that gives it, such as ``R10.3``."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a roll gives to each side, before anything is played (R3.2)."""

    mover: int
    opponent: int
    jans: list[JanScore]


class Marks(NamedTuple):
    """The marks of both sides, side 0 first (R12.2)."""

    points: tuple[int, int] = (0, 0)
    holes: tuple[int, int] = (0, 0)

    run: int | None = None
    """The side in bredouille, 0 or 1, or None."""


class Stakes(NamedTuple):
    """What a won game counts."""

    bredouille: int
    """2 for a grande bredouille, else 1 (R14.2, the default convention)."""

    laws: int
    """1 to 4 by the other convention (R14.3)."""


class Marked(NamedTuple):
    """The marks after a score, and the holes it won."""

    marks: Marks
    holes_won: int

    @property
    def points(self) -> tuple[int, int]:
        """Points of both sides now."""
        return self.marks.points

    @property
    def holes(self) -> tuple[int, int]:
        """Holes of both sides now."""
        return self.marks.holes

    @property
    def run(self) -> int | None:
        """The side in bredouille now, or None."""
        return self.marks.run


def plays(board: WholeNumbers, dice: WholeNumbers) -> list[Play]:
    """Return the legal plays of a roll, one for each different result (sections 4 to 9).

    Raises:
        NotationError: The board or the dice are not such.
    """
    fields = np.array(check_board(board), np.int8)
    high, low = check_dice(dice)
    codes = np.empty(MAX_PLAYS, np.int32)
    found = []
    for code in codes[: legal_plays(fields, high, low, codes)].tolist():
        result = fields.copy()
        play_on(result, code, high, low)
        found.append(Play(moves_of_code(code, high, low), tuple(result.tolist())))
    return found


def score(
    board: WholeNumbers,
    dice: WholeNumbers,
    roll_count: int | None = None,
    misery_pile: bool = True,
) -> Score:
    """Return what a roll gives to each side (section 10).

    Args:
        board: 24 whole numbers from the mover's side.
        dice: The two numbers, in any order.
        roll_count: Rolls of the mover since the last setting, this one included; six tables
            need it (R10.13).
        misery_pile: Whether the misery pile counts (R10.22).

    Raises:
        NotationError: The board or the dice are not such.
        BadRequestError: The roll count is not a number from 1, or misery_pile not true or false.
    """
    fields = check_board(board)
    high, low = check_dice(dice)
    rolls = 0
    if roll_count is not None:
        rolls = check_number(roll_count, "a roll count, this roll included,", 1, MANY)
    with_pile = check_flag(misery_pile, "misery_pile")
    entries = np.zeros((MAX_ENTRIES, 5), np.int64)
    count = score_entries(np.array(fields, np.int8), high, low, rolls, int(with_pile), entries)
    jans = [_jan_score(fields, entry) for entry in entries[:count].tolist()]
    totals = [
        sum(jan.points for jan in jans if jan.beneficiary == side) for side in ("mover", "opponent")
    ]
    return Score(totals[0], totals[1], jans)


def mark(marks: "Marks | Marked | MarksTuple", side: int, points: int) -> Marked:
    """Let a side mark points, all those of one roll at once (R12.3).

    Returns:
        The marks afterwards and the holes won. Unpack them, or read ``points``, ``holes`` and
        ``run`` directly.

    Raises:
        BadRequestError: The side is not 0 or 1, the points are odd or negative, or the marks
            cannot be such.
    """
    side = check_number(side, "a side", 0, 1)
    gain = check_number(points, "points", 0, MANY)
    if gain % 2:
        raise BadRequestError(f"expected an even number of points (R12.1), got {gain}")
    before = _check_marks(marks)
    if gain == 0:  # R12.10
        return Marked(before, 0)
    run = NOBODY if before.run is None else before.run
    rest, run, won = tally(before.points[side], run, side, gain)
    both_points, both_holes = list(before.points), list(before.holes)
    both_points[side] = rest
    both_points[1 - side] = 0 if won else both_points[1 - side]
    both_holes[side] += won
    after = Marks(
        points=(both_points[0], both_points[1]),
        holes=(both_holes[0], both_holes[1]),
        run=None if run == NOBODY else run,
    )
    return Marked(after, won)


def stakes(holes: Sequence[int], flag: int | None, winner: int) -> Stakes:
    """Return what a won game counts, by both conventions of the laws.

    Args:
        holes: Of side 0 and side 1 at the end.
        flag: The side whose run of holes was not interrupted (R14.4), or None.
        winner: The side that won.

    Raises:
        BadRequestError: The values are not such, or the winner has not twelve holes.
    """
    record: State = np.zeros(1, STATE)[0]
    side = check_number(winner, "a winner", 0, 1)
    record["holes"] = [check_number(count, "holes", 0, 100) for count in _pair(holes, "holes")]
    record["holes_to_win"] = HOLES_OF_A_GAME
    record["flag"] = DEAD if flag is None else check_number(flag, "a flag, or None,", 0, 1)
    if record["holes"][side] < HOLES_OF_A_GAME:
        raise BadRequestError(f"expected 12 holes of the winner (R14.1), got {holes}")
    return Stakes(int(stake(record, side)), int(alternative_stake(record, side)))


def _pair(values: Any, what: str) -> tuple[Any, Any]:
    try:
        one, two = values
    except (TypeError, ValueError):
        raise BadRequestError(f"expected {what} of two sides, got {values!r}") from None
    return one, two


def _check_marks(marks: Any) -> Marks:
    try:
        points, holes, run = marks.marks if isinstance(marks, Marked) else marks
    except (TypeError, ValueError):
        raise BadRequestError(f"expected marks (points, holes, run), got {marks!r}") from None
    checked = [check_number(n, "points of a side", 0, 10) for n in _pair(points, "points")]
    if any(number % 2 for number in checked):
        raise BadRequestError(f"expected even points (R12.1), got {points}")
    won = [check_number(n, "holes of a side", 0, MANY) for n in _pair(holes, "holes")]
    if run is not None:
        run = check_number(run, "a run, or None,", 0, 1)
    return Marks((checked[0], checked[1]), (won[0], won[1]), run)


def _jan_score(fields: list[int], entry: list[int]) -> JanScore:
    number, ways, points, beneficiary, field = entry
    jan = NAMES[number]
    rule = RULES[jan]
    if jan in FILLED:
        start = FILLED[jan] - 1
        missing = sum(max(0, 2 - max(count, 0)) for count in fields[start : start + 6])
        rule = TWO_MISSING_RULE if missing == 2 else rule
    side = "mover" if beneficiary == FOR_MOVER else "opponent"
    return JanScore(jan, ways, points, side, field or None, rule)
