"""Every way of playing a roll, by R4.7 to the letter: the general path, for rare positions.

It serves where exits are possible and where a made-up board has checkers on forbidden fields;
`moves.py` answers for all other positions by masks. The scoring rules ask for sequences that
survive lines 1 to 3 of R4.7, a player for the results that survive all five.
"""

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.masks import (
    CORNER_FIELD,
    HOME_FIELD,
    OTHER_CORNER_FIELD,
    Board,
    Turn,
)
from spiel_bot.games.trictrac.plays import (
    CODE_LIMIT,
    EMPTY_PLAY,
    FIRST,
    LOW_FIRST,
    OUT_FIELD,
    SECOND,
    Codes,
    corner_code,
    play_on,
    result_key,
    step_on,
)
from spiel_bot.games.trictrac.steps import takes_corner_by_puissance

MAX_SEQUENCES = 512
"""Both orders of the dice, each with at most 15 first and 15 second sources, and puissance."""

NO_FIELD = 99
# Overflow exits are counted in the bits above a code until line 3 of R4.7 has been applied.
OVERFLOW = CODE_LIMIT


@kernel
def admissible_sequences(board: Board, turn: Turn, out: Codes) -> tuple[int, int]:
    """Write every sequence that survives lines 1 to 3 of R4.7, several for one result.

    Args:
        board: From the mover's side.
        turn: The same board, read with the roll.
        out: [MAX_SEQUENCES] codes.

    Returns:
        How many codes were written, and how many numbers they play; a play that takes the last
        checker out leaves none unplayed (R9.8).
    """
    count = whole_sequences(board, turn, out)  # line 1
    numbers = 2
    if count == 0:
        numbers = 1
        count = single_sequences(board, turn, turn.high, out)  # line 2
    if count == 0:
        count = single_sequences(board, turn, turn.low, out)  # R4.5
    if count == 0:
        numbers = 0
        out[0] = EMPTY_PLAY
        count = 1
    return keep_fewest_overflows(out, count), numbers


@kernel
def whole_sequences(board: Board, turn: Turn, out: Codes) -> int:
    """Write the sequences that play the whole roll, or end it by the last exit (R4.3, R9.8)."""
    count = 0
    if takes_corner_by_puissance(turn):  # R6.7
        out[0] = corner_code(turn)
        count = 1
    fields = board.copy()
    for order in range(1 if turn.high == turn.low else 2):
        number = turn.low if order == 1 else turn.high
        lowest = lowest_field(fields)
        for source in range(lowest, 25):
            overflow = step_kind(fields, source, number, lowest)
            if overflow < 0:
                continue
            step_on(fields, source, number)
            if lowest_field(fields) == NO_FIELD:  # R9.8
                is_high = order == 0 and turn.high != turn.low
                out[count] = single_code(source, is_high) + OVERFLOW * overflow
                count += 1
            else:
                count = second_steps(board, fields, turn, order, source, overflow, out, count)
            undo_step(fields, source, number)
    return count


@kernel
def second_steps(
    board: Board,
    fields: Board,
    turn: Turn,
    order: int,
    first: int,
    overflow: int,
    out: Codes,
    count: int,
) -> int:
    """Write the plays that go on from a first step; return how many codes there are now.

    Args:
        board: Before the roll was played.
        fields: After the first step; unchanged on return.
        turn: The board, read with the roll.
        order: 1 if the lower number was played first.
        first: Source of the first step.
        overflow: 1 if the first step was an overflow exit.
        out: Codes.
        count: Codes written so far.
    """
    number = turn.high if order == 1 else turn.low
    lowest = lowest_field(fields)
    for source in range(lowest, 25):
        again = step_kind(fields, source, number, lowest)
        if again < 0:
            continue
        step_on(fields, source, number)
        if may_end(board, fields, turn.closed):
            code = LOW_FIRST * order + FIRST * first + SECOND * source
            out[count] = code + OVERFLOW * (overflow + again)
            count += 1
        undo_step(fields, source, number)
    return count


@kernel
def single_sequences(board: Board, turn: Turn, number: int, out: Codes) -> int:
    """Write the plays of one number alone (R4.6)."""
    count = 0
    fields = board.copy()
    lowest = lowest_field(fields)
    for source in range(lowest, 25):
        overflow = step_kind(fields, source, number, lowest)
        if overflow < 0:
            continue
        step_on(fields, source, number)
        if may_end(board, fields, turn.closed):
            is_high = number == turn.high and turn.high != turn.low
            out[count] = single_code(source, is_high) + OVERFLOW * overflow
            count += 1
        undo_step(fields, source, number)
    return count


@kernel
def single_code(source: int, is_high: bool) -> int:
    """Return the lowest code of a play of one number; a double plays its second number."""
    return FIRST * source if is_high else SECOND * source


@kernel
def lowest_field(fields: Board) -> int:
    """Return the own field farthest from the rail, NO_FIELD if no own checker is left."""
    for field in range(1, 25):
        if fields[field - 1] > 0:
            return field
    return NO_FIELD


@kernel
def step_kind(fields: Board, source: int, number: int, lowest: int) -> int:
    """Return 0 if a step is possible, 1 if it is an overflow exit, -1 if it is not possible."""
    if fields[source - 1] <= 0:
        return -1
    target = source + number
    if target < OUT_FIELD:
        return 0 if fields[target - 1] >= 0 else -1  # R4.2
    if lowest < HOME_FIELD:  # R9.1
        return -1
    if target == OUT_FIELD:  # R9.3
        return 0
    return 1 if source == lowest else -1  # R9.5


@kernel
def undo_step(fields: Board, source: int, number: int) -> None:
    """Take a step back, in place."""
    fields[source - 1] += 1
    if source + number < OUT_FIELD:
        fields[source + number - 1] -= 1


@kernel
def may_end(board: Board, fields: Board, closed: int) -> bool:
    """Return whether a play that began at `board` may end at `fields` (R4.4)."""
    if fields[CORNER_FIELD - 1] == 1 or fields[OTHER_CORNER_FIELD - 1] > 0:  # R6.1, R5.1
        return False
    for field in range(OTHER_CORNER_FIELD, 25):  # R7.1
        if closed >> field & 1 and fields[field - 1] > max(int(board[field - 1]), 0):
            return False
    return True


@kernel
def keep_fewest_overflows(codes: Codes, count: int) -> int:
    """Keep the sequences with the fewest overflow exits (R4.7 line 3, R9.6), as plain codes."""
    fewest = 2
    for i in range(count):
        fewest = min(fewest, int(np.int64(codes[i])) // OVERFLOW)
    kept = 0
    for i in range(count):
        if int(np.int64(codes[i])) // OVERFLOW == fewest:
            codes[kept] = codes[i] % OVERFLOW
            kept += 1
    return kept


@kernel
def general_plays(board: Board, turn: Turn, out: Codes) -> int:
    """Write the legal plays, one code for each result, ascending; return how many (R4.7)."""
    codes = np.empty(MAX_SEQUENCES, np.int32)
    count, _ = admissible_sequences(board, turn, codes)
    if turn.jan:
        count = keep_full(board, turn, codes, count)
    count = keep_last_exits(board, turn, codes, count)
    sort_codes(codes, count)
    keys = np.empty(MAX_SEQUENCES, np.int64)
    kept = 0
    for i in range(count):
        key = result_key(int(np.int64(codes[i])), turn.high, turn.low)
        is_new = True
        for j in range(kept):
            is_new = is_new and keys[j] != key
        if is_new:
            keys[kept] = key
            out[kept] = codes[i]
            kept += 1
    return kept


@kernel
def sort_codes(codes: Codes, count: int) -> None:
    """Sort by insertion: the codes are few and nearly in order, and NumPy's sort compiles long."""
    for i in range(1, count):
        code = codes[i]
        j = i
        while j > 0 and codes[j - 1] > code:
            codes[j] = codes[j - 1]
            j -= 1
        codes[j] = code


@kernel
def keep_full(board: Board, turn: Turn, codes: Codes, count: int) -> int:
    """Keep the plays that end with a full jan, if there are any (R4.7 line 4, R8.2)."""
    kept = 0
    for i in range(count):
        if ends_full(board, int(np.int64(codes[i])), turn):
            codes[kept], codes[i] = codes[i], codes[kept]
            kept += 1
    return kept if kept > 0 else count


@kernel
def ends_full(board: Board, code: int, turn: Turn) -> bool:
    """Return whether a play ends with the nearly full jan full (R8.1)."""
    fields = board.copy()
    play_on(fields, code, turn.high, turn.low)
    for field in range(1, 25):
        if turn.jan >> field & 1 and fields[field - 1] < 2:
            return False
    return True


@kernel
def keep_last_exits(board: Board, turn: Turn, codes: Codes, count: int) -> int:
    """Keep the plays that take the last checker out, if there are any (R4.7 line 5, OP-9)."""
    if turn.total > 2:
        return count
    kept = 0
    for i in range(count):
        if takes_last_checker_out(board, int(np.int64(codes[i])), turn):
            codes[kept], codes[i] = codes[i], codes[kept]
            kept += 1
    return kept if kept > 0 else count


@kernel
def takes_last_checker_out(board: Board, code: int, turn: Turn) -> bool:
    """Return whether a play leaves the mover without checkers (R9.9)."""
    fields = board.copy()
    return turn.total > 0 and play_on(fields, code, turn.high, turn.low) == turn.total
