"""Why a play is not legal: the rule it breaks, in words with its number.

A play is judged by the position it leads to, as the laws do (R4.3). Where that position is not
among the legal ones, the steps are followed one by one, and the first rule broken is named.
"""

from collections.abc import Sequence
from itertools import permutations

from spiel_bot.games.trictrac.judge import Play, plays
from spiel_bot.games.trictrac.position import WholeNumbers, check_board, check_dice, check_moves

CORNER = 12
OTHER_CORNER = 13
HOME = 19
JANS = {"small jan": range(1, 7), "big jan": range(7, 13), "return jan": range(19, 25)}
FORBIDDEN_JANS = {"big jan": range(13, 19), "small jan": range(19, 25)}


def why_illegal(
    board: WholeNumbers, dice: WholeNumbers, moves: Sequence[Sequence[int]]
) -> str | None:
    """Return the rule a play breaks, such as "12 may not hold a single checker (R6.1)".

    Args:
        board: 24 whole numbers from the mover's side.
        dice: The two numbers, in any order.
        moves: (from, to) for each number played, to 0 for out; empty for no move.

    Returns:
        The rule in words with its number, or None if the play is legal.

    Raises:
        NotationError: The board, the dice or the moves are not such.
    """
    fields, roll, pairs = check_board(board), check_dice(dice), check_moves(moves)
    legal = plays(fields, roll)
    result = _moved(fields, pairs)
    if result in {play.result for play in legal}:
        return None
    if _is_puissance(roll, pairs):
        return _puissance_fault(fields, roll) or _choice_fault(fields, pairs, result, legal)
    # Either number may belong to either move, and either move may come first. Of the faults
    # found, the one that comes last explains most: everything before it was right.
    faults = [
        _steps_fault(fields, order)
        for numbers in permutations(roll, len(pairs))
        for order in permutations(list(zip(pairs, numbers, strict=True)))
    ]
    if None in faults:
        return _final_fault(fields, result) or _choice_fault(fields, pairs, result, legal)
    return max((fault for fault in faults if fault is not None), key=_rank)


# From the first thing to go wrong to the last: the later rules presuppose the earlier ones.
ORDER = ("R4.1", "R9.1", "R4.2", "R9.5", "R5.1", "R6.1", "R7.1", "R4.5", "R9.6", "R8.2", "R4.7")


def _rank(fault: str) -> int:
    number = fault.rpartition("(")[2].rstrip(")")
    return ORDER.index(number) if number in ORDER else -1


Step = tuple[tuple[int, int], int]  # ((from, to), number)


def _steps_fault(fields: list[int], steps: Sequence[Step]) -> str | None:
    """Return the first step that cannot be made, one after the other."""
    now = list(fields)
    for (source, target), number in steps:
        if target and target - source != number:
            return f"{source}>{target} is not a {number} of the dice (R4.1)"
        if not target and source + number <= 24:
            return f"{source}>out needs at least a {25 - source} (R4.1)"
        if now[source - 1] <= 0:
            return f"there is no own checker on {source} (R4.1)"
        if target and now[target - 1] < 0:
            return f"{target} is held by the opponent, no checker may land or rest there (R4.2)"
        if not target:
            lowest = next(field for field in range(1, 25) if now[field - 1] > 0)
            if lowest < HOME:
                return f"no checker may leave while one stands outside, on {lowest} (R9.1)"
            if source + number > 25 and lowest < source:
                return f"a {number} is too much for {source} while {lowest} is farther back (R9.5)"
        now[source - 1] -= 1
        if target:
            now[target - 1] += 1
    return None


def _final_fault(before: list[int], after: tuple[int, ...]) -> str | None:
    """Return what no play may leave behind (sections 5 to 7)."""
    if after[OTHER_CORNER - 1] > 0:
        return "no checker may stop on the opponent's rest corner, 13 (R5.1)"
    if after[CORNER - 1] == 1:
        return "the rest corner, 12, is entered and left by two checkers at once (R6.1)"
    for jan, fields in FORBIDDEN_JANS.items():
        entered = [f for f in fields if after[f - 1] > max(before[f - 1], 0)]
        if entered and _opponent_can_fill(before, fields):
            return f"the opponent can still fill his {jan}, none may stop on {entered[0]} (R7.1)"
    return None


def _choice_fault(
    before: list[int], pairs: list[tuple[int, int]], result: tuple[int, ...], legal: list[Play]
) -> str:
    """Return why other plays must be preferred (R4.7), where the play alone would do."""
    most = max(len(play.moves) for play in legal)
    if len(pairs) < most:
        return f"{'both numbers' if most == 2 else 'a number'} can be played, so must be (R4.5)"
    for jan, fields in JANS.items():
        is_full_after = [all(play.result[f - 1] >= 2 for f in fields) for play in legal]
        if all(is_full_after) and not all(result[f - 1] >= 2 for f in fields):
            was_full = all(before[f - 1] >= 2 for f in fields)
            verb = "conserved" if was_full else "filled"
            return f"the {jan} can be {verb}, so it must be (R8.2)"
    if all(max(play.result) <= 0 for play in legal):
        return "the last checker can leave the board, so it must (R4.7)"
    if len(pairs) == most == 1:
        return "only one number can be played, and then the higher if either could (R4.5)"
    return "the numbers can be played with fewer exits that overflow (R9.6)"


def _puissance_fault(fields: list[int], roll: tuple[int, int]) -> str | None:
    """Return why the corner cannot be taken by puissance, None if it can."""
    high, low = roll
    if fields[CORNER - 1] != 0:
        return "12 is taken already, so the corner cannot be taken by puissance (R6.4)"
    if fields[OTHER_CORNER - 1] != 0:
        return "13 is taken, so the corner cannot be taken by puissance (R6.4)"
    if not _are_there(fields, OTHER_CORNER - high, OTHER_CORNER - low):
        return "puissance needs checkers that reach 13 with each number (R6.4)"
    if _are_there(fields, CORNER - high, CORNER - low):
        return "the corner can be taken by effect, so not by puissance (R6.5)"
    return None


def _is_puissance(roll: tuple[int, int], pairs: list[tuple[int, int]]) -> bool:
    wanted = sorted((OTHER_CORNER - number, CORNER) for number in roll)
    return sorted(pairs) == wanted


def _are_there(fields: list[int], one: int, two: int) -> bool:
    if one == two:
        return fields[one - 1] >= 2
    return fields[one - 1] >= 1 and fields[two - 1] >= 1


def _opponent_can_fill(fields: list[int], jan: range) -> bool:
    """Tell whether the opponent has the checkers to fill a jan (R7.2, R7.6)."""
    for k, field in enumerate(reversed(jan), 1):
        behind = sum(max(-count, 0) for count in fields[field - 1 :])
        if behind < 2 * k:
            return False
    return True


def _moved(fields: list[int], pairs: list[tuple[int, int]]) -> tuple[int, ...]:
    after = list(fields)
    for source, target in pairs:
        after[source - 1] -= 1
        if target:
            after[target - 1] += 1
    return tuple(after)
