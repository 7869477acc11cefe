"""Trictrac as a `Game`: the parts joined."""

from functools import partial

import numpy as np

from spiel_bot.errors import GameOptionError, IllegalActionError, NotationError
from spiel_bot.games.base import BLACK, WHITE, Game, GameSpec, State
from spiel_bot.games.trictrac import notation
from spiel_bot.games.trictrac.actions import (
    GO_ACTION,
    MAX_LEGAL_ACTIONS,
    NUM_ACTIONS,
    apply_many,
    code_of,
    legal_actions_many,
)
from spiel_bot.games.trictrac.dice import NUM_OUTCOMES, NUMBERS, ROLLER, chance_probabilities_many
from spiel_bot.games.trictrac.drawing import draw_board
from spiel_bot.games.trictrac.faults import why_illegal
from spiel_bot.games.trictrac.judge import plays
from spiel_bot.games.trictrac.observation import NUM_FEATURES, observe_many
from spiel_bot.games.trictrac.plays import moves_of_code
from spiel_bot.games.trictrac.position import moved
from spiel_bot.games.trictrac.rules import apply_chance_many, current_player_many, returns_many
from spiel_bot.games.trictrac.state import LARGEST_BOUND, MAX_PLIES, SIDES, first_state
from spiel_bot.games.trictrac.svg import board_svg
from spiel_bot.games.trictrac.view import view_of

FIRST_PLAYERS = ("dice", *SIDES)


def trictrac(
    misery_pile: bool = True, first_player: str = "dice", max_plies: int = MAX_PLIES
) -> Game:
    """Return the game.

    Args:
        misery_pile: Whether the misery pile counts (R10.22).
        first_player: ``dice`` for the draw of R2.2, or ``white`` or ``black``, who then begins
            with an ordinary roll: only a draw excludes doubles (OP-15).
        max_plies: A game that reaches so many actions and rolls is a draw.

    Raises:
        GameOptionError: An option has a value that does not exist.
    """
    if first_player not in FIRST_PLAYERS:
        raise GameOptionError(
            f"trictrac: expected first_player dice, white or black, got {first_player!r}"
        )
    if not 1 <= max_plies <= LARGEST_BOUND:
        raise GameOptionError(
            f"trictrac: expected max_plies from 1 to {LARGEST_BOUND}, got {max_plies}"
        )
    return Game(
        spec=GameSpec(
            name="trictrac",
            num_actions=NUM_ACTIONS,
            max_legal_actions=MAX_LEGAL_ACTIONS,
            num_chance_outcomes=NUM_OUTCOMES,
            observation_shape=(NUM_FEATURES,),
            max_plies=max_plies,
            options={
                "misery_pile": misery_pile,
                "first_player": first_player,
                "max_plies": max_plies,
            },
        ),
        initial_state=first_state(
            BLACK if first_player == "black" else WHITE,
            opening=first_player == "dice",
            misery_pile=misery_pile,
            max_plies=max_plies,
        ),
        current_player_many=current_player_many,
        legal_actions_many=legal_actions_many,
        apply_many=apply_many,
        chance_probabilities_many=chance_probabilities_many,
        apply_chance_many=apply_chance_many,
        observe_many=observe_many,
        returns_many=returns_many,
        to_text=notation.to_text,
        from_text=partial(from_text, misery_pile=misery_pile, max_plies=max_plies),
        draw=draw,
        action_name=action_name,
        outcome_name=outcome_name,
        svg=svg,
    )


def from_text(text: str, *, misery_pile: bool, max_plies: int) -> State:
    """Read a position of a game with these options; a text that says otherwise is refused.

    Raises:
        NotationError: The text is not a position of this game.
    """
    state = notation.from_text(text, misery_pile=misery_pile, max_plies=max_plies)
    for option, wanted in (("misery_pile", misery_pile), ("max_plies", max_plies)):
        if state[option] != wanted:
            written = bool(state[option]) if option == "misery_pile" else int(state[option])
            raise NotationError(
                f"the game was loaded with {option}={wanted}, the text has {written}; "
                f"load it with {option}={written}"
            )
    return state


def action_named(state: State, text: str) -> int:
    """Return the legal action that a text names, such as ``1>7 1>6``, ``1>7>9`` or ``go``.

    Raises:
        NotationError: The text is not a play.
        IllegalActionError: The play is not legal here; the message names the rule.
    """
    moves = notation.parse_play(text)
    if state["player"] < 0:
        raise IllegalActionError(f"{text} is not possible: nobody is to play")
    if moves is None:
        if state["can_go"]:
            return GO_ACTION
        raise IllegalActionError("go is offered only after a hole of one's own roll (R13.1)")
    fields, dice = state["board"].tolist(), state["dice"].tolist()
    reason = why_illegal(fields, dice, moves)
    if reason is not None:
        raise IllegalActionError(f"{text}: {reason}")
    results = [play.result for play in plays(fields, dice)]
    legal = np.empty((1, MAX_LEGAL_ACTIONS), np.int32)
    legal_actions_many(state.reshape(1), legal, np.empty(1, np.int32))
    # Plays stand in the order of their actions, behind going where it is offered.
    return int(legal[0, results.index(moved(fields, moves)) + int(state["can_go"])])


def action_name(state: State, action: int) -> str:
    """Return the moves, such as ``1>7 1>6``, ``23>out`` or ``no move``, or ``go``."""
    if action == GO_ACTION:
        return notation.GO
    high, low = (int(number) for number in state["dice"])
    code = code_of(state["board"], action, high, low)
    return notation.moves_text(moves_of_code(code, high, low))


def outcome_name(state: State, outcome: int) -> str:
    """Return the roll, and who begins where it decides that."""
    roll = "-".join(str(number) for number in NUMBERS[outcome])
    if state["opening"]:
        return f"{SIDES[ROLLER[outcome]]} begins with {roll}"
    return f"dice show {roll}"


def draw(state: State) -> str:
    """Return the board in letters."""
    return draw_board(view_of(state))


def svg(state: State) -> str:
    """Return the board as a picture."""
    return board_svg(view_of(state))
