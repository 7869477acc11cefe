"""What the training loop asks of an algorithm. AlphaZero is one; others fit beside it."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy.typing as npt

from spiel_bot.players.base import Player
from spiel_bot.storage.records import GameRecord

Arrays = dict[str, npt.NDArray[Any]]


class Worker(Protocol):
    """Plays games; lives in one thread."""

    evaluations: int
    """Positions it has asked its model about so far."""

    def play(
        self,
        numbers: Iterator[int],
        on_game: Callable[[GameRecord], None],
        should_stop: Callable[[], bool],
    ) -> None:
        """Play the games of these numbers, or as many as there is time for."""


class Algorithm(Protocol):
    """Learns from the games of its workers.

    Only `model`, `worker` and `player` are used by several threads.
    """

    def begin_with(self, weights: bytes) -> None:
        """Begin with a checkpoint of the same network instead of knowing nothing."""

    def weights(self) -> bytes:
        """Return the content of a checkpoint file of the present state."""

    def model(self, weights: bytes) -> bytes:
        """Return what workers and players need of a checkpoint: a model file's content."""

    def worker(self, model: bytes, seed: int) -> Worker:
        """Return a worker that plays with a model."""

    def player(self, model: bytes, name: str) -> Player:
        """Return a player for matches: no exploration."""

    def receive(self, records: list[GameRecord]) -> None:
        """Take in games to learn from, in the order of their numbers."""

    def learn(self, steps: int, should_stop: Callable[[], bool]) -> dict[str, float]:
        """Take so many steps, or fewer; return figures, means over the steps."""

    def state(self) -> Arrays:
        """Return what `restore` needs besides games; `games` is how many of the last it needs."""

    def restore(self, arrays: Arrays, records: list[GameRecord]) -> None:
        """Go on from a state and the last games it needs, in the order of their numbers."""
