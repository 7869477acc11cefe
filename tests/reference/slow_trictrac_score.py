"""What a roll of trictrac gives to each side: rules section 10, with no thought of speed.

Everything is computed from the position before moving (R3.2). The names of the jans and their
values are those of the table R10.1.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from .slow_trictrac_plays import (
    BIG_JAN,
    OPPONENT_CORNER,
    OWN_CORNER,
    RETURN_JAN,
    SMALL_JAN,
    Board,
    Dice,
    SlowPlay,
    admissible_sequences,
    count,
    is_full,
    legal_plays,
    own_count,
    own_fields,
)

Beneficiary = Literal["mover", "opponent"]

VALUES: dict[str, tuple[int, int]] = {  # R10.1: normal roll, double
    "true_hit_big": (2, 4),
    "true_hit_small": (4, 6),
    "false_hit_big": (2, 4),
    "false_hit_small": (4, 6),
    "corner_hit": (4, 6),
    "two_tables": (4, 6),
    "contre_two_tables": (4, 6),
    "mezeas": (4, 6),
    "contre_mezeas": (4, 6),
    "six_tables": (4, 0),  # never with a double
    "small_jan_filled": (4, 6),
    "big_jan_filled": (4, 6),
    "return_jan_filled": (4, 6),
    "small_jan_conserved": (4, 6),
    "big_jan_conserved": (4, 6),
    "return_jan_conserved": (4, 6),
    "exit": (4, 6),
    "misery_made": (4, 6),
    "misery_conserved": (4, 6),
    "helpless": (2, 2),
}

JANS = {"small_jan": SMALL_JAN, "big_jan": BIG_JAN, "return_jan": RETURN_JAN}

BIG_JAN_TABLE = range(7, 19)  # R1.5


class SlowJan(NamedTuple):
    """One line of the account of a roll."""

    jan: str
    ways: int
    points: int
    beneficiary: Beneficiary
    field: int | None
    """The target of a hit (13 for the corner), else None."""
    rule: str


class SlowScore(NamedTuple):
    """All that a roll gives, from the mover's side."""

    mover_points: int
    opponent_points: int
    jans: list[SlowJan]


def score(
    board: Board, dice: Dice, roll_count: int | None = None, misery_pile: bool = True
) -> SlowScore:
    """Count every jan of a roll.

    Args:
        board: The position before moving, seen from the mover's side.
        dice: The two numbers, in any order.
        roll_count: Rolls of the mover since the last setting, this one included (R2.5). None when
            unknown: six tables are then not counted.
        misery_pile: The option of R10.22.
    """
    jans = [
        *_hits(board, dice),
        *_corner_hit(board, dice),
        *_two_tables(board, dice),
        *_mezeas(board, dice),
        *_six_tables(board, dice, roll_count),
        *_full_jans(board, dice),
        *_exit(board, dice),
        *(_misery_pile(board, dice) if misery_pile else ()),
        *_helpless(board, dice),
    ]
    return SlowScore(
        mover_points=sum(jan.points for jan in jans if jan.beneficiary == "mover"),
        opponent_points=sum(jan.points for jan in jans if jan.beneficiary == "opponent"),
        jans=jans,
    )


def _entry(
    jan: str,
    dice: Dice,
    beneficiary: Beneficiary,
    rule: str,
    ways: int = 1,
    field: int | None = None,
) -> SlowJan:
    """Return the line of a jan with its points (R10.1)."""
    normal, double = VALUES[jan]
    value = double if dice[0] == dice[1] else normal
    return SlowJan(jan, ways, ways * value, beneficiary, field, rule)


# Hits


def _hits(board: Board, dice: Dice) -> Iterator[SlowJan]:
    for target in range(1, 25):
        if count(board, target) != -1:  # R10.2
            continue
        table = "big" if target in BIG_JAN_TABLE else "small"
        ways = true_hit_ways(board, dice, target)
        if ways:
            yield _entry(f"true_hit_{table}", dice, "mover", "R10.3", ways, target)
        elif own_count(board, target - sum(dice)):
            # R10.6: the sum has a source, yet it is no true way: no rest is usable.
            yield _entry(f"false_hit_{table}", dice, "opponent", "R10.6", 1, target)


def true_hit_ways(board: Board, dice: Dice, target: int) -> int:
    """Return in how many ways a field is hit truly: 0..3, 0..2 with a double (R10.3)."""
    first, second = dice
    numbers = {first, second}  # a double has only one direct way
    direct = sum(1 for number in numbers if own_count(board, target - number))
    has_rest = any(_is_usable_rest(board, target - number) for number in numbers)
    by_sum = own_count(board, target - first - second) > 0 and has_rest  # R10.5: one way
    return direct + by_sum


def _is_usable_rest(board: Board, field: int) -> bool:
    """Return whether a hit may rest here: the opponent must not hold the field (R10.4)."""
    return field >= 1 and count(board, field) >= -1


def _corner_hit(board: Board, dice: Dice) -> Iterator[SlowJan]:
    if own_count(board, OWN_CORNER) < 2 or count(board, OPPONENT_CORNER) != 0:  # R10.9
        return
    first, second = dice
    if first == second:
        hits = _free_for_corner_hit(board, OPPONENT_CORNER - first) >= 2
    else:
        hits = all(_free_for_corner_hit(board, OPPONENT_CORNER - number) >= 1 for number in dice)
    if hits:
        yield _entry("corner_hit", dice, "mover", "R10.9", 1, OPPONENT_CORNER)


def _free_for_corner_hit(board: Board, field: int) -> int:
    """Return the checkers of a field that may hit the corner: not the two that hold the own one."""
    checkers = own_count(board, field)
    return checkers - 2 if field == OWN_CORNER else checkers


# Opening jans


def _checkers_beyond_the_stack(board: Board) -> list[int]:
    """Return the field of every own checker that has left field 1, lowest first."""
    return [f for f in own_fields(board) if f != 1 for _ in range(own_count(board, f))]


def _for_or_against(board: Board) -> tuple[str, Beneficiary]:
    """Return the prefix and beneficiary of a jan that needs the opponent's corner empty."""
    return ("", "mover") if count(board, OPPONENT_CORNER) == 0 else ("contre_", "opponent")


def _two_tables(board: Board, dice: Dice) -> Iterator[SlowJan]:
    others = _checkers_beyond_the_stack(board)
    if own_count(board, 1) != 13 or len(others) != 2 or count(board, OWN_CORNER) != 0:  # R10.11
        return
    first, second = dice
    reached = [
        {others[0] + first, others[1] + second},
        {others[0] + second, others[1] + first},
    ]
    if {OWN_CORNER, OPPONENT_CORNER} in reached:
        prefix, beneficiary = _for_or_against(board)
        yield _entry(f"{prefix}two_tables", dice, beneficiary, "R10.11")


def _mezeas(board: Board, dice: Dice) -> Iterator[SlowJan]:
    others = _checkers_beyond_the_stack(board)
    if own_count(board, 1) == 13 and others == [OWN_CORNER, OWN_CORNER] and 1 in dice:  # R10.12
        prefix, beneficiary = _for_or_against(board)
        yield _entry(f"{prefix}mezeas", dice, beneficiary, "R10.12")


def _six_tables(board: Board, dice: Dice, roll_count: int | None) -> Iterator[SlowJan]:
    others = _checkers_beyond_the_stack(board)
    wanted = set(range(2, 8))
    if (
        roll_count == 3  # R10.13
        and own_count(board, 1) == 11
        and len(others) == 4
        and len(set(others)) == 4
        and set(others) <= wanted
        and {1 + number for number in dice} == wanted - set(others)
    ):
        yield _entry("six_tables", dice, "mover", "R10.13")


# Full jans


def _full_jans(board: Board, dice: Dice) -> Iterator[SlowJan]:
    for name, jan in JANS.items():
        missing = missing_checkers(board, jan)
        if missing == 0:
            if _some_play_leaves_full(board, dice, jan):  # R10.19
                yield _entry(f"{name}_conserved", dice, "mover", "R10.19")
        elif missing == 1:
            ways = ways_of_filling_one(board, dice, jan)
            if ways:
                yield _entry(f"{name}_filled", dice, "mover", "R10.16", ways)
        elif missing == 2 and _some_play_leaves_full(board, dice, jan):
            yield _entry(f"{name}_filled", dice, "mover", "R10.15")


def missing_checkers(board: Board, jan: range) -> int | None:
    """Return how many checkers a jan lacks, None if an opponent checker is in it (R10.14)."""
    if any(count(board, field) < 0 for field in jan):
        return None
    return sum(max(0, 2 - own_count(board, field)) for field in jan)


def _some_play_leaves_full(board: Board, dice: Dice, jan: range) -> bool:
    # When no number can be played the admissible play is the empty one: a full jan stays (R10.19).
    return any(is_full(play.result, jan) for play in admissible_sequences(board, dice))


def ways_of_filling_one(board: Board, dice: Dice, jan: range) -> int:
    """Return in how many ways the one missing checker of a jan arrives (R10.16).

    The restrictions of R10.17 and R10.18 need no line of their own: a play that leaves one checker
    on the own corner is not admissible, and a jan filled in passing is not full at the end.

    Args:
        board: A position in which the jan lacks exactly one checker.
        dice: The two numbers.
        jan: SMALL_JAN, BIG_JAN or RETURN_JAN.
    """
    (missing,) = (field for field in jan if own_count(board, field) == 1)
    filling = [p for p in admissible_sequences(board, dice) if is_full(p.result, jan)]
    ways = 0
    for number in set(dice):  # (a) and (b); a double has one of them
        source = missing - number
        if _has_spare_checker(board, source, jan) and any(
            _moves_directly(play, source, missing, number) for play in filling
        ):
            ways += 1
    source = missing - sum(dice)  # (c); resting on either field is the same way
    if _has_spare_checker(board, source, jan) and any(
        _moves_by_the_sum(play, source, missing) for play in filling
    ):
        ways += 1
    return ways


def _has_spare_checker(board: Board, field: int, jan: range) -> bool:
    """Return whether a field has a checker that is not one of the twelve of the jan (R10.16)."""
    return own_count(board, field) >= (3 if field in jan else 1)


def _moves_directly(play: SlowPlay, source: int, target: int, number: int) -> bool:
    """Return whether a checker of the source reaches the target by one number.

    This is also true of a chain that rests on the source, since the source had a checker of its
    own: moving that one and replacing it is the same play (R4.3).
    """
    return ((source, target), number) in zip(play.moves, play.dice, strict=True)


def _moves_by_the_sum(play: SlowPlay, source: int, target: int) -> bool:
    """Return whether one checker goes from source to target with both numbers."""
    if len(play.moves) != 2 or play.is_puissance:
        return False
    (start, rest), (resumed, end) = play.moves
    return (start, end) == (source, target) and rest == resumed


# Exit, misery pile, helpless


def _exit(board: Board, dice: Dice) -> Iterator[SlowJan]:
    if any(play.takes_last_checker_out for play in admissible_sequences(board, dice)):
        yield _entry("exit", dice, "mover", "R10.21")


def _misery_pile(board: Board, dice: Dice) -> Iterator[SlowJan]:
    plays = legal_plays(board, dice)
    if own_count(board, OWN_CORNER) == 15:
        if all(play.moves == () for play in plays):
            yield _entry("misery_conserved", dice, "mover", "R10.22")
    elif all(own_count(play.result, OWN_CORNER) == 15 for play in plays):
        yield _entry("misery_made", dice, "mover", "R10.22")


def _helpless(board: Board, dice: Dice) -> Iterator[SlowJan]:
    # R17.5: every admissible play leaves the same number unplayed.
    (unplayed,) = {play.unplayed_numbers for play in admissible_sequences(board, dice)}
    if unplayed:
        yield _entry("helpless", dice, "opponent", "R10.23", unplayed)
