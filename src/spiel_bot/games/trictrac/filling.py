"""Filling and conserving a jan (sections 8 and 10), as masks, in positions without exits.

All kernels ask about `turn.jan`, the one jan that is full or lacks at most two checkers.
"""

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.masks import CORNER, OTHER_CORNER_FIELD, Turn
from spiel_bot.games.trictrac.steps import (
    ending_sources,
    first_sources,
    low_first_chains,
    second_sources,
    single_sources,
    takes_corner_by_puissance,
)


@kernel
def full_sources(turn: Turn, source: int, first: int, second: int) -> int:
    """Return the fields from which a second number leaves the jan full, legal or not.

    Args:
        turn: The position and the roll.
        source: One bit, the field from which the first number was played.
        first: The number played first.
        second: The other one.
    """
    target = source << first
    own = (turn.own & ~source) | (turn.own2 & source)
    own2 = (turn.own2 & ~source) | (turn.own3 & source)
    own3 = (turn.own3 & ~source) | (turn.own4 & source)
    own3 |= own2 & target
    own2 |= own & target
    own |= target
    spare = ~turn.jan | own3
    lacking = turn.jan & ~own2
    if lacking == 0:
        return spare
    if lacking & (lacking - 1) == 0 and lacking & own:
        return spare & (lacking >> second)
    return 0


@kernel
def step_ends_full(turn: Turn, source: int, distance: int) -> bool:
    """Return whether the jan is full once one checker has gone a distance, by one step or two."""
    own = (turn.own & ~source) | (turn.own2 & source)
    own2 = (turn.own2 & ~source) | (turn.own3 & source)
    own2 |= own & (source << distance)
    return turn.jan & ~own2 == 0


@kernel
def puissance_ends_full(turn: Turn) -> bool:
    """Return whether the jan is full once the corner has been taken by puissance (R8.5)."""
    high = 1 << (OTHER_CORNER_FIELD - turn.high)
    low = 1 << (OTHER_CORNER_FIELD - turn.low)
    own2 = turn.own2 & ~(high | low) | CORNER
    own2 |= turn.own4 & high if high == low else turn.own3 & (high | low)
    return turn.jan & ~own2 == 0


@kernel
def keep_full(turn: Turn, sources: int, distance: int) -> int:
    """Return those sources from which a checker that goes a distance leaves the jan full."""
    kept = 0
    while sources:
        source = sources & -sources
        sources ^= source
        if step_ends_full(turn, source, distance):
            kept |= source
    return kept


@kernel
def whole_play_fills(turn: Turn) -> bool:
    """Return whether some play of both numbers leaves the jan full."""
    pending = first_sources(turn)
    while pending:
        source = pending & -pending
        pending ^= source
        full = full_sources(turn, source, turn.high, turn.low)
        if full and full & second_sources(turn, source, turn.high, turn.low):
            return True
    if keep_full(turn, low_first_chains(turn), turn.high + turn.low):
        return True
    return takes_corner_by_puissance(turn) and puissance_ends_full(turn)


@kernel
def some_play_fills(turn: Turn, numbers: int) -> bool:
    """Return whether some admissible play leaves the jan full (R8.2, R10.15, R10.19).

    Args:
        turn: The position and the roll.
        numbers: How many numbers can be played.
    """
    if numbers == 2:
        return whole_play_fills(turn)
    if numbers == 1:
        number = single_number(turn)
        return keep_full(turn, single_sources(turn, number), number) != 0
    return turn.missing == 0


@kernel
def single_number(turn: Turn) -> int:
    """Return the number that is played where only one can be: the higher if possible (R4.5)."""
    return turn.high if single_sources(turn, turn.high) else turn.low


@kernel
def ways_of_filling(turn: Turn, numbers: int) -> int:
    """Return in how many ways the roll fills a jan that is not yet full (R10.15, R10.16)."""
    if turn.missing == 2:
        return int(some_play_fills(turn, numbers))
    lacking = turn.jan & ~turn.own2
    ways = direct_way(turn, numbers, turn.high, turn.low)
    if turn.high != turn.low:
        ways += direct_way(turn, numbers, turn.low, turn.high)
    if numbers == 2:
        together = turn.high + turn.low
        source = lacking >> together & spare_sources(turn)
        rests = source & (turn.open >> turn.high | turn.open >> turn.low)
        if ending_sources(rests, turn.stop, turn.corner, together):
            ways += 1
    return ways


@kernel
def direct_way(turn: Turn, numbers: int, number: int, other: int) -> int:
    """Return 1 if a number brings the missing checker directly (R10.16 a and b), else 0."""
    lacking = turn.jan & ~turn.own2
    source = lacking >> number & spare_sources(turn)
    if source == 0 or numbers == 0:
        return 0
    if numbers == 1:
        # R10.18: another number that cannot be played does not hurt.
        return int(number == single_number(turn) and source & single_sources(turn, number) != 0)
    full = full_sources(turn, source, number, other)
    return int(full & second_sources(turn, source, number, other) != 0)


@kernel
def spare_sources(turn: Turn) -> int:
    """Return the fields with a checker that is not one of the twelve of the jan (R10.16)."""
    return turn.own & ~turn.jan | turn.own3 & turn.jan
