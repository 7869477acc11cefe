"""The layout `raw36`: the numbers of a position as they are, the only one outside [0, 1]."""

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.observations.features import (
    MOST_HOLES,
    Features,
    can_big_bredouille,
    can_bredouille,
    mover_colour,
    stage,
)
from spiel_bot.games.trictrac.observations.table import Part, number_parts
from spiel_bot.games.trictrac.state import NUM_FIELDS

NUM_FEATURES = 36
VERSION = 1
RANGE = (-15.0, 15.0)

COURSE = NUM_FIELDS
MARKS = COURSE + 4

ROWS = number_parts(
    [
        *(
            Part(1, f"checkers on field {f}", "positive own, negative opponent's")
            for f in range(1, 25)
        ),
        Part(1, "colour of the mover", "0 the observer, 1 the other; 0 before the first roll"),
        Part(1, "stage of the turn", "waiting for a roll 0, hold or go 3, move 4"),
        Part(1, "higher number of the roll", "0 without a roll"),
        Part(1, "lower number of the roll", "0 without a roll"),
        *(
            Part(1, f"{side} {what}", value)
            for side in ("own", "opponent's")
            for what, value in (
                ("points", "0 to 10"),
                ("holes", "at most 12"),
                ("bredouille is possible", "1 if in bredouille or without points"),
                (
                    "grande bredouille is possible",
                    "1 with the flag, or without holes while it is alive",
                ),
            )
        ),
    ]
)


@kernel
def observe_raw36(state: State, player: int, out: Features) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    is_mover = bool(state["mover"] == player)
    board = state["board"]
    for i in range(NUM_FIELDS):
        out[i] = int(board[i]) if is_mover else -int(board[NUM_FIELDS - 1 - i])
    out[COURSE] = mover_colour(state, player)
    out[COURSE + 1] = stage(state)
    out[COURSE + 2] = state["dice"][0]
    out[COURSE + 3] = state["dice"][1]
    raw_marks(state, player, out[MARKS:])
    raw_marks(state, 1 - player, out[MARKS + 4 :])


@kernel
def raw_marks(state: State, side: int, out: Features) -> None:
    """Write the four features of a side's marks."""
    out[0] = state["points"][side]
    out[1] = min(int(state["holes"][side]), MOST_HOLES)
    out[2] = 1.0 if can_bredouille(state, side) else 0.0
    out[3] = 1.0 if can_big_bredouille(state, side) else 0.0


@kernel
def observe_raw36_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    for b in range(states.shape[0]):
        observe_raw36(states[b], int(players[b]), out[b])


@kernel
def observe_raw36_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    for b in range(states.shape[0]):
        observe_raw36(states[b], WHITE, out[b])
