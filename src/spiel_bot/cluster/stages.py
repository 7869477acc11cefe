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
from spiel_bot.storage.runs import Run, RunState
from spiel_bot.storage.store import DATABASE_NAME, Store

DECISIVE = ("game", "options", "seed", "iterations", "games", "steps", "algorithm", "start", "gate")
"""Settings that the weights of a run follow from, besides those of its algorithm."""


def stages_before(name: str, config: TrainConfig) -> list[str]:
    """Return the recipes whose runs come before that of a recipe, the first one first.

    Each run has the name of its recipe. None come before it if the recipe begins with nothing, or
    what was given beside it with another model.
    """
    found: list[str] = []
    start = str(RECIPES[name].get("start", ""))
    while start in RECIPES and (found or config.start == start):
        found.insert(0, start)
        start = str(RECIPES[start].get("start", ""))
    return found


def stage_name(name: str, config: TrainConfig, path: Path | None) -> str | None:
    """Return the name under which other recipes find the run of a recipe.

    None if none goes on from it, if it was changed, or if there is a run of that name.
    """
    is_stage = any(other.get("start") == name for other in RECIPES.values())
    if not is_stage or _decisive(config) != _decisive(recipe(name)):
        return None
    return None if any(run.name == name for run in _runs(path)) else name


def missing_stages(stages: list[str], path: Path | None) -> list[str]:
    """Return the stages that are still to be trained, or trained to their end.

    What comes before one that has begun is not needed any more: a run keeps a copy of its start.

    Raises:
        SettingsError: A run has the name of a stage and was made otherwise.
    """
    found: list[str] = []
    for stage in reversed(stages):
        run = stage_run(stage, path)
        if run is not None and run.state == RunState.FINISHED:
            break
        found.insert(0, stage)
        if run is not None:
            break
    return found


def expect_next(
    stages: list[str], config: TrainConfig, name: str | None, path: Path | None
) -> None:
    """Refuse a run that could not go on from its stages, before hours are spent on them.

    Args:
        stages: The recipes that come first.
        config: What goes on from the last one.
        name: Name of the run that goes on; None for a free one.
        path: Folder of the run store.

    Raises:
        SpielBotError: It could not.
    """
    game = checked_game(config, path)
    last = stages[-1]
    before = recipe(last)
    own = before.method.network
    Header.of(own, load(before.game, **before.options).spec).expect_fits(game, f"recipe {last}")
    if own != config.method.network:
        expect_growth(own, config.method.network, f"recipe {last}")
    taken = [*stages, *(run.name for run in _runs(path))]
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
            if wanted.start in RECIPES:  # a run notes the iteration that it went on from
                last = recipe(wanted.start).iterations
                wanted = dataclasses.replace(wanted, start=f"{wanted.start}@{last}")
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
