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


class Marks(NamedTuple):
    """Points, the holes still needed, and bredouille.

    Numbers instead of an array: they stay in registers, and what a roll makes of them is asked a
    hundred times for a position (1 µs instead of 3.6).
    """

    wait_points: int
    roll_points: int
    wait_needs: int
    roll_needs: int
    run: int  # WAITS, ROLLS or NOBODY


class Rolls(NamedTuple):
    """What the next roll of each side gives: each pair of gains once, by who rolls."""

    gains: npt.NDArray[np.int64]  # [2, 2, 21]
    chances: Table  # [2, 21]
    counts: npt.NDArray[np.int64]  # [2] pairs of gains in use


@kernel
def new_rolls() -> Rolls:
    """Return memory that one position after the other uses."""
    return Rolls(
        np.empty((2, 2, NUM_ROLLS), np.int64), np.empty((2, NUM_ROLLS)), np.empty(2, np.int64)
    )


@kernel
def add_points(marks: Marks, side: int, gain: int) -> tuple[Marks, int]:
    """Return the marks once a side has marked points, and the holes won; needs end at 0."""
    if gain == 0:
        return marks, 0
    if side == WAITS:
        rest, run, won = tally(marks.wait_points, marks.run, WAITS, gain)
        other = 0 if won > 0 else marks.roll_points
        needs = max(marks.wait_needs - won, 0)
        return Marks(rest, other, needs, marks.roll_needs, run), won
    rest, run, won = tally(marks.roll_points, marks.run, ROLLS, gain)
    other = 0 if won > 0 else marks.wait_points
    needs = max(marks.roll_needs - won, 0)
    return Marks(other, rest, marks.wait_needs, needs, run), won


@kernel
def worth(marks: Marks, promise: float, race: Table, match: Table, hole_worth: Table) -> float:
    """Return what marks are worth to who waits, with so many holes expected from the checkers."""
    own = marks.wait_needs
    other = marks.roll_needs
    if own == 0 or other == 0:
        return float(match[own, other])
    points = float(race[marks.wait_points // 2, marks.roll_points // 2, marks.run + 1])
    value = float(match[own, other]) + float(hole_worth[own, other]) * (points + promise)
    return min(max(value, -1.0), 1.0)


@kernel
def worth_of_going(marks: Marks, side: int, tempo: float, match: Table, hole_worth: Table) -> float:
    """Return what it is worth to who waits if a side goes: a new setting, that side rolls."""
    own = marks.wait_needs
    other = marks.roll_needs
    return float(match[own, other]) + float(hole_worth[own, other]) * (
        -tempo if side == ROLLS else tempo
    )


@kernel
def expect_answer(
    marks: Marks,
    gains: npt.NDArray[np.int64],
    chances: npt.NDArray[np.float64],
    count: int,
    promise: float,
    tempo: float,
    race: Table,
    match: Table,
    hole_worth: Table,
) -> float:
    """Return what marks are worth to who waits, his own next roll enumerated.

    Args:
        marks: Before that roll.
        gains: [2, 21] what it gives to him and to the other, each pair once.
        chances: [21] of the pairs.
        count: Pairs in use.
        promise: As in `expect_rolls`; so are the others.
        tempo: See there.
        race: See there.
        match: See there.
        hole_worth: See there.
    """
    total = 0.0
    for i in range(count):
        chance = float(chances[i])
        after, won = add_points(marks, WAITS, int(gains[ROLLER, i]))
        if after.wait_needs == 0:
            total += chance
            continue
        going = -1.0
        if won > 0:
            going = worth_of_going(after, WAITS, tempo, match, hole_worth)
        after, _ = add_points(after, ROLLS, int(gains[OTHER, i]))
        holding = worth(after, promise, race, match, hole_worth)
        total += chance * max(going, holding)
    return total


@kernel
def expect_rolls(
    marks: Marks,
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
        rolls: What the next roll of each side gives.
        promise: Holes that who waits expects to gain by his checkers.
        tempo: Holes that the first roll of a new setting is worth.
        race: Of `equity.py`; so are `match` and `hole_worth`.
        match: See there.
        hole_worth: See there.
    """
    # Arrays are taken out of the tuple once: each time costs a count of references.
    gains, answers = rolls.gains[ROLLS], rolls.gains[WAITS]
    chances, answer_chances = rolls.chances[ROLLS], rolls.chances[WAITS]
    num_answers = int(rolls.counts[WAITS])
    total = 0.0
    for i in range(rolls.counts[ROLLS]):
        chance = float(chances[i])
        after, won = add_points(marks, ROLLS, int(gains[ROLLER, i]))
        if after.roll_needs == 0:
            total -= chance
            continue
        going = 1.0
        if won > 0:
            going = worth_of_going(after, ROLLS, tempo, match, hole_worth)
        after, _ = add_points(after, WAITS, int(gains[OTHER, i]))
        holding = 1.0
        if after.wait_needs > 0:
            holding = expect_answer(
                after,
                answers,
                answer_chances,
                num_answers,
                promise,
                tempo,
                race,
                match,
                hole_worth,
            )
        total += chance * min(going, holding)
    return total


@kernel
def next_to_roll(state: State) -> int:
    """Return who rolls next: with a roll in hand the other side."""
    mover = int(np.int64(state["mover"]))
    return mover if state["player"] == CHANCE else 1 - mover


@kernel
def read_marks(state: State, rolls: int) -> Marks:
    """Return the marks as they are when a side rolls next; what it is owed is marked first."""
    goal = int(np.int64(state["holes_to_win"]))
    run = int(np.int64(state["bredouille"]))
    points, holes = state["points"], state["holes"]
    marks = Marks(
        wait_points=int(np.int64(points[1 - rolls])),
        roll_points=int(np.int64(points[rolls])),
        wait_needs=max(goal - int(np.int64(holes[1 - rolls])), 0),
        roll_needs=max(goal - int(np.int64(holes[rolls])), 0),
        run=run if run == NOBODY else int(run == rolls),
    )
    if state["player"] != CHANCE:
        marks, _ = add_points(marks, ROLLS, int(np.int64(state["owed"])))
    return marks


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
    rolls_of = new_rolls()
    for b in range(states.shape[0]):
        state = states[b]
        if state["player"] == TERMINAL or state["opening"]:
            out[b] = 0.0
            continue
        rolls = next_to_roll(state)
        waits = 1 - rolls
        sides = (waits, rolls)
        marks = read_marks(state, rolls)
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
        value = expect_rolls(marks, rolls_of, promise, tempo, race, match, hole_worth)
        out[b] = value if players[b] == waits else -value
