"""What the board shows at one moment, as plain values for the browser.

Fields are white's, 1 to 24, whoever sits below; 0 is outside the board.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from spiel_bot.games.base import BLACK, WHITE, State
from spiel_bot.games.trictrac.arrows import move_arrows
from spiel_bot.games.trictrac.geometry import Layout
from spiel_bot.games.trictrac.jan_fields import jan_fields
from spiel_bot.games.trictrac.judge import JanScore
from spiel_bot.games.trictrac.play_notation import Moves
from spiel_bot.games.trictrac.view import BoardView, view_of
from spiel_bot.games.trictrac.ways import ways

Move = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Glow:
    """The fields of a jan that scored."""

    fields: list[int]

    for_mover: bool
    """Whether the side that rolled marks it; else its opponent does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One moment of the board."""

    view: BoardView

    below: int = WHITE
    """The side that sits at the lower edge."""

    mover: int | None = None
    """Whose checkers may be moved by hand; None if nobody's."""

    plays: Sequence[Moves] = ()
    """The ways of moving that are legal, step by step."""

    came_by: Sequence[Move] = ()
    """The moves that led here from the scene before: they are animated one by one."""

    trail: Sequence[Move] = ()
    """Moves to leave marked: the last play."""

    glows: Sequence[Glow] = ()
    """Jans to light up."""

    advice: Sequence[Move] = ()
    """Moves to draw as arrows."""

    roll_number: int = 0
    """Another number makes the dice tumble."""

    is_edited: bool = False
    """Whether checkers may be put anywhere."""

    def plain(self) -> dict[str, Any]:
        """Return it for JSON."""
        layout = Layout(self.below == BLACK)
        view = self.view
        return {
            "board": list(view.board),
            "points": list(view.points),
            "holes": list(view.holes),
            "run": view.run,
            "dice": list(view.dice) if view.dice else None,
            "roller": WHITE if view.player is None else view.player,
            "below": self.below,
            "mover": self.mover,
            "plays": [[list(move) for move in play] for play in self.plays],
            "came_by": [list(move) for move in self.came_by],
            "trail": [list(move) for move in self.trail],
            "glows": [asdict(glow) for glow in self.glows],
            "advice": move_arrows(view, layout, self.advice) if self.advice else "",
            "roll_number": self.roll_number,
            "edited": self.is_edited,
        }


def turned(field: int, side: int) -> int:
    """Return a side's own field number as white's, or white's as that side's; 0 stays."""
    return field if side == WHITE or field == 0 else 25 - field


def seen_by_white(moves: Iterable[Sequence[int]], side: int) -> list[Move]:
    """Return the moves of a side in white's field numbers, or white's in that side's."""
    return [(turned(source, side), turned(target, side)) for source, target in moves]


def legal_plays(state: State) -> list[Moves]:
    """Return the ways in which the roll of a position may be played, in white's numbers."""
    side = int(state["mover"])
    found = ways(state["board"].tolist(), state["dice"].tolist())
    return [tuple(seen_by_white(moves, side)) for moves in found]


def glows_of(jans: Iterable[JanScore], roller: int) -> list[Glow]:
    """Return the fields of the jans of a roll."""
    return [
        Glow(
            fields=[turned(field, roller) for field in jan_fields(jan)],
            for_mover=jan.beneficiary == "mover",
        )
        for jan in jans
        if jan_fields(jan)
    ]


def scene_of(state: State, *, below: int = WHITE, dice: tuple[int, int] | None = None) -> Scene:
    """Return a position to look at, where nothing can be moved."""
    return Scene(view=view_of(state, dice), below=below)
