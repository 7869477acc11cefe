"""Replaying a recorded game, in one kernel for each game."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel, specialise
from spiel_bot.games.base import CHANCE, Actions, Game, Players, States

Bytes = npt.NDArray[np.uint8]


def replay_kernel(game: Game) -> Callable[[States, Bytes, Actions, Players], None]:
    """Return `replay_events` for a game."""
    kernels: dict[str, Any] = {"apply_many": game.apply_many}
    if game.apply_chance_many is not None:
        kernels["apply_chance_many"] = game.apply_chance_many
    return specialise(replay_events, **kernels)


# The rules, which `replay_kernel` puts in; a game without dice keeps the second.


@kernel
def apply_many(states: States, actions: Actions) -> None:
    """Play an action in each position."""


@kernel
def apply_chance_many(states: States, outcomes: Actions) -> None:
    """Let an outcome happen in each position."""


@kernel
def replay_events(
    positions: States, position_bytes: Bytes, events: Actions, players: Players
) -> None:
    """Write the position after each event.

    Args:
        positions: [P + 1] the first is given.
        position_bytes: [P + 1, S] the same memory.
        events: [P] actions and outcomes.
        players: [P] who acted, or CHANCE.
    """
    for ply in range(events.shape[0]):
        for byte in range(position_bytes.shape[1]):
            position_bytes[ply + 1, byte] = position_bytes[ply, byte]
        if players[ply] == CHANCE:
            apply_chance_many(positions[ply + 1 : ply + 2], events[ply : ply + 1])
        else:
            apply_many(positions[ply + 1 : ply + 2], events[ply : ply + 1])
