"""The card beside the board that says what is to be done now, and has the buttons for it."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from spiel_bot.games.base import State
from spiel_bot.players.telling import go_text, hold_text
from spiel_bot.players.words import Words
from spiel_bot.web.play.words import PlayWords

Answer = Callable[[], Any]


class Asking:
    """One question at a time."""

    def __init__(self, words: Words, texts: PlayWords) -> None:
        self.words = words
        self.texts = texts
        self.card = ui.element("div").classes("sb-ask")
        self.card.props('role="status" aria-live="polite"')

    def _begin(self, asks: str) -> ui.element:
        """Empty the card; what it asks for now can be read from it."""
        self.card.clear()
        self.card.props(f'data-asks="{asks}"')
        return self.card

    def say(self, text: str) -> None:
        """Say who is about to do something."""
        with self._begin("nothing"):
            ui.label(text)

    def play(self, text: str) -> None:
        """Ask for a play, which is made on the board."""
        with self._begin("play"):
            ui.label(text)
            ui.label(self.texts("how_to_move")).classes("sb-quiet text-sm")

    def button(self, text: str, label: str, answer: Answer, icon: str) -> None:
        """Ask for the one thing that can be done."""
        with self._begin("button"):
            ui.label(text)
            button = ui.button(label, on_click=answer, icon=icon).classes("sb-big")
        # By the button's own client: what was clicked to come here may be gone by now.
        button.client.run_javascript(
            "if (window.spielBotKeys && document.activeElement === document.body)"
            f" getHtmlElement({button.id})?.focus()"
        )

    def hold_or_go(self, record: State, hold: Answer, go: Answer) -> None:
        """Ask whether to hold or to go, with what each means here (R13.1)."""
        with self._begin("choice"):
            ui.label(self.texts("hold_title")).classes("sb-title text-lg")
            with ui.element("div").classes("sb-choice"):
                choices = (
                    ("hold", hold_text(record, self.words), hold, "primary"),
                    ("go", go_text(record, self.words), go, "secondary"),
                )
                for key, meaning, answer, color in choices:
                    with ui.element("div"):
                        button = ui.button(self.texts(key), on_click=answer, color=color)
                        button.classes("sb-big").props(f'data-test="{key}"')
                        ui.label(without_name(meaning)).classes("sb-quiet text-sm")

    def over(self, text: str, review: Answer, again: Answer) -> None:
        """Say how the game ended, and what can be done with it."""
        with self._begin("over"):
            ui.label(text).classes("sb-title text-lg")
            with ui.row().classes("gap-2"):
                ui.button(self.texts("review"), on_click=review, icon="insights").props(
                    'data-test="review"'
                )
                ui.button(self.texts("new_game"), on_click=again, icon="add", color="secondary")


def without_name(meaning: str) -> str:
    """Return what a choice means without its name before the colon: the button has it.

    >>> without_name("go: all checkers return")
    'All checkers return'
    """
    _, _, rest = meaning.partition(":")
    rest = rest.strip()
    return rest[:1].upper() + rest[1:]
