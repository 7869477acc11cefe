"""The layout `expert`: `td227` and what the next roll of each side is worth, over all 36 rolls.

The position is taken as it stands, as if the side were to roll now; a roll in hand is not played
first. All is counted by the kernels that score a game, so it is exact.
"""

from typing import NamedTuple

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import WHITE, Floats, Players, State, States
from spiel_bot.games.trictrac import dice, scoring
from spiel_bot.games.trictrac.dice import NUMBERS
from spiel_bot.games.trictrac.masks import CORNER, CORNER_FIELD, Board, Turn, read_turn, with_dice
from spiel_bot.games.trictrac.moves import legal_plays
from spiel_bot.games.trictrac.observations import td227
from spiel_bot.games.trictrac.observations.features import Features, board_of
from spiel_bot.games.trictrac.observations.table import Part, number_parts
from spiel_bot.games.trictrac.observations.td227 import observe_td227
from spiel_bot.games.trictrac.outlook import OTHER, ROLLER, Gains
from spiel_bot.games.trictrac.play_scoring import is_plain
from spiel_bot.games.trictrac.plays import MAX_PLAYS, Codes, gained_fields
from spiel_bot.games.trictrac.scoring import score_plain_turn, score_turn
from spiel_bot.games.trictrac.state import MAX_ROLL_COUNT, NUM_FIELDS
from spiel_bot.games.trictrac.steps import has_no_exits, has_two_sources, takes_corner_by_puissance

OWN_OUTLOOK = td227.NUM_FEATURES
# Places among the features of one side's outlook.
OWN_POINTS, OTHER_POINTS, FILLS, CONSERVES, HITS, TAKES_CORNER, HITS_CORNER = range(7)
NUM_OUTLOOK_FEATURES = 7
OTHER_OUTLOOK = OWN_OUTLOOK + NUM_OUTLOOK_FEATURES
NUM_FEATURES = OTHER_OUTLOOK + NUM_OUTLOOK_FEATURES
VERSION = 1

NUM_ROLLS = 36
POINTS_SCALE = 12.0
"""Expected points are given as parts of a hole; more than one hole counts as one."""

EXPECTED = "/ 12, at most 1"
CHANCE = "of 36 rolls / 36"
PARTS = [
    *td227.PARTS,
    Part(1, "points to expect from the own next roll", EXPECTED),
    Part(1, "points the own next roll gives the opponent", EXPECTED),
    Part(1, "chance to fill a jan", CHANCE),
    Part(1, "chance to conserve a jan", CHANCE),
    Part(1, "chance to hit a half-field", CHANCE),
    Part(1, "chance to take the own corner", CHANCE),
    Part(1, "chance to hit the opponent's corner", CHANCE),
    Part(1, "points the opponent may expect from his next roll", EXPECTED),
    Part(1, "points the opponent's next roll gives the observer", EXPECTED),
    Part(1, "chance that the opponent fills a jan", CHANCE),
    Part(1, "chance that the opponent conserves a jan", CHANCE),
    Part(1, "chance to be hit", CHANCE),
    Part(1, "chance that the opponent takes his corner", CHANCE),
    Part(1, "chance that the opponent hits the own corner", CHANCE),
]
ROWS = number_parts(PARTS)


class Scratch(NamedTuple):
    """Memory that one position after the other uses."""

    board: Board  # [24]
    codes: Codes  # [MAX_PLAYS]
    gains: Gains  # [2, 21]


@kernel
def new_scratch() -> Scratch:
    """Return memory for one batch."""
    return Scratch(
        np.empty(NUM_FIELDS, np.int8),
        np.empty(MAX_PLAYS, np.int32),
        np.empty((2, dice.NUM_ROLLS), np.int64),
    )


@kernel
def observe_expert(state: State, player: int, scratch: Scratch, out: Features) -> None:
    """Write what a player sees of a position, whoever acts in it."""
    observe_td227(state, player, out)
    observe_outlook(state, player, scratch, out[OWN_OUTLOOK:])
    observe_outlook(state, 1 - player, scratch, out[OTHER_OUTLOOK:])


@kernel
def observe_outlook(state: State, side: int, scratch: Scratch, out: Features) -> None:
    """Write what the next roll of a side is worth; the points of each roll stay in the scratch."""
    board, codes, gains = scratch.board, scratch.codes, scratch.gains
    board_of(state, side, board)
    can_take = board[CORNER_FIELD - 1] == 0
    roll_count = min(int(np.int64(state["roll_counts"][side])) + 1, MAX_ROLL_COUNT)
    misery_pile = int(np.int64(state["misery_pile"]))
    points = 0
    other_points = 0
    fills = 0
    conserves = 0
    hits = 0
    takes_corners = 0
    hits_corners = 0
    position = read_turn(board, 1, 1)  # any dice: each roll puts its own
    is_masked = is_plain(position, misery_pile)
    for roll in range(dice.NUM_ROLLS):
        high = int(np.int64(NUMBERS[roll, 0]))
        low = int(np.int64(NUMBERS[roll, 1]))
        rolls = 1 if high == low else 2
        turn = with_dice(position, high, low)
        if is_masked:
            gain, owed, deeds = score_plain_turn(turn, roll_count)
        else:
            gain, owed, deeds = score_turn(board, turn, roll_count, misery_pile)
        gains[ROLLER, roll] = gain
        gains[OTHER, roll] = owed
        points += rolls * gain
        other_points += rolls * owed
        fills += rolls if deeds & scoring.FILLS else 0
        conserves += rolls if deeds & scoring.CONSERVES else 0
        hits += rolls if deeds & scoring.HITS else 0
        hits_corners += rolls if deeds & scoring.HITS_CORNER else 0
        # Asked here, because a turn handed to a kernel that is not inlined costs more than this.
        if can_take and (has_two_sources(turn, CORNER_FIELD) or takes_corner_by_puissance(turn)):
            takes_corners += rolls * takes_corner(board, turn, codes)
    out[OWN_POINTS] = min(points / NUM_ROLLS / POINTS_SCALE, 1.0)
    out[OTHER_POINTS] = min(other_points / NUM_ROLLS / POINTS_SCALE, 1.0)
    out[FILLS] = fills / NUM_ROLLS
    out[CONSERVES] = conserves / NUM_ROLLS
    out[HITS] = hits / NUM_ROLLS
    out[TAKES_CORNER] = takes_corners / NUM_ROLLS
    out[HITS_CORNER] = hits_corners / NUM_ROLLS


@kernel
def takes_corner(board: Board, turn: Turn, codes: Codes) -> int:
    """Return 1 if some legal play takes the empty corner that it reaches, else 0 (R6.2, R6.4)."""
    if turn.jan == 0 and has_no_exits(turn):
        return 1
    # Near a full jan, filling or conserving it goes before (R8.2).
    for i in range(legal_plays(board, turn.high, turn.low, codes)):
        if gained_fields(int(np.int64(codes[i])), turn.high, turn.low) & CORNER:
            return 1
    return 0


@kernel
def observe_expert_many(states: States, players: Players, out: Floats) -> None:
    """Write what each player sees of each position."""
    scratch = new_scratch()
    for b in range(states.shape[0]):
        observe_expert(states[b], int(players[b]), scratch, out[b])


@kernel
def observe_expert_as_white_many(states: States, players: Players, out: Floats) -> None:
    """Write what white sees of each position, whoever asks."""
    scratch = new_scratch()
    for b in range(states.shape[0]):
        observe_expert(states[b], WHITE, scratch, out[b])
