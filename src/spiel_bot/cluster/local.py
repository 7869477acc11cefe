"""A run on this machine: begun or resumed, trained, and its end written down."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spiel_bot.cluster.beginning import start_weights
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.driver import FIRST_LABELS, Driver, Outcome
from spiel_bot.cluster.iteration_games import Report
from spiel_bot.cluster.ladder import ladder_of
from spiel_bot.cluster.memory import expect_room, memory_of
from spiel_bot.cluster.methods import new_algorithm
from spiel_bot.cluster.plan import average_decisions
from spiel_bot.errors import SettingsError, SpielBotError
from spiel_bot.games.base import Game
from spiel_bot.games.registry import load
from spiel_bot.learning.targets import expect_targets
from spiel_bot.learning.td import expect_aim, expect_sparring, expect_variety
from spiel_bot.settings import from_plain, to_plain
from spiel_bot.storage.runs import Run, RunState
from spiel_bot.storage.store import Store

FIXED = ("game", "options", "seed", "games", "algorithm", "start")
"""Settings that the stored games and random numbers of a run depend on."""


def checked_game(config: TrainConfig, store: Path | None = None) -> Game:
    """Return the game of a configuration, once it is sure that the run can be made here.

    Args:
        config: The run.
        store: Folder of the store, where the ladder may have models of other runs.

    Raises:
        SpielBotError: The game, the network or the ladder cannot be made, or the run does not
            fit into the memory of this machine.
    """
    game = load(config.game, **config.options)
    config.method.network.expect_fits(game.spec)
    expect_targets(game, config.method.network.heads)
    if config.algorithm == "td":
        expect_variety(game, config.td)
        expect_sparring(game, config.td)
        expect_aim(game, config.td)
    ladder_of(game, config.ladder, store)
    expect_room(memory_of(game, config, average_decisions(game)))
    return game


def begin_run(store: Store, config: TrainConfig, name: str | None = None) -> Run:
    """Make a new run of a configuration.

    Raises:
        SpielBotError: It cannot be made; the store is as it was.
    """
    game = checked_game(config, store.path)
    if not config.start:
        return create_run(store, config, name)
    source, weights = start_weights(game, config, store.path)
    with store.transaction():
        # The name that lasts: a run that was named may go on.
        run = create_run(store, dataclasses.replace(config, start=source), name)
        # From here on the run does not need the model it began with.
        store.checkpoints.add(run.id, weights, iteration=0, step=0, labels=FIRST_LABELS)
    return run


def create_run(store: Store, config: TrainConfig, name: str | None) -> Run:
    """Write a new run of a configuration into a store."""
    return store.runs.create(
        game=config.game,
        seed=config.seed,
        config=to_plain(config),
        game_options=config.options,
        name=name,
    )


def resume_run(
    store: Store, name: str, changes: Mapping[str, Any] | None = None
) -> tuple[Run, TrainConfig]:
    """Take a run over, perhaps with more iterations or another rate.

    Raises:
        UnknownRunError: There is no such run.
        StoreBusyError: Another process works on it.
        SettingsError: A change is none.
    """
    run = store.runs.find(name)
    before = from_plain(TrainConfig(), run.config)
    config = from_plain(before, changes or {})
    for key in FIXED:
        if getattr(config, key) != getattr(before, key):
            raise SettingsError(f"{key}: a run keeps it from its beginning; begin a new run")
    if config.method.network != before.method.network:
        raise SettingsError("network: a run keeps it from its beginning; begin a new run")
    checked_game(config, store.path)
    run = store.runs.claim(run.id)
    store.runs.set_config(run.id, to_plain(config))
    return run, config


def train(store: Store, run: Run, config: TrainConfig, control: Control, report: Report) -> Outcome:
    """Train until the run is finished, stopped or broken; the store knows which."""
    game = load(config.game, **config.options)
    store.sweep()
    try:
        algorithm = new_algorithm(game, config)
        outcome = Driver(store, run, game, algorithm, config, control, report).train()
    except SpielBotError as error:
        store.runs.set_state(run.id, RunState.FAILED, str(error))
        raise
    except BaseException:
        store.runs.set_state(run.id, RunState.INTERRUPTED)
        raise
    state = RunState.FINISHED if outcome.is_finished else RunState.INTERRUPTED
    store.runs.set_state(run.id, state)
    return outcome
