"""Replaying a recorded game, in one kernel."""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import CHANCE, Actions, Players, States
from spiel_bot.games.joining import apply_chance_many, apply_many

Bytes = npt.NDArray[np.uint8]


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
