"""Pig: one die, roll on or hold. The smallest game where the same side acts again.

A turn starts with a roll, which is no choice. A 1 loses what the turn has gathered and the
turn with it; any other face is added to the turn's total, and the player rolls again or holds
to bank the total. Who first has `target` points, banked or not, wins at once: holding would
be the only sensible action, so a roll can end the game.

Optimal play is known exactly (Neller and Presser, 2004); `tests/reference/exact_pig.py`
solves it again.
"""

import re
from functools import partial

import numpy as np

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

ROLL = 0
HOLD = 1
FACES = 6
MAX_TARGET = 10_000
STATE = np.dtype(
    [
        ("banked", np.int16, (2,)),  # points of each player
        ("total", np.int16),  # points of this turn, not yet banked
        ("target", np.int16),  # points that win: an option of the game
        ("mover", np.int8),  # whose turn it is; the winner at the end
        ("player", np.int8),  # who acts: the mover, CHANCE or TERMINAL
    ]
)
SIDES = ("white", "black")
PATTERN = re.compile(
    r"(\d{1,5})-(\d{1,5}) \+(\d{1,5}) of (\d{1,5}), (white|black) (rolls|decides|won)"
)


def pig(target: int = 100) -> Game:
    """Return the game.

    Args:
        target: Points that win.

    Raises:
        GameOptionError: The target is out of range.
    """
    if not 2 <= target <= MAX_TARGET:
        raise GameOptionError(f"pig: expected a target from 2 to {MAX_TARGET}, got {target}")
    first: State = np.zeros(1, STATE)[0]
    first["target"] = target
    first["mover"] = WHITE
    first["player"] = CHANCE
    return Game(
        spec=GameSpec(
            name="pig",
            num_actions=2,
            max_legal_actions=2,
            num_chance_outcomes=FACES,
            observation_shape=(4,),
            options={"target": target},
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
        from_text=partial(from_text, target=target),
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
    """Write roll and hold wherever a player decides."""
    for b in range(states.shape[0]):
        out_counts[b] = 0
        if states[b]["player"] >= 0:
            out[b, 0] = ROLL
            out[b, 1] = HOLD
            out_counts[b] = 2


@kernel
def apply_many(states: States, actions: Actions) -> None:
    """Roll on, or bank the total and pass the die."""
    for b in range(states.shape[0]):
        if actions[b] == NO_ACTION:
            continue
        state = states[b]
        if actions[b] == HOLD:
            mover = state["mover"]
            state["banked"][mover] += state["total"]
            state["total"] = 0
            state["mover"] = 1 - mover
        state["player"] = CHANCE


@kernel
def chance_probabilities_many(states: States, out: Probabilities) -> None:
    """Write one sixth for each face; outcome n is the face n + 1."""
    for b in range(states.shape[0]):
        chance = 1.0 / FACES if states[b]["player"] == CHANCE else 0.0
        for face in range(FACES):
            out[b, face] = chance


@kernel
def apply_chance_many(states: States, outcomes: Actions) -> None:
    """Let the die show a face."""
    for b in range(states.shape[0]):
        if outcomes[b] == NO_ACTION:
            continue
        state = states[b]
        mover = state["mover"]
        if outcomes[b] == 0:
            state["total"] = 0
            state["mover"] = 1 - mover
        else:
            state["total"] += outcomes[b] + 1
            if state["banked"][mover] + state["total"] >= state["target"]:
                state["player"] = TERMINAL
            else:
                state["player"] = mover


@kernel
def observe_many(states: States, players: Players, out: Floats) -> None:
    """Write own points, the other's points and the turn's total over the target; is it my turn."""
    for b in range(states.shape[0]):
        state = states[b]
        target = float(state["target"])
        out[b, 0] = state["banked"][players[b]] / target
        out[b, 1] = state["banked"][1 - players[b]] / target
        out[b, 2] = min(state["total"] / target, 1.0)
        out[b, 3] = 1.0 if state["mover"] == players[b] else 0.0


@kernel
def returns_many(states: States, out: Floats) -> None:
    """Write +1 for the winner and -1 for the loser; zero before the end."""
    for b in range(states.shape[0]):
        for player in range(2):
            if states[b]["player"] == TERMINAL:
                out[b, player] = 1.0 if states[b]["mover"] == player else -1.0
            else:
                out[b, player] = 0.0


def to_text(state: State) -> str:
    """Return points, turn and what is next, such as ``12-30 +8 of 100, white decides``."""
    white, black = state["banked"]
    mover, player = SIDES[state["mover"]], state["player"]
    verb = "rolls" if player == CHANCE else "won" if player == TERMINAL else "decides"
    return f"{white}-{black} +{state['total']} of {state['target']}, {mover} {verb}"


def from_text(text: str, target: int) -> State:
    """Read a position that `to_text` wrote, of a game with this target.

    Raises:
        NotationError: The text has another form or target, or such a position cannot arise.
    """
    match = PATTERN.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"expected '12-30 +8 of {target}, white decides', got {text!r}")
    white, black, total, written = (int(match[i]) for i in range(1, 5))
    if written != target:
        raise NotationError(
            f"this game goes to {target}; load pig with target={written} for {text!r}"
        )
    mover, verb = SIDES.index(match[5]), match[6]
    if max(white, black) >= target or total >= target + FACES:
        raise NotationError(f"the points do not fit a target of {target} in {text!r}")
    has_won = (white, black)[mover] + total >= target
    if has_won != (verb == "won") or (verb == "decides" and total < 2):
        raise NotationError(f"{match[5]} cannot be at '{verb}' with these points in {text!r}")
    state: State = np.zeros(1, STATE)[0]
    state["banked"] = (white, black)
    state["total"], state["target"], state["mover"] = total, target, mover
    state["player"] = {"rolls": CHANCE, "won": TERMINAL, "decides": mover}[verb]
    return state


def draw(state: State) -> str:
    """Return a bar for each player: banked points and, in lighter letters, the turn's total."""
    width = 50
    lines = []
    for player, side in enumerate(SIDES):
        banked = int(state["banked"][player])
        pending = int(state["total"]) if state["mover"] == player else 0
        solid = banked * width // int(state["target"])
        light = min((banked + pending) * width // int(state["target"]), width) - solid
        points = f"{banked:3}" + (f" +{pending}" if pending else "")
        marker = ">" if state["mover"] == player else " "
        lines.append(f"{marker} {side} |{('#' * solid + '+' * light).ljust(width, '.')}| {points}")
    return "\n".join(lines)


def action_name(state: State, action: int) -> str:
    """Return what the mover does."""
    return "roll again" if action == ROLL else f"hold, banking {state['total']}"


def outcome_name(state: State, outcome: int) -> str:
    """Return the face and what it does."""
    return f"die shows {outcome + 1}" + (", turn lost" if outcome == 0 else "")
