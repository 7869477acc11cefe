"""What a roll is worth, how it may be played and what a score marks, in plain Python values.

The core of `referee.py`, over the kernels. All input is checked before it reaches them.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spiel_bot.errors import BadRequestError
from spiel_bot.games.trictrac.jans import FOR_MOVER, NAMES
from spiel_bot.games.trictrac.marks import tally
from spiel_bot.games.trictrac.moves import legal_plays
from spiel_bot.games.trictrac.notation import Moves
from spiel_bot.games.trictrac.plays import MAX_PLAYS, moves_of_code, play_on
from spiel_bot.games.trictrac.position import WholeNumbers, check_board, check_dice
from spiel_bot.games.trictrac.scoring import MAX_ENTRIES, score_entries
from spiel_bot.games.trictrac.state import NOBODY

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
        BadRequestError: The roll count is below one.
    """
    fields = check_board(board)
    high, low = check_dice(dice)
    if roll_count is not None and roll_count < 1:
        raise BadRequestError(f"expected a roll count from 1, this roll included, got {roll_count}")
    entries = np.zeros((MAX_ENTRIES, 5), np.int64)
    count = score_entries(
        np.array(fields, np.int8), high, low, roll_count or 0, int(misery_pile), entries
    )
    jans = [_jan_score(fields, entry) for entry in entries[:count].tolist()]
    totals = [
        sum(jan.points for jan in jans if jan.beneficiary == side) for side in ("mover", "opponent")
    ]
    return Score(totals[0], totals[1], jans)


def mark(marks: Marks | Marked, side: int, points: int) -> Marked:
    """Let a side mark points, all those of one roll at once (R12.3).

    Returns:
        The marks afterwards and the holes won. Unpack them, or read ``points``, ``holes`` and
        ``run`` directly.

    Raises:
        BadRequestError: The side is not 0 or 1, the points are odd or negative, or the marks
            cannot be such.
    """
    if side not in (0, 1):
        raise BadRequestError(f"expected side 0 or 1, got {side!r}")
    if points < 0 or points % 2:
        raise BadRequestError(f"expected an even number of points from 0 (R12.1), got {points}")
    _check_marks(marks)
    if points == 0:  # R12.10
        return Marked(Marks(marks.points, marks.holes, marks.run), 0)
    run = NOBODY if marks.run is None else marks.run
    rest, run, won = tally(marks.points[side], run, side, points)
    both_points, both_holes = list(marks.points), list(marks.holes)
    both_points[side] = rest
    both_points[1 - side] = 0 if won else both_points[1 - side]
    both_holes[side] += won
    after = Marks(
        points=(both_points[0], both_points[1]),
        holes=(both_holes[0], both_holes[1]),
        run=None if run == NOBODY else run,
    )
    return Marked(after, won)


def _check_marks(marks: Marks | Marked) -> None:
    if any(points not in range(0, 12, 2) for points in marks.points):
        raise BadRequestError(f"expected even points from 0 to 10 (R12.1), got {marks.points}")
    if any(holes < 0 for holes in marks.holes):
        raise BadRequestError(f"expected holes from 0, got {marks.holes}")
    if marks.run not in (0, 1, None):
        raise BadRequestError(f"expected run 0, 1 or None, got {marks.run!r}")


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
