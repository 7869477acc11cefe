"""A store with a small real run, trained for the tests that look at it."""

from pathlib import Path
from typing import Any

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.local import begin_run, train
from spiel_bot.settings import from_plain
from spiel_bot.storage.store import Store

TINY: dict[str, Any] = {
    "game": "pig",
    "iterations": 2,
    "games": 24,
    "steps": 8,
    "eval_every": 1,
    "eval_pairs": 4,
    "ladder": ["random"],
    "alphazero": {
        "network": {"hidden_sizes": [16]},
        "selfplay": {"games_at_once": 8, "search": {"n_simulations": 8}, "cheap_simulations": 2},
        "learner": {"batch_size": 32},
    },
}


def train_tiny(path: Path, name: str, **changes: Any) -> None:
    """Train a run of a few seconds."""
    config = from_plain(from_plain(TrainConfig(), TINY), changes)
    with Store(path) as store:
        run = begin_run(store, config, name)
        with Control(store, run.id) as control:
            train(store, run, config, control, lambda kind, figures: None)
