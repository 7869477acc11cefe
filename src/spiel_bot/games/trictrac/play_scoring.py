"""What depends on the plays of a roll: full jans, the last exit, the misery pile, helplessness."""

from typing import NamedTuple

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.filling import some_play_fills, ways_of_filling
from spiel_bot.games.trictrac.jans import (
    BIG_JAN_FILLED,
    MISERY_CONSERVED,
    MISERY_MADE,
    NO_JAN,
    RETURN_JAN_FILLED,
    SMALL_JAN_CONSERVED,
    SMALL_JAN_FILLED,
)
from spiel_bot.games.trictrac.masks import BIG_JAN, CORNER_FIELD, SMALL_JAN, Board, Turn, field_of
from spiel_bot.games.trictrac.plays import (
    Codes,
    first_number,
    first_source,
    is_low_first,
    is_puissance,
    play_on,
    second_number,
    second_source,
)
from spiel_bot.games.trictrac.sequences import (
    MAX_SEQUENCES,
    admissible_sequences,
    ends_full,
    takes_last_checker_out,
)
from spiel_bot.games.trictrac.state import CHECKERS
from spiel_bot.games.trictrac.steps import has_no_exits, numbers_playable


class PlayScore(NamedTuple):
    """What the plays of a roll give."""

    jan: int  # the jan filled or conserved, or NO_JAN
    ways: int  # of filling it; conserving has one
    misery: int  # MISERY_MADE, MISERY_CONSERVED or NO_JAN
    exits: bool  # whether the last checker goes out, R10.21
    unplayed: int  # numbers that cannot be played, R10.23


@kernel
def is_plain(turn: Turn, misery_pile: int) -> bool:
    """Return whether masks alone tell what the plays of any roll give in this position."""
    return has_no_exits(turn) and not (misery_pile and turn.corner >= CHECKERS - 2)


@kernel
def score_plain_plays(turn: Turn) -> PlayScore:
    """Return what depends on the plays in a plain position; `score_plays` gives the same."""
    numbers = numbers_playable(turn)
    ways = mask_ways(turn, numbers) if turn.jan else 0
    jan = full_jan(turn) if ways > 0 else NO_JAN
    return PlayScore(jan, ways, NO_JAN, False, 2 - numbers)


@kernel
def score_plays(board: Board, turn: Turn, misery_pile: int) -> PlayScore:
    """Return what depends on the plays; the mask path and the general path give the same."""
    if has_no_exits(turn):
        plays = score_plain_plays(turn)
    else:
        ways, exits, numbers = sequence_ways(board, turn)
        jan = full_jan(turn) if ways > 0 else NO_JAN
        plays = PlayScore(jan, ways, NO_JAN, exits, 2 - numbers)
    if misery_pile and turn.corner >= CHECKERS - 2:
        misery = misery_jan(board, turn, 2 - plays.unplayed)
        return PlayScore(plays.jan, plays.ways, misery, plays.exits, plays.unplayed)
    return plays


@kernel
def full_jan(turn: Turn) -> int:
    """Return the name of filling or conserving the nearly full jan."""
    jan = RETURN_JAN_FILLED
    if turn.jan == SMALL_JAN:
        jan = SMALL_JAN_FILLED
    elif turn.jan == BIG_JAN:
        jan = BIG_JAN_FILLED
    if turn.missing == 0:  # R10.19, R10.20
        jan += SMALL_JAN_CONSERVED - SMALL_JAN_FILLED
    return jan


@kernel
def mask_ways(turn: Turn, numbers: int) -> int:
    """Return the ways of filling or conserving the nearly full jan, by masks."""
    if turn.missing == 0:
        return int(some_play_fills(turn, numbers))
    return ways_of_filling(turn, numbers)


@kernel
def sequence_ways(board: Board, turn: Turn) -> tuple[int, bool, int]:
    """Return ways of filling or conserving, whether the last checker goes out, numbers played."""
    codes = np.empty(MAX_SEQUENCES, np.int32)
    count, numbers = admissible_sequences(board, turn, codes)
    ways = sequence_ways_of_jan(board, turn, codes, count) if turn.jan else 0
    exits = False
    if turn.total <= 2:
        for i in range(count):
            exits = exits or takes_last_checker_out(board, int(np.int64(codes[i])), turn)
    return ways, exits, numbers


@kernel
def sequence_ways_of_jan(board: Board, turn: Turn, codes: Codes, count: int) -> int:
    """Return the ways of filling or conserving the nearly full jan, from sequences.

    Args:
        board: From the mover's side.
        turn: The same board, read with the roll.
        codes: Admissible sequences, changed in place.
        count: How many there are.
    """
    filling = 0
    for i in range(count):
        if ends_full(board, int(np.int64(codes[i])), turn):
            codes[filling] = codes[i]
            filling += 1
    if turn.missing != 1:  # R10.15, R10.19
        return int(filling > 0)
    lacking = field_of(turn.jan & ~turn.own2)
    found_high = False
    found_low = False
    found_sum = False
    for i in range(filling):
        code = int(np.int64(codes[i]))
        if is_puissance(code):
            continue
        starts = steps_to(board, turn, code, lacking)
        found_high = found_high or starts & 1 != 0
        found_low = found_low or (starts & 2 != 0 and turn.high != turn.low)
        found_sum = found_sum or starts & 4 != 0
    return int(found_high) + int(found_low) + int(found_sum)


@kernel
def steps_to(board: Board, turn: Turn, code: int, field: int) -> int:
    """Return how a play brings a spare checker to a field (R10.16).

    Returns:
        Bits: 1 by the higher number, 2 by the lower, 4 by both with one checker. A step of a
        double is by either number.
    """
    found = 0
    first = first_source(code)
    second = second_source(code)
    end_first = first + first_number(code, turn.high, turn.low)
    end_second = second + second_number(code, turn.high, turn.low)
    if first > 0 and end_first == field and is_spare(board, turn, first):
        found |= 2 if is_low_first(code) else 1
    if second > 0 and end_second == field and is_spare(board, turn, second):
        found |= 1 if is_low_first(code) else 2
    if turn.high == turn.low and found:
        found = 3
    if first > 0 and second == end_first and end_second == field and is_spare(board, turn, first):
        found |= 4
    return found


@kernel
def is_spare(board: Board, turn: Turn, field: int) -> bool:
    """Return whether a field has a checker that is not one of the twelve of the jan."""
    return int(board[field - 1]) >= (3 if turn.jan >> field & 1 else 1)


@kernel
def misery_jan(board: Board, turn: Turn, numbers: int) -> int:
    """Return the jan of the misery pile (R10.22), or NO_JAN."""
    if turn.corner == CHECKERS:
        return MISERY_CONSERVED if numbers == 0 else NO_JAN
    # No jan can be full beside such a pile, and no last checker out: admissible is legal here.
    codes = np.empty(MAX_SEQUENCES, np.int32)
    count, _ = admissible_sequences(board, turn, codes)
    for i in range(count):
        fields = board.copy()
        play_on(fields, int(np.int64(codes[i])), turn.high, turn.low)
        if fields[CORNER_FIELD - 1] != CHECKERS:
            return NO_JAN
    return MISERY_MADE
