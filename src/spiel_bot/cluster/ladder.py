"""The ladder: fixed opponents, named by text, that every network of a run is measured against."""

from spiel_bot.errors import PlayerError, SettingsError
from spiel_bot.games.base import Game
from spiel_bot.players.base import Player
from spiel_bot.players.spec import new_player

FIRST_RUNG = "random"
MORE_RUNGS = {"trictrac": ("greedy", "expert")}
"""Opponents of games that have better ones than the first."""


def ladder_of(game: Game, texts: tuple[str, ...]) -> list[Player]:
    """Return the opponents that texts name; without any, those that the game has.

    Raises:
        SettingsError: A text names nobody, or somebody who does not know the game.
    """
    return [_rung(game, text) for text in texts or rungs_of(game)]


def rungs_of(game: Game) -> tuple[str, ...]:
    """Return the texts of the opponents that a game has."""
    return (FIRST_RUNG, *MORE_RUNGS.get(game.spec.name, ()))


def _rung(game: Game, text: str) -> Player:
    try:
        return new_player(text, game)
    except PlayerError as error:
        raise SettingsError(f"ladder: {error}") from error
