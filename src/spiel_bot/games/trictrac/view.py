"""What a picture of a trictrac board shows, whatever draws it and wherever it came from."""

from dataclasses import dataclass

from spiel_bot.games.base import BLACK, CHANCE, TERMINAL, WHITE, State
from spiel_bot.games.trictrac.marks import stake, winner_of
from spiel_bot.games.trictrac.state import NOBODY, SIDES


@dataclass(frozen=True, kw_only=True)
class BoardView:
    """One position with its score, always described from white's side."""

    board: tuple[int, ...]
    """Checkers on fields 1..24, field 1 first; positive white, negative black."""

    points: tuple[int, int] = (0, 0)
    """White's and black's points, even, 0 to 10."""

    holes: tuple[int, int] = (0, 0)
    """White's and black's holes; 12 or more end the game."""

    run: int | None = None
    """The side in bredouille, or None."""

    dice: tuple[int, int] | None = None
    """The roll on the board, or None."""

    player: int | None = None
    """Who is to act: 0 white, 1 black, None when the game is over or it is not shown."""

    status: str = ""
    """One short line such as "white to play"."""

    def checkers(self, side: int) -> tuple[int, ...]:
        """Return the number of checkers of one side on each of the fields 1..24."""
        sign = 1 if side == WHITE else -1
        return tuple(max(sign * count, 0) for count in self.board)


def view_of(state: State, dice: tuple[int, int] | None = None) -> BoardView:
    """Return what a picture shows of a state; `dice` to show a roll that is not in it yet."""
    mover, player = int(state["mover"]), int(state["player"])
    board = [int(count) for count in state["board"]]
    run = int(state["bredouille"])
    high, low = (int(number) for number in state["dice"])
    side = SIDES[mover]
    if player == TERMINAL:
        status = _result_text(state)
    elif player == CHANCE and dice is None:
        status = "first roll" if state["opening"] else f"{side} rolls"
        if state["draws"]:
            status = "marks are drawn"
    else:
        status = f"{side} to play or go" if state["can_go"] else f"{side} to play"
    return BoardView(
        board=tuple(board if mover == WHITE else [-count for count in reversed(board)]),
        points=(int(state["points"][WHITE]), int(state["points"][BLACK])),
        holes=(int(state["holes"][WHITE]), int(state["holes"][BLACK])),
        run=None if run < 0 else run,
        dice=dice or ((high, low) if high else None),
        player=None if player == TERMINAL or state["opening"] else mover,
        status=status,
    )


def _result_text(state: State) -> str:
    """Return who has won; a grande bredouille counts double (R14.2)."""
    winner = int(winner_of(state))
    if winner == NOBODY:
        return "drawn"
    return f"{SIDES[winner]} wins" + (" double" if stake(state, winner) == 2 else "")


def score_text(view: BoardView, side: int) -> str:
    """Return the score of one side in words.

    >>> score_text(BoardView(board=(0,) * 24, holes=(1, 0), points=(6, 0), run=0), WHITE)
    'white 1 hole, 6 points (bredouille)'
    """
    holes, points = view.holes[side], view.points[side]
    run = " (bredouille)" if view.run == side else ""
    return f"{SIDES[side]} {holes} hole{'s' * (holes != 1)}, {points} points{run}"


def position_text(view: BoardView) -> str:
    """Return the checkers of both sides in words, fields counted from white's side.

    >>> position_text(BoardView(board=(15, *[0] * 22, -14)))
    'white: 15 on 1; black: 14 on 24'
    """
    sides = []
    for side, name in enumerate(SIDES):
        fields = enumerate(view.checkers(side), start=1)
        stacks = ", ".join(f"{count} on {field}" for field, count in fields if count)
        sides.append(f"{name}: {stacks or 'none'}")
    return "; ".join(sides)
