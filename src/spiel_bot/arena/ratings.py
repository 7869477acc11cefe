"""Bradley-Terry ratings: one Elo for each player from matches between all of them.

The chance that i beats j is 1 / (1 + exp(-(r_i - r_j))); the ratings are those that make what was
played likeliest. Errors allow for pairs on the same dice, whose two games are not independent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spiel_bot.arena.elo import SCALE
from spiel_bot.errors import BadRequestError

ROUNDS = 200
TOLERANCE = 1e-10
LARGEST_STEP = 2.0
"""Longest step of Newton's method, in units of e-fold odds: far from the top it would overshoot."""

Matrix = npt.NDArray[np.float64]

PAIR_POINTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""Share of the points of a pair, by the index of its count."""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The pairs between two players: how many gave the first 0, 0.5, 1, 1.5 and 2 points."""

    first: str
    second: str
    counts: tuple[int, ...]

    @property
    def pairs(self) -> int:
        """Pairs played."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating."""

    player: str
    elo: float
    error: float
    """Standard error of the difference to the anchor."""

    games: int


def rate(matches: Sequence[PairCounts], anchor: str) -> list[Rated]:
    """Return the ratings of all players that met the anchor, directly or not; the best first.

    As in `elo_of_scores`, every pairing counts one more pair with a score of a half, so that a
    player who never lost has a finite rating.

    Args:
        matches: What was played; the same pairing may come several times.
        anchor: The player whose rating is 0.

    Raises:
        BadRequestError: The anchor has not played.
    """
    totals = gather(matches)
    players = connected(totals, anchor)
    index = {player: i for i, player in enumerate(players)}
    pairings = [
        (index[first], index[second], counts)
        for (first, second), counts in totals.items()
        if first in index
    ]
    strengths = climb(pairings, len(players))
    errors = errors_of(pairings, strengths)
    games = np.zeros(len(players), np.int64)
    for i, j, counts in pairings:
        games[[i, j]] += 2 * int(counts.sum())
    rated = [
        Rated(player, float(SCALE * strengths[i]), float(SCALE * errors[i]), int(games[i]))
        for i, player in enumerate(players)
    ]
    return sorted(rated, key=lambda one: -one.elo)


def gather(matches: Sequence[PairCounts]) -> dict[tuple[str, str], Matrix]:
    """Return the counts of pairs [5] by pairing, whichever of the two was named first."""
    totals: dict[tuple[str, str], Matrix] = {}
    for match in matches:
        counts = np.array(match.counts, np.float64)
        key = (match.first, match.second)
        if match.first > match.second:
            key, counts = (match.second, match.first), counts[::-1]
        if match.first != match.second:  # a player against itself says nothing
            totals[key] = totals.get(key, np.zeros(len(PAIR_POINTS))) + counts
    return totals


def connected(totals: dict[tuple[str, str], Matrix], anchor: str) -> list[str]:
    """Return the players that a chain of matches joins to the anchor, the anchor first.

    Raises:
        BadRequestError: No match names the anchor.
    """
    found = [anchor]
    for player in found:  # grows while it is read
        for pairing in totals:
            if player in pairing:
                found += [other for other in pairing if other not in found]
    if len(found) == 1:
        raise BadRequestError(f"no match of {anchor}, at which ratings are anchored, was stored")
    return found


def climb(pairings: list[tuple[int, int, Matrix]], num_players: int) -> Matrix:
    """Return the likeliest strengths by Newton's method; player 0 has strength 0."""
    strengths = np.zeros(num_players)
    for _ in range(ROUNDS):
        slope, curvature, _ = derivatives(pairings, strengths)
        step = np.linalg.solve(curvature[1:, 1:], slope[1:])
        step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), TOLERANCE))
        strengths[1:] += step
        if float(np.abs(step).max()) < TOLERANCE:
            break
    return strengths


def errors_of(pairings: list[tuple[int, int, Matrix]], strengths: Matrix) -> Matrix:
    """Return the standard error of each strength.

    The curvature of the likelihood alone would take all games as independent; the spread of the
    pairs around their expected score corrects it (the sandwich of Huber and White).
    """
    _, curvature, spread = derivatives(pairings, strengths)
    inverse = np.linalg.inv(curvature[1:, 1:])
    errors = np.zeros(len(strengths))
    errors[1:] = np.sqrt(np.diag(inverse @ spread[1:, 1:] @ inverse))
    return errors


def derivatives(
    pairings: list[tuple[int, int, Matrix]], strengths: Matrix
) -> tuple[Matrix, Matrix, Matrix]:
    """Return slope [n] and curvature [n, n] of the likelihood, and the spread of the slope."""
    count = len(strengths)
    slope, curvature, spread = np.zeros(count), np.zeros((count, count)), np.zeros((count, count))
    for i, j, played in pairings:
        counts = played + (PAIR_POINTS == 0.5)
        pairs = float(counts.sum())
        expected = 1.0 / (1.0 + np.exp(strengths[j] - strengths[i]))
        over = PAIR_POINTS - expected
        pull = 2.0 * float((counts * over).sum())  # two games a pair
        slope[i] += pull
        slope[j] -= pull
        bend = 2.0 * pairs * expected * (1.0 - expected)
        noise = 4.0 * float((counts * over**2).sum())
        for matrix, size in ((curvature, bend), (spread, noise)):
            matrix[i, i] += size
            matrix[j, j] += size
            matrix[i, j] -= size
            matrix[j, i] -= size
    return slope, curvature, spread
