"""What a run will cost: self-play and gradient steps tried for some seconds, memory by formula."""

import itertools
import time
from dataclasses import dataclass

import numpy as np

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.memory import Memory, memory_of
from spiel_bot.cluster.methods import new_algorithm
from spiel_bot.cluster.usage import num_cores
from spiel_bot.games.base import Game
from spiel_bot.games.random_play import play_random_games
from spiel_bot.learning.learner import Learner
from spiel_bot.learning.replay import Batch
from spiel_bot.networks.network import build
from spiel_bot.networks.sample import random_observations

TRIED_SECONDS = 2.0
"""How long each of the two is tried."""

RANDOM_GAMES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run will cost."""

    decisions_per_game: float
    """In random games; trained networks play shorter or longer ones."""

    decisions_per_s: float
    """Of self-play on one core, by a network that knows nothing."""

    steps_per_s: float
    """Gradient steps on one core."""

    seconds: float
    """Of all iterations, without matches."""

    memory: Memory


def average_decisions(game: Game) -> float:
    """Return how many decisions a random game has."""
    return float(play_random_games(game, RANDOM_GAMES, seed=0).turns.mean())


def plan_of(game: Game, config: TrainConfig, seconds: float = TRIED_SECONDS) -> Plan:
    """Try the parts of a run, and return what the whole will cost."""
    decisions = average_decisions(game)
    decisions_per_s = selfplay_speed(game, config, seconds)
    steps_per_s = learning_speed(game, config, seconds)
    work = config.games * decisions / decisions_per_s + config.steps / steps_per_s
    cores = min(num_cores(), config.num_workers + 1)
    return Plan(
        decisions_per_game=decisions,
        decisions_per_s=decisions_per_s,
        steps_per_s=steps_per_s,
        seconds=config.iterations * work / cores,
        memory=memory_of(game, config, decisions),
    )


def selfplay_speed(game: Game, config: TrainConfig, seconds: float) -> float:
    """Return decisions a second of one worker."""
    algorithm = new_algorithm(game, config)
    worker = algorithm.worker(algorithm.model(algorithm.weights()), config.seed)
    rounds = itertools.count()
    worker.play(itertools.count(), lambda record: None, lambda: next(rounds) >= 1)  # warm up
    first, start = worker.decisions, time.perf_counter()
    worker.play(
        itertools.count(), lambda record: None, lambda: time.perf_counter() - start > seconds
    )
    return (worker.decisions - first) / (time.perf_counter() - start)


def learning_speed(game: Game, config: TrainConfig, seconds: float) -> float:
    """Return gradient steps a second, on samples that mean nothing."""
    settings, spec = config.method, game.spec
    size = settings.learner.batch_size
    learner = Learner(build(settings.network, spec, config.seed), settings.learner, 1)
    policies = np.zeros((size, spec.num_actions), np.float32)
    policies[:, 0] = 1.0
    batch = Batch(
        observations=random_observations(game, size),
        policies=policies,
        is_legal=np.ones((size, spec.num_actions), np.bool_),
        values=np.zeros(size, np.float32),
        auxiliary={
            head.name: np.zeros((size, head.target_size), np.float32)
            for head in settings.network.heads
        },
    )
    learner.learn(batch)
    start, steps = time.perf_counter(), 0
    while steps == 0 or time.perf_counter() - start < seconds:
        learner.learn(batch)
        steps += 1
    return steps / (time.perf_counter() - start)
