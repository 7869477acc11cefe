"""Who is expected to err: a note that whoever looks at a position makes in it, for observations.

No rule and no text knows it, and a game never sets it (`GameSpec.erring_field`).
"""

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import GameOptionError
from spiel_bot.games.base import Game, Players, States

NO_SIDE = -1
"""Where nobody is meant."""


def expect_erring(game: Game) -> None:
    """Refuse a game whose positions cannot tell who errs.

    Raises:
        GameOptionError: It is one.
    """
    if game.spec.erring_field is None:
        raise GameOptionError(
            f"{game.spec.name}: its positions cannot tell which side is expected to err; "
            "play as against an equal"
        )


def note_erring(game: Game, states: States, sides: Players) -> None:
    """Note in positions [B], in place, of which side errors are expected, or of `NO_SIDE`.

    Raises:
        GameOptionError: The game has no place for that.
    """
    expect_erring(game)
    states[game.spec.erring_field] = 1 + sides


def errs(game: Game, states: States, players: Players) -> npt.NDArray[np.bool_]:
    """Return whether each position [B] expects errors of its player."""
    if game.spec.erring_field is None:
        return np.zeros(len(states), np.bool_)
    is_expected: npt.NDArray[np.bool_] = states[game.spec.erring_field] == 1 + players
    return is_expected & (players >= 0)
