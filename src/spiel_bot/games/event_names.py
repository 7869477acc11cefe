"""Events as people write them: a name, the dice that it shows, or a number where names fail.

`@17` means the action or outcome with this number. It is what is written where a name would not
be understood: two events have it, or it holds a sign that means something else in a game file.
"""

import re
from collections import Counter

from spiel_bot.errors import IllegalActionError, NotationError
from spiel_bot.games.base import Environment

DICE = re.compile(r"\b[0-9](?:-[0-9])?\b")
"""What dice show in the name of an outcome, such as 6-5, or 1 in pig."""

NUMBER = re.compile(r"@([0-9]{1,9})")
RESERVED = re.compile(r"[|{}#\n\r@]")


def write_action(state: Environment, action: int) -> str:
    """Return an action of this position as text that `read_action` understands."""
    legal = state.legal_actions
    return _written(action, {other: state.action_name(other) for other in legal})


def write_outcome(state: Environment, outcome: int, next_player: int | None = None) -> str:
    """Return an outcome as text that `read_outcome` understands; two dice as 6-5 alone.

    Args:
        state: A position where a roll is next.
        outcome: What falls.
        next_player: Who acts afterwards, if the reader will know that.
    """
    names = {other: state.outcome_name(other) for other, _ in state.chance_outcomes}
    dice = _dice(names.get(outcome, ""))
    if "-" in dice:
        alike = [other for other, name in names.items() if _dice(name) == dice]
        if len(alike) > 1 and next_player is not None:
            alike = [other for other in alike if _player_after(state, other) == next_player]
        if alike == [outcome]:
            return dice
    return _written(outcome, names)


def read_action(state: Environment, text: str) -> int:
    """Return the legal action that a text means.

    Raises:
        NotationError: The text is no action of the game.
        IllegalActionError: The action is not legal here; the message says why if the game knows.
    """
    legal = state.legal_actions
    wanted = " ".join(text.split()).lower()
    found = NUMBER.fullmatch(wanted)
    if found is not None:
        state.clone().apply(int(found[1]))  # refuses what is not legal
        return int(found[1])
    named = [action for action in legal if state.action_name(action).lower() == wanted]
    if len(named) == 1:
        return named[0]
    if state.game.action_named is not None:
        return state.game.action_named(state.record, text)
    choices = ", ".join(write_action(state, action) for action in legal) or "none"
    raise IllegalActionError(f"{text!r} is not legal here; legal: {choices}")


def read_outcome(state: Environment, text: str, next_player: int | None = None) -> int:
    """Return the chance outcome that a text means: its name, its dice in either order, or @17.

    Args:
        state: A position where a roll is next.
        text: What fell.
        next_player: Who acts afterwards; tells outcomes with the same dice apart.

    Raises:
        NotationError: No outcome is meant, or several are.
    """
    wanted = " ".join(text.split()).lower()
    names = {outcome: state.outcome_name(outcome) for outcome, _ in state.chance_outcomes}
    number = NUMBER.fullmatch(wanted)
    if number is not None:
        found = [outcome for outcome in names if outcome == int(number[1])]
    else:
        turned = "-".join(reversed(wanted.split("-")))
        found = [outcome for outcome, name in names.items() if name.lower() == wanted] or [
            outcome for outcome, name in names.items() if _dice(name) in (wanted, turned)
        ]
    if len(found) > 1 and next_player is not None:
        found = [outcome for outcome in found if _player_after(state, outcome) == next_player]
    if len(found) != 1:
        what = "may mean several outcomes of" if found else "is no outcome of"
        expected = ", ".join(write_outcome(state, outcome) for outcome in names)
        raise NotationError(f"{text!r} {what} this roll; expected one of {expected}")
    return found[0]


def _written(event: int, names: dict[int, str]) -> str:
    name = names.get(event, "")
    is_clear = Counter(other.lower() for other in names.values())[name.lower()] == 1
    if not name.strip() or name != " ".join(name.split()) or RESERVED.search(name) or not is_clear:
        return f"@{event}"
    return name


def _dice(name: str) -> str:
    """Return the roll that a name shows, empty if it shows none or more than one."""
    shown = DICE.findall(name)
    return shown[0] if len(shown) == 1 else ""


def _player_after(state: Environment, outcome: int) -> int:
    twin = state.clone()
    twin.apply_outcome(outcome)
    return twin.current_player
