"""What a position of trictrac is: one packed record, and how a setting begins."""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import CHANCE, TERMINAL, State

CHECKERS = 15  # of each side, R1.1
NUM_FIELDS = 24

SIDES = ("white", "black")

NOBODY = -1
"""No side has an uninterrupted run (R12.2, R14.4)."""

DEAD = -2
"""The flag was lost by the side that had it; nobody gets it again (R14.4)."""

HOLES_OF_A_GAME = 12  # R14.1; an option lets a game end with fewer

MAX_ROLL_COUNT = 99
"""Roll counts stop here: only the third roll means anything (R2.5, R10.13)."""

MAX_PLIES = 20_000
"""Where a game is given up as a draw: the rules set no bound, and random games take some 150."""

LARGEST_BOUND = 1_000_000_000

# The board is kept from the mover's side (R1.1) and turned round when the turn passes: one
# reversal of 24 bytes a turn, and no other kernel has to know which colour moves.
STATE = np.dtype(
    [
        ("plies", np.int32),  # actions and rolls so far
        ("max_plies", np.int32),  # the game is drawn here; an option of the game
        ("board", np.int8, (NUM_FIELDS,)),  # index 0 is field 1; positive are the mover's checkers
        ("dice", np.int8, (2,)),  # the roll being played, higher first; zeros where none is
        ("points", np.int8, (2,)),  # of white and black, R12.1
        ("holes", np.int8, (2,)),
        ("roll_counts", np.int8, (2,)),  # rolls of each side since the last setting, R2.5
        ("bredouille", np.int8),  # the side in its run of points, or NOBODY, R12.2
        ("flag", np.int8),  # the side in its run of holes, NOBODY or DEAD, R14.4
        ("mover", np.int8),  # whose turn it is; stays as it was when the game ends
        ("player", np.int8),  # who acts: the mover, CHANCE or TERMINAL
        ("opening", np.int8),  # 1 if the next roll also decides who begins, R2.2
        ("can_go", np.int8),  # 1 if the mover's own roll gave him a hole, R13.1
        ("owed", np.int8),  # points the opponent marks once the roll has been played, R3.6
        ("misery_pile", np.int8),  # 1 with the option of R10.22
        ("holes_to_win", np.int8),  # the holes of a game, R14.1; an option of the game
        ("draws", np.int8),  # marks to be drawn before the first roll: bits of `start.py`
    ]
)


@kernel
def high_number(state: State) -> int:
    """Return the higher number of the roll."""
    # Numba's int() keeps an int8, and all kernels below would be compiled once more for it.
    return int(np.int64(state["dice"][0]))


@kernel
def low_number(state: State) -> int:
    """Return the lower number of the roll."""
    return int(np.int64(state["dice"][1]))


@kernel
def set_up(state: State) -> None:
    """Put all checkers on the stacks; the mover is to roll (R2.1, R2.4)."""
    board = state["board"]
    for i in range(NUM_FIELDS):
        board[i] = 0
    board[0] = CHECKERS
    board[NUM_FIELDS - 1] = -CHECKERS
    state["roll_counts"][0] = 0
    state["roll_counts"][1] = 0
    wait_for_roll(state)


@kernel
def wait_for_roll(state: State) -> None:
    """Take the dice away; the mover rolls next."""
    clear_roll(state)
    state["player"] = CHANCE


@kernel
def finish(state: State) -> None:
    """End the game; the marks tell who has won."""
    clear_roll(state)
    state["opening"] = 0
    state["draws"] = 0
    state["player"] = TERMINAL


@kernel
def clear_roll(state: State) -> None:
    """Forget the roll and what it left to do."""
    state["dice"][0] = 0
    state["dice"][1] = 0
    state["can_go"] = 0
    state["owed"] = 0


@kernel
def turn_round(state: State) -> None:
    """Show the board from the other side, who becomes the mover (R1.4)."""
    board = state["board"]
    for i in range(NUM_FIELDS // 2):
        near = board[i]
        board[i] = -board[NUM_FIELDS - 1 - i]
        board[NUM_FIELDS - 1 - i] = -near
    state["mover"] = 1 - state["mover"]


def first_state(
    mover: int,
    *,
    opening: bool = False,
    misery_pile: bool = True,
    max_plies: int = MAX_PLIES,
    holes_to_win: int = HOLES_OF_A_GAME,
) -> State:
    """Return the first position of a game; with `opening` the dice decide who begins."""
    state: State = np.zeros(1, STATE)[0]
    state["mover"] = mover
    state["max_plies"] = max_plies
    state["misery_pile"] = misery_pile
    state["holes_to_win"] = holes_to_win
    state["opening"] = opening
    state["bredouille"] = state["flag"] = NOBODY
    set_up(state)
    return state
