"""What came of a match, and what it says about strength."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot.arena.elo import EloEstimate, elo_of_scores
from spiel_bot.arena.sprt import BOUND, Sprt


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """What came of a match, seen by its first player."""

    players: tuple[str, str]
    """Names of the first and the second player."""

    returns: npt.NDArray[np.float32]
    """[pairs, 2] return of the first player: in white's seat, then in black's."""

    leads: npt.NDArray[np.float32]
    """[pairs, 2] lead of the first player, such as holes; NaN for games without such a measure."""

    distinct_games: int
    """Games that differ from each other; few where both players always play alike."""

    average_plies: float
    """Mean length of a game."""

    seed: int
    """Where the dice came from."""

    luck: npt.NDArray[np.float64] | None = None
    """[pairs, 2] luck of the first player in each game, where it was measured."""

    luck_by: str | None = None
    """Who measured it."""

    sprt: Sprt | None = None
    """The sequential test that could stop the match, if any."""

    @property
    def games(self) -> int:
        """Games played."""
        return int(self.returns.size)

    @property
    def wins(self) -> int:
        """Games the first player won."""
        return int((self.returns > 0).sum())

    @property
    def losses(self) -> int:
        """Games the first player lost."""
        return int((self.returns < 0).sum())

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self.games - self.wins - self.losses

    @property
    def pair_scores(self) -> npt.NDArray[np.float64]:
        """[pairs] share of the points of each pair: 1 for two wins, 0.5 for one each."""
        means: npt.NDArray[np.float64] = self._points().mean(axis=1)
        return means

    @property
    def adjusted_scores(self) -> npt.NDArray[np.float64] | None:
        """[pairs] the same with the luck taken off; single ones may lie outside 0 to 1."""
        if self.luck is None:
            return None
        adjusted: npt.NDArray[np.float64] = (self._points() - self.luck / 2).mean(axis=1)
        return adjusted

    @property
    def pair_counts(self) -> list[int]:
        """Pairs by the points of the first player: 0, 0.5, 1, 1.5 and 2."""
        points = np.rint(4 * self.pair_scores).astype(np.int64)
        return [int(count) for count in np.bincount(points, minlength=5)]

    @property
    def win_rate(self) -> float:
        """Share of the points, a draw being half a win."""
        return float(self.pair_scores.mean())

    @property
    def margin(self) -> float | None:
        """Mean lead of the first player at the end of a game, None without such a measure."""
        return None if np.isnan(self.leads).any() else float(self.leads.mean())

    @property
    def elo(self) -> EloEstimate:
        """Difference in Elo with its error, from the pairs."""
        return elo_of_scores(self.pair_scores)

    @property
    def adjusted_elo(self) -> EloEstimate | None:
        """The same with the luck taken off."""
        scores = self.adjusted_scores
        return None if scores is None else elo_of_scores(scores)

    def _points(self) -> npt.NDArray[np.float64]:
        """Return [pairs, 2] points of each game: 1, 0.5 or 0."""
        points: npt.NDArray[np.float64] = (np.sign(self.returns).astype(np.float64) + 1.0) / 2.0
        return points

    def figures(self) -> dict[str, Any]:
        """Return all figures as plain values, for JSON."""
        elo, margin = self.elo, self.margin
        scores = self.pair_scores
        found: dict[str, Any] = {
            "first": self.players[0],
            "second": self.players[1],
            "seed": self.seed,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "win_rate": self.win_rate,
            "win_rate_error": error_of_mean(scores),
            "hole_margin": margin,
            "hole_margin_error": None if margin is None else error_of_mean(self.leads.mean(axis=1)),
            "elo": elo.elo,
            "elo_error": elo.error,
            "superiority": elo.superiority,
            "pairs": self.pair_counts,
            "distinct_games": self.distinct_games,
            "average_plies": self.average_plies,
        }
        adjusted, adjusted_elo = self.adjusted_scores, self.adjusted_elo
        if adjusted is not None and adjusted_elo is not None:
            found["luck"] = {
                "by": self.luck_by,
                "win_rate": float(adjusted.mean()),
                "win_rate_error": error_of_mean(adjusted),
                "elo": adjusted_elo.elo,
                "elo_error": adjusted_elo.error,
                "superiority": adjusted_elo.superiority,
            }
        if self.sprt is not None:
            found["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "log_likelihood_ratio": self.sprt.log_likelihood_ratio(scores),
                "bounds": [-BOUND, BOUND],
                "accepted": self.sprt.verdict(scores),
            }
        return found


def error_of_mean(values: npt.NDArray[Any]) -> float | None:
    """Return the standard error of a mean, None for a single value."""
    return None if len(values) < 2 else float(np.std(values, ddof=1) / np.sqrt(len(values)))
