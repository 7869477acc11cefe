"""Points, holes, bredouille and flag (section 12), and what a game is worth (section 14)."""

from spiel_bot._jit import kernel
from spiel_bot.games.base import BLACK, WHITE, State
from spiel_bot.games.trictrac.state import DEAD, NOBODY

POINTS_OF_A_HOLE = 12  # R12.1


@kernel
def mark(state: State, side: int, gain: int) -> int:
    """Let a side mark the points of one roll, all at once (R12.3); return the holes it wins."""
    if gain == 0:  # R12.10
        return 0
    points = state["points"]
    rest, run, won = tally(int(points[side]), int(state["bredouille"]), side, gain)
    points[side] = rest
    state["bredouille"] = run
    if won > 0:
        points[1 - side] = 0
        move_flag(state, side)
        state["holes"][side] += won
    return won


@kernel
def tally(points: int, run: int, side: int, gain: int) -> tuple[int, int, int]:
    """Return what a score makes of a side's points: its rest, the side in bredouille, the holes.

    Args:
        points: Of that side before.
        run: The side in bredouille before, or NOBODY.
        side: Who scores.
        gain: What it scores, more than zero.
    """
    if points == 0:
        run = side
    elif run == 1 - side:
        run = NOBODY
    twelves = (points + gain) // POINTS_OF_A_HOLE
    rest = (points + gain) % POINTS_OF_A_HOLE
    if twelves == 0:
        return rest, run, 0
    # Only the first hole of a roll can be a simple one.
    won = 2 * twelves if run == side else 2 * twelves - 1
    return rest, side if rest > 0 else NOBODY, won


@kernel
def move_flag(state: State, side: int) -> None:
    """Note in the flag that a side is about to gain holes (R14.4)."""
    if state["flag"] == DEAD:
        return
    if state["holes"][side] == 0:
        state["flag"] = side
    elif state["flag"] == 1 - side:
        state["flag"] = DEAD


@kernel
def has_won(state: State, side: int) -> bool:
    """Return whether a side has the holes of a game (R14.1)."""
    return bool(state["holes"][side] >= state["holes_to_win"])


@kernel
def clear_points(state: State) -> None:
    """Take both sides' points away; holes and flag stay (R13.3)."""
    state["points"][WHITE] = 0
    state["points"][BLACK] = 0
    state["bredouille"] = NOBODY


@kernel
def winner_of(state: State) -> int:
    """Return the side with the holes of a game, NOBODY before the end and in a drawn game.

    Both sides never have them: the first to mark ends the game (R14.1).
    """
    if has_won(state, WHITE):
        return WHITE
    return BLACK if has_won(state, BLACK) else NOBODY


@kernel
def stake(state: State, winner: int) -> int:
    """Return what a won game counts: 2 for a grande bredouille, else 1 (R14.2)."""
    return 2 if state["flag"] == winner and has_won(state, winner) else 1


@kernel
def alternative_stake(state: State, winner: int) -> int:
    """Return what a won game counts by the other convention, 1 to 4 (R14.3)."""
    loser_holes = state["holes"][1 - winner]
    if loser_holes == 0:
        return 4
    if state["flag"] == winner:  # the loser's holes came first: the winner was second
        return 3
    return 2 if 2 * loser_holes < state["holes_to_win"] else 1
