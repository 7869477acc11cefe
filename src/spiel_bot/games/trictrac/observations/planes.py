"""The layouts `planes` and `quarters`: channels over the 24 fields, for convolutions.

Both are the same numbers; `quarters` has them as channels x 4 quarters x 6 fields.
"""

from typing import NamedTuple

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.masks import (
    CORNER_FIELD,
    HOME_FIELD,
    OTHER_CORNER_FIELD,
    Board,
)
from spiel_bot.games.trictrac.moves import legal_plays
from spiel_bot.games.trictrac.observations import table
from spiel_bot.games.trictrac.observations.features import (
    COUNT_FEATURE,
    COUNT_VALUE,
    EXITS,
    NUM_COURSE_FEATURES,
    NUM_JAN_FEATURES,
    NUM_MARKS,
    Features,
    observe_course,
    observe_jans,
    observe_marks,
    roll_count_feature,
)
from spiel_bot.games.trictrac.observations.table import IS, Part, number_parts
from spiel_bot.games.trictrac.plays import (
    MAX_PLAYS,
    OUT_FIELD,
    Codes,
    gained_fields,
)
from spiel_bot.games.trictrac.state import NUM_FIELDS, high_number, low_number

OTHER_COUNTS = 4  # channels
OWN_CORNER = 8
OTHER_CORNER = 9
LAST_QUARTER = 10
OWN_QUARTERS = 11
OTHER_QUARTERS = 12
REACH = 13
SCALARS = 14
NUM_SCALARS = NUM_COURSE_FEATURES + 2 * NUM_MARKS + 2 + 1
NUM_CHANNELS = SCALARS + NUM_SCALARS
VERSION = 1

ROWS = number_parts(
    Part(NUM_FIELDS, part.meaning, part.value)
    for part in [
        *(
            Part(1, f"fields with {count} {side}", value)
            for side in ("own checkers", "of the opponent's")
            for count, value in (
                ("exactly 1", IS),
                ("exactly 2", IS),
                ("exactly 3", IS),
                ("more than 3", "(count - 3) / 12, else 0"),
            )
        ),
        Part(1, "own corner", "1 on field 12, else 0"),
        Part(1, "opponent's corner", "1 on field 13, else 0"),
        Part(1, "return jan", "1 on fields 19-24, else 0"),
        Part(1, "quarters filled by own checkers", "1 on the six fields of each, else 0"),
        Part(1, "quarters filled by the opponent's", "1 on the six fields of each, else 0"),
        Part(1, "fields in reach of the roll", "1 if some legal play brings a checker there"),
        *table.COURSE,
        *table.MARKS,
        *table.EXITS,
        *table.ROLL_COUNT,
    ]
)


class Scratch(NamedTuple):
    """Memory that one position after the other uses."""

    codes: Codes  # [MAX_PLAYS]
    jans: Features  # [NUM_JAN_FEATURES]
    scalars: Features  # [NUM_SCALARS]


@kernel
def new_scratch() -> Scratch:
    """Return memory for one batch."""
    return Scratch(
        np.empty(MAX_PLAYS, np.int32),
        np.empty(NUM_JAN_FEATURES, np.float32),
        np.empty(NUM_SCALARS, np.float32),
    )


@kernel
def observe_planes(state: State, player: int, scratch: Scratch, out: Features) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    is_mover = bool(state["mover"] == player)
    board = state["board"][:]
    for i in range(SCALARS * NUM_FIELDS):
        out[i] = 0.0
    observe_jans(board, is_mover, scratch.jans)
    observe_counts(board, is_mover, out)
    out[OWN_CORNER * NUM_FIELDS + CORNER_FIELD - 1] = 1.0
    out[OTHER_CORNER * NUM_FIELDS + OTHER_CORNER_FIELD - 1] = 1.0
    for i in range(HOME_FIELD - 1, NUM_FIELDS):
        out[LAST_QUARTER * NUM_FIELDS + i] = 1.0
    for i in range(NUM_FIELDS):
        out[OWN_QUARTERS * NUM_FIELDS + i] = scratch.jans[i // 6]
        out[OTHER_QUARTERS * NUM_FIELDS + i] = scratch.jans[4 + i // 6]
    if state["player"] >= 0:
        reached = reached_fields(board, high_number(state), low_number(state), scratch.codes)
        for field in range(1, OUT_FIELD):
            i = field - 1 if is_mover else NUM_FIELDS - field
            out[REACH * NUM_FIELDS + i] = reached >> field & 1
    observe_scalars(state, player, scratch, out[SCALARS * NUM_FIELDS :])


@kernel
def observe_counts(board: Board, is_mover: bool, out: Features) -> None:
    """Write the channels of the checkers, where they are not zero."""
    for i in range(NUM_FIELDS):
        checkers = int(board[i]) if is_mover else -int(board[NUM_FIELDS - 1 - i])
        own = max(checkers, 0)
        other = max(-checkers, 0)
        out[COUNT_FEATURE[own] * NUM_FIELDS + i] = COUNT_VALUE[own]
        out[(OTHER_COUNTS + COUNT_FEATURE[other]) * NUM_FIELDS + i] = COUNT_VALUE[other]


@kernel
def reached_fields(board: Board, high: int, low: int, codes: Codes) -> int:
    """Return the fields that hold more of the mover's checkers after some legal play."""
    reached = 0
    for i in range(legal_plays(board, high, low, codes)):
        reached |= gained_fields(int(np.int64(codes[i])), high, low)
    return reached


@kernel
def observe_scalars(state: State, player: int, scratch: Scratch, out: Features) -> None:
    """Write one constant channel for each number that belongs to no field."""
    scalars = scratch.scalars
    observe_course(state, player, scalars)
    marks = NUM_COURSE_FEATURES
    observe_marks(state, player, scalars[marks:])
    observe_marks(state, 1 - player, scalars[marks + NUM_MARKS :])
    exits = marks + 2 * NUM_MARKS
    scalars[exits] = scratch.jans[EXITS]
    scalars[exits + 1] = scratch.jans[EXITS + 1]
    scalars[exits + 2] = roll_count_feature(state, player)
    for channel in range(NUM_SCALARS):
        for i in range(NUM_FIELDS):
            out[channel * NUM_FIELDS + i] = scalars[channel]


@kernel
def observe_planes_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    scratch = new_scratch()
    for b in range(states.shape[0]):
        observe_planes(states[b], int(players[b]), scratch, out[b])


@kernel
def observe_planes_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    scratch = new_scratch()
    for b in range(states.shape[0]):
        observe_planes(states[b], WHITE, scratch, out[b])
