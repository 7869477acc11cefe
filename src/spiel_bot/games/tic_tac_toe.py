"""Tic-tac-toe: the smallest game, whole in one file. Copy this one to make your own.

The nine cells are numbered from the top left, row by row; action n marks cell n.
"""

import re

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.errors import NotationError
from spiel_bot.games.base import (
    NO_ACTION,
    TERMINAL,
    WHITE,
    Actions,
    Floats,
    Game,
    GameSpec,
    Players,
    State,
    States,
)

EMPTY = -1
NOBODY = -1
STATE = np.dtype(
    [
        ("cells", np.int8, (9,)),  # EMPTY, or the player whose mark it holds
        ("player", np.int8),  # who acts, or TERMINAL
        ("winner", np.int8),  # a player, or NOBODY
    ]
)
LINES = np.array(
    [
        [0, 1, 2], [3, 4, 5], [6, 7, 8],
        [0, 3, 6], [1, 4, 7], [2, 5, 8],
        [0, 4, 8], [2, 4, 6],
    ]
)  # fmt: skip
MARKS = "XO"
PATTERN = re.compile(r"([XO.]{3})/([XO.]{3})/([XO.]{3})(?: ([XO-]))?")


def tic_tac_toe() -> Game:
    """Return the game."""
    return Game(
        spec=GameSpec(
            name="tic_tac_toe",
            num_actions=9,
            max_legal_actions=9,
            observation_shape=(3, 3, 3),
            max_plies=9,
        ),
        initial_state=_position([EMPTY] * 9, WHITE),
        current_player_many=current_player_many,
        legal_actions_many=legal_actions_many,
        apply_many=apply_many,
        observe_many=observe_many,
        returns_many=returns_many,
        to_text=to_text,
        from_text=from_text,
        draw=draw,
        action_name=action_name,
    )


@kernel
def current_player_many(states: States, out: Players) -> None:
    """Write who acts in each position."""
    for b in range(states.shape[0]):
        out[b] = states[b]["player"]


@kernel
def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
    """Write the empty cells of each position that is not over."""
    for b in range(states.shape[0]):
        count = 0
        if states[b]["player"] != TERMINAL:
            cells = states[b]["cells"]
            for cell in range(9):
                if cells[cell] == EMPTY:
                    out[b, count] = cell
                    count += 1
        out_counts[b] = count


@kernel
def apply_many(states: States, actions: Actions) -> None:
    """Mark one cell in each position; three in a row or a full board end the game."""
    for b in range(states.shape[0]):
        if actions[b] == NO_ACTION:
            continue
        state = states[b]
        player = state["player"]
        cells = state["cells"]
        cells[actions[b]] = player
        if has_line(cells, player):
            state["winner"] = player
            state["player"] = TERMINAL
        elif is_full(cells):
            state["player"] = TERMINAL
        else:
            state["player"] = 1 - player


@kernel
def observe_many(states: States, players: Players, out: Floats) -> None:
    """Write three planes of nine cells: own marks, the other's marks, all one if I act."""
    for b in range(states.shape[0]):
        cells = states[b]["cells"]
        acts = states[b]["player"] == players[b]
        for cell in range(9):
            out[b, cell] = 1.0 if cells[cell] == players[b] else 0.0
            out[b, 9 + cell] = 1.0 if cells[cell] == 1 - players[b] else 0.0
            out[b, 18 + cell] = 1.0 if acts else 0.0


@kernel
def returns_many(states: States, out: Floats) -> None:
    """Write +1 for the winner and -1 for the loser; zero for a draw or before the end."""
    for b in range(states.shape[0]):
        winner = states[b]["winner"]
        for player in range(2):
            if winner == NOBODY:
                out[b, player] = 0.0
            else:
                out[b, player] = 1.0 if winner == player else -1.0


@kernel
def has_line(cells: Players, player: int) -> bool:
    """Tell whether a player holds three cells in a row."""
    for line in range(LINES.shape[0]):
        if (
            cells[LINES[line, 0]] == player
            and cells[LINES[line, 1]] == player
            and cells[LINES[line, 2]] == player
        ):
            return True
    return False


@kernel
def is_full(cells: Players) -> bool:
    """Tell whether no cell is empty."""
    for cell in range(9):
        if cells[cell] == EMPTY:
            return False
    return True


def to_text(state: State) -> str:
    """Return the rows and who acts, such as ``X.O/.X./... O``."""
    letters = "".join("." if cell == EMPTY else MARKS[cell] for cell in state["cells"])
    acts = "-" if state["player"] == TERMINAL else MARKS[state["player"]]
    return f"{letters[:3]}/{letters[3:6]}/{letters[6:]} {acts}"


def from_text(text: str) -> State:
    """Read a position that `to_text` wrote.

    Raises:
        NotationError: The text is not three rows, or such a position cannot arise.
    """
    match = PATTERN.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"expected three rows such as 'X.O/.X./... O', got {text!r}")
    letters = match[1] + match[2] + match[3]
    num_white, num_black = letters.count("X"), letters.count("O")
    if num_white - num_black not in (0, 1):
        raise NotationError(f"{num_white} X and {num_black} O cannot stand together in {text!r}")
    mover = num_white - num_black
    cells = [EMPTY if letter == "." else MARKS.index(letter) for letter in letters]
    state = _position(cells, mover)
    if has_line(state["cells"], mover):
        raise NotationError(f"the game was over before the last move in {text!r}")
    acts = to_text(state)[-1]
    if match[4] not in (None, acts):
        raise NotationError(f"expected {acts!r} to act, got {match[4]!r} in {text!r}")
    return state


def draw(state: State) -> str:
    """Return the board with a number in each empty cell."""
    names = [str(i) if cell == EMPTY else MARKS[cell] for i, cell in enumerate(state["cells"])]
    rows = [" " + " | ".join(names[row : row + 3]) for row in (0, 3, 6)]
    return "\n---+---+---\n".join(rows)


def action_name(state: State, action: int) -> str:
    """Return mark, row and column, such as ``X to row 2, column 1``."""
    return f"{MARKS[state['player']]} to row {action // 3 + 1}, column {action % 3 + 1}"


def _position(cells: list[int], player: int) -> State:
    state: State = np.zeros(1, STATE)[0]
    state["cells"] = cells
    lines = [side for side in (0, 1) if has_line(state["cells"], side)]
    state["winner"] = lines[0] if lines else NOBODY
    state["player"] = TERMINAL if lines or is_full(state["cells"]) else player
    return state
