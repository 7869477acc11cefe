"""A position that is being set up: any board, which need not be possible yet."""

from dataclasses import dataclass, field, replace

from spiel_bot.games.base import BLACK, WHITE, State
from spiel_bot.games.trictrac.notation import board_text, from_text, seen_by_white
from spiel_bot.games.trictrac.state import CHECKERS, NOBODY, SIDES
from spiel_bot.games.trictrac.view import BoardView

START = (CHECKERS, *[0] * 22, -CHECKERS)
EMPTY = (0,) * 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A position with a roll, always seen from white's side."""

    board: tuple[int, ...] = field(default=START)
    """Checkers on white's fields 1 to 24: positive white, negative black."""

    mover: int = WHITE
    """Who rolls."""

    points: tuple[int, int] = (0, 0)
    holes: tuple[int, int] = (0, 0)

    run: int | None = None
    """The side in bredouille where both have points; else it follows."""

    rolls: int = 0
    """Rolls of the mover since the setting, before this one: six tables need it (R10.13)."""

    dice: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """The position before the roll, in one line."""
        counts = [0, 0]
        counts[self.mover] = self.rolls
        clauses = [
            board_text(list(self.board)),
            f"{SIDES[self.mover]} rolls",
            "points {}-{}".format(*self.points),
            "holes {}-{}".format(*self.holes),
        ]
        if all(self.points) and self.run is not None:
            clauses.append(f"run {SIDES[self.run]}")
        if self.rolls:
            clauses.append("rolls {}-{}".format(*counts))
        return "; ".join(clauses)

    @property
    def roll(self) -> str:
        """The dice as text, such as ``6-5``; empty without."""
        return "{}-{}".format(*self.dice) if self.dice else ""

    @property
    def view(self) -> BoardView:
        """What the board shows."""
        return BoardView(
            board=self.board,
            points=self.points,
            holes=self.holes,
            run=self.run,
            dice=self.dice,
            player=self.mover,
        )

    def count(self, side: int) -> int:
        """Return how many checkers of a side are on the board."""
        sign = 1 if side == WHITE else -1
        return sum(max(sign * count, 0) for count in self.board)

    def put(self, field_number: int, side: int) -> "Draft":
        """Return it with one more checker of a side on a field.

        One that another side holds is taken over; a side with fifteen has no more.
        """
        if self.count(side) >= CHECKERS:
            return self
        sign = 1 if side == WHITE else -1
        board = list(self.board)
        board[field_number - 1] = sign * max(sign * board[field_number - 1], 0) + sign
        return replace(self, board=tuple(board))

    def take(self, field_number: int) -> "Draft":
        """Return it with one checker less on a field."""
        board = list(self.board)
        count = board[field_number - 1]
        board[field_number - 1] -= (count > 0) - (count < 0)
        return replace(self, board=tuple(board))


def draft_of(text: str, dice: tuple[int, int] | None = None) -> Draft:
    """Return the draft of a position's line.

    Raises:
        NotationError: The text is no position.
    """
    state: State = from_text(text)
    mover = int(state["mover"])
    high, low = (int(number) for number in state["dice"])
    run = int(state["bredouille"])
    return Draft(
        board=tuple(seen_by_white(state)),
        mover=mover,
        points=(int(state["points"][WHITE]), int(state["points"][BLACK])),
        holes=(int(state["holes"][WHITE]), int(state["holes"][BLACK])),
        run=None if run == NOBODY else run,
        rolls=max(int(state["roll_counts"][mover]) - (1 if high else 0), 0),
        dice=(high, low) if high else dice,
    )
