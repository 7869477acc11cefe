"""What chance of winning is an equity in margins? The fit behind `odds.py` of trictrac.

Run: python -m tests.studies.odds STORE RUN [--games 10000]

The logarithm of the odds of winning is taken for a sum of three terms, each with a factor of its
own: that of the margin's odds, the same over the holes that both sides still need, and the holes
that white is behind over the square of those. The factors are those under which the results of the
last games of a run are likeliest; the table shows how well they fit, by score: how often the side
with the better margin won.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot.analysis.stored_game import game_of
from spiel_bot.games.base import CHANCE, TERMINAL
from spiel_bot.learning.targets import replay
from spiel_bot.storage.store import Store

LARGEST = 0.999
ROUNDS = 20
BLIND_POWER = 1.23
"""The best power where nobody looks at the score; what the fit is compared with."""

SHOWN = ((0, 0), (4, 4), (8, 8), (10, 10), (11, 11), (8, 4), (11, 4), (11, 8), (11, 10))
Numbers = npt.NDArray[np.float64]


class Thoughts(NamedTuple):
    """What was thought of the positions after decisions, and what came of them."""

    log_odds: Numbers  # [N] of white's margin
    holes: npt.NDArray[np.int64]  # [N, 2]
    needed: npt.NDArray[np.int64]  # [N, 2]
    won: Numbers  # [N] 1 where white won


def thoughts(path: Path, name: str, num_games: int) -> Thoughts:
    """Return the positions after the decisions of the last games of a run, but for their ends."""
    equities: list[Numbers] = []
    holes, needed = [], []
    won: list[Numbers] = []
    with Store(path, create=False) as store:
        run = store.runs.find(name)
        game = game_of(run)
        for shard in reversed(store.games.shards(run.id)):
            if len(won) >= num_games:
                break
            for record in store.games.read_shard(shard):
                after = replay(game, record)[1:][record.players != CHANCE]
                is_used = (after["player"] != TERMINAL) & np.isfinite(record.root_values)
                states = after[is_used]
                equities.append(record.root_values[is_used].astype(np.float64))
                holes.append(states["holes"].astype(np.int64))
                needed.append(states["holes_to_win"].astype(np.int64)[:, None] - holes[-1])
                won.append(np.full(len(states), record.returns[0] > 0, np.float64))
    e = np.clip(np.concatenate(equities), -LARGEST, LARGEST)
    return Thoughts(
        log_odds=np.log((1.0 + e) / (1.0 - e)),
        holes=np.concatenate(holes),
        needed=np.concatenate(needed),
        won=np.concatenate(won),
    )


def terms(thought: Thoughts) -> Numbers:
    """Return the three terms [N, 3] whose weighted sum is the logarithm of the odds."""
    white, black = thought.needed.T
    left = white + black
    return np.stack([thought.log_odds, thought.log_odds / left, (white - black) / left**2], axis=1)


def chances(log_odds: Numbers) -> Numbers:
    """Return the chance of winning."""
    found: Numbers = 1.0 / (1.0 + np.exp(-log_odds))
    return found


def fit(features: Numbers, won: Numbers) -> Numbers:
    """Return the factors [3] of the greatest likelihood, by Newton's method."""
    factors = np.zeros(features.shape[1])
    for _ in range(ROUNDS):
        p = chances(features @ factors)
        slope = features.T @ (won - p)
        bend = (features * (p * (1.0 - p))[:, None]).T @ features
        factors += np.linalg.solve(bend, slope)
    return factors


def likelihood(p: Numbers, won: Numbers) -> float:
    """Return the mean logarithm of what chances say of the results."""
    return float(np.mean(won * np.log(p) + (1.0 - won) * np.log(1.0 - p)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("run")
    parser.add_argument("--games", type=int, default=10_000)
    arguments = parser.parse_args()
    found = thoughts(arguments.store, arguments.run, arguments.games)
    factors = fit(terms(found), found.won)
    by_score, blind = chances(terms(found) @ factors), chances(BLIND_POWER * found.log_odds)
    print(f"{len(found.won):,} decisions; factors {np.round(factors, 2).tolist()}")  # noqa: T201
    for name, p in (("by the score", by_score), ("without it", blind)):
        print(f"log likelihood {name}: {likelihood(p, found.won):.4f}")  # noqa: T201
    # Of positions that promise the same, those in which white leads the margin: the others are
    # the same games seen by black.
    sign = np.where(found.log_odds >= 0, 1.0, -1.0)
    for own, other in SHOWN:
        ahead = (found.holes == (own, other)).all(axis=1) & (sign > 0)
        behind = (found.holes == (other, own)).all(axis=1) & (sign < 0)
        rows = ahead | behind
        if rows.any():
            seen = [np.where(sign > 0, one, 1.0 - one)[rows].mean() for one in (by_score, blind)]
            print(  # noqa: T201
                f"{own:2} to {other:2}: {rows.sum():7,} decisions, won "
                f"{np.where(sign > 0, found.won, 1.0 - found.won)[rows].mean():.3f}, "
                f"by the score {seen[0]:.3f}, without it {seen[1]:.3f}"
            )


if __name__ == "__main__":
    main()
