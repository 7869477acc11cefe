"""Pictures of positions of stored games."""

from collections.abc import Sequence
from dataclasses import dataclass

from spiel_bot.analysis.stored_game import played_game
from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import Environment
from spiel_bot.games.played import apply_event
from spiel_bot.games.trictrac.svg import board_svg
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Thumbnail:
    """A position of a game."""

    game: int
    ply: int
    svg: str


def thumbnails(store: Store, run: Run, wanted: Sequence[tuple[int, int]]) -> list[Thumbnail]:
    """Return pictures of games at plies; games that cannot be replayed here are left out."""
    found = []
    for number, ply in wanted:
        try:
            state = position_at(store, run, number, ply)
        except SpielBotError:
            continue
        found.append(Thumbnail(game=number, ply=ply, svg=picture(state)))
    return found


def picture(state: Environment) -> str:
    """Return a position as SVG; trictrac's without captions, which are English."""
    if state.game.spec.name != TRICTRAC:
        return state._repr_svg_()
    return board_svg(view_of(state.record), captions=False)


def position_at(store: Store, run: Run, number: int, ply: int) -> Environment:
    """Return the position of a stored game before an event.

    Raises:
        SpielBotError: There is no such game, or its rules are others now.
    """
    played = played_game(run, store.games.get(run.id, number), store.games.read(run.id, number))
    state = played.first()
    for event in played.events[:ply]:
        apply_event(state, event)
    return state
