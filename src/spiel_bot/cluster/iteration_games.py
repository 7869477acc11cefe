"""The games of one iteration: those found in the store, and those that are being played."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.store import Store

GAMES_OF_A_SHARD = 64
"""Finished games are stored in shards of so many: what a kill can lose besides those under way."""

Report = Callable[[str, dict[str, Any]], None]
"""Told what has happened: `game`, `iteration` or `match`, with figures."""


class IterationGames:
    """Games of one iteration and the model that plays them; shared by threads.

    The learner gets games as the store gives them back, rounding included, so that a resumed run
    learns from the very same numbers.
    """

    def __init__(
        self,
        store: Store,
        run: int,
        iteration: int,
        model: bytes,
        num_games: int,
        report: Report,
    ) -> None:
        """Look into the store for games that are there already, from before a kill.

        Args:
            store: Where games go.
            run: Number of the run.
            iteration: From 0.
            model: What plays.
            num_games: Games of every iteration.
            report: Told of each finished game.
        """
        self.model = model
        self._store, self._run, self._number = store, run, iteration + 1
        self._report = report
        self._lock = threading.Lock()
        self._waiting: list[GameRecord] = []
        self._wanted = range(iteration * num_games, (iteration + 1) * num_games)
        known = {record.number for record in self.records()}
        self._left = len(self._wanted) - len(known)
        self.numbers = SharedNumbers(n for n in self._wanted if n not in known)
        self._ended = threading.Event()
        if self.is_complete:
            self._ended.set()

    @property
    def is_complete(self) -> bool:
        """Whether all games are over."""
        return self._left == 0

    def add(self, record: GameRecord) -> None:
        """Take in a finished game; store it with others when there are enough."""
        with self._lock:
            self._waiting.append(record)
            self._left -= 1
            if len(self._waiting) >= GAMES_OF_A_SHARD:
                self._flush()
        self._report("game", {"iteration": self._number, "plies": record.num_plies})
        if self.is_complete:
            self._ended.set()

    def flush(self) -> None:
        """Store what is waiting."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._store.games.add(self._run, self._waiting, iteration=self._number)
            self._waiting = []

    def give_up(self) -> None:
        """Let nobody wait for games that will not be played now."""
        self._ended.set()

    def wait(self) -> None:
        """Wait until all games are over, or given up."""
        self._ended.wait()

    def records(self) -> list[GameRecord]:
        """Return all games that are stored, in the order of their numbers."""
        games = self._store.games
        records = [
            record
            for shard in games.shards(self._run)
            if shard.iteration == self._number
            for record in games.read_shard(shard)
        ]
        return sorted(records, key=lambda record: record.number)


class SharedNumbers:
    """Numbers that threads take from, each number once."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        with self._lock:
            return next(self._numbers)
