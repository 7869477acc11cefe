"""A position on the page, whatever the game: trictrac's board, or the drawing in letters."""

from collections.abc import Sequence

from nicegui import ui

from spiel_bot.games.base import Environment
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.web.board.component import TrictracBoard
from spiel_bot.web.board.scene import Glow, Move, Scene
from spiel_bot.web.words.research import ResearchWords

Moves = Sequence[Move]


class PositionBoard:
    """Shows one position after the other."""

    def __init__(self, state: Environment, words: ResearchWords) -> None:
        """Build it where the page is being built."""
        self._words = words
        self._board: TrictracBoard | None = None
        self._drawing: ui.html | None = None
        if state.game.spec.name == TRICTRAC:
            self._board = TrictracBoard(_scene(state), language=words.language)
            self._board.classes("w-full")
        else:
            self._drawing = ui.html("", sanitize=False).classes("w-full rs-small")
            self.show(state)

    def show(
        self,
        state: Environment,
        *,
        came_by: Moves = (),
        trail: Moves = (),
        glows: Sequence[Glow] = (),
        advice: Moves = (),
        roll_number: int = 0,
    ) -> None:
        """Show a position.

        Args:
            state: The position.
            came_by: Moves that led here from what is shown now; they are animated.
            trail: Moves to leave marked.
            glows: Jans to light up.
            advice: Moves to draw as arrows.
            roll_number: Another number than before makes the dice tumble.
        """
        if self._board is not None:
            self._board.show(
                _scene(
                    state,
                    came_by=came_by,
                    trail=trail,
                    glows=glows,
                    advice=advice,
                    roll_number=roll_number,
                )
            )
        elif self._drawing is not None:
            self._drawing.set_content(state._repr_svg_())


def _scene(state: Environment, **changes: object) -> Scene:
    return Scene(view=view_of(state.record), **changes)  # type: ignore[arg-type]
