"""The kernels that several layouts share: checkers, course of the turn, marks, jans.

Each writes its features at the start of `out`; the caller gives a slice.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import State
from spiel_bot.games.trictrac.masks import (
    CORNER,
    OTHER_CORNER,
    RETURN_JAN,
    SMALL_JAN,
    Board,
    read_fields,
)
from spiel_bot.games.trictrac.state import CHECKERS, DEAD, NUM_FIELDS

OPPONENT_CHECKERS = 4 * NUM_FIELDS  # where the opponent's checkers begin
NUM_CHECKER_FEATURES = 2 * OPPONENT_CHECKERS
NUM_COURSE_FEATURES = 4
NUM_MARKS = 4  # of one side
NUM_JAN_FEATURES = 12

OTHER_QUARTERS = 4  # places among the features of jans
EXITS = 8
CORNERS = 10

# Stages of the turn; the others of the numbering are passed by the kernels.
STAGE_ROLL = 0
STAGE_HOLD_OR_GO = 3
STAGE_MOVE = 4

MOST_HOLES = 12
"""More holes count as so many: one roll can win several at the end."""

# [16] by the checkers on a field: which of its four features is not zero, and its value.
COUNT_FEATURE = np.minimum(np.maximum(np.arange(CHECKERS + 1) - 1, 0), 3)
COUNT_VALUE = np.ones(CHECKERS + 1, np.float32)
COUNT_VALUE[0] = 0.0
COUNT_VALUE[4:] = (np.arange(4, CHECKERS + 1) - 3) / (CHECKERS - 3)

Features = npt.NDArray[np.float32]


@kernel
def observe_checkers(board: Board, is_mover: bool, out: Features) -> None:
    """Write the checkers of both sides, field by field; by tables, since branches cost more."""
    for i in range(NUM_CHECKER_FEATURES):
        out[i] = 0.0
    for i in range(NUM_FIELDS):
        checkers = int(board[i]) if is_mover else -int(board[NUM_FIELDS - 1 - i])
        own = max(checkers, 0)
        other = max(-checkers, 0)
        out[4 * i + COUNT_FEATURE[own]] = COUNT_VALUE[own]
        out[OPPONENT_CHECKERS + 4 * i + COUNT_FEATURE[other]] = COUNT_VALUE[other]


@kernel
def observe_course(state: State, player: int, out: Features) -> None:
    """Write dice, mover and stage of the turn."""
    out[0] = state["dice"][0] / 6.0
    out[1] = state["dice"][1] / 6.0
    out[2] = mover_colour(state, player)
    out[3] = stage(state) / 5.0


@kernel
def mover_colour(state: State, player: int) -> int:
    """Return 0 if the observer is the mover, else 1; 0 while the first roll is to decide it.

    Before the first roll the position is the same for both, so they must see the same (R2.2).
    """
    return 0 if state["opening"] or state["mover"] == player else 1


@kernel
def stage(state: State) -> int:
    """Return the stage of the turn; the end of a game counts as waiting."""
    if state["player"] < 0:
        return STAGE_ROLL
    return STAGE_HOLD_OR_GO if state["can_go"] else STAGE_MOVE


@kernel
def can_bredouille(state: State, side: int) -> bool:
    """Return whether a side's next hole may be double (R12.3): without points a run begins."""
    return bool(state["points"][side] == 0 or state["bredouille"] == side)


@kernel
def can_big_bredouille(state: State, side: int) -> bool:
    """Return whether a side may win the game double (R14.4): the same of holes and flag."""
    flag = state["flag"]
    return bool(flag == side or (state["holes"][side] == 0 and flag != DEAD))


@kernel
def observe_marks(state: State, side: int, out: Features) -> None:
    """Write the four features of a side's marks."""
    out[0] = int(state["points"][side]) / 12.0
    out[1] = min(int(state["holes"][side]), MOST_HOLES) / 12.0
    out[2] = 1.0 if can_bredouille(state, side) else 0.0
    out[3] = 1.0 if can_big_bredouille(state, side) else 0.0


@kernel
def observe_jans(board: Board, is_mover: bool, out: Features) -> None:
    """Write quarters, exits and corners of both sides; the board is from the mover's side."""
    own, own2, other, other2, _, _ = read_fields(board)
    mover, opponent = (0, 1) if is_mover else (1, 0)
    for quarter in range(4):
        fields = SMALL_JAN << (6 * quarter if is_mover else 18 - 6 * quarter)
        out[OTHER_QUARTERS * mover + quarter] = 1.0 if own2 & fields == fields else 0.0
        out[OTHER_QUARTERS * opponent + quarter] = 1.0 if other2 & fields == fields else 0.0
    out[EXITS + mover] = 1.0 if own & ~RETURN_JAN == 0 else 0.0
    out[EXITS + opponent] = 1.0 if other & ~SMALL_JAN == 0 else 0.0  # the opponent's return jan
    out[CORNERS + mover] = 1.0 if own2 & CORNER != 0 else 0.0
    out[CORNERS + opponent] = 1.0 if other2 & OTHER_CORNER != 0 else 0.0


@kernel
def roll_count_feature(state: State, player: int) -> float:
    """Return the rolls of a side since the last setting, over the three that matter (R10.13)."""
    return min(int(state["roll_counts"][player]), 3) / 3.0


@kernel
def board_of(state: State, side: int, out: Board) -> None:
    """Write the board from a side's own view."""
    board = state["board"]
    if state["mover"] == side:
        for i in range(NUM_FIELDS):
            out[i] = board[i]
    else:
        for i in range(NUM_FIELDS):
            out[i] = -board[NUM_FIELDS - 1 - i]
