"""How much memory a run will need, by a formula, and whether this machine has it."""

import math
import os
from pathlib import Path
from typing import NamedTuple

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.errors import SettingsError
from spiel_bot.games.base import Game
from spiel_bot.learning.selfplay import SelfPlayConfig
from spiel_bot.networks.header import Header

PROCESS_BYTES = 500e6
"""Python, torch, ONNX Runtime and compiled kernels, before anything is played."""

SIMULATION_BYTES = 3_000
"""Of one simulation of one game; 700 to 1,900 were measured, and trees grow by copying."""

FAN_POSITIONS = 32
"""Positions after the actions of one decision that there is room for, without a tree."""

DECISION_BYTES = 400
"""Of a decision in a recorded game, while an iteration is read back from the store."""

WEIGHT_COPIES = 24
"""Weights, their average, gradients and Adam's two sums; the copies that are made to store them."""

MODEL_COPIES = 4
"""Models of a worker, while it changes from one network to the next."""

REPLAY_COPIES = 3
"""Room for two windows, and a copy of one while it moves."""

CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


class Memory(NamedTuple):
    """Bytes that the parts of a run need."""

    process: float
    play: float
    replay: float
    networks: float

    def __str__(self) -> str:
        """All of it, and the parts."""
        parts = ", ".join(f"{name} {size_text(size)}" for name, size in self._asdict().items())
        return f"{size_text(sum(self))} ({parts})"


def memory_of(game: Game, config: TrainConfig, decisions: float) -> Memory:
    """Return what a run will need; `decisions` is how many a game has."""
    spec, algorithm = game.spec, config.method
    selfplay, replay = algorithm.selfplay, algorithm.replay
    row = 4 * (spec.observation_size + 2 * spec.num_actions)
    if isinstance(selfplay, SelfPlayConfig):
        simulations = selfplay.search.n_simulations + selfplay.cheap_search.n_simulations
        searched = simulations * SIMULATION_BYTES + 2.0 * row
    else:
        searched = FAN_POSITIONS * (2.0 * row + game.state_dtype.itemsize)
    playing = config.num_workers * selfplay.games_at_once
    records = 2 * config.games * decisions * DECISION_BYTES
    seen = config.iterations * config.games * decisions
    window = replay.capacity + replay.growth * max(0.0, seen - replay.capacity)
    width = min(replay.max_policy, spec.max_legal_actions)
    targets = sum(head.target_size for head in algorithm.network.heads)
    sample = game.state_dtype.itemsize + 9 + 8 * width + 4 * targets
    shapes = Header.of(algorithm.network, spec).shapes().values()
    weights = 4.0 * sum(math.prod(shape) for shape in shapes)
    copies = WEIGHT_COPIES + MODEL_COPIES * config.num_workers
    return Memory(
        process=PROCESS_BYTES,
        play=playing * searched + records,
        replay=REPLAY_COPIES * window * sample,
        networks=weights * copies + 6.0 * algorithm.learner.batch_size * row,
    )


def expect_room(memory: Memory, available: float | None = None) -> None:
    """Refuse a run that cannot fit.

    Args:
        memory: What it needs.
        available: Bytes there are; None asks the machine.

    Raises:
        SettingsError: It needs more.
    """
    room = machine_bytes() if available is None else available
    if sum(memory) <= room:
        return
    advice = {
        "process": "use a machine with more memory",
        "play": "lower selfplay.games_at_once, the simulations of the search, or games",
        "replay": "lower replay.capacity or replay.growth",
        "networks": "choose a smaller network or learner.batch_size",
    }
    largest = max(memory._fields, key=lambda name: float(getattr(memory, name)))
    raise SettingsError(
        f"the run needs about {memory} of memory, this machine has {size_text(room)}; "
        f"{advice[largest]}"
    )


def machine_bytes() -> float:
    """Return the memory of this machine, or of the container this process lives in."""
    room = float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    try:
        limit = CGROUP_LIMIT.read_text().strip()
    except OSError:
        return room
    return min(room, float(limit)) if limit.isdecimal() else room


def size_text(size: float) -> str:
    """Return a size for people.

    >>> size_text(1.26e9)
    '1.3 GB'
    """
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"
