"""Random marks at the start of a game: drawn by chance nodes before the first roll.

So a random start follows from the dice of the game, as a roll does, and a search or a saved game
needs nothing new. `draws` of a state holds one bit for each mark still to be drawn; the lowest is
drawn next, all its possible values are equally likely, and what has one possible value only is set
without a draw.
"""

from spiel_bot._jit import kernel
from spiel_bot.games.base import BLACK, WHITE, State
from spiel_bot.games.trictrac.state import DEAD, HOLES_OF_A_GAME, NOBODY

WHITE_HOLES = 1 << 0
BLACK_HOLES = 1 << 1
FLAG = 1 << 2
WHITE_POINTS = 1 << 3
BLACK_POINTS = 1 << 4
RUN = 1 << 5

HOLES = WHITE_HOLES | BLACK_HOLES
POINTS = WHITE_POINTS | BLACK_POINTS

NAMES = {
    "white-holes": WHITE_HOLES,
    "black-holes": BLACK_HOLES,
    "flag": FLAG,
    "white-points": WHITE_POINTS,
    "black-points": BLACK_POINTS,
    "run": RUN,
}
"""The bits as the notation names them, in the order of the draws."""

NUM_POINTS = 6  # 0, 2, ... 10: points are even
MOST_CHOICES = HOLES_OF_A_GAME
"""Most values a mark may have."""


@kernel
def next_draw(state: State) -> int:
    """Return the bit of the mark to be drawn next."""
    draws = int(state["draws"])
    return draws & -draws


@kernel
def num_choices(state: State) -> int:
    """Return how many values the mark to be drawn next may have."""
    mark = next_draw(state)
    if mark & HOLES:
        return int(state["holes_to_win"])
    if mark & POINTS:
        return NUM_POINTS
    if mark == FLAG:
        holes = state["holes"]
        if holes[WHITE] == 0 or holes[BLACK] == 0:
            return 1
        # R14.4: the flag is lost when the side that was first scores again, so not at one each.
        return 2 if holes[WHITE] == 1 and holes[BLACK] == 1 else 3
    points = state["points"]
    return 1 if points[WHITE] == 0 or points[BLACK] == 0 else 3


@kernel
def draw_mark(state: State, outcome: int) -> None:
    """Set the mark that is drawn next, and those that follow from it, in place."""
    set_mark(state, outcome)
    settle(state)


@kernel
def settle(state: State) -> None:
    """Set marks to be drawn that have one possible value only, until there is a choice."""
    while state["draws"] != 0 and num_choices(state) == 1:
        set_mark(state, 0)


@kernel
def set_mark(state: State, outcome: int) -> None:
    """Set the mark that is drawn next."""
    mark = next_draw(state)
    if mark & HOLES:
        state["holes"][WHITE if mark == WHITE_HOLES else BLACK] = outcome
    elif mark & POINTS:
        state["points"][WHITE if mark == WHITE_POINTS else BLACK] = 2 * outcome
    elif mark == FLAG:
        state["flag"] = flag_of(state, outcome)
    else:
        state["bredouille"] = run_of(state, outcome)
    state["draws"] = int(state["draws"]) - mark


@kernel
def flag_of(state: State, outcome: int) -> int:
    """Return the flag of an outcome: of the one side with holes, or white's, black's, lost."""
    holes = state["holes"]
    if holes[WHITE] > 0 and holes[BLACK] > 0:
        return outcome if outcome < 2 else DEAD
    return leader(int(holes[WHITE]), int(holes[BLACK]))


@kernel
def run_of(state: State, outcome: int) -> int:
    """Return the side in bredouille: the one side with points, or nobody, white, black."""
    points = state["points"]
    if points[WHITE] > 0 and points[BLACK] > 0:
        return outcome - 1
    return leader(int(points[WHITE]), int(points[BLACK]))


@kernel
def leader(white: int, black: int) -> int:
    """Return the one side that has something, NOBODY if neither has."""
    if white > 0:
        return WHITE
    return BLACK if black > 0 else NOBODY


def draw_name(state: State, outcome: int) -> str:
    """Return an outcome of the next draw in words."""
    mark = next_draw(state)
    if mark & HOLES:
        side = "white" if mark == WHITE_HOLES else "black"
        return f"{side} starts with {outcome} hole{'s' * (outcome != 1)}"
    if mark & POINTS:
        side = "white" if mark == WHITE_POINTS else "black"
        return f"{side} starts with {2 * outcome} points"
    if mark == FLAG:
        names = {WHITE: "white has the flag", BLACK: "black has the flag"}
        return names.get(int(flag_of(state, outcome)), "the flag is lost")
    names = {WHITE: "white is in bredouille", BLACK: "black is in bredouille"}
    return names.get(int(run_of(state, outcome)), "nobody is in bredouille")
