"""spiel_bot learns board games with dice by self-play, and plays them.

The names below are the public ones. They are loaded when first used, so that
``import spiel_bot`` and the command line's help stay quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spiel_bot._jit import kernel
    from spiel_bot.games.base import CHANCE, NO_ACTION, TERMINAL, Environment, Game, GameSpec
    from spiel_bot.games.catalogue import names
    from spiel_bot.games.contract import check_game
    from spiel_bot.games.registry import load

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "NO_ACTION",
    "TERMINAL",
    "Environment",
    "Game",
    "GameSpec",
    "__version__",
    "check_game",
    "kernel",
    "load",
    "names",
]

_HOMES = {
    "CHANCE": "spiel_bot.games.base",
    "NO_ACTION": "spiel_bot.games.base",
    "TERMINAL": "spiel_bot.games.base",
    "Environment": "spiel_bot.games.base",
    "Game": "spiel_bot.games.base",
    "GameSpec": "spiel_bot.games.base",
    "check_game": "spiel_bot.games.contract",
    "kernel": "spiel_bot._jit",
    "load": "spiel_bot.games.registry",
    "names": "spiel_bot.games.catalogue",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'spiel_bot' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
