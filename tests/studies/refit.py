"""How often may a judged position be learned from? A network's gap on others it has not seen.

Run: python -m tests.studies.refit [MODEL] [--games 4000] [--uses 4 10 24] [--rate 0.0006]

The network plays, expert on one side of some games, and judges positions by the exact mean over
the next roll, without what is found later. It then learns from nine games of ten, each position so
many times, and is asked about the tenth. Both gaps are squared, times 10,000.
"""

import argparse
from typing import NamedTuple

import numpy as np

from spiel_bot import load
from spiel_bot.cluster.presets import recipe
from spiel_bot.games.base import Floats, Game
from spiel_bot.learning.judged_play import JudgedPlay, judged_samples
from spiel_bot.learning.learner import Learner, LearnerConfig
from spiel_bot.learning.replay import Batch
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.network import build
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.players.models import named_checkpoint
from spiel_bot.storage.records import GameRecord

HELD_OUT = 10
BATCH_SIZE = 1_024
TEN_THOUSAND = 1e4


class Judged(NamedTuple):
    """Positions and what they are worth to who left them."""

    seen: Floats  # [S, F]
    values: Floats  # [S]


def judged(game: Game, checkpoint: Checkpoint, games: int, seed: int) -> tuple[Judged, Judged]:
    """Return the positions to learn from, and those of other games to be asked about."""
    evaluator = OnnxEvaluator(model_bytes(checkpoint, "float"))
    worker = JudgedPlay(game, evaluator, recipe("second").td.selfplay, seed=seed)
    parts: tuple[list[Judged], list[Judged]] = ([], [])

    def take(record: GameRecord) -> None:
        samples = judged_samples(game, record)
        seen = np.empty((len(samples.states), game.spec.observation_size), np.float32)
        game.observe_many(samples.states, samples.movers, seen)
        parts[record.number % HELD_OUT == 0].append(Judged(seen, samples.values))

    worker.play(iter(range(games)), take)
    learned, others = (Judged(*map(np.concatenate, zip(*part, strict=True))) for part in parts)
    return learned, others


def refitted(
    game: Game, checkpoint: Checkpoint, positions: Judged, uses: int, rate: float
) -> Checkpoint:
    """Return the network once it has learned from each position so many times."""
    total = len(positions.values)
    steps = uses * total // BATCH_SIZE
    config = LearnerConfig(batch_size=BATCH_SIZE, learning_rate=rate)
    learner = Learner(build(checkpoint.header.network, game.spec, seed=1), config, steps)
    learner.begin_with(checkpoint)
    rng = np.random.default_rng(1)
    nothing = np.zeros((BATCH_SIZE, game.spec.num_actions), np.float32)
    for _ in range(steps):
        rows = rng.integers(total, size=BATCH_SIZE)
        batch = Batch(positions.seen[rows], nothing, nothing > 0, positions.values[rows])
        learner.learn(batch)
    return learner.checkpoint(positions.seen[:BATCH_SIZE])


def gap(checkpoint: Checkpoint, positions: Judged) -> float:
    """Return the mean squared difference between what a network says and what was judged."""
    said = said_of(checkpoint, positions.seen)
    return float(((said - positions.values) ** 2).mean()) * TEN_THOUSAND


def said_of(checkpoint: Checkpoint, seen: Floats) -> Floats:
    """Return what a network says [S] of positions."""
    _, said = OnnxEvaluator(model_bytes(checkpoint, "float")).evaluate_batch(seen)
    return said.copy()


def main() -> None:
    """Judge positions, learn from them, and print both gaps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default="bot")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--uses", type=int, nargs="+", default=[4, 10, 24])
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--seed", type=int, default=77)
    given = parser.parse_args()
    _, checkpoint = named_checkpoint(given.model, "trictrac", None)
    game = load("trictrac", **checkpoint.header.options)
    learned, others = judged(game, checkpoint, given.games, given.seed)
    say(f"{len(learned.values):,} positions to learn from, {len(others.values):,} others")
    say(f"as it is: gap {gap(checkpoint, others):.3f} on others")
    for uses in given.uses:
        fitted = refitted(game, checkpoint, learned, uses, given.rate)
        say(
            f"{uses} uses at {given.rate}: gap {gap(fitted, others):.3f} on others, "
            f"{gap(fitted, learned):.3f} on those learned from"
        )


def say(line: str) -> None:
    """Print a line at once: the next may take minutes."""
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
