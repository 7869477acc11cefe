"""The legal plays of a roll (sections 4 to 9), by masks wherever no exit is possible.

Without exits two sequences end alike only in the following cases, and one of them is left out
before it is made, so that no results need to be compared:

- the two orders of the dice, unless one checker moves twice (`low_first_chains`);
- f > f+low with f+low > f+low+high, which is the chain from f resting on f+high;
- the two orders of the sources of a double.

`sequences.py` is the general path, and the meaning of this one.
"""

from spiel_bot._jit import kernel
from spiel_bot.games.base import Actions, States
from spiel_bot.games.trictrac.filling import (
    full_sources,
    keep_full,
    puissance_ends_full,
    single_number,
    whole_play_fills,
)
from spiel_bot.games.trictrac.masks import OTHER_CORNER_FIELD, Board, Turn, field_of, read_turn
from spiel_bot.games.trictrac.plays import EMPTY_PLAY, FIRST, LOW_FIRST, SECOND, Codes, corner_code
from spiel_bot.games.trictrac.sequences import general_plays, single_code
from spiel_bot.games.trictrac.state import high_number, low_number
from spiel_bot.games.trictrac.steps import (
    first_sources,
    has_no_exits,
    low_first_chains,
    second_sources,
    single_sources,
    takes_corner_by_puissance,
)


@kernel
def legal_plays(board: Board, high: int, low: int, out: Codes) -> int:
    """Write the legal plays, one code for each result, ascending (R4.7).

    Args:
        board: From the mover's side.
        high: The higher number of the roll.
        low: The lower one.
        out: [MAX_PLAYS] codes; the empty play alone where no number can be played.

    Returns:
        How many there are.
    """
    turn = read_turn(board, high, low)
    if not has_no_exits(turn):
        return general_plays(board, turn, out)
    if turn.jan == 0:
        count = plain_plays(turn, out)
        return count if count > 0 else single_plays(turn, out)
    if whole_play_fills(turn):
        return filling_plays(turn, out)
    count = plain_plays(turn, out)
    return count if count > 0 else single_plays_near_jan(turn, out)


@kernel
def legal_plays_many(states: States, out: Actions, out_counts: Actions) -> None:
    """Write the codes of the legal plays of each position, none where nobody decides.

    Args:
        states: [B] positions.
        out: [B, N] codes, N at least MAX_PLAYS.
        out_counts: [B] how many there are.
    """
    for b in range(states.shape[0]):
        out_counts[b] = 0
        if states[b]["player"] >= 0:
            board = states[b]["board"][:]
            high, low = high_number(states[b]), low_number(states[b])
            out_counts[b] = legal_plays(board, high, low, out[b])


@kernel
def distinct_seconds(turn: Turn, firsts: int, source: int) -> int:
    """Return the second sources after playing the higher number, each result once.

    Args:
        turn: The position and the roll.
        firsts: All fields from which the higher number can be played.
        source: One bit, the field from which it is played.
    """
    seconds = second_sources(turn, source, turn.high, turn.low)
    if turn.high == turn.low:
        return seconds & -source
    return seconds & ~(firsts & source >> turn.low)


@kernel
def plain_plays(turn: Turn, out: Codes) -> int:
    """Write the plays of both numbers; return how many."""
    count = 0
    firsts = first_sources(turn)
    corner_source = 0
    if takes_corner_by_puissance(turn):
        corner_source = 1 << (OTHER_CORNER_FIELD - turn.high)
    pending = firsts
    while pending:
        source = pending & -pending
        pending ^= source
        first = field_of(source)
        if source == corner_source:
            out[count] = corner_code(turn)
            count += 1
        count = write_seconds(first, distinct_seconds(turn, firsts, source), out, count)
    return write_chains(turn, low_first_chains(turn), out, count)


@kernel
def filling_plays(turn: Turn, out: Codes) -> int:
    """Write the plays of both numbers that leave the jan full (R8.2); return how many."""
    count = 0
    firsts = first_sources(turn)
    corner_source = 0
    if takes_corner_by_puissance(turn) and puissance_ends_full(turn):
        corner_source = 1 << (OTHER_CORNER_FIELD - turn.high)
    pending = firsts
    while pending:
        source = pending & -pending
        pending ^= source
        first = field_of(source)
        if source == corner_source:
            out[count] = corner_code(turn)
            count += 1
        full = full_sources(turn, source, turn.high, turn.low)
        if full:
            full &= distinct_seconds(turn, firsts, source)
            count = write_seconds(first, full, out, count)
    chains = keep_full(turn, low_first_chains(turn), turn.high + turn.low)
    return write_chains(turn, chains, out, count)


@kernel
def write_seconds(first: int, seconds: int, out: Codes, count: int) -> int:
    """Write one play for each second source; return how many plays there are now."""
    while seconds:
        second = seconds & -seconds
        seconds ^= second
        out[count] = FIRST * first + SECOND * field_of(second)
        count += 1
    return count


@kernel
def write_chains(turn: Turn, chains: int, out: Codes, count: int) -> int:
    """Write the plays of one checker with the lower number first; return how many there are."""
    while chains:
        source = chains & -chains
        chains ^= source
        first = field_of(source)
        out[count] = LOW_FIRST + FIRST * first + SECOND * (first + turn.low)
        count += 1
    return count


@kernel
def single_plays(turn: Turn, out: Codes) -> int:
    """Write the plays of one number, or the empty play; return how many."""
    number = single_number(turn)
    return write_singles(turn, single_sources(turn, number), number, out)


@kernel
def single_plays_near_jan(turn: Turn, out: Codes) -> int:
    """Write the plays of one number near a full jan: those that leave it full if any (R8.6)."""
    number = single_number(turn)
    sources = single_sources(turn, number)
    full = keep_full(turn, sources, number)
    return write_singles(turn, full if full else sources, number, out)


@kernel
def write_singles(turn: Turn, sources: int, number: int, out: Codes) -> int:
    """Write one play of a number for each source, the empty play if there is none."""
    is_high = number == turn.high and turn.high != turn.low
    count = 0
    while sources:
        source = sources & -sources
        sources ^= source
        out[count] = single_code(field_of(source), is_high)
        count += 1
    if count == 0:
        out[0] = EMPTY_PLAY
        count = 1
    return count
