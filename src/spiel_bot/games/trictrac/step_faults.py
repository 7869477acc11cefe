"""Why a checker cannot be put where a person wants it, before the play is whole.

`faults.py` judges a whole play. Here a beginning of one is judged: the number that is still to be
played is tried everywhere, and the rule that stands in the way of all those plays is the reason.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from spiel_bot.games.trictrac.fault_texts import Fault
from spiel_bot.games.trictrac.faults import Move, fault_of, steps_fault
from spiel_bot.games.trictrac.position import WholeNumbers, check_board, check_dice, moved

OUT_FIELD = 25


def why_no_step(
    board: WholeNumbers,
    dice: WholeNumbers,
    made: Sequence[Move],
    step: tuple[int, int | None],
    language: str = "en",
) -> str:
    """Return why a step is no part of a legal play, with the number of the rule.

    Args:
        board: 24 whole numbers from the mover's side, before anything was moved.
        dice: The two numbers, in any order.
        made: The steps made already, none or one.
        step: (from, to) that was tried, to 0 for out; to None for a checker that can go nowhere.
        language: ``en`` or ``fr``.
    """
    fields, roll = check_board(board), check_dice(dice)
    source, target = step
    targets = [target] if target is not None else list(_targets(roll, source))
    faults = [_step_fault(fields, roll, list(made), (source, to)) for to in targets]
    texts = [fault.text(language) for fault in faults if fault is not None]
    return "; ".join(dict.fromkeys(texts))


def _targets(roll: tuple[int, int], source: int) -> Iterator[int]:
    for number in dict.fromkeys(roll):
        yield source + number if source + number < OUT_FIELD else 0


def _step_fault(
    fields: list[int], roll: tuple[int, int], made: list[Move], step: Move
) -> Fault | None:
    source, target = step
    if not made and target and target - source == sum(roll):
        return _chain_fault(fields, roll, step)
    begun = [*made, step]
    if len(begun) == 2 or steps_fault(fields, roll, begun) is not None:
        return fault_of(fields, roll, begun)
    whole = [fault_of(fields, roll, play) for play in _completed(fields, roll, step)]
    common = Counter(fault for fault in whole if fault is not None).most_common(1)
    return common[0][0] if common else fault_of(fields, roll, begun)


def _chain_fault(fields: list[int], roll: tuple[int, int], step: Move) -> Fault | None:
    """Return why one checker cannot play both numbers, by the first rest that fails."""
    source, target = step
    for number in roll:
        rest = source + number
        fault = fault_of(fields, roll, [(source, rest), (rest, target)])
        if fault is not None:
            return fault
    return None


def _completed(fields: list[int], roll: tuple[int, int], step: Move) -> Iterator[list[Move]]:
    """Yield the plays that begin with a step and can be made, whether legal or not."""
    after = moved(fields, [step])
    for source in range(1, OUT_FIELD):
        if after[source - 1] > 0:
            for target in _targets(roll, source):
                play = [step, (source, target)]
                if steps_fault(fields, roll, play) is None:
                    yield play
