"""Value calibration: what a network expected of its own games against how they ended."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot.storage.records import CHANCE, GameRecord
from spiel_bot.storage.store import Store

BINS = 10
EXAMPLES = 5
MOST_GAMES = 512
"""Games that are read for one chart; more of them sharpen it little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Decisions with about the same expectation."""

    low: float
    high: float
    predicted: float
    """Mean of white's value as the search saw it."""

    result: float
    """Mean of white's return in the end."""

    error: float
    """Standard error of the result; decisions of one game count as one observation."""

    decisions: int
    games: int
    examples: tuple[tuple[int, int], ...]
    """Game and ply of a few of these decisions, each of another game."""


def calibrate(
    records: Sequence[GameRecord], return_range: tuple[float, float], bins: int = BINS
) -> list[Bin]:
    """Return the bins that hold decisions, the lowest first."""
    parts = [_decisions_of(place, record) for place, record in enumerate(records)]
    if not parts:
        return []
    games, plies, values, results = (np.concatenate(column) for column in zip(*parts, strict=True))
    edges = np.linspace(*return_range, bins + 1)
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bins - 1)
    found = []
    for place in range(bins):
        inside = places == place
        if not inside.any():
            continue
        mean = float(results[inside].mean())
        own, first, counts = np.unique(games[inside], return_index=True, return_counts=True)
        spread = counts * (results[inside][first] - mean)
        shown = np.linspace(0, len(own) - 1, min(EXAMPLES, len(own))).astype(int)
        found.append(
            Bin(
                low=float(edges[place]),
                high=float(edges[place + 1]),
                predicted=float(values[inside].mean()),
                result=mean,
                error=math.sqrt(float((spread**2).sum())) / int(inside.sum()),
                decisions=int(inside.sum()),
                games=len(own),
                examples=tuple(
                    (int(records[own[one]].number), int(plies[inside][first[one]])) for one in shown
                ),
            )
        )
    return found


def _decisions_of(place: int, record: GameRecord) -> tuple[npt.NDArray[Any], ...]:
    """Return place of the game, ply, value and result of each searched decision of a game.

    Where single positions were judged, values are not those of the plays that led to the result.
    """
    plies = np.flatnonzero(record.players != CHANCE)
    known = np.isfinite(record.root_values) & (not record.is_judged)
    count = int(known.sum())
    return (
        np.full(count, place),
        plies[known],
        record.root_values[known].astype(np.float64),
        np.full(count, float(record.returns[0])),
    )


def newest_games(
    store: Store, run: int, iteration: int | None = None, most: int = MOST_GAMES
) -> list[GameRecord]:
    """Return the newest games of a run, or of one iteration, as they are stored."""
    found: list[GameRecord] = []
    for shard in reversed(store.games.shards(run)):
        if len(found) >= most:
            break
        if iteration is None or shard.iteration == iteration:
            found += store.games.read_shard(shard)
    return found[:most]
