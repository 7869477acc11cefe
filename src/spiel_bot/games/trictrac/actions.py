"""The 514 actions: which number names which play.

0 is the roll, forced and never offered; 1 is going. A play is 2 + 16*c1 + c2 with the higher
number first and 258 + 16*c1 + c2 with the lower number first, where c1 and c2 are ordinals of
checkers counted from the starting field, 0 for none, c2 counted after the first move. Puissance
names its two source checkers. Many names may mean one play; the lowest is the one offered.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import NO_ACTION, Actions, State, States
from spiel_bot.games.trictrac.masks import OTHER_CORNER_FIELD, Board, Turn, field_of, read_turn
from spiel_bot.games.trictrac.moves import distinct_seconds, legal_plays
from spiel_bot.games.trictrac.plays import (
    EMPTY_PLAY,
    FIRST,
    LOW_FIRST,
    MAX_PLAYS,
    PUISSANCE,
    SECOND,
    Codes,
    corner_code,
    first_number,
    first_source,
    is_low_first,
    is_puissance,
    result_key,
    second_source,
    target_of,
)
from spiel_bot.games.trictrac.rules import go, play
from spiel_bot.games.trictrac.sequences import MAX_SEQUENCES, admissible_sequences, single_code
from spiel_bot.games.trictrac.state import high_number, low_number
from spiel_bot.games.trictrac.steps import (
    first_sources,
    has_no_exits,
    low_first_chains,
    takes_corner_by_puissance,
)

NUM_ACTIONS = 514
ROLL_ACTION = 0
GO_ACTION = 1
FIRST_PLAY = 2
FIRST_LOW_PLAY = 258
MAX_LEGAL_ACTIONS = MAX_PLAYS + 1

NO_CODE = -1
"""The action names a checker that does not exist."""

Ordinals = npt.NDArray[np.int64]  # [25] ordinal that the first checker of a field has


@kernel
def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
    """Write the legal actions of each position: going, then each result once, by lowest name."""
    ordinals = np.empty(25, np.int64)
    for b in range(states.shape[0]):
        out_counts[b] = 0
        state = states[b]
        if state["player"] < 0:
            continue
        start = 0
        if state["can_go"]:
            out[b, 0] = GO_ACTION
            start = 1
        board = state["board"][:]
        high = high_number(state)
        low = low_number(state)
        count_ordinals(board, ordinals)
        # In this kernel and not in one it calls: handing on a `Turn`, or reading it there, takes
        # 20 ns of 130.
        turn = read_turn(board, high, low)
        count = start
        if has_no_exits(turn) and turn.jan == 0:
            count = write_plain_actions(turn, ordinals, out[b], start)
        if count == start:
            count = write_other_actions(board, high, low, ordinals, out[b], start)
        out_counts[b] = count


@kernel
def write_plain_actions(turn: Turn, ordinals: Ordinals, out: Codes, count: int) -> int:
    """Write the plays of both numbers; return how many actions there are now.

    The loop of `plain_plays`, with names: to put a name together here costs next to nothing, to
    take a code apart again 3 ns.
    """
    firsts = first_sources(turn)
    corner_source = 0
    if takes_corner_by_puissance(turn):
        corner_source = 1 << (OTHER_CORNER_FIELD - turn.high)
    pending = firsts
    while pending:
        source = pending & -pending
        pending ^= source
        if source == corner_source:
            out[count] = action_of(corner_code(turn), ordinals, turn.high, turn.low)
            count += 1
        seconds = distinct_seconds(turn, firsts, source)
        count = write_second_actions(field_of(source), turn.high, seconds, ordinals, out, count)
    chains = low_first_chains(turn)
    while chains:
        source = chains & -chains
        chains ^= source
        first = field_of(source)
        second = int(ordinals[first + turn.low]) - 1
        out[count] = FIRST_LOW_PLAY + 16 * int(ordinals[first]) + second
        count += 1
    return count


@kernel
def write_second_actions(
    first: int, number: int, seconds: int, ordinals: Ordinals, out: Codes, count: int
) -> int:
    """Write one name for each second source; return how many actions there are now."""
    start = FIRST_PLAY + 16 * int(ordinals[first])
    # Behind the source up to the target: there the checker moved first no longer stands before
    # the second one.
    passed = (2 << (first + number)) - (2 << first)
    while seconds:
        second = seconds & -seconds
        seconds ^= second
        out[count] = start + int(ordinals[field_of(second)]) - int(second & passed != 0)
        count += 1
    return count


@kernel
def write_other_actions(
    board: Board, high: int, low: int, ordinals: Ordinals, out: Codes, start: int
) -> int:
    """Write the actions of any position, by way of the codes; return how many there are now."""
    count = start + legal_plays(board, high, low, out[start:])
    for i in range(start, count):
        out[i] = action_of(int(np.int64(out[i])), ordinals, high, low)
    return count


@kernel
def count_ordinals(board: Board, out: Ordinals) -> None:
    """Write the ordinal of the first checker on each field, 0 for field 0."""
    total = 0
    out[0] = 0
    for field in range(1, 25):
        out[field] = total + 1
        total += max(int(board[field - 1]), 0)


@kernel
def action_of(code: int, ordinals: Ordinals, high: int, low: int) -> int:
    """Return the lowest action that names a play code."""
    first = first_source(code)
    second = second_source(code)
    # The checker moved first no longer stands before the second one, if it has passed it or
    # joined it. In one expression: a branch here costs more than all the rest.
    reach = first + first_number(code, high, low)
    passed = int(first > 0) & int(first < second) & int(second <= reach)
    start = FIRST_LOW_PLAY if is_low_first(code) else FIRST_PLAY
    return start + 16 * int(ordinals[first]) + int(ordinals[second]) - passed


@kernel
def code_of(board: Board, action: int, high: int, low: int) -> int:
    """Return the play that an action names, legal or not; NO_CODE if a checker is missing."""
    low_first = action >= FIRST_LOW_PLAY
    ordinals = action - (FIRST_LOW_PLAY if low_first else FIRST_PLAY)
    numbers = (low, high) if low_first else (high, low)
    first = field_of_checker(board, ordinals >> 4, 0, 0)
    moved_to = target_of(first, numbers[0]) if first > 0 else 0
    second = field_of_checker(board, ordinals & 15, first, moved_to)
    if min(first, second) == NO_CODE:
        return NO_CODE
    # Two checkers never stop on 13 (R5.1): this is how puissance is named.
    is_corner = second > 0 and moved_to == second + numbers[1] == OTHER_CORNER_FIELD
    code = FIRST * first + SECOND * second + (PUISSANCE if is_corner else 0)
    return code + (LOW_FIRST if low_first else 0)


@kernel
def field_of_checker(board: Board, ordinal: int, vacated: int, occupied: int) -> int:
    """Return the field of a checker by its ordinal, 0 for ordinal 0, NO_CODE if there is none.

    Args:
        board: Before the play.
        ordinal: Counted from the starting field.
        vacated: Field from which a checker has gone since, or 0.
        occupied: Field to which it has gone.
    """
    if ordinal == 0:
        return 0
    total = 0
    for field in range(1, 25):
        total += max(int(board[field - 1]), 0) - int(field == vacated) + int(field == occupied)
        if total >= ordinal:
            return field
    return NO_CODE


@kernel
def lowest_name(state: State, action: int) -> int:
    """Return the offered action that means the same as any name of a legal play.

    A name is legal if it spells a sequence that survives lines 1 to 3 of R4.7, and its result is
    legal. NO_ACTION if the action is not legal here.
    """
    if state["player"] < 0 or action < GO_ACTION or action >= NUM_ACTIONS:
        return NO_ACTION
    if action == GO_ACTION:
        return GO_ACTION if state["can_go"] else NO_ACTION
    board = state["board"][:]
    high = high_number(state)
    low = low_number(state)
    code = code_of(board, action, high, low)
    if code == NO_CODE:
        return NO_ACTION
    key = result_key(code, high, low)
    codes = np.empty(MAX_PLAYS, np.int32)
    for i in range(legal_plays(board, high, low, codes)):
        offered = int(np.int64(codes[i]))
        if result_key(offered, high, low) == key:
            # Asked last: to list all sequences takes ten times as long as to list the plays.
            if not is_admissible(board, plain_code(code, high, low), high, low):
                return NO_ACTION
            ordinals = np.empty(25, np.int64)
            count_ordinals(board, ordinals)
            return action_of(offered, ordinals, high, low)
    return NO_ACTION


@kernel
def plain_code(code: int, high: int, low: int) -> int:
    """Return the lowest code that spells the same moves with the same numbers."""
    first = first_source(code)
    second = second_source(code)
    if is_puissance(code) and is_low_first(code):
        return FIRST * second + SECOND * first + PUISSANCE
    if first == 0 and second == 0:
        return EMPTY_PLAY
    if second == 0:
        return single_code(first, high != low and not is_low_first(code))
    if first == 0:
        return single_code(second, high != low and is_low_first(code))
    return code & ~LOW_FIRST if high == low else code


@kernel
def is_admissible(board: Board, code: int, high: int, low: int) -> bool:
    """Return whether a sequence of moves survives lines 1 to 3 of R4.7."""
    codes = np.empty(MAX_SEQUENCES, np.int32)
    count, _ = admissible_sequences(board, read_turn(board, high, low), codes)
    for i in range(count):
        if codes[i] == code:
            return True
    return False


@kernel
def apply_many(states: States, actions: Actions) -> None:
    """Go or play in each position; any name of a legal play will do."""
    for b in range(states.shape[0]):
        if actions[b] == NO_ACTION:
            continue
        state = states[b]
        if actions[b] == GO_ACTION:
            go(state)
        else:
            action = int(np.int64(actions[b]))
            high, low = high_number(state), low_number(state)
            play(state, code_of(state["board"][:], action, high, low))
