"""Returns told as the chances of winning that they stand for, and back.

Where returns are margins, an error of a tenth of a hole means little early in a game, and decides
it near the end. Learned as chances, an error counts for what it costs everywhere.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import SettingsError
from spiel_bot.games.base import WHITE, Game, Players, States

Floats64 = npt.NDArray[np.float64]

HALF, MORE, MOST = 0.5, 0.75, 0.95
"""Shares of the range of returns that tell the odds; the last is only looked at as a check."""

LARGEST = 1.0 - 1e-6
"""Of a result: no position that is learned from is won or lost."""

SMALLEST = 1e-9
"""Share of the range of returns: its ends, which rounding may reach, have no odds."""


class Odds(NamedTuple):
    """What odds of winning follow from odds of a return, S of each.

    The logarithm of the first is `slopes` times that of the second, plus `shifts`; the odds of a
    return are those of its share of the range of returns.
    """

    slopes: Floats64
    shifts: Floats64


def odds_of(game: Game, states: States, observers: Players) -> Odds:
    """Return the odds of positions [S], none of which is over, as their observers see them."""
    shifts = _log_odds_at(game, states, HALF)
    slopes = (_log_odds_at(game, states, MORE) - shifts) / log_odds(np.float64(MORE))
    return Odds(slopes, np.where(observers == WHITE, shifts, -shifts))


def expect_odds(game: Game) -> None:
    """Refuse a game whose chances are no such odds.

    Raises:
        SettingsError: They are not, in its first position.
    """
    states = game.new_states(1)
    odds = odds_of(game, states, np.full(1, WHITE, np.int8))
    told = odds.slopes * log_odds(np.float64(MOST)) + odds.shifts
    if not np.allclose(told, _log_odds_at(game, states, MOST), atol=1e-6):
        raise SettingsError(
            f"selfplay.judged_aim: the chances of {game.spec.name} are no power of the odds of its "
            "returns; expected returns, got win"
        )


def equities_of(game: Game, results: npt.ArrayLike, odds: Odds) -> Floats64:
    """Return the returns [S] that stand for expected results from -1 to 1.

    What is beyond that by a correction is nearly won or lost.
    """
    likely = (1.0 + np.clip(np.asarray(results, np.float64), -LARGEST, LARGEST)) / 2.0
    share = 1.0 / (1.0 + np.exp(-(log_odds(likely) - odds.shifts) / odds.slopes))
    least, most = game.spec.return_range
    return least + (most - least) * share


def results_of(game: Game, equities: npt.ArrayLike, odds: Odds) -> Floats64:
    """Return the expected results [S], from -1 to 1, that returns stand for."""
    least, most = game.spec.return_range
    share = (np.asarray(equities, np.float64) - least) / (most - least)
    share = np.clip(share, SMALLEST, 1.0 - SMALLEST)
    return np.tanh((odds.slopes * log_odds(share) + odds.shifts) / 2.0)


def log_odds(share: Floats64 | np.float64) -> Floats64:
    """Return the logarithm of the odds of shares between 0 and 1.

    >>> float(log_odds(np.float64(0.5)))
    0.0
    """
    return np.asarray(np.log(share) - np.log1p(-share))


def _log_odds_at(game: Game, states: States, share: float) -> Floats64:
    """Return the log-odds that white wins [S] where he expects this share of the returns."""
    least, most = game.spec.return_range
    equities = np.full(len(states), least + (most - least) * share)
    return log_odds(game.win_chances(states, equities))
