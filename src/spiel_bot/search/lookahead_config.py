"""How far a lookahead goes, and how much of it is spent on what."""

import math
from dataclasses import dataclass
from typing import Literal

from spiel_bot.errors import SearchConfigError

MAX_PLIES = 2

Aim = Literal["returns", "win"]
"""What is compared: expected returns, or the chances of winning that they stand for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookaheadConfig:
    """How far a lookahead goes. The sentence under a field is also its help text."""

    plies: int = 1
    """Rolls looked ahead: 0 believes the evaluator, 1 and 2 take the mean over all rolls."""

    candidates: int = 4
    """Actions of the decision that are looked into; going or holding always is."""

    window: float = math.inf
    """Actions are not looked into that an evaluator of rolls finds worse than the best by more than
    this, nor the best if it is alone; going or holding always is."""

    finalists: int = 3
    """Of the candidates, those that the second ply is spent on: the best by the first."""

    contest: float = math.inf
    """The second ply is spent only where the first finds two finalists or more that are not
    further apart than this, and on those alone."""

    replies: int = 2
    """Actions looked into at each later decision, with two plies."""

    budget: int = 0
    """Positions that the second ply may judge for one decision, by what the first ply leads to;
    where it would be more, fewer finalists are looked into, or none. 0 for no bound."""

    aim: Aim = "returns"
    """What values are: expected returns, or the chance of winning as an expected result, from -1
    for lost to 1 for won. They differ where returns are margins (`Game.win_chances`)."""

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense.

        Raises:
            SearchConfigError: One of them does not.
        """
        if self.aim not in ("returns", "win"):
            raise SearchConfigError(f"aim: expected returns or win, got {self.aim!r}")
        for name in ("window", "contest"):
            if not getattr(self, name) >= 0.0:
                raise SearchConfigError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        for name, least, most in (
            ("plies", 0, MAX_PLIES),
            ("candidates", 1, None),
            ("finalists", 1, None),
            ("replies", 1, None),
            ("budget", 0, None),
        ):
            value = getattr(self, name)
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not is_whole or value < least or (most is not None and value > most):
                bound = f"at least {least}" if most is None else f"{least} to {most}"
                raise SearchConfigError(f"{name}: expected {bound}, got {value!r}")
