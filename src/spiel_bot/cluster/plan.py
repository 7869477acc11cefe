"""What a run will cost: its parts tried for some seconds, memory by formula."""

import itertools
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spiel_bot.arena.match import play_match
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.ladder import ladder_of
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
"""How long self-play and gradient steps are tried."""

RANDOM_GAMES = 50
TRIED_PAIRS = 32
"""Pairs of games of each match that is tried, as far as a match has so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run will cost."""

    decisions_per_game: float
    """Between the best hand-written players of the game: networks soon play games as long. Random
    games of trictrac are half as long."""

    decisions_per_s: float
    """Of self-play on one core, by a network that knows nothing."""

    steps_per_s: float
    """Gradient steps on one core."""

    match_seconds: float
    """Of all matches, on one core."""

    seconds: float
    """Of the whole run."""

    memory: Memory


def average_decisions(game: Game) -> float:
    """Return how many decisions a random game has."""
    return float(play_random_games(game, RANDOM_GAMES, seed=0).turns.mean())


def skilled_length(game: Game) -> float:
    """Return how much longer games of the best hand-written player are than random ones."""
    foot, *above = ladder_of(game, ())
    if not above:
        return 1.0
    short, long = (play_match(game, one, one, TRIED_PAIRS, 0) for one in (foot, above[-1]))
    return long.average_plies / short.average_plies


def match_time(game: Game, config: TrainConfig, store: Path | None) -> float:
    """Return the seconds of all matches, from a few pairs by a network that knows nothing."""
    if not config.eval_every:
        return 0.0
    algorithm = new_algorithm(game, config)
    network = algorithm.player(algorithm.model(algorithm.weights()), "network")
    opponents = [*ladder_of(game, config.ladder, store), network]
    pairs = min(TRIED_PAIRS, config.eval_pairs)
    total = 0.0
    for opponent in opponents:
        play_match(game, network, opponent, 1, 0)  # warm up
        start = time.perf_counter()
        play_match(game, network, opponent, pairs, 0)
        total += time.perf_counter() - start
    evaluations = math.ceil(config.iterations / config.eval_every)
    return evaluations * total * config.eval_pairs / pairs


def plan_of(
    game: Game, config: TrainConfig, seconds: float = TRIED_SECONDS, store: Path | None = None
) -> Plan:
    """Try the parts of a run, and return what the whole will cost.

    Args:
        game: What is played.
        config: The run.
        seconds: How long to try self-play and gradient steps.
        store: Folder of the run store, where the ladder may have models of other runs.
    """
    longer = skilled_length(game)
    decisions = longer * average_decisions(game)
    decisions_per_s = selfplay_speed(game, config, seconds)
    steps_per_s = learning_speed(game, config, seconds)
    matches = match_time(game, config, store)
    work = config.games * decisions / decisions_per_s + config.steps / steps_per_s
    cores = min(num_cores(), config.num_workers + 1)
    return Plan(
        decisions_per_game=decisions,
        decisions_per_s=decisions_per_s,
        steps_per_s=steps_per_s,
        match_seconds=matches,
        seconds=(config.iterations * work + matches) / cores,
        memory=memory_of(game, config, decisions),
    )


def selfplay_speed(game: Game, config: TrainConfig, seconds: float) -> float:
    """Return decisions a second of one worker."""
    algorithm = new_algorithm(game, config)
    worker = algorithm.worker(algorithm.model(algorithm.weights()), config.seed)
    rounds = itertools.count()
    worker.play(itertools.count(), lambda record: None, lambda: next(rounds) >= 1)  # warm up
    first, start = worker.decisions, time.perf_counter()
    worker.play(  # one round at least, however busy the machine is
        itertools.count(),
        lambda record: None,
        lambda: worker.decisions > first and time.perf_counter() - start > seconds,
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
