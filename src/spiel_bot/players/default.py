"""Who plays where nobody was named."""

from pathlib import Path

from spiel_bot.errors import PlayerError
from spiel_bot.games.base import Game
from spiel_bot.players.models import default_model, load_model
from spiel_bot.players.spec import ROLLOUT, PlayerSpec
from spiel_bot.players.trictrac import TRICTRAC

BOT = "bot"
HUMAN = "human"
"""Who is nobody's player: a person."""

FULL_LEVEL = 5


def default_player(game: Game, store: Path | None = None) -> str:
    """Return the text of the best player at hand: the bot, or one that needs no network."""
    try:
        load_model(default_model(game, store), game, store=store)
    except PlayerError:
        return "expert" if game.spec.name == TRICTRAC else f"lookahead:{ROLLOUT}"
    return BOT


def at_level(text: str, level: int) -> str:
    """Return a player's text at a level from 1, a beginner, to 5, full strength.

    >>> at_level("expert", 2)
    'expert,level=2'
    >>> at_level("expert", 5)
    'expert'
    """
    return f"{text},level={level}" if level < FULL_LEVEL and text != "random" else text


def player_before(name: str) -> str:
    """Return the player that a saved game names; nothing if it is a name of another kind."""
    text = name.removeprefix("bot=")
    try:
        PlayerSpec.parse(text)
    except PlayerError:
        return ""
    return text
