"""Pig solved exactly, from the rules alone: the chance to win of whoever is to roll or decide.

Neller and Presser, "Optimal Play of the Dice Game Pig" (2004), give the equations. With the
two numbers P(i, j, 0) and P(j, i, 0) known, all P(i, j, k) follow backwards from k = target - i.
So each pair of scores is a fixed point of two numbers, and pairs are solved from the top down.
"""

from dataclasses import dataclass, field


@dataclass
class ExactPig:
    """Chances to win of the mover with `own` and `other` banked points and `total` in the turn."""

    target: int
    tolerance: float = 1e-14
    opening: dict[tuple[int, int], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for score_sum in range(2 * self.target - 2, -1, -1):
            for own in range(max(0, score_sum - self.target + 1), score_sum // 2 + 1):
                self._solve(own, score_sum - own)

    def to_roll(self, own: int, other: int, total: int = 0) -> float:
        """Return the chance of a mover who is about to roll."""
        return self._turn(own, other)[total][0]

    def to_decide(self, own: int, other: int, total: int) -> float:
        """Return the chance of a mover who may roll or hold."""
        return max(self._turn(own, other)[total])

    def _solve(self, own: int, other: int) -> None:
        self.opening[own, other] = self.opening[other, own] = 0.5
        change = 1.0
        while change > self.tolerance:
            change = 0.0
            for pair in ((own, other), (other, own)):
                value = self._turn(*pair)[0][0]
                change = max(change, abs(value - self.opening[pair]))
                self.opening[pair] = value

    def _turn(self, own: int, other: int) -> list[tuple[float, float]]:
        """Return (chance if he rolls, chance if he holds) for each total of the turn."""
        needed = self.target - own
        values = [(0.0, 0.0)] * needed
        best = [0.0] * needed + [1.0] * 6  # whoever reaches the target has won
        lost = 1.0 - self.opening[other, own]
        for total in range(needed - 1, -1, -1):
            rolled = (lost + sum(best[total + 2 : total + 7])) / 6.0  # a one, or 2 to 6
            held = 1.0 - self.opening[other, own + total] if total else 0.0
            values[total] = (rolled, held)
            best[total] = max(rolled, held)
        return values
