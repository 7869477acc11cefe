"""Recipes that go on from the run of another recipe, which comes first."""

import dataclasses
from pathlib import Path

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.local import checked_game
from spiel_bot.cluster.presets import RECIPES, recipe
from spiel_bot.errors import SettingsError
from spiel_bot.games.registry import load
from spiel_bot.networks.growth import expect_growth
from spiel_bot.networks.header import Header
from spiel_bot.settings import from_plain
from spiel_bot.storage.location import default_path
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import DATABASE_NAME, Store

DECISIVE = ("game", "options", "seed", "iterations", "games", "steps", "algorithm", "start", "gate")
"""Settings that the weights of a run follow from, besides those of its algorithm."""


def stage_before(name: str, config: TrainConfig) -> str | None:
    """Return the recipe whose run comes before that of a recipe, and has its name.

    None if the recipe begins with nothing, or what was given beside it with another model.
    """
    start = str(RECIPES[name].get("start", ""))
    return start if start in RECIPES and config.start == start else None


def expect_next(stage: str, config: TrainConfig, name: str | None, path: Path | None) -> None:
    """Refuse a run that could not go on from a stage, before hours are spent on that.

    Args:
        stage: The recipe that comes first.
        config: What goes on from it.
        name: Name of the run that goes on; None for a free one.
        path: Folder of the run store.

    Raises:
        SpielBotError: It could not.
    """
    game = checked_game(config, path)
    before = recipe(stage)
    own = before.method.network
    Header.of(own, load(before.game, **before.options).spec).expect_fits(game, f"recipe {stage}")
    if own != config.method.network:
        expect_growth(own, config.method.network, f"recipe {stage}")
    taken = [stage, *(run.name for run in _runs(path))]
    if name in taken:
        raise SettingsError(f"name: there is a run {name!r} already, or will be; choose another")


def stage_run(stage: str, path: Path | None) -> Run | None:
    """Return the run of a recipe in a store, finished or not; None if there is none.

    Raises:
        SettingsError: The run of its name was made otherwise.
    """
    for run in _runs(path):
        if run.name == stage:
            wanted, found = recipe(stage), from_plain(TrainConfig(), run.config)
            if _decisive(wanted) != _decisive(found):
                raise SettingsError(
                    f"the run {stage} of the store was not made by the recipe {stage}; "
                    "delete it, name another store, or name a model with --start"
                )
            return run
    return None


def _runs(path: Path | None) -> list[Run]:
    folder = path or default_path()
    if not (folder / DATABASE_NAME).exists():
        return []
    with Store(folder, create=False) as store:
        return store.runs.all()


def _decisive(config: TrainConfig) -> list[object]:
    method = config.method
    learner = dataclasses.replace(method.learner, device="auto")
    return [getattr(config, name) for name in DECISIVE] + [
        dataclasses.replace(method, learner=learner)
    ]
