"""Which method learns trictrac best in equal CPU time? The comparison of docs/strength.md.

Run: python -m tests.studies.methods RESULTS.jsonl [--only NAME ...] [--minutes 1] [--seeds 0 1]
Draw: python -m tests.studies.methods RESULTS.jsonl --draw docs/pictures/methods.svg

Every method starts from nothing and learns in the loop of `spiel-bot train`, until its process has
used so many minutes of CPU time; what matches cost is not counted, because they are played
afterwards. The network at each mark plays random, greedy and expert on paired dice, without
search. A line of the results is one mark of one run; runs that are there already are not made
again.
"""

import argparse
import json
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from spiel_bot.arena.elo import elo_of_scores
from spiel_bot.arena.match import play_match
from spiel_bot.charts.curve import Curve
from spiel_bot.charts.svg import comparison_svg
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.local import begin_run, train
from spiel_bot.cluster.methods import new_algorithm
from spiel_bot.games.registry import load
from spiel_bot.players.spec import new_player
from spiel_bot.settings import from_plain
from spiel_bot.storage.store import Store

LADDER = {"random": 0.0, "greedy": 916.0, "expert": 1275.0}
"""The fixed opponents and their Elo, from docs/players.md."""

PAIRS = 200
MARKS = (0.125, 0.25, 0.5, 1.0)
"""When a run is looked at, as shares of its CPU time."""

MANY = 10_000
MARGIN = {"returns": "margin"}
ALPHAZERO: dict[str, Any] = {
    "algorithm": "alphazero",
    "games": 256,
    "steps": 130,
    "alphazero": {
        "network": {"hidden_sizes": [256, 128]},
        "selfplay": {"games_at_once": 128},
        "replay": {"capacity": 60_000},
        "learner": {"schedule": "constant"},
    },
}
TD: dict[str, Any] = {
    "algorithm": "td",
    "games": 1024,
    "steps": 300,
    "options": MARGIN,
    "td": {"learner": {"schedule": "constant"}},
}

PUCT_100 = {"selection": "puct", "n_simulations": 100, "chance": "sample"}
GUMBEL = {"selection": "gumbel"}

METHODS: dict[str, tuple[dict[str, Any], ...]] = {
    "alphazero, PUCT 100, result": (
        ALPHAZERO,
        {"games": 128, "alphazero": {"selfplay": {"full_share": 1.0, "search": PUCT_100}}},
    ),
    "alphazero, Gumbel 16, λ 0.8, margin": (
        ALPHAZERO,
        {
            "options": MARGIN,
            "alphazero": {
                "target": {"lambda": 0.8},
                "selfplay": {"search": {**GUMBEL, "n_simulations": 16}},
            },
        },
    ),
    "td, λ 0.8, margin": (TD,),
    "td, λ 0.8, result": (TD, {"options": {"returns": "outcome"}}),
    "td, λ 1, margin": (TD, {"td": {"target": {"lambda": 1.0}}}),
    "td, 256 units": (TD, {"td": {"network": {"hidden_sizes": [256]}}}),
    "td, random start scores": (TD, {"options": {**MARGIN, "start": "random"}}),
    "td, auxiliary heads": (
        TD,
        {"td": {"network": {"auxiliary": ["next_hole", "next_points"]}}},
    ),
    "td, expert inputs": (TD, {"options": {**MARGIN, "observation": "expert"}}),
    "td, 21 rolls": (TD, {"games": 256, "steps": 75, "td": {"selfplay": {"plies": 1}}}),
}


@dataclass(frozen=True)
class Weights:
    """A network on the way."""

    minutes: float
    games: int
    content: bytes


def config_of(method: str, seed: int) -> TrainConfig:
    """Return the run of a method; it ends by its CPU time, not by its iterations."""
    config = TrainConfig(
        seed=seed, iterations=MANY, workers=1, eval_every=0, keep_every=0, eval_pairs=PAIRS
    )
    for change in METHODS[method]:
        config = from_plain(config, change)
    return config


def learn(config: TrainConfig, minutes: float) -> list[Weights]:
    """Train for so many minutes of CPU time; return the network at each mark."""
    marks = [share * minutes for share in MARKS]
    warm_up = replace(config, games=2, steps=1, iterations=2)  # compiling is not learning
    train_until(warm_up, [math.inf])
    return train_until(config, marks)


def train_until(config: TrainConfig, marks: Sequence[float]) -> list[Weights]:
    """Train until the last mark, in minutes of CPU time; return the network at each."""
    found: list[Weights] = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder), create=True) as store:
        run = begin_run(store, config)
        with Control(store, run.id) as control:
            begun = time.process_time()

            def look(kind: str, figures: dict[str, Any]) -> None:
                if kind != "iteration":
                    return
                spent = (time.process_time() - begun) / 60.0
                if spent >= marks[len(found)]:
                    _, content = store.checkpoints.read_labelled(run.id, "latest")
                    done = int(figures["iteration"])
                    found.append(Weights(spent, done * config.games, content))
                    if len(found) == len(marks):
                        control.stop()

            train(store, run, config, control, look)
    return found


def judge(config: TrainConfig, weights: Weights, seed: int) -> dict[str, list[int]]:
    """Play the ladder; return how many pairs gave 0, 0.5, 1, 1.5 and 2 points, by opponent."""
    game = load(config.game, **config.options)
    algorithm = new_algorithm(game, config)
    player = algorithm.player(algorithm.model(weights.content), "candidate")
    plain = load(config.game)  # the real game, whatever a run has learned from
    counts = {}
    for name in LADDER:
        result = play_match(plain, player, new_player(name, plain), PAIRS, seed)
        points = ((result.returns > 0) + 0.5 * (result.returns == 0)).sum(axis=1)
        counts[name] = [int((points == half / 2).sum()) for half in range(5)]
    return counts


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the results so far."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def study(path: Path, methods: Sequence[str], seeds: Sequence[int], minutes: float) -> None:
    """Make every run that is not there yet, and write what came of it."""
    known = {(row["method"], row["seed"], row["budget"]) for row in rows_of(path)}
    for seed in seeds:
        for method in methods:
            if (method, seed, minutes) in known:
                continue
            config = config_of(method, seed)
            lines = []
            for weights in learn(config, minutes):
                row = {
                    "method": method,
                    "seed": seed,
                    "budget": minutes,
                    "minutes": round(weights.minutes, 3),
                    "games": weights.games,
                    "pairs": judge(config, weights, seed=1000 + seed),
                }
                lines.append(json.dumps(row, ensure_ascii=False))
                say(row)
            with path.open("a", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")


def share(counts: Sequence[int]) -> float:
    """Return the share of the points."""
    return sum(half * count for half, count in enumerate(counts)) / (4 * sum(counts))


def rating(pairs: dict[str, list[int]]) -> tuple[float, float]:
    """Return Elo on the ladder and its error: each opponent counts by its precision."""
    elos, weights = [], []
    for name, counts in pairs.items():
        scores = np.repeat(np.arange(5) / 4, counts)
        estimate = elo_of_scores(scores)
        elos.append(LADDER[name] + estimate.elo)
        weights.append(1.0 / estimate.error**2)
    total = sum(weights)
    return sum(e * w for e, w in zip(elos, weights, strict=True)) / total, math.sqrt(1.0 / total)


def say(row: dict[str, Any]) -> None:
    """Print a mark of a run."""
    elo, error = rating(row["pairs"])
    shares = ", ".join(f"{name} {share(counts):.1%}" for name, counts in row["pairs"].items())
    print(  # noqa: T201
        f"{row['method']}, seed {row['seed']}: {row['minutes']:.2f} min, {row['games']:,} games, "
        f"Elo {elo:.0f} ± {error:.0f}; {shares}",
        flush=True,
    )


def curves(rows: Sequence[dict[str, Any]]) -> Iterator[Curve]:
    """Yield the mean over seeds of each method; bars hold the seeds' own spread and the dice's."""
    names = dict.fromkeys(row["method"] for row in rows)
    for name in names:
        x, y, errors = [], [], []
        runs: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            if row["method"] == name:
                runs.setdefault(row["seed"], []).append(row)
        for marks in zip(*runs.values(), strict=True):
            rated = [rating(row["pairs"]) for row in marks]
            elos = [elo for elo, _ in rated]
            x.append(float(np.mean([row["minutes"] for row in marks])))
            y.append(float(np.mean(elos)))
            dice = math.sqrt(sum(error**2 for _, error in rated)) / len(rated)
            spread = float(np.std(elos, ddof=1)) / math.sqrt(len(elos)) if len(elos) > 1 else 0.0
            errors.append(max(dice, spread))
        yield Curve(name=name, x=x, y=y, errors=errors)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--only", nargs="*", default=list(METHODS))
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1])
    parser.add_argument("--draw", type=Path)
    arguments = parser.parse_args()
    if arguments.draw is None:
        study(arguments.results, arguments.only, arguments.seeds, arguments.minutes)
        return
    drawn = list(curves([row for row in rows_of(arguments.results) if row["method"] in METHODS]))
    arguments.draw.write_text(
        comparison_svg(
            drawn, title="Elo of the network without search", x_label="minutes of CPU time"
        ),
        "utf-8",
    )
    for row in rows_of(arguments.results):
        say(row)


if __name__ == "__main__":
    main()
