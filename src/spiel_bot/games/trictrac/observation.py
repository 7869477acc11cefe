"""The observation `td217`: 217 numbers from 0 to 1, from either player's side.

| features | meaning |
|---|---|
| 0-95     | own checkers, 4 per field: exactly 1, exactly 2, exactly 3, (count - 3) / 12 |
| 96-191   | the same for the opponent, field by field of the observer's numbering |
| 192-193  | dice / 6, higher first |
| 194      | colour of the mover as the observer sees it: 0 himself, 1 the other |
| 195      | stage / 5: roll waiting 0, hold or go 3, move 4 (the others are never met) |
| 196-199  | own points / 12, holes / 12, can bredouille, can big bredouille |
| 200-203  | the same for the opponent |
| 204-207  | own quarters filled, from field 1 on |
| 208-211  | the opponent's, in the same quarters |
| 212, 213 | own may exit, opponent may exit |
| 214, 215 | own corner taken, opponent's corner taken |
| 216      | own roll count / 3, at most 1 |
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import Floats, Players, State, States
from spiel_bot.games.trictrac.masks import (
    CORNER,
    OTHER_CORNER,
    RETURN_JAN,
    SMALL_JAN,
    Board,
    read_fields,
)
from spiel_bot.games.trictrac.state import CHECKERS, DEAD, NUM_FIELDS

NUM_FEATURES = 217

OPPONENT = 96  # first feature of each part
DICE = 192
MOVER_COLOUR = 194
STAGE = 195
MARKS = 196
QUARTERS = 204
EXITS = 212
CORNERS = 214
ROLL_COUNT = 216

STAGE_ROLL = 0.0
STAGE_HOLD_OR_GO = 3.0 / 5.0
STAGE_MOVE = 4.0 / 5.0

# [16] by the checkers on a field: which of its four features is not zero, and its value.
COUNT_FEATURE = np.minimum(np.maximum(np.arange(CHECKERS + 1) - 1, 0), 3)
COUNT_VALUE = np.ones(CHECKERS + 1, np.float32)
COUNT_VALUE[0] = 0.0
COUNT_VALUE[4:] = (np.arange(4, CHECKERS + 1) - 3) / (CHECKERS - 3)

Features = npt.NDArray[np.float32]  # [217]


@kernel
def observe_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    for b in range(states.shape[0]):
        observe(states[b], int(players[b]), out[b])


@kernel
def observe(state: State, player: int, out: Features) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    is_mover = bool(state["mover"] == player)
    board = state["board"][:]
    observe_checkers(board, is_mover, out)
    out[DICE] = state["dice"][0] / 6.0
    out[DICE + 1] = state["dice"][1] / 6.0
    out[MOVER_COLOUR] = 0.0 if is_mover else 1.0
    out[STAGE] = stage(state)
    observe_marks(state, player, out[MARKS:])
    observe_marks(state, 1 - player, out[MARKS + 4 :])
    observe_jans(board, is_mover, out)
    out[ROLL_COUNT] = min(int(state["roll_counts"][player]), 3) / 3.0


@kernel
def observe_checkers(board: Board, is_mover: bool, out: Features) -> None:
    """Write the checkers of both sides, field by field; by tables, since branches cost more."""
    for i in range(DICE):
        out[i] = 0.0
    for i in range(NUM_FIELDS):
        checkers = int(board[i]) if is_mover else -int(board[NUM_FIELDS - 1 - i])
        own = max(checkers, 0)
        other = max(-checkers, 0)
        out[4 * i + COUNT_FEATURE[own]] = COUNT_VALUE[own]
        out[OPPONENT + 4 * i + COUNT_FEATURE[other]] = COUNT_VALUE[other]


@kernel
def observe_jans(board: Board, is_mover: bool, out: Features) -> None:
    """Write quarters, exits and corners; the board is from the mover's side."""
    own, own2, other, other2, _, _ = read_fields(board)
    mover, opponent = (0, 1) if is_mover else (1, 0)
    for quarter in range(4):
        fields = SMALL_JAN << (6 * quarter if is_mover else 18 - 6 * quarter)
        out[QUARTERS + 4 * mover + quarter] = 1.0 if own2 & fields == fields else 0.0
        out[QUARTERS + 4 * opponent + quarter] = 1.0 if other2 & fields == fields else 0.0
    out[EXITS + mover] = 1.0 if own & ~RETURN_JAN == 0 else 0.0
    out[EXITS + opponent] = 1.0 if other & ~SMALL_JAN == 0 else 0.0  # the opponent's return jan
    out[CORNERS + mover] = 1.0 if own2 & CORNER != 0 else 0.0
    out[CORNERS + opponent] = 1.0 if other2 & OTHER_CORNER != 0 else 0.0


@kernel
def stage(state: State) -> float:
    """Return the stage of the turn over 5; the end of a game counts as waiting."""
    if state["player"] < 0:
        return STAGE_ROLL
    return STAGE_HOLD_OR_GO if state["can_go"] else STAGE_MOVE


@kernel
def observe_marks(state: State, side: int, out: Features) -> None:
    """Write the four features of a side's marks."""
    points = int(state["points"][side])
    holes = int(state["holes"][side])
    flag = int(state["flag"])
    out[0] = points / 12.0
    out[1] = min(holes, 12) / 12.0
    # R12.3: who has no points begins a new run with the next ones.
    out[2] = 1.0 if points == 0 or state["bredouille"] == side else 0.0
    # R14.4: the same of holes, unless the flag is dead.
    out[3] = 1.0 if flag == side or (holes == 0 and flag != DEAD) else 0.0
