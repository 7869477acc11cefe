"""The ladder: fixed opponents, named by text, that every network of a run is measured against."""

from collections.abc import Callable

from spiel_bot.errors import SettingsError
from spiel_bot.games.base import Game
from spiel_bot.players.base import Player
from spiel_bot.players.uniform import RandomPlayer

PLAYERS: dict[str, Callable[[Game], Player]] = {"random": RandomPlayer}
"""The one place where a text of the ladder becomes a player."""


def ladder_player(game: Game, text: str) -> Player:
    """Return the opponent that a text names.

    Raises:
        SettingsError: There is none of this name.
    """
    if text not in PLAYERS:
        raise SettingsError(f"ladder: expected {' or '.join(PLAYERS)}, got {text!r}")
    return PLAYERS[text](game)
