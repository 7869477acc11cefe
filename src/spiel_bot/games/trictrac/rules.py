"""The course of a game (sections 2, 3, 13 and 14) as transitions of one state record.

What a player meets is a roll or a decision. After a roll the mover's points are marked at once;
if they gave him a hole, going is offered beside the plays, and to play is to hold (R13.1). The
opponent marks his part after the play (R3.6), so that nothing is to be taken back when the
mover goes (R3.7).
"""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import NO_ACTION, TERMINAL, Actions, Players, State, States
from spiel_bot.games.trictrac.dice import MOVER, NUMBERS, ROLLER
from spiel_bot.games.trictrac.marks import clear_points, has_won, mark
from spiel_bot.games.trictrac.plays import play_on
from spiel_bot.games.trictrac.scoring import score
from spiel_bot.games.trictrac.start import draw_mark
from spiel_bot.games.trictrac.state import (
    MAX_ROLL_COUNT,
    NUM_FIELDS,
    finish,
    high_number,
    low_number,
    set_up,
    turn_round,
    wait_for_roll,
)


@kernel
def roll(state: State, outcome: int) -> None:
    """Let the dice fall, and the mover mark his points (R3.1 to R3.4), in place."""
    if ROLLER[outcome] != MOVER:  # R2.2: the start looks the same from both sides
        state["mover"] = ROLLER[outcome]
        state["opening"] = 0
    mover = int(np.int64(state["mover"]))
    roll_count = min(int(state["roll_counts"][mover]) + 1, MAX_ROLL_COUNT)
    state["roll_counts"][mover] = roll_count
    state["dice"][0] = NUMBERS[outcome, 0]
    state["dice"][1] = NUMBERS[outcome, 1]
    misery_pile = int(np.int64(state["misery_pile"]))
    numbers = high_number(state), low_number(state)
    gain, owed = score(state["board"][:], numbers[0], numbers[1], roll_count, misery_pile)
    won = mark(state, mover, gain)
    state["owed"] = owed
    state["can_go"] = 1 if won > 0 else 0
    state["player"] = mover
    if has_won(state, mover):  # R3.3, R14.1
        finish(state)
    count_ply(state)


@kernel
def go(state: State) -> None:
    """Leave after winning a hole (R13.3): no play, nothing for the opponent, a new setting."""
    clear_points(state)
    set_up(state)
    count_ply(state)


@kernel
def play(state: State, code: int) -> None:
    """Play the roll; the opponent marks what it gave him (R3.5, R3.6, R3.8), in place."""
    mover = int(np.int64(state["mover"]))
    exits = play_on(state["board"][:], code, high_number(state), low_number(state))
    mark(state, 1 - mover, int(np.int64(state["owed"])))
    if has_won(state, 1 - mover):
        finish(state)
    elif exits > 0 and has_no_checkers(state):  # R9.9: marks stay, the mover rolls again
        set_up(state)
    else:
        turn_round(state)
        wait_for_roll(state)
    count_ply(state)


@kernel
def has_no_checkers(state: State) -> bool:
    """Return whether all checkers of the mover have left the board."""
    for i in range(NUM_FIELDS):
        if state["board"][i] > 0:
            return False
    return True


@kernel
def count_ply(state: State) -> None:
    """Count an action or a roll; at the bound the game ends, drawn, with the marks as they are.

    The rules set no bound. Points the roll in hand still owes are not marked.
    """
    state["plies"] += 1
    if state["plies"] >= state["max_plies"] and state["player"] != TERMINAL:
        finish(state)


@kernel
def current_player_many(states: States, out: Players) -> None:
    """Write who acts in each position."""
    for b in range(states.shape[0]):
        out[b] = states[b]["player"]


@kernel
def apply_chance_many(states: States, outcomes: Actions) -> None:
    """Roll in each position, or draw a mark where the start is random."""
    for b in range(states.shape[0]):
        if outcomes[b] == NO_ACTION:
            continue
        if states[b]["draws"]:
            draw_mark(states[b], int(np.int64(outcomes[b])))
            count_ply(states[b])
        else:
            roll(states[b], outcomes[b])
