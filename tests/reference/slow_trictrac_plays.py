"""Which plays of trictrac are legal: rules sections 4 to 9, with no thought of speed.

A board is a tuple of 24 numbers seen from the mover's side: index 0 is field 1, positive numbers
are the mover's checkers, negative ones the opponent's (R1.1). Functions speak of fields 1..24;
only `count` knows that tuples start at 0.

The selection of R4.7 is split in two, because the scoring rules ask for the plays that remain
after its first three lines (`admissible_sequences`), and a player for those that remain after all
five, each final position once (`legal_plays`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

Board = tuple[int, ...]
Dice = tuple[int, int]
Move = tuple[int, int]

OUT = 0
"""The `to` of a move that takes a checker off the board."""

OWN_CORNER = 12  # R1.3
OPPONENT_CORNER = 13  # R1.3

SMALL_JAN = range(1, 7)  # R1.2
BIG_JAN = range(7, 13)
OPPONENT_BIG_JAN = range(13, 19)
RETURN_JAN = range(19, 25)

FILLABLE_JANS = (SMALL_JAN, BIG_JAN, RETURN_JAN)  # R8.1: 13..18 is not one of them

START: Board = (15, *[0] * 22, -15)  # R2.1


@dataclass(frozen=True)
class SlowPlay:
    """One way of playing a roll, seen from the mover's side."""

    moves: tuple[Move, ...]
    """(from, to) in the order played, to = OUT for an exit; empty when nothing can be played.

    A corner taken by puissance is written (13-d1, 12), (13-d2, 12), as in R19.
    """

    dice: tuple[int, ...]
    """The number used by each move."""

    result: Board
    """The position after the play, still seen from the mover's side."""

    overflow_exits: int = 0
    """How many moves were exits by a number larger than needed (R9.5)."""

    is_puissance: bool = False
    """Whether the corner was taken by puissance (R6.4)."""

    @property
    def takes_last_checker_out(self) -> bool:
        """Whether the mover has no checker left (R9.9)."""
        return bool(self.moves) and not own_fields(self.result)

    @property
    def unplayed_numbers(self) -> int:
        """How many of the two numbers stay unplayed; none once the last checker is out (R9.8)."""
        return 0 if self.takes_last_checker_out else 2 - len(self.moves)


def count(board: Board, field: int) -> int:
    """Return what stands on a field: positive own, negative opponent, 0 outside the board."""
    return board[field - 1] if 1 <= field <= 24 else 0


def own_count(board: Board, field: int) -> int:
    """Return the number of own checkers on a field, 0 if the opponent holds it."""
    return max(count(board, field), 0)


def own_fields(board: Board) -> list[int]:
    """Return the fields with own checkers, lowest first."""
    return [field for field in range(1, 25) if count(board, field) > 0]


def mirror(board: Board) -> Board:
    """Return the same position seen by the other side (R1.4)."""
    return tuple(-checkers for checkers in reversed(board))


def after_moves(board: Board, moves: tuple[Move, ...]) -> Board:
    """Return the board with own checkers displaced; nothing is checked."""
    fields = list(board)
    for source, target in moves:
        fields[source - 1] -= 1
        if target != OUT:
            fields[target - 1] += 1
    return tuple(fields)


def is_full(board: Board, jan: range) -> bool:
    """Return whether each field of the jan has two or more own checkers (R8.1)."""
    return all(count(board, field) >= 2 for field in jan)


def has_full_jan(board: Board) -> bool:
    """Return whether the small, the big or the return jan is full (R8.1)."""
    return any(is_full(board, jan) for jan in FILLABLE_JANS)


def opponent_can_fill(board: Board, jan: range) -> bool:
    """Return whether the opponent has the material for one of his jans (R7.2, R7.6).

    Args:
        board: Seen from the mover's side.
        jan: OPPONENT_BIG_JAN, or RETURN_JAN which is the opponent's small jan.
    """
    needed = 0
    for field in reversed(jan):  # his lowest field first: 18, 17, ... or 24, 23, ...
        needed += 2
        at_or_behind = sum(max(-count(board, f), 0) for f in range(field, 25))
        if at_or_behind < needed:
            return False
    return True


def may_end(before: Board, after: Board) -> bool:
    """Return whether a play may end like this (R4.4): sections 5 to 7, nothing else.

    Args:
        before: The position before the roll was played.
        after: The position after the whole play.
    """
    if count(after, OWN_CORNER) == 1:  # R6.1
        return False
    if count(after, OPPONENT_CORNER) > 0:  # R5.1
        return False
    for jan in (OPPONENT_BIG_JAN, RETURN_JAN):  # R7.1
        if opponent_can_fill(before, jan) and any(
            own_count(after, field) > own_count(before, field) for field in jan
        ):
            return False
    return True


@dataclass(frozen=True)
class _Step:
    """One checker advanced by one number (R4.1)."""

    move: Move
    is_overflow: bool


def _steps(board: Board, die: int) -> list[_Step]:
    """Return every step a number allows physically: R4.2 inside the board, R9.1-R9.5 off it."""
    fields = own_fields(board)
    all_home = all(field in RETURN_JAN for field in fields)  # R9.1: at this very moment
    steps = []
    for field in fields:
        target = field + die
        if target <= 24:
            if count(board, target) >= 0:  # R4.2
                steps.append(_Step((field, target), is_overflow=False))
        elif all_home and target == 25:  # R9.3: exact number
            steps.append(_Step((field, OUT), is_overflow=False))
        elif all_home and field == fields[0]:  # R9.5: only the farthest from the rail
            steps.append(_Step((field, OUT), is_overflow=True))
    return steps


def corner_by_effect_is_possible(board: Board, dice: Dice) -> bool:
    """Return whether the checkers for taking the corner by effect are there (R6.3, R6.6)."""
    return count(board, OWN_CORNER) == 0 and _have_two_sources(board, dice, OWN_CORNER)


def corner_by_puissance_is_possible(board: Board, dice: Dice) -> bool:
    """Return whether the own corner may be taken by puissance (R6.4-R6.6)."""
    return (
        count(board, OWN_CORNER) == 0
        and count(board, OPPONENT_CORNER) == 0
        and _have_two_sources(board, dice, OPPONENT_CORNER)
        and not corner_by_effect_is_possible(board, dice)  # R6.5
    )


def _have_two_sources(board: Board, dice: Dice, target: int) -> bool:
    """Return whether two different checkers reach the target directly, one by each number."""
    first, second = dice
    if first == second:
        return own_count(board, target - first) >= 2
    return own_count(board, target - first) >= 1 and own_count(board, target - second) >= 1


def _orders(dice: Dice) -> list[Dice]:
    """Return the orders in which the numbers can be played (R4.3), higher number first."""
    high, low = max(dice), min(dice)
    return [(high, low)] if high == low else [(high, low), (low, high)]


def _whole_sequences(board: Board, dice: Dice) -> Iterator[SlowPlay]:
    """Yield the sequences that play the whole roll, or end it by the last exit (R4.3, R9.8)."""
    for first, second in _orders(dice):
        for one in _steps(board, first):
            rest = after_moves(board, (one.move,))
            if not own_fields(rest):  # R9.8: complete, the other number is not "unplayed"
                yield SlowPlay((one.move,), (first,), rest, int(one.is_overflow))
            for two in _steps(rest, second):
                result = after_moves(rest, (two.move,))
                if may_end(board, result):
                    yield SlowPlay(
                        moves=(one.move, two.move),
                        dice=(first, second),
                        result=result,
                        overflow_exits=one.is_overflow + two.is_overflow,
                    )
    if corner_by_puissance_is_possible(board, dice):  # R6.7: counts as playing both numbers
        first, second = dice
        moves = (
            (OPPONENT_CORNER - first, OWN_CORNER),
            (OPPONENT_CORNER - second, OWN_CORNER),
        )
        yield SlowPlay(moves, dice, after_moves(board, moves), is_puissance=True)


def _single_sequences(board: Board, die: int) -> list[SlowPlay]:
    """Return the plays of one number alone (R4.6)."""
    plays = []
    for step in _steps(board, die):
        result = after_moves(board, (step.move,))
        if may_end(board, result):
            plays.append(SlowPlay((step.move,), (die,), result, int(step.is_overflow)))
    return plays


def admissible_sequences(board: Board, dice: Dice) -> list[SlowPlay]:
    """Return every sequence of moves that survives lines 1 to 3 of R4.7.

    Sequences with the same final position are all kept: R10.16 asks how a checker came to a field,
    and 1>3>6 differs there from 3>6, 1>3. When no number can be played the only entry is the empty
    play, whose result is the board itself.
    """
    plays = list(_whole_sequences(board, dice))  # line 1: most dice used
    if not plays:
        plays = _single_sequences(board, max(dice))  # line 2: the higher number
    if not plays:
        plays = _single_sequences(board, min(dice))  # R4.5: "if only one of them can, that one"
    if not plays:
        return [SlowPlay((), (), board)]  # R3.5
    fewest = min(play.overflow_exits for play in plays)  # line 3, on whole plays: R9.6, OP-4
    return [play for play in plays if play.overflow_exits == fewest]


def legal_plays(board: Board, dice: Dice) -> list[SlowPlay]:
    """Return the plays among which the mover chooses, one for each final position (R4.3, R4.7)."""
    plays = admissible_sequences(board, dice)
    filling = [play for play in plays if has_full_jan(play.result)]  # line 4, R8.2
    plays = filling or plays
    leaving = [play for play in plays if play.takes_last_checker_out]  # line 5, OP-9
    plays = leaving or plays
    by_result: dict[Board, SlowPlay] = {}
    for play in plays:
        by_result.setdefault(play.result, play)
    return list(by_result.values())
