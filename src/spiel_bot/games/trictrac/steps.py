"""Where a number can be played from, as masks, in positions without exits.

A step may rest on any field without opponent (R4.2); what a play may not leave behind, one
checker on the own corner (R6.1) or one more on a closed field (R5.1, R7.1), is asked of its last
step alone (R4.4).
"""

from spiel_bot._jit import kernel
from spiel_bot.games.trictrac.masks import CORNER, CORNER_FIELD, OTHER_CORNER_FIELD, Turn


@kernel
def has_no_exits(turn: Turn) -> bool:
    """Return whether masks alone answer for this position.

    One number brings in only one checker, so two outside leave no exit to the other (R9.1).
    Own checkers on closed fields occur on made-up boards only (R7.4).
    """
    return turn.outside >= 2 and turn.own & turn.closed == 0


@kernel
def first_sources(turn: Turn) -> int:
    """Return the fields from which the higher number can be played first."""
    return turn.own & (turn.open >> turn.high)


@kernel
def ending_sources(own: int, stop: int, corner: int, number: int) -> int:
    """Return the fields from which a number can end a play.

    Args:
        own: Fields with own checkers before this step.
        stop: Fields where a play may end.
        corner: Own checkers on 12 before this step.
        number: The number; both together for one checker that moves twice.
    """
    sources = own & (stop >> number)
    if corner == 0:
        sources &= ~(CORNER >> number)  # R6.1: would be the first there
    elif corner == 2:
        sources &= ~CORNER  # R6.1: would leave the other alone
    elif corner == 1:
        sources &= CORNER | CORNER >> number
    return sources


@kernel
def second_sources(turn: Turn, source: int, first: int, second: int) -> int:
    """Return the fields from which a second number can end the play.

    Args:
        turn: The position and the roll.
        source: One bit, the field from which the first number was played.
        first: The number played first.
        second: The other one.
    """
    target = source << first
    own = (turn.own & ~source) | (turn.own2 & source) | target
    corner = turn.corner - int(source == CORNER) + int(target == CORNER)
    sources = ending_sources(own, turn.stop, corner, second)
    if target & turn.closed:
        sources &= target  # a rest only: the same checker goes on (R4.9, R7.7)
    return sources


@kernel
def low_first_chains(turn: Turn) -> int:
    """Return the fields whose checker moves twice and must play the lower number first.

    The field at the higher number is the opponent's. Where an own checker stands on the other
    rest, the play is the same as moving that one by the higher number.
    """
    if turn.high == turn.low:
        return 0
    chains = turn.own & ~(turn.open >> turn.high) & (turn.open >> turn.low)
    chains &= ~(turn.own >> turn.low)
    return ending_sources(chains, turn.stop, turn.corner, turn.high + turn.low)


@kernel
def single_sources(turn: Turn, number: int) -> int:
    """Return the fields from which one number alone can be played (R4.6)."""
    return ending_sources(turn.own, turn.stop, turn.corner, number)


@kernel
def numbers_playable(turn: Turn) -> int:
    """Return how many of the two numbers can be played, in a position without exits (R4.5)."""
    pending = first_sources(turn)
    while pending:
        source = pending & -pending
        pending ^= source
        if second_sources(turn, source, turn.high, turn.low):
            return 2
    if low_first_chains(turn) or takes_corner_by_puissance(turn):
        return 2
    if single_sources(turn, turn.high) or single_sources(turn, turn.low):
        return 1
    return 0


@kernel
def takes_corner_by_puissance(turn: Turn) -> bool:
    """Return whether the own corner may be taken by puissance (R6.4 to R6.6)."""
    if (turn.own | turn.other) & (3 << CORNER_FIELD):
        return False
    return has_two_sources(turn, OTHER_CORNER_FIELD) and not has_two_sources(turn, CORNER_FIELD)


@kernel
def has_two_sources(turn: Turn, target: int) -> bool:
    """Return whether two different checkers reach a field directly, one by each number."""
    high = 1 << (target - turn.high)
    low = 1 << (target - turn.low)
    if high == low:
        return turn.own2 & high != 0
    return turn.own & high != 0 and turn.own & low != 0
