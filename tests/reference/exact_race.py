"""Race solved exactly by value iteration, from the rules alone.

A side is the tuple of fields its checkers stand on, highest first. The value is the return the
side to roll expects, +1 for a sure win, -1 for a sure loss.
"""

from itertools import combinations_with_replacement, product

Side = tuple[int, ...]
FIELDS = 6


def after(side: Side, field: int, number: int) -> Side:
    """Return a side after one checker has gone down by a number, or off."""
    left = list(side)
    left.remove(field)
    if field > number:
        left.append(field - number)
    return tuple(sorted(left, reverse=True))


def plays(side: Side, first: int, second: int) -> set[Side]:
    """Return the sides a roll can lead to, either number first."""
    results = set()
    for one, two in ((first, second), (second, first)):
        for field in set(side):
            middle = after(side, field, one)
            results |= {after(middle, other, two) for other in set(middle)} or {middle}
    return results


class ExactRace:
    """Values of every position of a race with a number of checkers."""

    def __init__(self, checkers: int) -> None:
        sides = [
            tuple(sorted(side, reverse=True))
            for count in range(1, checkers + 1)
            for side in combinations_with_replacement(range(1, FIELDS + 1), count)
        ]
        # Few fields to go first: what a position depends on is then already right.
        positions = sorted(product(sides, sides), key=lambda pair: sum(pair[0]) + sum(pair[1]))
        self.values = dict.fromkeys(positions, 0.0)
        self._plays = {
            (side, first, second): plays(side, first, second)
            for side in sides
            for first, second in product(range(1, 7), repeat=2)
        }
        change = 1.0
        while change > 0.0:
            change = 0.0
            for own, other in positions:
                value = sum(
                    self.best(own, other, first, second) / 36.0
                    for first, second in product(range(1, 7), repeat=2)
                )
                change = max(change, abs(value - self.values[own, other]))
                self.values[own, other] = value

    def best(self, own: Side, other: Side, first: int, second: int) -> float:
        """Return the value of the best play of a roll."""
        return max(
            self.after_play(mine, other, is_double=first == second)
            for mine in self._plays[own, first, second]
        )

    def after_play(self, own: Side, other: Side, *, is_double: bool) -> float:
        """Return the value for the side that has just played its whole roll."""
        if not own:
            return 1.0
        return self.values[own, other] if is_double else -self.values[other, own]
