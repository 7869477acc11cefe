"""The training loop: self-play, learning and matches side by side, everything stored.

Iteration i plays with the network that iteration i - 1 ended with, while the learner works on
the games up to i - 1. What comes of it follows from the seed alone, whatever the threads do, so
a run that was killed and resumed is the run that was not.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from spiel_bot.arena.match import MatchResult, play_match
from spiel_bot.cluster import states
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.games.base import Game
from spiel_bot.learning.algorithm import Algorithm
from spiel_bot.players.base import Player
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.results import Match
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store

GAMES_OF_A_SHARD = 64
"""Finished games are stored in shards of so many: what a kill can lose besides those under way."""

Report = Callable[[str, dict[str, Any]], None]
"""Told what has happened: `game`, `iteration` or `match`, with figures."""


@dataclass(slots=True)
class Outcome:
    """How a run ended."""

    is_finished: bool
    iterations: int


class Driver:
    """Trains one run of a store, from its beginning or from where it stopped."""

    def __init__(
        self,
        store: Store,
        run: Run,
        game: Game,
        algorithm: Algorithm,
        config: TrainConfig,
        report: Report = lambda kind, figures: None,
    ) -> None:
        """Join the parts; nothing happens before `train`."""
        self._store = store
        self._run = run
        self._game = game
        self._algorithm = algorithm
        self._config = config
        self._report = report
        self._best: bytes | None = None

    def train(self, control: Control) -> Outcome:
        """Go on until all iterations are done, or until asked to stop."""
        first = self._restore()
        pending: Future[None] | None = None
        done = first
        model = self._algorithm.model()
        with ThreadPoolExecutor(1, thread_name_prefix="match") as matches:
            for iteration in range(first, self._config.iterations):
                new_model = self._iterate(iteration, model, control)
                if new_model is None:
                    break
                model = new_model
                done = iteration + 1
                if self._config.eval_every and done % self._config.eval_every == 0:
                    if pending is not None:
                        pending.result()
                    pending = matches.submit(self._evaluate, done, model)
            if pending is not None:
                pending.result()
        return Outcome(done == self._config.iterations, done)

    def _restore(self) -> int:
        """Take up what the store knows of the run; return the next iteration."""
        saved = self._store.resume_states.load(self._run.id)
        if saved is None:
            return 0
        arrays = states.unpack(saved.content, saved.version)
        wanted = int(arrays.pop("games_needed"))
        self._algorithm.receive(self._last_games(saved.iteration, wanted))
        self._algorithm.restore(arrays)
        return int(saved.iteration)

    def _last_games(self, iteration: int, wanted: int) -> list[GameRecord]:
        """Return the last games up to an iteration, in the order of their numbers."""
        games: list[GameRecord] = []
        shards = self._store.games.shards(self._run.id)
        last = (iteration * self._config.games) - wanted
        for shard in reversed(shards):
            if len(games) >= wanted:
                break
            if shard.iteration <= iteration:
                games += [
                    record
                    for record in self._store.games.read_shard(shard)
                    if record.number >= last
                ]
        return sorted(games, key=lambda record: record.number)

    def _iterate(self, iteration: int, model: bytes, control: Control) -> bytes | None:
        """Play with a model and learn once; return the new one, or None if asked to stop."""
        started = time.perf_counter()
        config = self._config
        played = _Played(self._store, self._run.id, iteration, self._report)
        first = iteration * config.games
        numbers = _Shared(n for n in range(first, first + config.games) if n not in played.known)
        threads = [
            _Thread(lambda: self._play(model, numbers, played, control))
            for _ in range(config.num_workers)
        ]
        for thread in threads:
            thread.start()
        try:
            figures = self._algorithm.learn(config.steps, control.should_stop)
        except BaseException:
            control.stop()
            raise
        finally:
            for thread in threads:
                thread.join()
            played.flush()
        for thread in threads:
            thread.raise_error()
        records = played.all()
        if control.should_stop() or len(records) < config.games:
            return None
        self._algorithm.receive(records)
        seconds = time.perf_counter() - started
        return self._store_iteration(iteration, records, figures, seconds)

    def _play(
        self, model: bytes, numbers: Iterator[int], played: "_Played", control: Control
    ) -> None:
        worker = self._algorithm.worker(model, self._config.seed)
        worker.play(numbers, played.add, control.should_stop)

    def _store_iteration(
        self, iteration: int, records: list[GameRecord], figures: dict[str, float], seconds: float
    ) -> bytes:
        """Store what an iteration has given, all of it or nothing; return the new model."""
        config, run, done = self._config, self._run.id, iteration + 1
        model, weights = self._algorithm.model(), self._algorithm.weights()
        state = self._algorithm.state()
        state["games_needed"] = state.pop("games")
        step = int(figures.get("step", 0))
        figures = figures | {
            "games_per_s": len(records) / seconds,
            "game_plies": sum(record.num_plies for record in records) / len(records),
            "white_wins": sum(record.result > 0 for record in records) / len(records),
            "seconds": seconds,
        }
        is_kept = bool(config.keep_every) and done % config.keep_every == 0
        with self._store.transaction():
            self._store.metrics.add(run, done, step, figures)
            self._store.iterations.add(
                run, done, step=step, games=done * config.games, seconds=seconds
            )
            self._store.checkpoints.add(run, weights, iteration=done, step=step, is_kept=is_kept)
            self._store.resume_states.save(
                run, states.pack(state), iteration=done, step=step, version=states.VERSION
            )
        self._report("iteration", {"iteration": done, **figures})
        return model

    def _evaluate(self, iteration: int, model: bytes) -> None:
        """Play the ladder and the best network so far; store what came of it."""
        name = f"{self._run.name}@{iteration}"
        player = self._algorithm.player(model, name)
        opponents: list[Player] = [RandomPlayer(self._game)]
        if self._best is not None:
            opponents.append(self._algorithm.player(self._best, "best"))
        for opponent in opponents:
            result = play_match(
                self._game, player, opponent, self._config.eval_pairs, self._config.seed + iteration
            )
            self._store_match(iteration, result)
            if opponent.name == "best" and result.win_rate > 0.5:
                self._best = model
        if self._best is None:
            self._best = model

    def _store_match(self, iteration: int, result: MatchResult) -> None:
        estimate = result.elo
        self._store.matches.add(
            Match(
                game=self._game.spec.name,
                first=result.players[0],
                second=result.players[1],
                wins=result.wins,
                losses=result.losses,
                draws=result.draws,
                seed=result.seed,
                run_id=self._run.id,
                iteration=iteration,
                elo=estimate.elo,
                elo_error=estimate.error,
                distinct_games=result.distinct_games,
            )
        )
        self._report(
            "match",
            {
                "iteration": iteration,
                "opponent": result.players[1],
                "games": result.games,
                "win_rate": result.win_rate,
                "elo": estimate.elo,
                "elo_error": estimate.error,
            },
        )


class _Played:
    """Games of an iteration: those found in the store, and those that are being played.

    The learner gets them as the store gives them back, rounding included, so that a resumed run
    learns from the very same numbers.
    """

    def __init__(self, store: Store, run: int, iteration: int, report: Report) -> None:
        self._store, self._run, self._iteration = store, run, iteration
        self._report = report
        self._lock = threading.Lock()
        self._waiting: list[GameRecord] = []
        self.known = {record.number for record in self.all()}

    def add(self, record: GameRecord) -> None:
        """Take in a finished game; store it with others when there are enough."""
        with self._lock:
            self._waiting.append(record)
            if len(self._waiting) >= GAMES_OF_A_SHARD:
                self._flush()
        self._report("game", {"plies": record.num_plies})

    def flush(self) -> None:
        """Store what is waiting."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._store.games.add(self._run, self._waiting, iteration=self._iteration + 1)
            self._waiting = []

    def all(self) -> list[GameRecord]:
        """Return all games that are stored, in the order of their numbers."""
        games = self._store.games
        records = [
            record
            for shard in games.shards(self._run)
            if shard.iteration == self._iteration + 1
            for record in games.read_shard(shard)
        ]
        return sorted(records, key=lambda record: record.number)


class _Shared:
    """An iterator that threads may share."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        with self._lock:
            return next(self._numbers)


class _Thread(threading.Thread):
    """A thread whose error is not lost."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(name="self-play", daemon=True)
        self._work = work
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self._error = error

    def raise_error(self) -> None:
        """Raise what the thread died of."""
        if self._error is not None:
            raise self._error
