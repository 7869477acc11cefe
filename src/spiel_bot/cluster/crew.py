"""The workers of a run: threads that play one iteration after the other.

A worker that finds no more games to begin in an iteration goes on with the next one as soon as
that is given, while others still end their last games: no core waits for the longest game.
"""

import threading
from queue import SimpleQueue

from spiel_bot.cluster.control import Control
from spiel_bot.cluster.iteration_games import IterationGames
from spiel_bot.learning.algorithm import Algorithm, Worker


class Crew:
    """Threads that live as long as the run; use it in a `with` statement."""

    def __init__(self, algorithm: Algorithm, num_workers: int, seed: int, control: Control) -> None:
        """Prepare the threads; they start with the block."""
        self._algorithm = algorithm
        self._seed = seed
        self._control = control
        self._queues: list[SimpleQueue[IterationGames | None]] = [
            SimpleQueue() for _ in range(num_workers)
        ]
        self._threads = [
            threading.Thread(target=self._work, args=(queue,), name="self-play", daemon=True)
            for queue in self._queues
        ]
        self._in_flight: list[IterationGames] = []
        self._lock = threading.Lock()
        self._workers: list[Worker] = []
        self._past_evaluations = 0
        self._error: BaseException | None = None

    def __enter__(self) -> "Crew":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the threads; finished games are stored, others are dropped if the run is to stop.

        Raises:
            BaseException: What a worker died of, unless another error is on its way.
        """
        if kind is not None:
            self._control.stop()
        for queue in self._queues:
            queue.put(None)
        for thread in self._threads:
            thread.join()
        for games in self._in_flight:
            games.flush()
        if kind is None and self._error is not None:
            raise self._error

    def give(self, games: IterationGames) -> None:
        """Let the workers go on with these games when they are done with the ones before."""
        self._in_flight = [*self._in_flight[-1:], games]
        for queue in self._queues:
            queue.put(games)

    def finish(self, games: IterationGames) -> bool:
        """Wait for the games of an iteration and store them; return whether all were played.

        Raises:
            BaseException: What a worker died of.
        """
        games.wait()
        if self._error is not None:
            raise self._error
        games.flush()
        return games.is_complete

    @property
    def evaluations(self) -> int:
        """Positions the workers have asked the network about."""
        with self._lock:
            return self._past_evaluations + sum(worker.evaluations for worker in self._workers)

    def _work(self, queue: "SimpleQueue[IterationGames | None]") -> None:
        while (games := queue.get()) is not None:
            try:
                self._play(games)
            except BaseException as error:
                self._error = error
                self._control.stop()
            if self._control.should_stop():
                games.give_up()

    def _play(self, games: IterationGames) -> None:
        worker = self._algorithm.worker(games.model, self._seed)
        with self._lock:
            self._workers.append(worker)
        try:
            worker.play(games.numbers, games.add, self._control.should_stop)
        finally:
            with self._lock:
                self._workers.remove(worker)
                self._past_evaluations += worker.evaluations
