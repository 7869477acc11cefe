"""The layout `td217`, the default: `td204` and what makes a jan, a corner and an exit."""

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.observations import table, td204
from spiel_bot.games.trictrac.observations.features import (
    NUM_JAN_FEATURES,
    Features,
    observe_jans,
    roll_count_feature,
)
from spiel_bot.games.trictrac.observations.td204 import observe_td204

JANS = td204.NUM_FEATURES
ROLL_COUNT = JANS + NUM_JAN_FEATURES
NUM_FEATURES = ROLL_COUNT + 1
VERSION = 1

PARTS = [*td204.PARTS, *table.QUARTERS, *table.EXITS, *table.CORNERS, *table.ROLL_COUNT]
ROWS = table.number_parts(PARTS)


@kernel
def observe_td217(state: State, player: int, out: Features) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    observe_td204(state, player, out)
    observe_jans(state["board"][:], bool(state["mover"] == player), out[JANS:])
    out[ROLL_COUNT] = roll_count_feature(state, player)


@kernel
def observe_td217_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    for b in range(states.shape[0]):
        observe_td217(states[b], int(players[b]), out[b])


@kernel
def observe_td217_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    for b in range(states.shape[0]):
        observe_td217(states[b], WHITE, out[b])
