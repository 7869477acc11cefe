"""The form that begins a game: side, opponent, level, length."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.players.default import BOT, FULL_LEVEL, HUMAN
from spiel_bot.web.play.words import PlayWords

OPPONENTS = ("expert", "greedy", "random", HUMAN)
"""Beside the bot, if there is one."""

STARTS = {
    12: "",
    6: "white 1*15, black 1*15; first roll; holes 6-6; flag lost",
    3: "white 1*15, black 1*15; first roll; holes 9-9; flag lost",
    1: "white 1*15, black 1*15; first roll; holes 11-11; flag lost",
}
"""First position by how many holes are still to be won.

A short game begins with equal holes rather than ending early: so the trained player, who knows
games of twelve holes, can play it.
"""


@dataclass(slots=True)
class Choice:
    """What a visitor has chosen."""

    side: int = WHITE
    against: str = BOT
    level: int = FULL_LEVEL
    length: int = 12
    position: str = ""
    """First position, in place of the one that the length gives."""

    @property
    def humans(self) -> tuple[int, ...]:
        """Sides that people play."""
        return (WHITE, BLACK) if self.against == HUMAN else (self.side,)

    @property
    def start(self) -> str:
        """First position in the game's notation; empty for the usual one."""
        return self.position or STARTS[self.length]


def build_form(
    choice: Choice, texts: PlayWords, default: str, on_begin: Callable[[Choice], Any]
) -> None:
    """Build the form.

    Args:
        choice: Filled in as the visitor chooses.
        texts: The language.
        default: The opponent at the top: the best one at hand.
        on_begin: Called with the choice.
    """
    opponents = list(dict.fromkeys((default, *OPPONENTS)))
    choice.against = default
    with ui.element("div").classes("sb-form"):
        ui.select(
            {name: texts(name) for name in opponents}, label=texts("opponent"), value=default
        ).bind_value(choice, "against").props('outlined data-test="opponent"')
        ui.select(
            {level: texts(f"level_{level}") for level in range(1, FULL_LEVEL + 1)},
            label=texts("level"),
            value=choice.level,
        ).bind_value(choice, "level").props('outlined data-test="level"').bind_visibility_from(
            choice, "against", lambda against: against not in (HUMAN, "random")
        )
        ui.select(
            {WHITE: texts("side_white"), BLACK: texts("side_black")},
            label=texts("side"),
            value=choice.side,
        ).bind_value(choice, "side").props('outlined data-test="side"').bind_visibility_from(
            choice, "against", lambda against: against != HUMAN
        )
        if choice.position:
            ui.label(texts("from_position", position=choice.position)).classes("sb-quiet")
        else:
            ui.select(
                {length: texts(f"length_{length}") for length in STARTS},
                label=texts("length"),
                value=choice.length,
            ).bind_value(choice, "length").props('outlined data-test="length"')
        ui.button(texts("begin"), on_click=lambda: on_begin(choice), icon="play_arrow").classes(
            "sb-big"
        ).props('data-test="begin"')
