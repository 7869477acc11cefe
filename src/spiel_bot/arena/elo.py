"""Elo: a difference in strength from a score, with its error."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SCALE = 400.0 / math.log(10.0)
"""Elo points for a factor e in the odds of winning."""


class EloEstimate(NamedTuple):
    """A difference in Elo, its standard error, and how likely the first player is the stronger."""

    elo: float
    error: float
    superiority: float


def elo_of_scores(scores: npt.NDArray[np.float64]) -> EloEstimate:
    """Return the difference that the mean of independent scores in [0, 1] stands for.

    The mean is drawn towards a half by one pair with a score of a half, so that a match without
    a loss has a finite difference.

    Args:
        scores: [n] of pairs of games, which are independent of each other; single games of a
            pair are not, having the same dice.
    """
    count = len(scores)
    mean = (float(scores.sum()) + 0.5) / (count + 1)
    variance = (float(((scores - mean) ** 2).sum()) + 0.25) / (count + 1)
    spread = math.sqrt(variance / (count + 1))
    slope = SCALE / (mean * (1.0 - mean))
    superiority = 0.5 * math.erfc((0.5 - mean) / (spread * math.sqrt(2.0)))
    return EloEstimate(SCALE * math.log(mean / (1.0 - mean)), slope * spread, superiority)
