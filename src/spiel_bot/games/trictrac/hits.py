"""What the fields alone give, whatever can be played: hits, the corner, the opening jans."""

from typing import NamedTuple

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.jans import (
    CONTRE_MEZEAS,
    CONTRE_TWO_TABLES,
    MEZEAS,
    NO_JAN,
    SIX_TABLES,
    TWO_TABLES,
)
from spiel_bot.games.trictrac.masks import (
    CORNER,
    CORNER_FIELD,
    OTHER_CORNER,
    OTHER_CORNER_FIELD,
    STACK,
    Turn,
    count_bits,
    field_of,
)

TWO_TO_SEVEN = 0x3F << 2


class Hits(NamedTuple):
    """Fields hit, one mask for each way (R10.3, R10.6)."""

    by_high: int
    by_low: int  # none with a double, which has one direct way
    by_sum: int
    false: int


@kernel
def find_hits(turn: Turn) -> Hits:
    """Return the fields with one checker of the opponent that are hit, truly or falsely."""
    together = turn.high + turn.low
    targets = turn.other & ~turn.other2  # R10.2
    by_low = (turn.own << turn.low) & targets if turn.high != turn.low else 0
    by_sum = (turn.own << together) & targets
    # R10.4, R10.5: one of the two rests is not held by the opponent.
    rests = ~turn.other2 << turn.high | ~turn.other2 << turn.low
    return Hits(
        by_high=(turn.own << turn.high) & targets,
        by_low=by_low,
        by_sum=by_sum & rests,
        false=by_sum & ~rests,
    )


@kernel
def true_ways(hits: Hits, table: int) -> int:
    """Return in how many ways the fields of a table are hit truly, all together."""
    ways = count_bits(hits.by_high & table) + count_bits(hits.by_low & table)
    return ways + count_bits(hits.by_sum & table)


@kernel
def hits_corner(turn: Turn) -> bool:
    """Return whether the opponent's corner is hit (R10.9)."""
    if turn.corner < 2 or (turn.own | turn.other) & OTHER_CORNER:
        return False
    if turn.high == turn.low:
        return may_hit_corner(turn, turn.high, turn.own2, 2)
    return may_hit_corner(turn, turn.high, turn.own, 1) and may_hit_corner(
        turn, turn.low, turn.own, 1
    )


@kernel
def may_hit_corner(turn: Turn, number: int, fields: int, least: int) -> bool:
    """Return whether enough checkers reach the corner by a number, the two on the own kept there.

    Args:
        turn: The position.
        number: The number.
        fields: Fields with at least so many own checkers.
        least: How many are needed.
    """
    if number == OTHER_CORNER_FIELD - CORNER_FIELD:
        return turn.corner - 2 >= least
    return fields >> (OTHER_CORNER_FIELD - number) & 1 == 1


@kernel
def opening_jan(turn: Turn, roll_count: int) -> int:
    """Return the jan that the first rolls of a setting give (R10.11 to R10.13), or NO_JAN."""
    if turn.stack == 13 and turn.total == 15:
        return jan_of_two(turn)
    # R10.13: the four fields and the two that the stack reaches are 2 to 7. Two numbers of a
    # double reach one field only, so it never fits.
    if turn.stack == 11 and turn.total == 15 and roll_count == 3:
        reached = STACK << turn.high | STACK << turn.low
        if count_bits(turn.own) == 5 and turn.own & ~STACK == TWO_TO_SEVEN & ~reached:
            return SIX_TABLES
    return NO_JAN


@kernel
def jan_of_two(turn: Turn) -> int:
    """Return the jan that two checkers before a stack of thirteen give, or NO_JAN."""
    pair = turn.own & ~STACK
    is_free = (turn.own | turn.other) & OTHER_CORNER == 0
    if pair == CORNER:
        if turn.low == 1:
            return MEZEAS if is_free else CONTRE_MEZEAS  # R10.12
        return NO_JAN
    if (turn.own | turn.other) & CORNER:
        return NO_JAN
    near = pair & -pair
    far = pair if pair == near else pair ^ near
    near_field = field_of(near)
    far_field = field_of(far)
    if is_roll(turn, OTHER_CORNER_FIELD - near_field, CORNER_FIELD - far_field) or is_roll(
        turn, CORNER_FIELD - near_field, OTHER_CORNER_FIELD - far_field
    ):
        return TWO_TABLES if is_free else CONTRE_TWO_TABLES  # R10.11
    return NO_JAN


@kernel
def is_roll(turn: Turn, first: int, second: int) -> bool:
    """Return whether the dice show these two numbers, in any order."""
    return max(first, second) == turn.high and min(first, second) == turn.low
