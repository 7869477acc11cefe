"""Why a play is not legal: the rule it breaks, in words with its number.

The steps are followed one by one; if all can be made, the position they lead to is judged; if it
may be left so, another play must be preferred. The first rule broken on this way is named.
"""

from collections.abc import Sequence
from itertools import permutations

from spiel_bot.errors import BadRequestError
from spiel_bot.games.trictrac.fault_texts import FAULTS, Fault
from spiel_bot.games.trictrac.judge import Play, plays
from spiel_bot.games.trictrac.position import (
    WholeNumbers,
    check_board,
    check_dice,
    check_moves,
    moved,
)

CORNER = 12
OTHER_CORNER = 13
HOME = 19
JANS = {"small": range(1, 7), "big": range(7, 13), "return": range(19, 25)}
FORBIDDEN_JANS = {"big": range(13, 19), "small": range(19, 25)}

Move = tuple[int, int]
Step = tuple[Move, int]  # a move and the number it is played with


def why_illegal(
    board: WholeNumbers,
    dice: WholeNumbers,
    moves: Sequence[Sequence[int]] | WholeNumbers,
    language: str = "en",
) -> str | None:
    """Return the rule a play breaks, such as "... two checkers at once (R6.1)".

    Args:
        board: 24 whole numbers from the mover's side.
        dice: The two numbers, in any order.
        moves: (from, to) for each number played, to 0 for out; empty for no move.
        language: ``en`` or ``fr``.

    Returns:
        The rule in words with its number, or None if the play is legal.

    Raises:
        NotationError: The board, the dice or the moves are not such.
        BadRequestError: The language is another one.
    """
    if language not in FAULTS:
        raise BadRequestError(f"expected the language en or fr, got {language!r}")
    fault = fault_of(check_board(board), check_dice(dice), check_moves(moves))
    return None if fault is None else fault.text(language)


def fault_of(fields: list[int], roll: tuple[int, int], pairs: list[Move]) -> Fault | None:
    """Return the rule a play breaks, None if it is legal; all arguments are checked already."""
    legal = plays(fields, roll)
    result = moved(fields, pairs)
    is_legal_result = result in {play.result for play in legal}
    if _is_puissance(roll, pairs):
        fault = _puissance_fault(fields, roll)
        if fault is None:
            return None if is_legal_result else _choice_fault(fields, roll, pairs, legal)
        if not is_legal_result:
            return fault
    fault = steps_fault(fields, roll, pairs)
    if fault is not None:
        return fault
    if is_legal_result:
        return None
    return _final_fault(fields, result) or _choice_fault(fields, roll, pairs, legal)


def steps_fault(fields: list[int], roll: tuple[int, int], pairs: list[Move]) -> Fault | None:
    """Return why the moves cannot be made with these numbers, in whatever order."""
    faults = [_order_fault(fields, roll, order) for order in _orders(roll, pairs)]
    if None in faults:
        return None
    # Of the faults found, the one that comes last explains most: everything before was right.
    return max((fault for fault in faults if fault is not None), key=_rank)[1]


def _orders(roll: tuple[int, int], pairs: list[Move]) -> list[tuple[Step, ...]]:
    """Return the moves with either number and in either order."""
    return [
        order
        for numbers in permutations(roll, len(pairs))
        for order in permutations(list(zip(pairs, numbers, strict=True)))
    ]


def _rank(fault: tuple[int, Fault]) -> int:
    return fault[0]


def _order_fault(
    fields: list[int], roll: tuple[int, int], steps: Sequence[Step]
) -> tuple[int, Fault] | None:
    """Return the first step that cannot be made, ranked by how far it got."""
    now = list(fields)
    for (source, target), number in steps:
        fault = _step_fault(now, roll, (source, target), number)
        if fault is not None:
            return fault
        now = list(moved(now, [(source, target)]))
    return None


def _step_fault(
    now: list[int], roll: tuple[int, int], move: Move, number: int
) -> tuple[int, Fault] | None:
    source, target = move
    if target and target <= source:
        return 0, Fault("goes_back", move)
    if target and target - source != number:
        shown = f"{roll[0]}-{roll[1]}"
        is_sum = target - source == sum(roll)
        numbers = (source, target, target - source, shown, source + roll[0])
        return 1, Fault("sum" if is_sum else "wrong_number", numbers)
    if now[source - 1] <= 0:
        return 2, Fault("no_checker", (source,))
    if target and now[target - 1] < 0:
        return 4, Fault("held", (target,))
    return _exit_fault(now, source, number) if not target else None


def _exit_fault(now: list[int], source: int, number: int) -> tuple[int, Fault] | None:
    lowest = next(field for field in range(1, 25) if now[field - 1] > 0)
    if lowest < HOME:
        return 3, Fault("outside", (lowest,))
    if source + number < 25:
        return 3, Fault("inside", (number, source))
    if source + number > 25 and lowest < source:
        return 5, Fault("too_much", (number, source, lowest))
    return None


def _final_fault(before: list[int], after: tuple[int, ...]) -> Fault | None:
    """Return what no play may leave behind (sections 5 to 7)."""
    if after[OTHER_CORNER - 1] > 0:
        return Fault("other_corner")
    if after[CORNER - 1] == 1:
        return Fault("corner")
    for jan, fields in FORBIDDEN_JANS.items():
        entered = [f for f in fields if after[f - 1] > max(before[f - 1], 0)]
        if entered and _opponent_can_fill(before, fields):
            return Fault("forbidden", (entered[0],), jan)
    return None


def _choice_fault(
    before: list[int], roll: tuple[int, int], pairs: list[Move], legal: list[Play]
) -> Fault:
    """Return why another play must be preferred, by the order of R4.7."""
    most = max(len(play.moves) for play in legal)
    if len(pairs) < most:
        return Fault("both" if most == 2 else "one")
    if most == 1 and max(roll) in _numbers(before, roll, legal[0].moves):
        numbers = _numbers(before, roll, pairs)
        if max(roll) not in numbers:
            return Fault("higher", (max(roll),))
    fewest = min(_overflows(before, roll, play.moves) for play in legal)
    if _overflows(before, roll, pairs) > fewest:
        return Fault("overflow")
    result = moved(before, pairs)
    for jan, fields in JANS.items():
        must_be_full = all(all(play.result[f - 1] >= 2 for f in fields) for play in legal)
        if must_be_full and not all(result[f - 1] >= 2 for f in fields):
            was_full = all(before[f - 1] >= 2 for f in fields)
            return Fault("conserve" if was_full else "fill", jan=jan)
    return Fault("last_checker")


def _possible_orders(
    fields: list[int], roll: tuple[int, int], pairs: Sequence[Move]
) -> list[tuple[Step, ...]]:
    orders = _orders(roll, list(pairs))
    return [order for order in orders if _order_fault(fields, roll, order) is None]


def _numbers(fields: list[int], roll: tuple[int, int], pairs: Sequence[Move]) -> set[int]:
    """Return the numbers that moves can be played with."""
    orders = _possible_orders(fields, roll, pairs)
    return {number for order in orders for _, number in order}


def _overflows(fields: list[int], roll: tuple[int, int], pairs: Sequence[Move]) -> int:
    """Return the fewest exits with more than the exact number that moves need (R9.5)."""
    counts = [
        sum(1 for (source, target), number in order if not target and source + number > 25)
        for order in _possible_orders(fields, roll, pairs)
    ]
    return min(counts, default=0)  # puissance has no exits


def _puissance_fault(fields: list[int], roll: tuple[int, int]) -> Fault | None:
    """Return why the corner cannot be taken by puissance, None if it can."""
    high, low = roll
    if fields[CORNER - 1] != 0:
        return Fault("corner_taken")
    if fields[OTHER_CORNER - 1] != 0:
        return Fault("other_taken")
    if not _are_there(fields, OTHER_CORNER - high, OTHER_CORNER - low):
        return Fault("no_reach")
    if _are_there(fields, CORNER - high, CORNER - low):
        return Fault("by_effect")
    return None


def _is_puissance(roll: tuple[int, int], pairs: list[Move]) -> bool:
    return sorted(pairs) == sorted((OTHER_CORNER - number, CORNER) for number in roll)


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
