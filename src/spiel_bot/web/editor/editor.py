"""The editor: a board on which checkers are put by hand, with marks, roller and dice beside it.

Any page may have one: `PositionEditor(language, on_change=...)` builds it where the page stands,
and `editor.draft` is what was set up.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nicegui import ui

from spiel_bot.errors import NotationError
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.web.board.component import TrictracBoard
from spiel_bot.web.board.scene import Glow, Move, Scene
from spiel_bot.web.editor.draft import EMPTY, START, Draft, draft_of
from spiel_bot.web.editor.words import EditorWords

TAKE = "take"
NOBODY = "nobody"
BRUSHES = {"white": WHITE, "black": BLACK}


class PositionEditor:
    """A board to set up, and its controls."""

    def __init__(
        self,
        language: str,
        *,
        draft: Draft | None = None,
        on_change: Callable[[Draft], Any] | None = None,
        speed: str = "normal",
    ) -> None:
        """Build it.

        Args:
            language: Of the visitor.
            draft: What stands there at first; the starting position if none.
            on_change: Called with the draft whenever it has changed.
            speed: Of the animation.
        """
        self.texts = EditorWords(language)
        self.draft = draft or Draft()
        self.brush = "white"
        self._on_change = on_change
        self._is_filling = False
        with ui.element("div").classes("sb-editor"):
            self.board = TrictracBoard(
                self._scene(),
                language=language,
                speed=speed,
                on_press=self._pressed,
                on_edit=lambda board: self.change(replace(self.draft, board=tuple(board))),
            )
            self._trouble = ui.label().classes("sb-alert").props('role="alert"')
            with ui.element("div").classes("sb-card sb-editor-tools"):
                self._build_brush()
                self._build_roll()
                with ui.expansion(self.texts("more")).classes("w-full"):
                    self._build_marks()
                    self._build_text()
        self._fill()

    def _scene(self, glows: list[Glow] | None = None, advice: list[Move] | None = None) -> Scene:
        return Scene(
            view=self.draft.view,
            below=self.draft.mover,
            glows=glows or [],
            advice=advice or [],
            is_edited=True,
        )

    def light(self, glows: list[Glow], advice: list[Move] | None = None) -> None:
        """Light up jans, and draw a play as arrows."""
        self.board.show(self._scene(glows, advice))

    def change(self, draft: Draft) -> None:
        """Set up something else."""
        self.draft = draft
        self.board.show(self._scene())
        self._fill()
        if self._on_change is not None:
            self._on_change(draft)

    def complain(self, text: str) -> None:
        """Say what is wrong with the position; an empty text takes it back."""
        self._trouble.set_text(text)

    def _pressed(self, field: int) -> None:
        if self.brush == TAKE:
            self.change(self.draft.take(field))
            return
        side = BRUSHES[self.brush]
        draft = self.draft.put(field, side)
        if draft == self.draft:
            self.complain(self.texts("full", who=self.texts.side(side).lower()))
        else:
            self.change(draft)

    def _build_brush(self) -> None:
        texts = self.texts
        with ui.element("div").classes("sb-editor-row"):
            ui.label(texts("brush"))
            ui.toggle(
                {key: texts(f"brush_{key}") for key in ("white", "black", TAKE)},
                value=self.brush,
                on_change=lambda event: setattr(self, "brush", event.value),
            ).props('no-caps data-test="brush"')
        with ui.element("div").classes("sb-editor-row"):
            _plain(texts("start"), lambda: self._set_board(START), "start")
            _plain(texts("clear"), lambda: self._set_board(EMPTY), "clear")
        ui.label(texts("brush_help")).classes("sb-quiet text-sm")
        self._count = ui.label().classes("sb-quiet text-sm")

    def _set_board(self, board: tuple[int, ...]) -> None:
        self.change(replace(self.draft, board=board))

    def _build_roll(self) -> None:
        texts = self.texts
        with ui.element("div").classes("sb-editor-row"):
            ui.label(texts("mover"))
            self._mover = ui.toggle(
                {WHITE: texts("white"), BLACK: texts("black")},
                on_change=lambda event: self._set(mover=event.value),
            ).props(f'no-caps data-test="mover" aria-label="{texts("mover")}"')
        with ui.element("div").classes("sb-editor-row"):
            ui.label(texts("dice"))
            faces = {face: str(face) for face in range(1, 7)}
            self._dice = [
                ui.toggle(faces, clearable=True, on_change=self._set_dice).props(
                    f'data-test="die-{number}" aria-label="{texts(key)}"'
                )
                for number, key in ((1, "first_die"), (2, "second_die"))
            ]

    def _build_marks(self) -> None:
        texts = self.texts
        points = {number: str(number) for number in range(0, 12, 2)}
        holes = {number: str(number) for number in range(12)}
        self._points, self._holes = [], []
        with ui.element("div").classes("sb-editor-marks"):
            for side in (WHITE, BLACK):
                who = texts.side(side)
                self._points.append(
                    self._select(points, texts("points_of", who=who), self._set_points)
                )
                self._holes.append(self._select(holes, texts("holes_of", who=who), self._set_holes))
            runs = {NOBODY: texts("nobody"), WHITE: texts("white"), BLACK: texts("black")}
            self._run = self._select(runs, texts("run"), self._set_run)
            rolls = {number: str(number) for number in range(10)}
            self._rolls = self._select(
                rolls, texts("rolls"), lambda: self._set(rolls=self._rolls.value)
            )

    def _select(
        self, options: dict[Any, str], label: str, on_change: Callable[[], None]
    ) -> ui.select:
        return ui.select(options, label=label, on_change=lambda _: on_change()).props(
            "outlined dense"
        )

    def _build_text(self) -> None:
        texts = self.texts
        self._text = ui.input(texts("text")).classes("w-full")
        self._text.props(f'outlined hint="{texts("text_help")}" data-test="position"')
        self._text.on("change", self._read_text)
        self._text.on("keydown.enter", self._read_text)

    def _read_text(self) -> None:
        try:
            draft = draft_of(self._text.value or "", self.draft.dice)
        except NotationError as error:
            self.complain(str(error))
            return
        if draft != self.draft:
            self.change(draft)

    def _set(self, **changes: Any) -> None:
        if not self._is_filling:
            self.change(replace(self.draft, **changes))

    def _set_dice(self) -> None:
        one, two = (die.value for die in self._dice)
        self._set(dice=(max(one, two), min(one, two)) if one and two else None)

    def _set_points(self) -> None:
        one, two = (select.value for select in self._points)
        self._set(points=(one, two))

    def _set_holes(self) -> None:
        one, two = (select.value for select in self._holes)
        self._set(holes=(one, two))

    def _set_run(self) -> None:
        self._set(run=None if self._run.value == NOBODY else self._run.value)

    def _fill(self) -> None:
        """Bring the controls up to date."""
        draft = self.draft
        self._is_filling = True
        try:
            self._mover.value = draft.mover
            if draft.dice is not None:
                shown = [die.value for die in self._dice]
                if sorted(shown, key=str) != sorted(draft.dice, key=str):
                    for die, face in zip(self._dice, draft.dice, strict=True):
                        die.value = face
            for side in (WHITE, BLACK):
                self._points[side].value = draft.points[side]
                self._holes[side].value = min(draft.holes[side], 11)
            self._run.value = NOBODY if draft.run is None else draft.run
            self._rolls.value = min(draft.rolls, 9)
            self._text.value = draft.text
        finally:
            self._is_filling = False
        counts = self.texts("count", white=draft.count(WHITE), black=draft.count(BLACK))
        self._count.set_text(counts)
        self.complain("")


def _plain(label: str, action: Callable[[], None], name: str) -> None:
    button = ui.button(label, on_click=action, color="secondary")
    button.props(f'outline dense no-caps data-test="{name}"')
