import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cluster.scripted import Scripted
from tests.cluster.test_driver import config

from spiel_bot import load
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.driver import Driver, Outcome
from spiel_bot.errors import LearningError
from spiel_bot.storage.store import Store

LONG = 60.0
"""Seconds after which a test that would wait for ever fails instead."""


def trained(store: Store, algorithm: Scripted, settings: TrainConfig) -> tuple[int, Outcome]:
    run = store.runs.create(game="pig", seed=0, config={})
    with Control(store, run.id) as control:
        return run.id, Driver(
            store, run, load("pig", target=40), algorithm, settings, control
        ).train()


def test_a_worker_goes_on_while_another_ends_its_last_game(tmp_path: Path) -> None:
    next_iteration_began = threading.Event()

    def before_game(number: int) -> None:
        if number == 0:  # the longest game of the first iteration
            assert next_iteration_began.wait(LONG)
        if number >= 12:
            next_iteration_began.set()

    with Store(tmp_path) as store:
        algorithm = Scripted(before_game=before_game)
        run, outcome = trained(store, algorithm, config(workers=2, eval_every=0))
        assert outcome == Outcome(is_finished=True, iterations=3)
        assert algorithm.received == list(range(36))  # in order, whoever was first
        assert store.games.count(run) == 36


def test_each_iteration_is_played_by_the_network_of_the_one_before(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        algorithm = Scripted()
        trained(store, algorithm, config(workers=3, eval_every=0))
        assert algorithm.models == {number: number // 12 for number in range(36)}


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_worker_dies_of_ends_the_run_and_finished_games_are_kept(
    tmp_path: Path, workers: int
) -> None:
    def before_game(number: int) -> None:
        if number == 5:
            raise LearningError("worker broke")

    with Store(tmp_path) as store:
        with pytest.raises(LearningError, match="worker broke"):
            trained(store, Scripted(before_game=before_game), config(workers=workers))
        assert store.games.count(1) >= 5 - (workers - 1)
        assert store.iterations.all(1) == []


class SlowLearner(Scripted):
    """Learns until the run is to stop."""

    def learn(self, steps: int, should_stop: Callable[[], bool]) -> dict[str, float]:
        end = time.monotonic() + LONG
        while not should_stop():
            assert time.monotonic() < end
            time.sleep(0.001)
        return super().learn(steps, should_stop)


def test_a_worker_that_dies_while_the_learner_learns_is_not_taken_for_a_stop(
    tmp_path: Path,
) -> None:
    def before_game(number: int) -> None:
        raise LearningError("worker broke")

    with Store(tmp_path) as store, pytest.raises(LearningError, match="worker broke"):
        trained(store, SlowLearner(before_game=before_game), config())
