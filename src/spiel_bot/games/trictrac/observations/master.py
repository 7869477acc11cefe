"""The layout `master`: `expert`, and what the next rolls mean for the holes.

What decides a hole is not the points that a roll brings on average but the chance that they reach
twelve, and whether the hole is double. That depends on the marks, so it is counted here roll by
roll: points, holes and bredouille as the rules mark them (section 12).
"""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import TERMINAL, WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac.dice import NUM_ROLLS, NUMBERS
from spiel_bot.games.trictrac.equity import (
    LEVELS,
    hole_worth_table,
    match_table,
    race_table,
)
from spiel_bot.games.trictrac.judgement import (
    ROLLS,
    WAITS,
    Marks,
    Rolls,
    add_points,
    expect_rolls,
    new_rolls,
    next_to_roll,
    read_marks,
    worth,
)
from spiel_bot.games.trictrac.observations import expert
from spiel_bot.games.trictrac.observations.expert import CHANCE, Scratch, observe_outlook
from spiel_bot.games.trictrac.observations.features import Features
from spiel_bot.games.trictrac.observations.table import IS, Part, number_parts
from spiel_bot.games.trictrac.observations.td227 import observe_td227
from spiel_bot.games.trictrac.outlook import OTHER, ROLLER, Gains, gather_rolls

OWN_LEVELS = expert.NUM_FEATURES
OTHER_LEVELS = OWN_LEVELS + LEVELS
OWN_HOLES = OTHER_LEVELS + LEVELS
# Places among the features of one side's next roll.
SCORES, WINS, DOUBLES, GIVES, LOSES = range(5)
NUM_HOLE_FEATURES = 5
OTHER_HOLES = OWN_HOLES + NUM_HOLE_FEATURES
RACE = OTHER_HOLES + NUM_HOLE_FEATURES
RACE_AHEAD = RACE + 1
NUM_FEATURES = RACE_AHEAD + 1
VERSION = 1

MOST_HOLES = 2.0
"""A race is worth so many holes at most, for or against."""

RACE_TABLE = race_table()
MATCH_TABLE = match_table()
HOLE_WORTH_TABLE = hole_worth_table()
TEMPO = -float(RACE_TABLE[0, 0, 0])
"""Holes that the first roll of a new setting is worth."""

IN_HOLES = "(holes + 2) / 4, from 0 to 1"
PARTS = [
    *expert.PARTS,
    *(
        Part(1, f"{side} points are {2 * level}", IS)
        for side in ("own", "opponent's")
        for level in range(LEVELS)
    ),
    *(
        Part(1, f"chance that {whose} next roll {does}", CHANCE)
        for whose, other in (("the own", "the opponent"), ("the opponent's", "the observer"))
        for does in (
            "scores",
            "wins a hole",
            "wins a double hole or more",
            f"gives {other} points",
            f"gives {other} a hole",
        )
    ),
    Part(1, "race for the hole, by the marks alone", IN_HOLES),
    Part(1, "the same after the next roll of each side", IN_HOLES),
]
ROWS = number_parts(PARTS)


@kernel
def observe_master(
    state: State, player: int, scratch: Scratch, rolls_of: Rolls, out: Features
) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    observe_td227(state, player, out)
    observe_level(state, player, out[OWN_LEVELS:])
    observe_level(state, 1 - player, out[OTHER_LEVELS:])
    rolls = next_to_roll(state)
    marks = read_marks(state, rolls)
    for i in range(2):
        side = player if i == 0 else 1 - player
        outlook = out[expert.OWN_OUTLOOK :] if i == 0 else out[expert.OTHER_OUTLOOK :]
        holes = out[OWN_HOLES:] if i == 0 else out[OTHER_HOLES:]
        observe_outlook(state, side, scratch, outlook)
        role = ROLLS if side == rolls else WAITS
        observe_holes(marks, role, scratch.gains, holes)
        rolls_of.counts[role] = gather_rolls(
            scratch.gains, rolls_of.gains[role], rolls_of.chances[role]
        )
    # Before the first roll nobody is next; both must see the same (R2.2).
    if state["player"] == TERMINAL or state["opening"]:
        out[RACE] = 0.5
        out[RACE_AHEAD] = 0.5
        return
    now = worth(marks, 0.0, RACE_TABLE, MATCH_TABLE, HOLE_WORTH_TABLE)
    ahead = expect_rolls(marks, rolls_of, 0.0, TEMPO, RACE_TABLE, MATCH_TABLE, HOLE_WORTH_TABLE)
    sign = -1.0 if player == rolls else 1.0
    out[RACE] = in_holes(marks, now, sign)
    out[RACE_AHEAD] = in_holes(marks, ahead, sign)


@kernel
def observe_level(state: State, side: int, out: Features) -> None:
    """Write one place for each count of points."""
    points = int(np.int64(state["points"][side]))
    for level in range(LEVELS):
        out[level] = 1.0 if points == 2 * level else 0.0


@kernel
def observe_holes(marks: Marks, role: int, gains: Gains, out: Features) -> None:
    """Write how often the next roll of a side scores and wins a hole, for itself and the other.

    Args:
        marks: Before the roll.
        role: WAITS or ROLLS: whose roll.
        gains: [2, 21] points of that side, and of the other, by roll.
        out: [5] written.
    """
    for i in range(NUM_HOLE_FEATURES):
        out[i] = 0.0
    for roll in range(NUM_ROLLS):
        gain = int(gains[ROLLER, roll])
        owed = int(gains[OTHER, roll])
        if gain == 0 and owed == 0:
            continue
        rolls = 1.0 if NUMBERS[roll, 0] == NUMBERS[roll, 1] else 2.0
        after, won = add_points(marks, role, gain)
        _, lost = add_points(after, 1 - role, owed)
        out[SCORES] += rolls if gain > 0 else 0.0
        out[WINS] += rolls if won > 0 else 0.0
        out[DOUBLES] += rolls if won > 1 else 0.0
        out[GIVES] += rolls if owed > 0 else 0.0
        out[LOSES] += rolls if lost > 0 else 0.0
    for i in range(NUM_HOLE_FEATURES):
        out[i] /= expert.NUM_ROLLS


@kernel
def in_holes(marks: Marks, value: float, sign: float) -> float:
    """Return how far a value is from that of the holes alone, in holes, as a number from 0 to 1."""
    own = marks.wait_needs
    other = marks.roll_needs
    if own == 0 or other == 0:
        return 0.5
    holes = (value - MATCH_TABLE[own, other]) / HOLE_WORTH_TABLE[own, other]
    holes = min(max(holes, -MOST_HOLES), MOST_HOLES)
    return float(sign * holes + MOST_HOLES) / (2.0 * MOST_HOLES)


@kernel
def observe_master_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    scratch = expert.new_scratch()
    rolls_of = new_rolls()
    for b in range(states.shape[0]):
        observe_master(states[b], int(players[b]), scratch, rolls_of, out[b])


@kernel
def observe_master_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    scratch = expert.new_scratch()
    rolls_of = new_rolls()
    for b in range(states.shape[0]):
        observe_master(states[b], WHITE, scratch, rolls_of, out[b])
