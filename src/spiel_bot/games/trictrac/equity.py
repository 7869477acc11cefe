"""What marks are worth: the race for a hole, and the chance to win from so many holes.

Two small models of a game in which a roll gives points as it does on average, whatever stands on
the board. Both are solved exactly.
"""

import functools

import numpy as np
import numpy.typing as npt

from spiel_bot.games.trictrac.marks import POINTS_OF_A_HOLE, tally
from spiel_bot.games.trictrac.state import HOLES_OF_A_GAME, NOBODY

Table = npt.NDArray[np.float64]

# Points of a roll and how often they come.
GAINS = {0: 0.75, 2: 0.06, 4: 0.13, 6: 0.03, 8: 0.02, 10: 0.005, 12: 0.005}

DOUBLE_HOLES = 0.45
"""Share of holes that are won in bredouille, and count two."""

LEVELS = POINTS_OF_A_HOLE // 2  # points are even (R12.1): 0, 2, ... 10
RUNS = 3

WAITS, ROLLS = 0, 1


@functools.cache
def race_table() -> Table:
    """Return [6, 6, 3] holes the waiting side may expect to gain on the one that rolls next.

    Indexed by half the points of who waits and of who rolls, and by the side in bredouille plus
    one: nobody, who waits, who rolls. After a hole the race begins again.
    """
    # Observations need the table when they are imported, and compiling takes longer than this.
    plain_tally = getattr(tally, "py_func", tally)
    size = LEVELS * LEVELS * RUNS
    steps, gained = np.zeros((size, size)), np.zeros(size)
    for row in range(size):
        waits, rolls, run = np.unravel_index(row, (LEVELS, LEVELS, RUNS))
        for gain, share in GAINS.items():
            rest, side, won = 2 * int(rolls), int(run) - 1, 0
            if gain:
                rest, side, won = plain_tally(rest, side, ROLLS, gain)
            kept = 0 if won else int(waits)
            # The sides change: who waited rolls now, and what he may expect counts against.
            turned = side if side == NOBODY else 1 - side
            after = np.ravel_multi_index((rest // 2, kept, turned + 1), (LEVELS, LEVELS, RUNS))
            steps[row, after] -= share
            gained[row] -= share * won
    solved = np.linalg.solve(np.eye(size) - steps, gained)
    return solved.reshape(LEVELS, LEVELS, RUNS).astype(np.float64)


@functools.cache
def match_table() -> Table:
    """Return [13, 13] the expected result, 1 to -1, by the holes that each side still needs."""
    values = np.zeros((HOLES_OF_A_GAME + 1, HOLES_OF_A_GAME + 1))
    values[:, 0] = -1.0
    values[0, :] = 1.0
    for own in range(1, HOLES_OF_A_GAME + 1):
        for other in range(1, HOLES_OF_A_GAME + 1):
            simple = values[own - 1, other] + values[own, other - 1]
            double = values[max(own - 2, 0), other] + values[own, max(other - 2, 0)]
            values[own, other] = ((1 - DOUBLE_HOLES) * simple + DOUBLE_HOLES * double) / 2
    return values


@functools.cache
def hole_worth_table() -> Table:
    """Return [13, 13] what one hole more is worth, half of it won and half not lost."""
    match = match_table()
    worth = np.zeros(match.shape)
    worth[1:, 1:] = (match[:-1, 1:] - match[1:, :-1]) / 2
    return worth
