"""Recipes that go on from the run of another recipe, which comes first."""

import dataclasses
from pathlib import Path

from spiel_bot.cluster.beginning import JOINED, expect_beginning
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.local import checked_game
from spiel_bot.cluster.presets import RECIPES, recipe
from spiel_bot.errors import SettingsError
from spiel_bot.games.registry import load
from spiel_bot.networks.growth import wider_header
from spiel_bot.networks.header import Header
from spiel_bot.settings import from_plain
from spiel_bot.storage.location import default_path
from spiel_bot.storage.runs import Run, RunState
from spiel_bot.storage.store import DATABASE_NAME, Store

DECISIVE = ("game", "options", "seed", "iterations", "games", "steps", "algorithm", "start", "gate")
"""Settings that the weights of a run follow from, besides those of its algorithm."""


def stages_before(name: str, config: TrainConfig) -> list[str]:
    """Return the recipes whose runs come before that of a recipe, the first ones first.

    Each run has the name of its recipe. None come before it if the recipe begins with nothing, or
    what was given beside it with another model.
    """
    start = str(RECIPES[name].get("start", ""))
    return stages_of(start) if config.start == start else []


def stages_of(start: str) -> list[str]:
    """Return the recipes that lead to the models a run begins with, each behind its own."""
    found: list[str] = []
    for name in parts_of(start):
        own = stages_of(str(RECIPES[name].get("start", "")))
        found += [stage for stage in [*own, name] if stage not in found]
    return found


def parts_of(start: str) -> list[str]:
    """Return the recipes among the models that a run begins with the mean of."""
    return [name for name in start.split(JOINED) if name in RECIPES]


def stage_name(name: str, config: TrainConfig, path: Path | None, share: float = 1.0) -> str | None:
    """Return the name under which other recipes find the run of a recipe, or of a part of it.

    None if none goes on from it, if it was changed, or if it is there already.

    Raises:
        SettingsError: The run of that name was made otherwise, so that none would find this one.
    """
    starts = [str(other.get("start", "")) for other in RECIPES.values()]
    is_stage = any(name in parts_of(start) for start in starts)
    if not is_stage or _decisive(config) != _decisive(recipe(name, share)):
        return None
    return name if stage_run(name, path, share) is None else None


def missing_stages(start: str, path: Path | None, share: float = 1.0) -> list[str]:
    """Return the stages of a start that are still to be trained, or trained to their end.

    What comes before one that has begun is not needed any more: a run keeps a copy of its start.

    Raises:
        SettingsError: A run has the name of a stage and was made otherwise, or with another share
            of its iterations.
    """
    found: list[str] = []
    for name in parts_of(start):
        run = stage_run(name, path, share)
        if run is not None and run.state == RunState.FINISHED:
            continue
        before = str(RECIPES[name].get("start", ""))
        own = missing_stages(before, path, share) if run is None else []
        found += [stage for stage in [*own, name] if stage not in found]
    return found


def expect_next(
    stages: list[str], config: TrainConfig, name: str | None, path: Path | None
) -> None:
    """Refuse a run that could not go on from its stages, before hours are spent on them.

    Args:
        stages: The recipes that come first.
        config: What goes on from the last ones.
        name: Name of the run that goes on; None for a free one.
        path: Folder of the run store.

    Raises:
        SpielBotError: It could not.
    """
    game = checked_game(config, path)
    headers = []
    for stage in parts_of(config.start):
        before = recipe(stage)
        made = Header.of(before.method.network, load(before.game, **before.options).spec)
        headers.append(wider_header(made, game.spec))
        headers[-1].expect_fits(game, f"recipe {stage}")
    expect_beginning(headers, config.method.network, f"recipe {config.start}")
    taken = [*stages, *(run.name for run in _runs(path))]
    if name in taken:
        raise SettingsError(f"name: there is a run {name!r} already, or will be; choose another")


def stage_run(stage: str, path: Path | None, share: float = 1.0) -> Run | None:
    """Return the run of a recipe in a store, finished or not; None if there is none.

    Raises:
        SettingsError: The run of its name was made otherwise.
    """
    for run in _runs(path):
        if run.name == stage:
            wanted, found = recipe(stage, share), from_plain(TrainConfig(), run.config)
            # A run notes the iterations that it went on from.
            noted = [
                f"{name}@{recipe(name, share).iterations}" if name in RECIPES else name
                for name in wanted.start.split(JOINED)
            ]
            wanted = dataclasses.replace(wanted, start=JOINED.join(noted))
            if _decisive(wanted) != _decisive(found):
                raise SettingsError(
                    f"the run {stage} of the store was not made by {_part(stage, share)}; "
                    "delete it, name another store, or a model with --start"
                )
            return run
    return None


def _part(name: str, share: float) -> str:
    of_it = "" if share == 1.0 else f" with {recipe(name, share).iterations} iterations"
    return f"the recipe {name}{of_it}"


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
