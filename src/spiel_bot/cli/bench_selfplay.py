"""spiel-bot bench selfplay: the whole of self-play against the bare network."""

import resource
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from spiel_bot.errors import MissingExtraError

if TYPE_CHECKING:
    from spiel_bot.games.base import Floats, Game
    from spiel_bot.networks.checkpoint import Checkpoint
    from spiel_bot.networks.config import Architecture

BATCH = 256
WARM_UP_SHARE = 0.25
TRAIN_BATCH = 256


def bench_selfplay(seconds: float, threads: int) -> dict[str, Any]:
    """Play trictrac against itself on all threads, and ask the same networks without a game."""
    architectures: tuple[Architecture, ...] = ("mlp", "resnet")
    try:
        return {
            architecture: figures(architecture, seconds, threads) for architecture in architectures
        }
    except MissingExtraError as error:
        return {"note": str(error)}


def figures(architecture: "Architecture", seconds: float, threads: int) -> dict[str, Any]:
    """Return the figures of one network."""
    from functools import partial

    from spiel_bot.games.registry import load
    from spiel_bot.networks.config import NetworkConfig
    from spiel_bot.networks.inference import OnnxEvaluator
    from spiel_bot.networks.initial import initial_checkpoint
    from spiel_bot.networks.network import from_checkpoint
    from spiel_bot.networks.onnx_model import model_bytes
    from spiel_bot.networks.ranges import with_ranges
    from spiel_bot.networks.sample import random_observations
    from spiel_bot.networks.speed import Work, compared
    from spiel_bot.networks.torch_speed import torch_work

    game = load("trictrac")
    sample = random_observations(game)
    config = NetworkConfig(architecture=architecture)
    checkpoint = with_ranges(initial_checkpoint(config, game.spec, seed=0), sample)
    evaluator = OnnxEvaluator(model_bytes(checkpoint, "int8"))
    seen = sample[:BATCH].copy()
    works: dict[str, Work] = {
        "bare": partial(evaluator.evaluate_batch, seen),
        "torch": torch_work(from_checkpoint(checkpoint), seen),
    }
    # Before and after, so that noise of the machine meets all of them.
    before = compared(works, BATCH, seconds=seconds / 2, threads=threads)
    played = play(game, evaluator, 4 * seconds, threads)
    after = compared(works, BATCH, seconds=seconds / 2, threads=threads)
    bare, torch = ((before[name] + after[name]) / 2 for name in ("bare", "torch"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "evals_per_s": round(played["evals_per_s"]),
        "bare_evals_per_s": round(bare),
        "ratio": round(played["evals_per_s"] / bare, 3),
        "torch_evals_per_s": round(torch),
        "ratio_torch": round(played["evals_per_s"] / torch, 3),
        "games_per_s": round(played["games_per_s"], 2),
        "train_steps_per_s": round(train_speed(game, checkpoint, sample, seconds), 1),
        "peak_rss_mb": round(peak / (1e6 if sys.platform == "darwin" else 1e3)),
    }


def play(game: "Game", evaluator: Any, seconds: float, threads: int) -> dict[str, float]:
    """Return evaluations and games a second of self-play, once it is under way."""
    from itertools import count

    from spiel_bot.learning.selfplay import SelfPlay, SelfPlayConfig

    config = SelfPlayConfig()
    workers = [SelfPlay(game, evaluator, config, seed=number) for number in range(threads)]
    decisions: list[int] = []
    end = threading.Event()

    def work(worker: SelfPlay) -> None:
        worker.play(count(), lambda game: decisions.append(game.num_decisions), end.is_set)

    running = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    for thread in running:
        thread.start()
    time.sleep(WARM_UP_SHARE * seconds)
    start, first = time.perf_counter(), [(w.evaluations, w.decisions) for w in workers]
    time.sleep(seconds)
    elapsed, last = time.perf_counter() - start, [(w.evaluations, w.decisions) for w in workers]
    end.set()
    for thread in running:
        thread.join()
    asked, decided = (
        sum(b[i] - a[i] for a, b in zip(first, last, strict=True)) / elapsed for i in range(2)
    )
    # The first games to end are the short ones; later ones are as long as games are.
    is_typical = len(decisions) > 4 * threads * config.games_at_once
    length = sum(decisions) / len(decisions) if is_typical else TYPICAL_DECISIONS
    return {"evals_per_s": asked, "games_per_s": decided / length}


TYPICAL_DECISIONS = 92
"""Of a game between networks that know nothing; used where too few were finished in time."""


def train_speed(game: "Game", checkpoint: "Checkpoint", sample: "Floats", seconds: float) -> float:
    """Return gradient steps a second, alone on one core."""
    import numpy as np

    from spiel_bot.learning.learner import Learner, LearnerConfig
    from spiel_bot.learning.replay import Batch
    from spiel_bot.networks.network import from_checkpoint

    learner = Learner(from_checkpoint(checkpoint), LearnerConfig(batch_size=TRAIN_BATCH), 1000)
    rows, actions = TRAIN_BATCH, game.spec.num_actions
    policies = np.zeros((rows, actions), np.float32)
    policies[:, 2] = 1.0
    batch = Batch(
        observations=np.resize(sample, (rows, sample.shape[1])).astype(np.float32),
        policies=policies,
        is_legal=np.ones((rows, actions), np.bool_),
        values=np.zeros(rows, np.float32),
    )
    learner.learn(batch)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        learner.learn(batch)
        steps += 1
    return steps / (time.perf_counter() - start)
