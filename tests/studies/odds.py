"""What chance of winning is an equity in margins? The fit behind `ODDS_POWERS` of trictrac.

Run: python -m tests.studies.odds STORE RUN [--games 10000]

The odds of winning are ((1 + e) / (1 - e)) to some power, where e is what the network thought of
the position after a decision. The power is the one under which the results of the last games of a
run are likeliest; the table shows how well it fits, from white's side.
"""

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from spiel_bot.storage.store import Store

POWERS = np.arange(0.5, 4.0, 0.01)
LARGEST = 0.999
Numbers = npt.NDArray[np.float64]


def thoughts(path: Path, name: str, games: int) -> tuple[Numbers, Numbers]:
    """Return white's equity at each decision of the last games, and whether white won."""
    equities: list[Numbers] = []
    results: list[Numbers] = []
    with Store(path, create=False) as store:
        run = store.runs.find(name)
        for shard in reversed(store.games.shards(run.id)):
            if len(equities) >= games:
                break
            for record in store.games.read_shard(shard):
                equities.append(record.root_values.astype(np.float64))
                results.append(np.full(len(record.root_values), record.returns[0] > 0, np.float64))
    return np.concatenate(equities), np.concatenate(results)


def chance(equities: Numbers, power: float) -> Numbers:
    """Return the chance of winning."""
    e = np.clip(equities, -LARGEST, LARGEST)
    found: Numbers = 1.0 / (1.0 + ((1.0 - e) / (1.0 + e)) ** power)
    return found


def likelihood(equities: Numbers, won: Numbers, power: float) -> float:
    """Return the mean logarithm of what the chances say of the results."""
    chances = chance(equities, power)
    return float(np.mean(won * np.log(chances) + (1.0 - won) * np.log(1.0 - chances)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("run")
    parser.add_argument("--games", type=int, default=10_000)
    arguments = parser.parse_args()
    equities, won = thoughts(arguments.store, arguments.run, arguments.games)
    power = POWERS[np.argmax([likelihood(equities, won, power) for power in POWERS])]
    print(f"{len(won):,} decisions; power {power:.2f}")  # noqa: T201
    for low in np.arange(-1.0, 1.0, 0.2):
        rows = (equities >= low) & (equities < low + 0.2)
        if rows.any():
            print(  # noqa: T201
                f"equity {low:+.1f} to {low + 0.2:+.1f}: {rows.sum():7,} decisions, "
                f"won {won[rows].mean():.3f}, by the fit {chance(equities[rows], power).mean():.3f}"
            )


if __name__ == "__main__":
    main()
