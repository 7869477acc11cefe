"""The training loop: self-play, learning and matches side by side, everything stored.

Iteration i plays with the network that iteration i - 1 ended with, while the learner works on
the games up to i - 1. That network does not depend on the games of i - 1 itself, so workers may
begin with iteration i before the last game of i - 1 is over. What comes of it follows from the
seed alone, whatever the threads do, so a run that was killed and resumed is the run that was not.
"""

from dataclasses import dataclass

from spiel_bot.cluster import states
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.crew import Crew
from spiel_bot.cluster.evaluation import CANDIDATE, Evaluation
from spiel_bot.cluster.iteration_games import IterationGames, Report
from spiel_bot.cluster.usage import Meter
from spiel_bot.games.base import Game
from spiel_bot.learning.algorithm import Algorithm
from spiel_bot.storage.checkpoints import BEST, LATEST, Checkpoint
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store

PLAYING = "playing"
"""Label of the checkpoint that plays the iteration after the last finished one."""

FIRST_LABELS = (LATEST, BEST, PLAYING)
"""Labels of the network that a run begins with: it plays first, and is the best so far."""


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
        control: Control,
        report: Report = lambda kind, figures: None,
    ) -> None:
        """Join the parts; nothing happens before `train`."""
        self._store = store
        self._run = run
        self._algorithm = algorithm
        self._config = config
        self._control = control
        self._report = report
        self._crew = Crew(algorithm, config.num_workers, config.seed, control)
        self._evaluation = Evaluation(store, run, game, algorithm, config, control, report)
        self._meter = Meter()

    def train(self) -> Outcome:
        """Go on until all iterations are done, or until asked to stop."""
        done = self._restore()
        self._report("start", {"iteration": done})
        with self._evaluation, self._crew:
            self._evaluation.resume()
            games: IterationGames | None = None
            if done < self._config.iterations:
                games = self._begin(done, self._read(PLAYING)[1])
            while games is not None:
                figures = self._algorithm.learn(self._config.steps, self._control.should_stop)
                if self._control.should_stop():
                    break
                weights = self._algorithm.weights()
                upcoming, playing = self._begin_next(done + 1, weights)
                if not self._crew.finish(games):
                    break
                done += 1
                self._finish(done, games.records(), figures, weights, playing)
                games = upcoming
        return Outcome(done == self._config.iterations, done)

    def _begin_next(
        self, iteration: int, weights: bytes
    ) -> tuple[IterationGames | None, Checkpoint | None]:
        """Let workers go on with the next iteration, if there is one, and the network for it.

        Returns:
            Its games, and the checkpoint that plays them if it is not the newest.
        """
        if iteration >= self._config.iterations:
            return None, None
        if not self._config.gate:
            return self._begin(iteration, weights), None
        self._evaluation.wait()  # who is the best must not depend on the clock
        best, best_weights = self._read(BEST)
        return self._begin(iteration, best_weights), best

    def _begin(self, iteration: int, weights: bytes) -> IterationGames:
        games = IterationGames(
            self._store,
            self._run.id,
            iteration,
            self._algorithm.model(weights),
            self._config.games,
            self._report,
        )
        self._crew.give(games)
        return games

    def _read(self, label: str) -> tuple[Checkpoint, bytes]:
        return self._store.checkpoints.read_labelled(self._run.id, label)

    def _finish(
        self,
        done: int,
        records: list[GameRecord],
        figures: dict[str, float],
        weights: bytes,
        playing: Checkpoint | None,
    ) -> None:
        """Take the games of an iteration in, store it, and let its network play matches.

        Args:
            done: Iterations that are done with this one.
            records: Its games.
            figures: What the learner says of it.
            weights: Its network.
            playing: Who plays the next iteration, if it is not that network.
        """
        self._algorithm.receive(records)
        figures = figures | game_figures(records) | self._meter.read(self._crew.evaluations)
        figures["games_per_s"] = len(records) / figures["seconds"]
        is_candidate = self._evaluation.is_due(done)
        if is_candidate:
            self._evaluation.wait()  # the candidate before keeps its label until then
        checkpoint = self._store_iteration(done, weights, figures, playing, is_candidate)
        self._report("iteration", {"iteration": done, **figures})
        self._control.progress = {"iteration": done, "of": self._config.iterations, **figures}
        if is_candidate:
            self._evaluation.begin(checkpoint, weights)

    def _restore(self) -> int:
        """Take up what the store knows of the run; return how many iterations are done."""
        saved = self._store.resume_states.load(self._run.id)
        if saved is None:
            self._store_first()
            if self._config.start:
                self._algorithm.begin_with(self._read(PLAYING)[1])
            return 0
        arrays = states.unpack(saved.content, saved.version)
        wanted = int(arrays.pop("games_needed"))
        self._algorithm.restore(arrays, self._last_games(saved.iteration, wanted))
        return int(saved.iteration)

    def _store_first(self) -> None:
        """Store the network that has learned nothing: it plays first, and is the best so far."""
        if not self._store.checkpoints.all(self._run.id):
            self._store.checkpoints.add(
                self._run.id,
                self._algorithm.weights(),
                iteration=0,
                step=0,
                labels=FIRST_LABELS,
            )

    def _last_games(self, iteration: int, wanted: int) -> list[GameRecord]:
        """Return the last games up to an iteration, in the order of their numbers."""
        games: list[GameRecord] = []
        shards = self._store.games.shards(self._run.id)
        first = (iteration * self._config.games) - wanted
        for shard in reversed(shards):
            if len(games) >= wanted:
                break
            if shard.iteration <= iteration:
                games += [
                    record
                    for record in self._store.games.read_shard(shard)
                    if record.number >= first
                ]
        return sorted(games, key=lambda record: record.number)

    def _store_iteration(
        self,
        done: int,
        weights: bytes,
        figures: dict[str, float],
        playing: Checkpoint | None,
        is_candidate: bool,
    ) -> Checkpoint:
        """Store what an iteration has given, all of it or nothing; return the new checkpoint."""
        config, run = self._config, self._run.id
        state = self._algorithm.state()
        state["games_needed"] = state.pop("games")
        content = states.pack(state)
        step = int(figures.get("step", 0))
        is_kept = bool(config.keep_every) and done % config.keep_every == 0
        labels = [LATEST]
        if playing is None:
            labels.append(PLAYING)
        if is_candidate:
            labels.append(CANDIDATE)
        with self._store.transaction():
            self._store.metrics.add(run, done, step, figures)
            self._store.iterations.add(
                run, done, step=step, games=done * config.games, seconds=figures["seconds"]
            )
            if playing is not None:
                self._store.checkpoints.label(playing, PLAYING)
            checkpoint = self._store.checkpoints.add(
                run, weights, iteration=done, step=step, labels=labels, is_kept=is_kept
            )
            self._store.resume_states.save(
                run, content, iteration=done, step=step, version=states.VERSION
            )
        return checkpoint


def game_figures(records: list[GameRecord]) -> dict[str, float]:
    """Return what the games of an iteration were like."""
    return {
        "game_plies": sum(record.num_plies for record in records) / len(records),
        "white_wins": sum(record.result > 0 for record in records) / len(records),
    }
