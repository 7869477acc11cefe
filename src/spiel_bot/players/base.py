"""What a player is: one method over a batch of positions, so that matches run in lock-step."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from spiel_bot.games.base import Actions, States
from spiel_bot.rng import Streams


class Player(Protocol):
    """Chooses actions. May be asked from one thread at a time."""

    @property
    def name(self) -> str:
        """The text that names this player in tables and on the command line."""

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return a legal action [B] for each position where somebody decides.

        Args:
            states: [B] not changed. Which side decides may differ from row to row.
            streams: [B, 4] the player's random numbers in each game, advanced in place.
        """


@dataclass(frozen=True, slots=True)
class Recipe:
    """A player that can be made more than once: one for each thread, its network shared."""

    name: str
    """What each of them is called."""

    new: Callable[[], Player]
