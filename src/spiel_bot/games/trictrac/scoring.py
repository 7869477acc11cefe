"""What a roll gives to each side (section 10): the two totals, or every jan with its ways.

All is computed from the position before moving (R3.2).
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.hits import find_hits, hits_corner, opening_jan, true_ways
from spiel_bot.games.trictrac.jans import (
    BENEFICIARIES,
    CORNER_HIT,
    EXIT,
    FALSE_HIT_BIG,
    FALSE_HIT_SMALL,
    FOR_OPPONENT,
    HELPLESS,
    NO_JAN,
    RETURN_JAN_FILLED,
    TRUE_HIT_BIG,
    TRUE_HIT_SMALL,
    VALUES,
)
from spiel_bot.games.trictrac.masks import (
    BIG_TABLE,
    FIELDS,
    OTHER_CORNER_FIELD,
    Board,
    Turn,
    count_bits,
    read_turn,
)
from spiel_bot.games.trictrac.play_scoring import PlayScore, score_plain_plays, score_plays

MAX_ENTRIES = 24
"""Most jans of one roll: a hit on each of 15 checkers and one each of six other kinds."""

# Columns of an entry; the field is the target of a hit, 0 for other jans.
JAN, WAYS, POINTS, BENEFICIARY, FIELD = range(5)

FILLS, CONSERVES, HITS, HITS_CORNER = 1, 2, 4, 8
"""What a roll does besides giving points: fill or conserve a jan, hit truly, hit the corner."""

Entries = npt.NDArray[np.int64]  # [MAX_ENTRIES, 5]


@kernel
def score(board: Board, high: int, low: int, roll_count: int, misery_pile: int) -> tuple[int, int]:
    """Return the points of the mover and those of his opponent.

    Args:
        board: The position before moving, from the mover's side.
        high: The higher number of the roll.
        low: The lower one.
        roll_count: Rolls of the mover since the last setting, this one included (R2.5).
        misery_pile: 1 with the option of R10.22.
    """
    mover, opponent, _ = score_turn(board, read_turn(board, high, low), roll_count, misery_pile)
    return mover, opponent


@kernel
def score_turn(board: Board, turn: Turn, roll_count: int, misery_pile: int) -> tuple[int, int, int]:
    """Return the points of the mover, those of his opponent, and what the roll does.

    The last is bits: FILLS, CONSERVES, HITS and HITS_CORNER.
    """
    return add_up(turn, roll_count, score_plays(board, turn, misery_pile))


@kernel
def score_plain_turn(turn: Turn, roll_count: int) -> tuple[int, int, int]:
    """Return the same for a plain position (`play_scoring.is_plain`), without its board.

    Numba counts references to every array handed on, by an atomic addition each: half the time
    of scoring a roll.
    """
    return add_up(turn, roll_count, score_plain_plays(turn))


@kernel
def add_up(turn: Turn, roll_count: int, plays: PlayScore) -> tuple[int, int, int]:
    """Return the points of both sides and what the roll does: the fields, and the plays given."""
    column = 1 if turn.high == turn.low else 0
    mover, opponent, deeds = hit_points(turn, column)
    if hits_corner(turn):
        mover += VALUES[CORNER_HIT, column]
        deeds |= HITS_CORNER
    opening = opening_jan(turn, roll_count)
    if opening != NO_JAN:
        if BENEFICIARIES[opening] == FOR_OPPONENT:
            opponent += VALUES[opening, column]
        else:
            mover += VALUES[opening, column]
    if plays.jan != NO_JAN:
        mover += plays.ways * VALUES[plays.jan, column]
        deeds |= FILLS if plays.jan <= RETURN_JAN_FILLED else CONSERVES
    if plays.exits:
        mover += VALUES[EXIT, column]
    if plays.misery != NO_JAN:
        mover += VALUES[plays.misery, column]
    opponent += plays.unplayed * VALUES[HELPLESS, column]
    return int(mover), int(opponent), deeds


@kernel
def hit_points(turn: Turn, column: int) -> tuple[int, int, int]:
    """Return the points of the mover's true hits and of the opponent's false ones, and HITS."""
    if turn.other == turn.other2:
        return 0, 0, 0
    hits = find_hits(turn)
    big = true_ways(hits, BIG_TABLE)
    small = true_ways(hits, FIELDS) - big
    mover = big * VALUES[TRUE_HIT_BIG, column] + small * VALUES[TRUE_HIT_SMALL, column]
    deeds = HITS if big + small > 0 else 0
    big = count_bits(hits.false & BIG_TABLE)
    small = count_bits(hits.false) - big
    opponent = big * VALUES[FALSE_HIT_BIG, column] + small * VALUES[FALSE_HIT_SMALL, column]
    return int(mover), int(opponent), deeds


@kernel
def score_entries(
    board: Board, high: int, low: int, roll_count: int, misery_pile: int, out: Entries
) -> int:
    """Write every jan of a roll, as a referee announces them; return how many there are.

    Args:
        board: The position before moving, from the mover's side.
        high: The higher number of the roll.
        low: The lower one.
        roll_count: Rolls of the mover since the last setting, this one included (R2.5).
        misery_pile: 1 with the option of R10.22.
        out: [MAX_ENTRIES, 5] jan, ways, points, beneficiary, field.
    """
    turn = read_turn(board, high, low)
    count = hit_entries(turn, out)
    if hits_corner(turn):
        count = add_entry(turn, CORNER_HIT, 1, OTHER_CORNER_FIELD, out, count)
    opening = opening_jan(turn, roll_count)
    if opening != NO_JAN:
        count = add_entry(turn, opening, 1, 0, out, count)
    plays = score_plays(board, turn, misery_pile)
    if plays.jan != NO_JAN:
        count = add_entry(turn, plays.jan, plays.ways, 0, out, count)
    if plays.exits:
        count = add_entry(turn, EXIT, 1, 0, out, count)
    if plays.misery != NO_JAN:
        count = add_entry(turn, plays.misery, 1, 0, out, count)
    if plays.unplayed > 0:
        count = add_entry(turn, HELPLESS, plays.unplayed, 0, out, count)
    return count


@kernel
def hit_entries(turn: Turn, out: Entries) -> int:
    """Write one entry for each field hit; return how many."""
    hits = find_hits(turn)
    count = 0
    for field in range(1, 25):
        is_big = BIG_TABLE >> field & 1 == 1
        ways = true_ways(hits, 1 << field)
        if ways > 0:
            jan = TRUE_HIT_BIG if is_big else TRUE_HIT_SMALL
            count = add_entry(turn, jan, ways, field, out, count)
        elif hits.false >> field & 1:
            jan = FALSE_HIT_BIG if is_big else FALSE_HIT_SMALL
            count = add_entry(turn, jan, 1, field, out, count)
    return count


@kernel
def add_entry(turn: Turn, jan: int, ways: int, field: int, out: Entries, count: int) -> int:
    """Write one entry; return how many there are now."""
    out[count, JAN] = jan
    out[count, WAYS] = ways
    out[count, POINTS] = ways * VALUES[jan, 1 if turn.high == turn.low else 0]
    out[count, BENEFICIARY] = BENEFICIARIES[jan]
    out[count, FIELD] = field
    return count + 1
