"""The board as an element of the page."""

from collections.abc import Callable
from typing import Any

from fastapi.responses import JSONResponse
from nicegui import ui
from nicegui.events import GenericEventArguments

from spiel_bot.web.board.look import look
from spiel_bot.web.board.scene import Move, Scene
from spiel_bot.web.board.words import board_words

LOOK = "trictrac_board.json"
SPEEDS = ("off", "normal", "slow")

Handler = Callable[..., Any]


class TrictracBoard(ui.element, component="board.js", esm={"spiel-bot-board": "js"}):
    """A board that shows scenes and tells what people do with its checkers.

    Fields in events are white's, 1 to 24, and 0 is out, as in `Scene`.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        language: str = "en",
        speed: str = "normal",
        on_play: Callable[[list[Move]], Any] | None = None,
        on_refused: Callable[[list[Move]], Any] | None = None,
        on_edit: Callable[[list[int]], Any] | None = None,
        on_press: Callable[[int], Any] | None = None,
    ) -> None:
        """Make it.

        Args:
            scene: What it shows.
            language: Of the labels that a screen reader speaks.
            speed: Of the animation: one of `SPEEDS`.
            on_play: Called with the moves of a legal play once they have all been made.
            on_refused: Called with moves that are no beginning of a legal play; the last one has
                the target -1 if a checker was lifted that cannot move at all.
            on_edit: Called with the board after a checker was dragged, while it is edited.
            on_press: Called with a field that was pressed, while the board is edited.
        """
        super().__init__()
        self._stamp = 0
        self.add_dynamic_resource(LOOK, lambda: JSONResponse(look()))
        self._props["look"] = LOOK
        self.set_language(language)
        self.set_speed(speed)
        self.show(scene)
        self._listen("play", on_play, _moves)
        self._listen("refused", on_refused, _moves)
        self._listen("edit", on_edit, _board)
        self._listen("press", on_press, _field)

    def _listen(
        self, event: str, handler: Handler | None, read: Callable[[Any], Any | None]
    ) -> None:
        if handler is None:
            return

        def called(given: GenericEventArguments) -> Any:
            value = read(given.args)  # from outside: anything may come
            return None if value is None else handler(value)

        self.on(event, called)

    def show(self, scene: Scene) -> None:
        """Show another moment, or the same once more; what has changed moves there."""
        self._stamp += 1
        self._props["scene"] = {**scene.plain(), "stamp": self._stamp}
        self.update()

    def set_language(self, language: str) -> None:
        """Speak another language."""
        self._props["words"] = board_words(language)
        self.update()

    def set_speed(self, speed: str) -> None:
        """Move faster or slower."""
        self._props["speed"] = speed
        self.update()


def _moves(value: Any) -> list[Move] | None:
    """Return moves from the browser, None for what is none."""
    if not isinstance(value, list) or len(value) > 2:
        return None
    for move in value:
        if not isinstance(move, list) or len(move) != 2:
            return None
        if not all(type(field) is int and -1 <= field <= 24 for field in move) or move[0] < 1:
            return None
    return [(move[0], move[1]) for move in value]


def _board(value: Any) -> list[int] | None:
    """Return a board from the browser, None for what is none."""
    if not isinstance(value, list) or len(value) != 24:
        return None
    if not all(type(count) is int and -15 <= count <= 15 for count in value):
        return None
    return value


def _field(value: Any) -> int | None:
    """Return a field from the browser, None for what is none."""
    return value if type(value) is int and 1 <= value <= 24 else None
