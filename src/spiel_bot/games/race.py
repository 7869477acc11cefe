"""Race: a tiny bear-off with two dice, small enough to be solved exactly.

Each side has a few checkers on its own track of six fields and takes them off; a checker on
field f leaves with any number of f or more, and moves down with less. The mover plays the two
numbers one after the other, in the order he likes: two decisions of the same side. After a
double he rolls again. Who has taken off the last checker wins.
"""

import re

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import GameOptionError, NotationError
from spiel_bot.games.base import (
    CHANCE,
    NO_ACTION,
    TERMINAL,
    WHITE,
    Actions,
    Floats,
    Game,
    GameSpec,
    Players,
    Probabilities,
    State,
    States,
)

FIELDS = 6
MAX_CHECKERS = 15
# Outcome n is the roll ROLLS[n]: the 21 pairs with the higher number first.
ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
STATE = np.dtype(
    [
        ("checkers", np.int8, (2, FIELDS + 1)),  # of each side on each field; field 0 is off
        ("dice", np.int8, (2,)),  # numbers still to play, higher first, then 0
        ("again", np.int8),  # 1 if the roll was a double
        ("mover", np.int8),  # whose turn it is; the winner at the end
        ("player", np.int8),  # who acts: the mover, CHANCE or TERMINAL
    ]
)
SIDES = ("white", "black")
PATTERN = re.compile(
    r"white ([\d,]*) black ([\d,]*): (white|black) "
    r"(?:(rolls|won)|plays ([1-6])(?:-([1-6]))?( again)?)"
)


def race(checkers: int = 3) -> Game:
    """Return the game.

    Args:
        checkers: Checkers of each side at the start, put on the farthest fields in turn.

    Raises:
        GameOptionError: The number of checkers is out of range.
    """
    if not 1 <= checkers <= MAX_CHECKERS:
        raise GameOptionError(f"race: expected 1 to {MAX_CHECKERS} checkers, got {checkers}")
    first: State = np.zeros(1, STATE)[0]
    for i in range(checkers):
        first["checkers"][:, FIELDS - i % FIELDS] += 1
    first["mover"] = WHITE
    first["player"] = CHANCE
    return Game(
        spec=GameSpec(
            name="race",
            num_actions=2 * FIELDS,
            max_legal_actions=2 * FIELDS,
            num_chance_outcomes=len(ROLLS),
            observation_shape=(2 * (FIELDS + 1) + 4,),
            # Every number moves a checker at least one field; a roll comes before each.
            max_plies=4 * FIELDS * checkers,
            options={"checkers": checkers},
        ),
        initial_state=first,
        current_player_many=current_player_many,
        legal_actions_many=legal_actions_many,
        apply_many=apply_many,
        chance_probabilities_many=chance_probabilities_many,
        apply_chance_many=apply_chance_many,
        observe_many=observe_many,
        returns_many=returns_many,
        to_text=to_text,
        from_text=from_text,
        draw=draw,
        action_name=action_name,
        outcome_name=outcome_name,
    )


@kernel
def current_player_many(states: States, out: Players) -> None:
    """Write who acts in each position."""
    for b in range(states.shape[0]):
        out[b] = states[b]["player"]


@kernel
def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
    """Write the fields to play from: with the first number 0 to 5, with the second 6 to 11."""
    for b in range(states.shape[0]):
        count = 0
        if states[b]["player"] >= 0:
            checkers = states[b]["checkers"]
            dice = states[b]["dice"]
            mover = states[b]["mover"]
            for die in range(2):
                if dice[die] == 0 or (die == 1 and dice[0] == dice[1]):
                    continue  # the two numbers of a double are one choice
                for field in range(1, FIELDS + 1):
                    if checkers[mover, field] > 0:
                        out[b, count] = die * FIELDS + field - 1
                        count += 1
        out_counts[b] = count


@kernel
def apply_many(states: States, actions: Actions) -> None:
    """Play one number; the turn goes on, passes, or the game ends."""
    for b in range(states.shape[0]):
        if actions[b] == NO_ACTION:
            continue
        state = states[b]
        mover = state["mover"]
        die = actions[b] // FIELDS
        field = actions[b] % FIELDS + 1
        checkers = state["checkers"]
        dice = state["dice"]
        checkers[mover, field] -= 1
        checkers[mover, max(field - dice[die], 0)] += 1
        dice[0] = dice[1 - die]  # one number left: always in the first place
        dice[1] = 0
        if pips(checkers, mover) == 0:
            dice[0] = 0
            state["again"] = 0
            state["player"] = TERMINAL
        elif dice[0] == 0:
            if state["again"] == 0:
                state["mover"] = 1 - mover
            state["again"] = 0
            state["player"] = CHANCE


@kernel
def chance_probabilities_many(states: States, out: Probabilities) -> None:
    """Write 1/36 for a double and 2/36 for two different numbers."""
    for b in range(states.shape[0]):
        rolls = states[b]["player"] == CHANCE
        for outcome in range(ROLLS.shape[0]):
            ways = 1.0 if ROLLS[outcome, 0] == ROLLS[outcome, 1] else 2.0
            out[b, outcome] = ways / 36.0 if rolls else 0.0


@kernel
def apply_chance_many(states: States, outcomes: Actions) -> None:
    """Let the dice fall."""
    for b in range(states.shape[0]):
        if outcomes[b] == NO_ACTION:
            continue
        state = states[b]
        high = ROLLS[outcomes[b], 0]
        low = ROLLS[outcomes[b], 1]
        state["dice"][0] = high
        state["dice"][1] = low
        state["again"] = 1 if high == low else 0
        state["player"] = state["mover"]


@kernel
def observe_many(states: States, players: Players, out: Floats) -> None:
    """Write both sides' checkers field by field, the numbers to play, again, and is it my turn."""
    for b in range(states.shape[0]):
        state = states[b]
        for field in range(FIELDS + 1):
            out[b, field] = state["checkers"][players[b], field] / MAX_CHECKERS
            out[b, FIELDS + 1 + field] = state["checkers"][1 - players[b], field] / MAX_CHECKERS
        rest = 2 * (FIELDS + 1)
        out[b, rest] = state["dice"][0] / 6.0
        out[b, rest + 1] = state["dice"][1] / 6.0
        out[b, rest + 2] = float(state["again"])
        out[b, rest + 3] = 1.0 if state["mover"] == players[b] else 0.0


@kernel
def returns_many(states: States, out: Floats) -> None:
    """Write +1 for the winner and -1 for the loser; zero before the end."""
    for b in range(states.shape[0]):
        for player in range(2):
            if states[b]["player"] == TERMINAL:
                out[b, player] = 1.0 if states[b]["mover"] == player else -1.0
            else:
                out[b, player] = 0.0


@kernel
def pips(checkers: npt.NDArray[np.int8], side: int) -> int:
    """Return how many fields a side has still to go."""
    total = 0
    for field in range(1, FIELDS + 1):
        total += field * int(checkers[side, field])
    return total


def to_text(state: State) -> str:
    """Return checkers (fields 1 to 6, then off) and turn.

    Such as ``white 0,0,0,1,1,1,0 black 0,0,0,1,1,1,0: white plays 6-5``.
    """
    sides = [",".join(str(n) for n in [*row[1:], row[0]]) for row in state["checkers"]]
    mover, player = SIDES[state["mover"]], state["player"]
    if player == CHANCE:
        what = "rolls"
    elif player == TERMINAL:
        what = "won"
    else:
        what = "plays " + "-".join(str(die) for die in state["dice"] if die)
        what += " again" if state["again"] else ""
    return f"white {sides[0]} black {sides[1]}: {mover} {what}"


def from_text(text: str) -> State:
    """Read a position that `to_text` wrote.

    Raises:
        NotationError: The text has another form, or such a position cannot arise.
    """
    match = PATTERN.fullmatch(text.strip())
    if match is None:
        raise NotationError(
            "expected 'white 0,0,0,1,1,1,0 black 0,0,0,1,1,1,0: white plays 6-5' "
            f"or '... rolls', got {text!r}"
        )
    state: State = np.zeros(1, STATE)[0]
    for side in (0, 1):
        counts = [int(count or -1) for count in match[side + 1].split(",")]
        if len(counts) != FIELDS + 1 or min(counts) < 0 or not 0 < sum(counts) <= MAX_CHECKERS:
            raise NotationError(f"{SIDES[side]} needs 7 counts of 1 to 15 checkers in {text!r}")
        state["checkers"][side] = [counts[-1], *counts[:-1]]
    state["mover"] = SIDES.index(match[3])
    first, second = int(match[5] or 0), int(match[6] or 0)
    is_double = first == second and second > 0
    if second > first or (is_double and not match[7]) or (second and match[7] and not is_double):
        raise NotationError(f"write the higher number first, 'again' for doubles, in {text!r}")
    state["dice"] = (first, second)
    state["again"] = bool(match[7])
    state["player"] = {"rolls": CHANCE, "won": TERMINAL}.get(match[4], state["mover"])
    finished = [pips(state["checkers"], side) == 0 for side in (0, 1)]
    if finished != [match[4] == "won" and state["mover"] == side for side in (0, 1)]:
        raise NotationError(f"a side has won when its last checker is off, not so in {text!r}")
    return state


def draw(state: State) -> str:
    """Return one row per side, with the checkers on each field and those taken off."""
    lines = ["          6   5   4   3   2   1   off"]
    for side, name in enumerate(SIDES):
        row = state["checkers"][side]
        fields = "".join(f"{int(row[f]) or '.':>4}" for f in range(FIELDS, 0, -1))
        marker = ">" if state["mover"] == side else " "
        dice = [str(die) for die in state["dice"] if die] if state["mover"] == side else []
        roll = f"   dice {' '.join(dice)}" if dice else ""
        lines.append(f"{marker} {name} {fields}{int(row[0]):>6}{roll}")
    return "\n".join(lines)


def action_name(state: State, action: int) -> str:
    """Return the number and the fields, such as ``5: 6>1`` or ``4: 3>off``."""
    number, field = int(state["dice"][action // FIELDS]), action % FIELDS + 1
    return f"{number}: {field}>{field - number if field > number else 'off'}"


def outcome_name(state: State, outcome: int) -> str:
    """Return the roll, such as ``6-5``."""
    return "dice show " + "-".join(str(number) for number in ROLLS[outcome])
