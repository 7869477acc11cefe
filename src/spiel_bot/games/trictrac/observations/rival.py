"""The layout `rival`: `champion`, and which side is expected to err.

A position is worth more to who plays a weaker opponent, most where good plays are hard to find.
"""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.judgement import Rolls, new_rolls
from spiel_bot.games.trictrac.observations import champion, expert
from spiel_bot.games.trictrac.observations.champion import observe_champion
from spiel_bot.games.trictrac.observations.expert import Scratch
from spiel_bot.games.trictrac.observations.features import Features
from spiel_bot.games.trictrac.observations.table import IS, Part, number_parts

OWN_ERRS = champion.NUM_FEATURES
OTHER_ERRS = OWN_ERRS + 1
NUM_FEATURES = OTHER_ERRS + 1
VERSION = 1

PARTS = [
    *champion.PARTS,
    Part(1, "errors are expected of the own side", IS),
    Part(1, "errors are expected of the opponent", IS),
]
ROWS = number_parts(PARTS)


@kernel
def observe_rival(
    state: State, player: int, scratch: Scratch, rolls_of: Rolls, out: Features
) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    observe_champion(state, player, scratch, rolls_of, out)
    erring = int(np.int64(state["erring"]))
    out[OWN_ERRS] = 1.0 if erring == 1 + player else 0.0
    out[OTHER_ERRS] = 1.0 if erring == 2 - player else 0.0


@kernel
def observe_rival_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    scratch = expert.new_scratch()
    rolls_of = new_rolls()
    for b in range(states.shape[0]):
        observe_rival(states[b], int(players[b]), scratch, rolls_of, out[b])


@kernel
def observe_rival_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    scratch = expert.new_scratch()
    rolls_of = new_rolls()
    for b in range(states.shape[0]):
        observe_rival(states[b], WHITE, scratch, rolls_of, out[b])
