"""What a position is worth to a player who knows the game: marks, both next rolls, checkers.

Both sides' next rolls are enumerated exactly, each with the points it gives on the board as it
stands, marked by the rules: holes, bredouille, and whoever wins a hole by his own roll goes if that
is better for him. What comes after is a guess: `equity.py` for the marks, `structure.py` for the
checkers.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import CHANCE, TERMINAL, Floats, Players, State, States
from spiel_bot.games.trictrac.dice import NUM_ROLLS
from spiel_bot.games.trictrac.equity import Table
from spiel_bot.games.trictrac.marks import tally
from spiel_bot.games.trictrac.observations.features import board_of
from spiel_bot.games.trictrac.outlook import (
    OTHER,
    ROLLER,
    gains_of_rolls,
    gather_rolls,
)
from spiel_bot.games.trictrac.state import NOBODY, NUM_FIELDS
from spiel_bot.games.trictrac.structure import NEW_SETTING, Weights, structure

WAITS, ROLLS = 0, 1

Marks = npt.NDArray[np.int64]  # [5] points and holes needed of who waits and who rolls, bredouille
WAIT_POINTS, ROLL_POINTS, WAIT_NEEDS, ROLL_NEEDS, RUN = range(5)
NUM_MARKS = 5


class Rolls(NamedTuple):
    """What the next roll of each side gives: each pair of gains once, by who rolls."""

    gains: npt.NDArray[np.int64]  # [2, 2, 21]
    chances: Table  # [2, 21]
    counts: npt.NDArray[np.int64]  # [2] pairs of gains in use


@kernel
def add_points(marks: Marks, side: int, gain: int) -> int:
    """Let a side mark points, in place; return the holes won. Needs may fall below 1."""
    if gain == 0:
        return 0
    rest, run, won = tally(int(marks[side]), int(marks[RUN]), side, gain)
    marks[side] = rest
    marks[RUN] = run
    if won > 0:
        marks[1 - side] = 0
        marks[WAIT_NEEDS + side] = max(marks[WAIT_NEEDS + side] - won, 0)
    return won


@kernel
def worth(marks: Marks, promise: float, race: Table, match: Table, hole_worth: Table) -> float:
    """Return what marks are worth to who waits, with so many holes expected from the checkers."""
    own = marks[WAIT_NEEDS]
    other = marks[ROLL_NEEDS]
    if own == 0 or other == 0:
        return float(match[own, other])
    points = float(race[marks[WAIT_POINTS] // 2, marks[ROLL_POINTS] // 2, marks[RUN] + 1])
    value = float(match[own, other]) + float(hole_worth[own, other]) * (points + promise)
    return min(max(value, -1.0), 1.0)


@kernel
def worth_of_going(marks: Marks, side: int, tempo: float, match: Table, hole_worth: Table) -> float:
    """Return what it is worth to who waits if a side goes: a new setting, that side rolls."""
    own = marks[WAIT_NEEDS]
    other = marks[ROLL_NEEDS]
    return float(match[own, other]) + float(hole_worth[own, other]) * (
        -tempo if side == ROLLS else tempo
    )


@kernel
def expect_answer(
    marks: Marks,
    scratch: Marks,
    rolls: Rolls,
    promise: float,
    tempo: float,
    race: Table,
    match: Table,
    hole_worth: Table,
) -> float:
    """Return what marks are worth to who waits, his own next roll enumerated."""
    total = 0.0
    for i in range(rolls.counts[WAITS]):
        chance = float(rolls.chances[WAITS, i])
        for j in range(NUM_MARKS):
            scratch[j] = marks[j]
        won = add_points(scratch, WAITS, rolls.gains[WAITS, ROLLER, i])
        if scratch[WAIT_NEEDS] == 0:
            total += chance
            continue
        going = -1.0
        if won > 0:
            going = worth_of_going(scratch, WAITS, tempo, match, hole_worth)
        add_points(scratch, ROLLS, rolls.gains[WAITS, OTHER, i])
        holding = worth(scratch, promise, race, match, hole_worth)
        total += chance * max(going, holding)
    return total


@kernel
def expect_rolls(
    marks: Marks,
    scratch: npt.NDArray[np.int64],
    rolls: Rolls,
    promise: float,
    tempo: float,
    race: Table,
    match: Table,
    hole_worth: Table,
) -> float:
    """Return what marks are worth to who waits, the other's next roll and his own enumerated.

    Args:
        marks: Before the rolls.
        scratch: [2, 5] memory.
        rolls: What the next roll of each side gives.
        promise: Holes that who waits expects to gain by his checkers.
        tempo: Holes that the first roll of a new setting is worth.
        race: Of `equity.py`; so are `match` and `hole_worth`.
        match: See there.
        hole_worth: See there.
    """
    total = 0.0
    for i in range(rolls.counts[ROLLS]):
        chance = float(rolls.chances[ROLLS, i])
        for j in range(NUM_MARKS):
            scratch[0, j] = marks[j]
        won = add_points(scratch[0], ROLLS, rolls.gains[ROLLS, ROLLER, i])
        if scratch[0, ROLL_NEEDS] == 0:
            total -= chance
            continue
        going = 1.0
        if won > 0:
            going = worth_of_going(scratch[0], ROLLS, tempo, match, hole_worth)
        add_points(scratch[0], WAITS, rolls.gains[ROLLS, OTHER, i])
        holding = 1.0
        if scratch[0, WAIT_NEEDS] > 0:
            holding = expect_answer(
                scratch[0], scratch[1], rolls, promise, tempo, race, match, hole_worth
            )
        total += chance * min(going, holding)
    return total


@kernel
def next_to_roll(state: State) -> int:
    """Return who rolls next: with a roll in hand the other side."""
    mover = int(np.int64(state["mover"]))
    return mover if state["player"] == CHANCE else 1 - mover


@kernel
def read_marks(state: State, rolls: int, out: Marks) -> None:
    """Write the marks as they are when a side rolls next; what it is owed is marked first."""
    goal = int(np.int64(state["holes_to_win"]))
    sides = (1 - rolls, rolls)
    for i in range(2):
        out[i] = state["points"][sides[i]]
        out[WAIT_NEEDS + i] = max(goal - int(np.int64(state["holes"][sides[i]])), 0)
    run = int(np.int64(state["bredouille"]))
    out[RUN] = run if run == NOBODY else int(run == rolls)
    if state["player"] != CHANCE:
        add_points(out, ROLLS, int(np.int64(state["owed"])))


@kernel
def judge_many(
    states: States,
    players: Players,
    weights: Weights,
    race: Table,
    match: Table,
    hole_worth: Table,
    out: Floats,
) -> None:
    """Write what each position is worth to a player, from -1 to 1.

    A position with a roll in hand is judged as if it had been played without moving a checker.

    Args:
        states: [B] not terminal.
        players: [B] who asks.
        weights: Of `structure.py`.
        race: Of `equity.py`; so are `match` and `hole_worth`.
        match: See there.
        hole_worth: See there.
        out: [B] written.
    """
    boards = np.empty((2, NUM_FIELDS), np.int8)
    gains = np.empty((2, NUM_ROLLS), np.int64)
    rolls_of = Rolls(
        np.empty((2, 2, NUM_ROLLS), np.int64), np.empty((2, NUM_ROLLS)), np.empty(2, np.int64)
    )
    marks = np.empty(NUM_MARKS, np.int64)
    scratch = np.empty((2, NUM_MARKS), np.int64)
    for b in range(states.shape[0]):
        state = states[b]
        if state["player"] == TERMINAL or state["opening"]:
            out[b] = 0.0
            continue
        rolls = next_to_roll(state)
        waits = 1 - rolls
        sides = (waits, rolls)
        read_marks(state, rolls, marks)
        misery_pile = int(np.int64(state["misery_pile"]))
        promise = 0.0
        tempo = float(weights[NEW_SETTING])
        if state["roll_counts"][0] == 0 and state["roll_counts"][1] == 0:
            promise = -tempo
        for i in range(2):
            board_of(state, sides[i], boards[i])
            roll_count = int(np.int64(state["roll_counts"][sides[i]]))
            gains_of_rolls(boards[i], roll_count, misery_pile, gains)
            rolls_of.counts[i] = gather_rolls(gains, rolls_of.gains[i], rolls_of.chances[i])
            own = structure(boards[i], weights)
            promise += own if i == WAITS else -own
        value = expect_rolls(marks, scratch, rolls_of, promise, tempo, race, match, hole_worth)
        out[b] = value if players[b] == waits else -value
