"""The board as plain text for the terminal, the log and golden files.

Only ASCII: a picture that is piped or written to a file must survive any code page.
"""

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac.state import SIDES
from spiel_bot.games.trictrac.view import BoardView

MARKS = "OX"
ROWS = 5
"""Height of a stack; a larger one shows four marks and its count."""


def draw_board(view: BoardView) -> str:
    """Draw a position from white's side, at most 80 columns wide.

    Stacks grow from the rail inwards, O for white and X for black; a stack of more than five
    ends in its count. The field numbers in parentheses are the rest corners.
    """
    top, bottom = range(24, 12, -1), range(1, 13)
    rule = _line(["----"] * 12, "+", "-")
    names = f"|{'small-jan table':^26}|{'big-jan table':^26}|"
    lines = [
        _score(view, BLACK),
        "",
        _line([_label(field) for field in top], " ", " "),
        rule,
        *[_row(view, top, height) for height in range(ROWS)],
        names,
        *[_row(view, bottom, height) for height in reversed(range(ROWS))],
        rule,
        _line([_label(field) for field in bottom], " ", " "),
        "",
        _score(view, WHITE),
    ]
    return "\n".join(line.rstrip() for line in [*lines, *_status(view)])


def _line(cells: list[str], border: str, fill: str) -> str:
    """Return twelve cells of four characters as two tables side by side."""
    tables = ("".join(cells[:6]), "".join(cells[6:]))
    return border + border.join(f"{fill}{table}{fill}" for table in tables) + border


def _label(field: int) -> str:
    return f"({field})" if field in (12, 13) else f"{field:>3} "


def _row(view: BoardView, fields: range, height: int) -> str:
    """Return one row of the stacks, height 0 next to the rail."""
    return _line([_cell(view.board[field - 1], height) for field in fields], "|", " ")


def _cell(signed: int, height: int) -> str:
    count = abs(signed)
    mark = MARKS[WHITE if signed > 0 else BLACK]
    if height == 0 and count == 0:
        mark = "."
    elif height == ROWS - 1 and count > ROWS:
        mark = str(count)
    elif height >= count:
        mark = ""
    return f"{mark:>3} "


def _score(view: BoardView, side: int) -> str:
    """Return the score of one side; its twelve peg holes are filled as they are won."""
    holes, points = view.holes[side], view.points[side]
    pegs = "#" * min(holes, 12) + "." * (12 - min(holes, 12))
    run = "  (bredouille)" if view.run == side else ""
    return f"  {MARKS[side]} {SIDES[side]}   holes [{pegs}] {holes:>2}   points {points:>2}{run}"


def _status(view: BoardView) -> list[str]:
    words = [f"dice {view.dice[0]}-{view.dice[1]}"] if view.dice else []
    words += [view.status] if view.status else []
    note = ["  (black counts from his own side: his 1 is 24 here)"] if view.player == BLACK else []
    return ["", "  " + "   ".join(words), *note] if words else []
