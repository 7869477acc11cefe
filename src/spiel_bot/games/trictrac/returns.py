"""What a finished game is worth to each side: the outcome alone, or how far it was won."""

import math

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import TERMINAL, Floats, State, States
from spiel_bot.games.trictrac.marks import POINTS_OF_A_HOLE, winner_of
from spiel_bot.games.trictrac.state import NOBODY

STEEPNESS = 2.0
"""A margin of all the holes of a game is worth tanh(2) = 0.96, of one hole of twelve 0.17."""


@kernel
def outcome_returns_many(states: States, out: Floats) -> None:
    """Write +1 for the winner and -1 for the loser; zero for a draw and before the end."""
    for b in range(states.shape[0]):
        out[b, 0] = 0.0
        out[b, 1] = 0.0
        if states[b]["player"] == TERMINAL:
            winner = winner_of(states[b])
            if winner != NOBODY:
                out[b, winner] = 1.0
                out[b, 1 - winner] = -1.0


@kernel
def margin_returns_many(states: States, out: Floats) -> None:
    """Write the margin of white and the same of black with the other sign; zero before the end."""
    for b in range(states.shape[0]):
        out[b, 0] = 0.0
        out[b, 1] = 0.0
        if states[b]["player"] == TERMINAL:
            value = margin(states[b])
            out[b, 0] = value
            out[b, 1] = -value


@kernel
def hole_leads_many(states: States, out: Floats) -> None:
    """Write white's lead in holes; those beyond the end of the game do not count (R12.8)."""
    for b in range(states.shape[0]):
        most = int(np.int64(states[b]["holes_to_win"]))
        white = min(int(np.int64(states[b]["holes"][0])), most)
        black = min(int(np.int64(states[b]["holes"][1])), most)
        out[b] = white - black


@kernel
def margin(state: State) -> float:
    """Return white's margin, from -1 to 1: tanh(2 d / n).

    d is white's holes less black's, a point being a twelfth of a hole, and n the holes of a game.
    The winner's margin is positive: his last hole took the loser's points. A game that ends at
    its last ply, a draw by its outcome, has the margin of its marks.
    """
    holes = state["holes"]
    points = state["points"]
    lead = POINTS_OF_A_HOLE * (int(holes[0]) - int(holes[1])) + int(points[0]) - int(points[1])
    return math.tanh(STEEPNESS * lead / (POINTS_OF_A_HOLE * int(state["holes_to_win"])))
