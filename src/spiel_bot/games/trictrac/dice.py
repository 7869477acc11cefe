"""Chance: 21 ordinary rolls, 30 that open a game, and the draws of random marks.

An ordinary roll is a pair of numbers, the higher first. The first roll of a game is one die a
side: the higher starts and plays both numbers, equal dice are thrown again (R2.2), so each side
begins with each of the 15 unequal pairs, all 30 equally likely.

Where a game starts with random marks (`start.py`), those are drawn before the first roll, one after
the other; the outcomes 0 to n - 1 are then the n values a mark may have, all equally likely.
"""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import BLACK, CHANCE, WHITE, Probabilities, States
from spiel_bot.games.trictrac.start import MOST_CHOICES, num_choices

PAIRS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
UNEQUAL_PAIRS = [(high, low) for high, low in PAIRS if high > low]

NUM_ROLLS = len(PAIRS)
NUM_OPENINGS = 2 * len(UNEQUAL_PAIRS)
NUM_OUTCOMES = NUM_ROLLS + NUM_OPENINGS

# [C, 2] the numbers of each outcome: 0-20 ordinary rolls, 21-35 white begins, 36-50 black begins.
NUMBERS = np.array(PAIRS + UNEQUAL_PAIRS + UNEQUAL_PAIRS, np.int8)
# [C] who rolls: the mover, whoever he is, or the side that the opening roll chooses.
MOVER = -1
ROLLER = np.array(
    [MOVER] * NUM_ROLLS + [WHITE] * len(UNEQUAL_PAIRS) + [BLACK] * len(UNEQUAL_PAIRS), np.int8
)

NO_ROLL, ORDINARY, OPENING, DRAW = 0, 1, 2, 2
# [15, C] probabilities where nobody rolls, at an ordinary roll, at the first roll of a game, and in
# row DRAW + n where a mark with n values is drawn.
CHANCES = np.zeros((DRAW + MOST_CHOICES + 1, NUM_OUTCOMES))
CHANCES[ORDINARY, :NUM_ROLLS] = [1 / 36 if high == low else 2 / 36 for high, low in PAIRS]
CHANCES[OPENING, NUM_ROLLS:] = 1 / NUM_OPENINGS
for _choices in range(1, MOST_CHOICES + 1):
    CHANCES[DRAW + _choices, :_choices] = 1 / _choices


@kernel
def chance_probabilities_many(states: States, out: Probabilities) -> None:
    """Write the probability of each outcome in each position."""
    for b in range(states.shape[0]):
        kind = NO_ROLL
        if states[b]["player"] == CHANCE:
            if states[b]["draws"]:
                kind = DRAW + num_choices(states[b])
            else:
                kind = OPENING if states[b]["opening"] else ORDINARY
        for outcome in range(NUM_OUTCOMES):
            out[b, outcome] = CHANCES[kind, outcome]


def outcome_of(high: int, low: int, starter: int = MOVER) -> int:
    """Return the outcome of a roll; with a starter, of the first roll of a game."""
    pair = (max(high, low), min(high, low))
    if starter == MOVER:
        return PAIRS.index(pair)
    return NUM_ROLLS + starter * len(UNEQUAL_PAIRS) + UNEQUAL_PAIRS.index(pair)
