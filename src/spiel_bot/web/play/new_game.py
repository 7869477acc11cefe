"""The form that begins a game: side, opponent, level, length."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.players.default import FULL_LEVEL, HUMAN
from spiel_bot.web.play.words import PlayWords

OPPONENTS = ("expert", "greedy", "random", HUMAN)
"""Beside the bot, if there is one."""

WHOLE = 12
STARTS = {
    WHOLE: "",
    6: "white 1*15, black 1*15; first roll; holes 6-6; flag lost",
    3: "white 1*15, black 1*15; first roll; holes 9-9; flag lost",
    1: "white 1*15, black 1*15; first roll; holes 11-11; flag lost",
}
"""First position by how many holes are still to be won.

A short game begins with equal holes rather than ending early: so the trained player, who knows
games of twelve holes, can play it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a visitor has chosen."""

    side: int
    against: str
    level: int
    start: str
    """First position in the game's notation; empty for the usual one."""

    @property
    def humans(self) -> tuple[int, ...]:
        """Sides that people play."""
        return (WHITE, BLACK) if self.against == HUMAN else (self.side,)


def build_form(
    position: str, texts: PlayWords, default: str, on_begin: Callable[[Choice], Any]
) -> None:
    """Build the form.

    Args:
        position: First position; without, the visitor chooses how long the game shall be.
        texts: The language.
        default: The opponent at the top: the best one at hand.
        on_begin: Called with the choice.
    """

    def select(name: str, options: dict[Any, str], value: object) -> ui.select:
        found = ui.select(options, label=texts(name), value=value)
        return found.props(f'data-test="{name}"')

    def chosen() -> Choice:
        return Choice(
            side=side.value,
            against=opponent.value,
            level=level.value,
            start=position or STARTS[length.value],
        )

    def show_what_matters() -> None:
        side.set_visibility(opponent.value != HUMAN)
        level.set_visibility(opponent.value not in (HUMAN, "random"))

    opponents = list(dict.fromkeys((default, *OPPONENTS)))
    levels = range(1, FULL_LEVEL + 1)
    with ui.element("div").classes("sb-form"):
        opponent = select("opponent", {name: texts(name) for name in opponents}, default)
        level = select("level", {one: texts(f"level_{one}") for one in levels}, FULL_LEVEL)
        side = select("side", {WHITE: texts("side_white"), BLACK: texts("side_black")}, WHITE)
        length = select("length", {holes: texts(f"length_{holes}") for holes in STARTS}, WHOLE)
        length.set_visibility(not position)
        if position:
            ui.label(texts("from_position", position=position)).classes("sb-quiet")
        begin = ui.button(texts("begin"), on_click=lambda: on_begin(chosen()), icon="play_arrow")
        begin.classes("sb-big").props('data-test="begin"')
    opponent.on_value_change(show_what_matters)
