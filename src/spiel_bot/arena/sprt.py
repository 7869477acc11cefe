"""The sequential test: stop a match as soon as one of two hypotheses about its Elo is clear."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from spiel_bot.arena.elo import SCALE
from spiel_bot.errors import BadRequestError

Verdict = Literal["H0", "H1", "undecided"]

ERROR_RATE = 0.05
"""Chance to accept the wrong hypothesis, of either kind."""

BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)

LEAST_PAIRS = 16
"""Before so many pairs the spread of their scores is not known well enough."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Two hypotheses: H0, the first player is `elo0` stronger; H1, it is `elo1` stronger."""

    elo0: float
    elo1: float

    def __post_init__(self) -> None:
        """Refuse hypotheses that cannot be told apart.

        Raises:
            BadRequestError: H1 is not above H0.
        """
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadRequestError(
                f"expected two Elo differences, the lower first, got {self.elo0:g},{self.elo1:g}"
            )

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """Read `ELO0,ELO1`, such as `-5,5`.

        Raises:
            BadRequestError: The text is not that.
        """
        try:
            low, high = (float(part) for part in text.split(","))
        except ValueError:
            raise BadRequestError(f"expected ELO0,ELO1 such as -5,5, got {text!r}") from None
        return cls(low, high)

    def log_likelihood_ratio(self, scores: npt.NDArray[np.float64]) -> float:
        """Return the log of how much likelier the scores [n] of pairs are under H1 than under H0.

        The mean of many pairs is nearly normal, so its spread, as observed, is all that counts.
        """
        count = len(scores)
        if count < LEAST_PAIRS:
            return 0.0
        mean = float(scores.mean())
        variance = (float(((scores - mean) ** 2).sum()) + 0.25) / (count + 1)
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        return count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, scores: npt.NDArray[np.float64]) -> Verdict:
        """Return which hypothesis the scores [n] of pairs accept."""
        ratio = self.log_likelihood_ratio(scores)
        if ratio >= BOUND:
            return "H1"
        return "H0" if ratio <= -BOUND else "undecided"


def expected_score(elo: float) -> float:
    """Return the share of points of who is so much stronger."""
    return 1.0 / (1.0 + math.exp(-elo / SCALE))
