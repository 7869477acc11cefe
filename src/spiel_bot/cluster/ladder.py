"""The ladder: fixed opponents, named by text, that every network of a run is measured against."""

from collections.abc import Sequence
from pathlib import Path

from spiel_bot.games.base import Game
from spiel_bot.players.base import Player
from spiel_bot.players.spec import new_player

FOOT = "random"
HAND_WRITTEN = {"trictrac": ("greedy", "expert")}
"""Players that know a game; above random play they are its ladder unless a run names others."""


def ladder_of(game: Game, texts: Sequence[str], store: Path | None = None) -> list[Player]:
    """Return the opponents that texts name, or those of the game if there are none.

    Args:
        game: What is played.
        texts: Players in the grammar of `players/spec.py`.
        store: Folder of the run store, for models of other runs.

    Raises:
        SpielBotError: A text names nobody who can play this game.
    """
    chosen = texts or (FOOT, *HAND_WRITTEN.get(game.spec.name, ()))
    return [new_player(text, game, store=store) for text in chosen]
