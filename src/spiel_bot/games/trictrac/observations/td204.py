"""The layout `td204`: checkers, course of the turn and marks; the first part of the longer ones."""

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.observations import table
from spiel_bot.games.trictrac.observations.features import (
    NUM_CHECKER_FEATURES,
    NUM_COURSE_FEATURES,
    NUM_MARKS,
    Features,
    observe_checkers,
    observe_course,
    observe_marks,
)

COURSE = NUM_CHECKER_FEATURES
MARKS = COURSE + NUM_COURSE_FEATURES
OTHER_MARKS = MARKS + NUM_MARKS
NUM_FEATURES = OTHER_MARKS + NUM_MARKS
VERSION = 1

PARTS = [*table.CHECKERS, *table.COURSE, *table.MARKS]
ROWS = table.number_parts(PARTS)


@kernel
def observe_td204(state: State, player: int, out: Features) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    observe_checkers(state["board"][:], bool(state["mover"] == player), out)
    observe_course(state, player, out[COURSE:])
    observe_marks(state, player, out[MARKS:])
    observe_marks(state, 1 - player, out[OTHER_MARKS:])


@kernel
def observe_td204_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    for b in range(states.shape[0]):
        observe_td204(states[b], int(players[b]), out[b])


@kernel
def observe_td204_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    for b in range(states.shape[0]):
        observe_td204(states[b], WHITE, out[b])
