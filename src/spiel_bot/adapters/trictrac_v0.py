"""Trictrac as PettingZoo names its environments: ``trictrac_v0.env()``."""

from typing import Any

from spiel_bot.adapters import aec


def raw_env(**arguments: Any) -> aec.BoardGameEnv:
    """Return trictrac as it is; arguments as of `BoardGameEnv`, the game's options among them."""
    return aec.raw_env(game="trictrac", **arguments)


def env(**arguments: Any) -> Any:
    """Return trictrac with PettingZoo's checks of bounds and order around it."""
    return aec.env(game="trictrac", **arguments)
