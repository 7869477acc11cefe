"""Trictrac through the whole loop: 100 games of a tiny network with everything switched on."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cluster.test_driver import run_through, weights

from spiel_bot import load
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.local import begin_run, resume_run, train
from spiel_bot.learning.learner import Learner
from spiel_bot.learning.replay import Replay
from spiel_bot.learning.targets import replay, samples_of
from spiel_bot.networks.network import build
from spiel_bot.settings import from_plain
from spiel_bot.storage.store import Store

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

SETTINGS: dict[str, Any] = {
    "game": "trictrac",
    "options": {"holes_to_win": 3},
    "iterations": 4,
    "games": 25,
    "steps": 10,
    "workers": 2,
    "eval_every": 2,
    "eval_pairs": 4,
    "alphazero": {
        "network": {
            "architecture": "resnet",
            "blocks": 1,
            "width": 64,
            "auxiliary": ["next_hole", "next_points"],
        },
        "selfplay": {"games_at_once": 16, "search": {"n_simulations": 8}, "cheap_simulations": 4},
        "learner": {"batch_size": 64},
    },
}


def test_a_hundred_games_of_trictrac_go_through_the_whole_loop(tmp_path: Path) -> None:
    config = from_plain(TrainConfig(), SETTINGS)
    game = load("trictrac", holes_to_win=3)
    with Store(tmp_path / "whole") as store:
        run = run_through(store, config)
        assert store.games.count(run) == 100
        assert store.metrics.last(run)["next_hole_loss"] > 0
        assert store.check(full=True) == []
        records = [store.games.read(run, number) for number in range(100)]
        whole = weights(store, run)
    for record in records[::10]:  # replayed, they end as they did
        returns = np.empty((1, 2), np.float32)
        game.returns_many(replay(game, record)[-1:], returns)
        assert returns[0].tolist() == record.returns.tolist()
    # The loss falls on a fixed sample of them.
    algorithm = config.alphazero
    window = Replay(game, algorithm.replay, algorithm.network.heads)
    for record in records:
        window.add(samples_of(game, record, algorithm.target, algorithm.network.heads))
    fixed = window.draw(512, np.random.default_rng(1))
    assert fixed is not None
    student = Learner(build(algorithm.network, game.spec, 1), algorithm.learner, 60)
    figures = [student.learn(fixed) for _ in range(60)]
    for name in ("loss", "policy_kl", "value_loss", "next_hole_loss", "next_points_loss"):
        assert figures[-1][name] < 0.9 * figures[0][name]
    # Stopped and resumed, auxiliary targets and all, it is the same run.
    with Store(tmp_path / "parts") as store:
        begun = begin_run(store, config)

        def stop(kind: str, figures: dict[str, Any]) -> None:
            if kind == "iteration" and figures["iteration"] == 3:
                control.stop()

        with Control(store, begun.id) as control:
            train(store, begun, config, control, stop)
        begun, config = resume_run(store, begun.name, {"workers": 1})
        with Control(store, begun.id) as control:
            assert train(store, begun, config, control, lambda kind, figures: None).is_finished
        assert weights(store, begun.id) == whole
