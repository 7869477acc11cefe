"""What Gymnasium and PettingZoo share: which game an episode is, its rolls and its masks."""

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, IllegalActionError
from spiel_bot.games.base import CHANCE, Environment, Game

SIDES = ["white", "black"]
"""Names of the players 0 and 1."""

ILLEGAL_ACTION = ["lose", "raise"]
"""What an illegal action does: it loses the game at once, or raises `IllegalActionError`."""

Mask = npt.NDArray[np.int8]  # [A]


class Episodes:
    """Numbers the episodes of one environment: a seed starts a series of games.

    The first game after `reset(seed=s)` has the dice of `game.new_game(seed=s)`, the next those of
    game number 1 of the same seed, and so on.
    """

    def __init__(self, game: Game) -> None:
        """Start with a seed from the operating system."""
        self.game = game
        self.seed = secrets.randbits(64)
        self.number = -1

    def next(self, seed: int | None) -> Environment:
        """Start the next game; a seed starts a new series."""
        if seed is None:
            self.number += 1
        else:
            self.seed, self.number = seed, 0
        return self.game.new_game(self.seed, number=self.number)


def roll_all(environment: Environment) -> None:
    """Roll, in place, until a player decides or the game is over."""
    while environment.current_player == CHANCE:
        environment.apply_chance()


def apply_or_refuse(environment: Environment, action: Any, illegal_action: str) -> str | None:
    """Play an action, in place: a whole number, or an array of one without dimensions.

    Returns:
        None, or why the action is not legal where illegal actions lose; nothing is played then.

    Raises:
        IllegalActionError: The action is not legal and illegal actions raise.
    """
    chosen: Any = action[()] if isinstance(action, np.ndarray) else action
    try:
        environment.apply(chosen)
    except IllegalActionError as error:
        if illegal_action == "raise":
            raise
        return str(error)
    return None


def legal_mask(environment: Environment) -> Mask:
    """Return 1 for each legal action, else 0; all 0 where nobody decides."""
    mask = np.zeros(environment.game.spec.num_actions, np.int8)
    mask[environment.legal_actions] = 1
    return mask


def expect_one_of(what: str, value: object, known: list[str]) -> None:
    """Refuse a value that is not in a list.

    Raises:
        BadRequestError: It is not.
    """
    if value not in known:
        raise BadRequestError(f"expected {what} to be {' or '.join(known)}, got {value!r}")
