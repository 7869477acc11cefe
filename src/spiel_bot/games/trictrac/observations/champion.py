"""The layout `champion`: `master`, and a place for each of the last holes.

A double hole is worth no more than a single one to who needs one hole, and everything to who needs
two. A number of holes that grows by twelfths hardly tells a network which of these it is.
"""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.judgement import Rolls, new_rolls
from spiel_bot.games.trictrac.observations import expert, master
from spiel_bot.games.trictrac.observations.expert import Scratch
from spiel_bot.games.trictrac.observations.features import Features
from spiel_bot.games.trictrac.observations.master import observe_master
from spiel_bot.games.trictrac.observations.table import IS, Part, number_parts

LAST_HOLES = 4
"""Two double holes. Further from the end, one hole more or less changes little."""

OWN_NEEDS = master.NUM_FEATURES
OTHER_NEEDS = OWN_NEEDS + LAST_HOLES
NUM_FEATURES = OTHER_NEEDS + LAST_HOLES
VERSION = 1

PARTS = [
    *master.PARTS,
    *(
        Part(1, f"{who} to win the game are {needs}", IS)
        for who in ("own holes", "opponent's holes")
        for needs in range(1, LAST_HOLES + 1)
    ),
]
ROWS = number_parts(PARTS)


@kernel
def observe_champion(
    state: State, player: int, scratch: Scratch, rolls_of: Rolls, out: Features
) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    observe_master(state, player, scratch, rolls_of, out)
    observe_needs(state, player, out[OWN_NEEDS:])
    observe_needs(state, 1 - player, out[OTHER_NEEDS:])


@kernel
def observe_needs(state: State, side: int, out: Features) -> None:
    """Write one place for each of the last holes that a side may still need."""
    needs = int(np.int64(state["holes_to_win"])) - int(np.int64(state["holes"][side]))
    for i in range(LAST_HOLES):
        out[i] = 1.0 if needs == i + 1 else 0.0


@kernel
def observe_champion_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    scratch = expert.new_scratch()
    rolls_of = new_rolls()
    for b in range(states.shape[0]):
        observe_champion(states[b], int(players[b]), scratch, rolls_of, out[b])


@kernel
def observe_champion_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    scratch = expert.new_scratch()
    rolls_of = new_rolls()
    for b in range(states.shape[0]):
        observe_champion(states[b], WHITE, scratch, rolls_of, out[b])
