"""Tic-tac-toe from the rules alone: a board is a string of nine letters, X moves first."""

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def to_move(board: str) -> str:
    """Return the letter that moves."""
    return "X" if board.count("X") == board.count("O") else "O"


def winner(board: str) -> str:
    """Return X or O where one has three in a row, or nothing."""
    for line in LINES:
        letters = {board[int(cell)] for cell in line}
        if letters in ({"X"}, {"O"}):
            return letters.pop()
    return ""


def moves(board: str) -> list[int]:
    """Return the cells that may be marked."""
    return [] if winner(board) else [cell for cell in range(9) if board[cell] == "."]


def play(board: str, cell: int) -> str:
    """Return the board after the side to move has marked a cell."""
    return board[:cell] + to_move(board) + board[cell + 1 :]
