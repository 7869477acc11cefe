"""Trictrac as a `Game`: the parts joined."""

from functools import partial
from typing import Any

import numpy as np

from spiel_bot.errors import IllegalActionError, NotationError
from spiel_bot.games.base import Game, GameSpec, State
from spiel_bot.games.trictrac import notation, play_notation
from spiel_bot.games.trictrac.actions import (
    GO_ACTION,
    MAX_LEGAL_ACTIONS,
    NUM_ACTIONS,
    apply_many,
    code_of,
    legal_actions_many,
    lowest_name,
)
from spiel_bot.games.trictrac.dice import NUM_OUTCOMES, NUMBERS, ROLLER, chance_probabilities_many
from spiel_bot.games.trictrac.drawing import draw_board
from spiel_bot.games.trictrac.faults import why_illegal
from spiel_bot.games.trictrac.gains import gains_many
from spiel_bot.games.trictrac.judge import plays
from spiel_bot.games.trictrac.observations.catalogue import DEFAULT, OBSERVATIONS, beginnings
from spiel_bot.games.trictrac.odds import margin_chances_many
from spiel_bot.games.trictrac.options import NO_MARKS, PERSPECTIVES, expect_one_of, starting_state
from spiel_bot.games.trictrac.plays import moves_of_code
from spiel_bot.games.trictrac.position import moved
from spiel_bot.games.trictrac.remarks import remark
from spiel_bot.games.trictrac.returns import (
    hole_leads_many,
    margin_returns_many,
    outcome_returns_many,
)
from spiel_bot.games.trictrac.rules import apply_chance_many, current_player_many
from spiel_bot.games.trictrac.start import draw_name
from spiel_bot.games.trictrac.state import (
    CHECKERS,
    HOLES_OF_A_GAME,
    MAX_PLIES,
    NUM_FIELDS,
    SIDES,
)
from spiel_bot.games.trictrac.svg import board_svg
from spiel_bot.games.trictrac.view import view_of

RETURNS_KERNELS = {"outcome": outcome_returns_many, "margin": margin_returns_many}


def trictrac(
    misery_pile: bool = True,
    first_player: str = "dice",
    max_plies: int = MAX_PLIES,
    observation: str = DEFAULT,
    perspective: str = "mover",
    returns: str = "outcome",
    holes_to_win: int = HOLES_OF_A_GAME,
    start: str = NO_MARKS,
) -> Game:
    """Return the game.

    Args:
        misery_pile: Whether the misery pile counts (R10.22).
        first_player: ``dice`` for the draw of R2.2, or ``white`` or ``black``, who then begins
            with an ordinary roll: only a draw excludes doubles (OP-15).
        max_plies: A game that reaches so many actions and rolls is a draw.
        observation: A layout of `observations/catalogue.py`.
        perspective: ``mover`` shows each player his own side; ``white`` shows both white's side,
            with the mover indicated. Actions are named from the mover's side in either case.
        returns: ``outcome`` for 1, -1 and 0, or ``margin`` for tanh(2 d / holes_to_win), where d
            is the lead in holes, a point being a twelfth of one.
        holes_to_win: The game ends with so many holes (R14.1).
        start: ``none``, ``random``, or the marks to start with, as clauses of the notation such
            as ``holes 11-10; points 4-0``, where a value may be ``random``. Random marks are
            drawn by chance nodes before the first roll (`start.py`).

    Raises:
        GameOptionError: An option has a value that does not exist.
    """
    expect_one_of("observation", observation, OBSERVATIONS)
    expect_one_of("perspective", perspective, PERSPECTIVES)
    expect_one_of("returns", returns, RETURNS_KERNELS)
    layout = OBSERVATIONS[observation]
    return Game(
        spec=GameSpec(
            name="trictrac",
            num_actions=NUM_ACTIONS,
            max_legal_actions=MAX_LEGAL_ACTIONS,
            num_chance_outcomes=NUM_OUTCOMES,
            pivotal_actions=(GO_ACTION,),
            observation_shape=layout.shape,
            observation_range=layout.value_range,
            observation_version=layout.version,
            max_plies=max_plies,
            options={
                "misery_pile": misery_pile,
                "first_player": first_player,
                "max_plies": max_plies,
                "observation": observation,
                "perspective": perspective,
                "returns": returns,
                "holes_to_win": holes_to_win,
                "start": start,
            },
            free_options=("first_player", "max_plies", "start"),
            view_options=("observation", "perspective", "returns"),
            shorter_observations={"observation": beginnings(observation)},
        ),
        initial_state=starting_state(
            first_player=first_player,
            misery_pile=misery_pile,
            max_plies=max_plies,
            holes_to_win=holes_to_win,
            marks=start,
        ),
        current_player_many=current_player_many,
        legal_actions_many=legal_actions_many,
        apply_many=apply_many,
        chance_probabilities_many=chance_probabilities_many,
        apply_chance_many=apply_chance_many,
        observe_many=(
            layout.observe_as_white_many if perspective == "white" else layout.observe_many
        ),
        returns_many=RETURNS_KERNELS[returns],
        gains_many=gains_many,
        win_chances_many=margin_chances_many if returns == "margin" else None,
        to_text=notation.to_text,
        from_text=partial(
            from_text, misery_pile=misery_pile, max_plies=max_plies, holes_to_win=holes_to_win
        ),
        draw=draw,
        action_name=action_name,
        outcome_name=outcome_name,
        canonical_action=lowest_name,
        action_named=action_named,
        remark=remark,
        action_details=action_details,
        leads_many=hole_leads_many,
        svg=svg,
    )


def from_text(text: str, *, misery_pile: bool, max_plies: int, holes_to_win: int) -> State:
    """Read a position of a game with these options; a text that says otherwise is refused.

    Raises:
        NotationError: The text is not a position of this game.
    """
    options = {"misery_pile": misery_pile, "max_plies": max_plies, "holes_to_win": holes_to_win}
    state = notation.from_text(
        text, misery_pile=misery_pile, max_plies=max_plies, holes_to_win=holes_to_win
    )
    for option, wanted in options.items():
        if state[option] != wanted:
            written = bool(state[option]) if option == "misery_pile" else int(state[option])
            raise NotationError(
                f"the game was loaded with {option}={wanted}, the text has {written}; "
                f"load it with {option}={written}"
            )
    return state


def action_named(state: State, text: str) -> int:
    """Return the legal action that a text names, such as ``1>7 1>6``, ``1>7>9`` or ``go``.

    To play after winning a hole is to hold (R13.1); ``hold 8>14 9>14`` may be written there.

    Raises:
        NotationError: The text is not a play.
        IllegalActionError: The play is not legal here; the message names the rule.
    """
    first, _, rest = text.strip().partition(" ")
    holds = first.lower() == play_notation.HOLD
    moves = play_notation.parse_moves(rest) if holds else play_notation.parse_play(text)
    if state["player"] < 0:
        raise IllegalActionError(f"{text} is not possible: nobody is to play")
    if holds and not state["can_go"]:
        raise IllegalActionError("hold is said only after a hole of one's own roll (R13.1)")
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
        return play_notation.GO
    high, low = (int(number) for number in state["dice"])
    code = code_of(state["board"], action, high, low)
    return play_notation.moves_text(moves_of_code(code, high, low))


def action_details(state: State, action: int) -> dict[str, Any]:
    """Return the moves of an action and the board it leads to, from the side of who plays it."""
    if action == GO_ACTION:
        return {"moves": [], "result": [CHECKERS, *[0] * (NUM_FIELDS - 2), -CHECKERS]}
    high, low = (int(number) for number in state["dice"])
    moves = moves_of_code(code_of(state["board"], action, high, low), high, low)
    return {
        "moves": [list(move) for move in moves],
        "result": list(moved(state["board"].tolist(), moves)),
    }


def outcome_name(state: State, outcome: int) -> str:
    """Return the roll, and who begins where it decides that; or the mark that is drawn."""
    if state["draws"]:
        return draw_name(state, outcome)
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
