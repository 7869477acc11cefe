"""The board of trictrac in colour, from the side of who plays at the terminal."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from rich.text import Text

from spiel_bot.games.base import WHITE, State
from spiel_bot.games.trictrac.view import BoardView, view_of
from spiel_bot.players.words import Words

ROWS = 5
PEGS = 12
DICE_FACES = "⚀⚁⚂⚃⚄⚅"
WIDTH = 66
"""Signs of the longest line of a board; a narrower terminal needs a narrow one, of 48."""


@dataclass(frozen=True, slots=True)
class Look:
    """Signs and colours of a board."""

    checkers: tuple[str, str]
    peg: str
    hole: str
    point: str
    corners: tuple[str, str, str, str]
    lines: tuple[str, str]
    has_faces: bool
    cell: int = 4
    """Signs that a field is wide."""

    wood: str = ""
    sides: tuple[str, str] = ("", "")
    faint: str = ""
    strong: str = ""
    accent: str = ""
    """For what stands beside the wood, on a light or a dark ground."""


PLAIN = Look(("O", "X"), "#", ".", ".", ("+", "+", "+", "+"), ("-", "|"), False)
COLOURED = Look(
    ("●", "●"),
    "●",
    "·",
    "┊",
    ("╭", "╮", "╰", "╯"),
    ("─", "│"),
    True,
    wood="on rgb(120,82,48)",
    sides=("bold rgb(255,246,225)", "bold rgb(18,14,12)"),
    faint="rgb(196,160,116)",
    strong="bold rgb(255,214,102)",
    accent="bold dark_orange3",
)


def narrow(look: Look) -> Look:
    """Return a look for narrow terminals: thin fields, and holes as a number alone."""
    return replace(look, cell=3)


def draw(
    state: State,
    words: Words,
    look: Look,
    *,
    below: int = WHITE,
    touched: Collection[int] = (),
    human: Collection[int] = (),
) -> Text:
    """Return the board with the score of both sides and the dice.

    Args:
        state: The position.
        words: The language.
        look: Signs and colours.
        below: The side that sits at the lower edge; fields are counted from its talon.
        touched: Fields of the last play, by its count, to be shown.
        human: Sides that a person plays.
    """
    view = view_of(state)
    board = view.board if below == WHITE else tuple(-count for count in reversed(view.board))
    top, bottom = range(24, 12, -1), range(1, 13)
    text = Text()
    text.append_text(_score(view, 1 - below, words, look, human)).append("\n")
    text.append_text(_edge(look, 0)).append("\n")
    text.append_text(_labels(top, look, touched)).append("\n")
    for height in range(ROWS):
        text.append_text(_row(board, top, height, below, look)).append("\n")
    text.append_text(_empty(look)).append("\n")
    for height in reversed(range(ROWS)):
        text.append_text(_row(board, bottom, height, below, look)).append("\n")
    text.append_text(_labels(bottom, look, touched)).append("\n")
    text.append_text(_edge(look, 2)).append("\n")
    text.append_text(_score(view, below, words, look, human))
    if view.dice is not None:
        text.append("\n").append_text(dice_text(view.dice, words, look))
    return text


def dice_text(dice: tuple[int, int], words: Words, look: Look) -> Text:
    """Return the roll as faces, where the terminal has them, and in numbers."""
    faces = " ".join(DICE_FACES[number - 1] for number in dice) + "  " if look.has_faces else ""
    return Text.assemble(f"  {words('dice')}  ", (f"{faces}{dice[0]}-{dice[1]}", look.accent))


def _edge(look: Look, corner: int) -> Text:
    line = look.lines[0] * (6 * look.cell + 2)
    left, right = look.corners[corner], look.corners[corner + 1]
    return Text(f"  {left}{line}{look.lines[0]}{line}{right}", style=look.faint)


def _wrap(cells: list[Text], look: Look) -> Text:
    """Return twelve cells as two tables side by side, on wood."""
    line = Text("  ")
    line.append(look.lines[1], style=look.faint)
    body = Text(style=look.wood)
    for place, cell in enumerate(cells):
        if place == 6:
            body.append(" ").append(look.lines[1], style=look.faint).append(" ")
        elif place == 0:
            body.append(" ")
        body.append_text(cell)
    body.append(" ")
    line.append_text(body)
    line.append(look.lines[1], style=look.faint)
    return line


def _labels(fields: range, look: Look, touched: Collection[int]) -> Text:
    cells = []
    for field in fields:
        is_corner = field in (12, 13) and look.cell > 3
        label = f"({field})" if is_corner else f"{field:>{look.cell - 1}} "
        cells.append(Text(label, style=look.strong if field in touched else look.faint))
    return _wrap(cells, look)


def _empty(look: Look) -> Text:
    return _wrap([Text(" " * look.cell) for _ in range(12)], look)


def _row(board: tuple[int, ...], fields: range, height: int, below: int, look: Look) -> Text:
    return _wrap([_cell(board[field - 1], height, below, look) for field in fields], look)


def _cell(signed: int, height: int, below: int, look: Look) -> Text:
    count = abs(signed)
    side = below if signed > 0 else 1 - below
    if height < count:
        if height == ROWS - 1 and count > ROWS:
            return Text(f"{count:>{look.cell - 1}} ", style=look.sides[side])
        return Text(f"{look.checkers[side]:>{look.cell - 1}} ", style=look.sides[side])
    if height == 0 or look.has_faces:
        return Text(f"{look.point:>{look.cell - 1}} ", style=look.faint)
    return Text(" " * look.cell)


def _score(view: BoardView, side: int, words: Words, look: Look, human: Collection[int]) -> Text:
    """Return one side's name, pegs and points."""
    holes = view.holes[side]
    name = words.side(side) + (f" ({words('you')})" if side in human else "")
    pegs = min(holes, PEGS)
    style = look.sides[side] + " " + look.wood if look.wood else ""
    text = Text("  ")
    text.append(f" {look.checkers[side]} ", style=style.strip())
    is_narrow = look.cell < 4
    text.append(f" {name} " if is_narrow else f" {name:<14}", style="bold")
    text.append(f"{words('holes')}")
    if not is_narrow:
        text.append(" ")
        text.append(look.peg * pegs, style=look.accent)
        text.append(look.hole * (PEGS - pegs), style=look.faint)
    gap = " " if is_narrow else "   "
    text.append(f" {holes:>2}{gap}{words('points')} {view.points[side]:>2}")
    if view.run == side:
        text.append(f"{gap}{words('bredouille')}", style=look.accent)
    return text


def other_side_field(field: int) -> int:
    """Return a field as the other side counts it (R1.4)."""
    return 25 - field
