"""What the board shows of a table: the position, the last roll with its jans, the last play."""

from dataclasses import replace

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.web.board.scene import Move, Scene, glows_of, legal_plays, seen_by_white
from spiel_bot.web.happenings import Happening
from spiel_bot.web.tables import Table


def scene_of_table(
    table: Table, *, below: int, can_move: bool = False, is_new: bool = False
) -> Scene:
    """Return the scene of a table.

    Args:
        table: The game.
        below: The side at the lower edge.
        can_move: Whether the person who is to act may move checkers now.
        is_new: Whether the last happening is to be animated.
    """
    record = table.state.record
    view = view_of(record)
    last = table.happenings[-1] if table.happenings else None
    roll = next((one for one in reversed(table.happenings) if one.dice is not None), None)
    if view.dice is None and roll is not None and last is not None:
        # The dice lie there until the next roll.
        view = replace(view, dice=roll.dice, player=roll.side)
    moves = moves_of(last)
    return Scene(
        view=view,
        below=below,
        mover=table.state.current_player if can_move else None,
        plays=legal_plays(record) if can_move else (),
        came_by=moves if is_new else (),
        trail=() if last is None or last.is_go or is_reset(table, last) else moves,
        glows=glows_of(last.jans, last.side or WHITE) if last is not None and last.is_roll else (),
        roll_number=0 if roll is None else roll.number + 1,
    )


def moves_of(happening: Happening | None) -> list[Move]:
    """Return the moves of a play in white's numbers; none for a roll."""
    if happening is None or happening.is_roll or happening.side is None:
        return []
    return seen_by_white(happening.moves, happening.side)


def is_reset(table: Table, last: Happening) -> bool:
    """Tell whether a play has ended a setting, so that its checkers are back on the talon."""
    board = view_of(table.state.record).board
    return not last.is_roll and abs(board[0]) == abs(board[-1]) == 15


def side_below(table: Table) -> int:
    """Return who sits at the lower edge: the person, or the one of two whose turn it is."""
    if len(table.humans) == 1:
        return table.humans[0]
    if not table.happenings:
        return WHITE
    side = table.roller if table.waits_for_roll else table.state.current_player
    return side if side in (WHITE, BLACK) else WHITE
