"""Evaluation: matches of a new network against the ladder and the best one, beside the loop.

The matches of a network, its rating and the label `best` are stored together, or not at all. A
kill in between costs nothing: the checkpoint keeps the label `candidate`, and is played again.
"""

import math
from concurrent.futures import Future, ThreadPoolExecutor

from spiel_bot.arena.match import MatchResult, play_match
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.iteration_games import Report
from spiel_bot.cluster.ladder import ladder_of
from spiel_bot.errors import UnknownRunError
from spiel_bot.games.base import Game
from spiel_bot.learning.algorithm import Algorithm
from spiel_bot.players.base import Player
from spiel_bot.storage.checkpoints import BEST, Checkpoint
from spiel_bot.storage.results import Match
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store

CANDIDATE = "candidate"
"""Label of the newest checkpoint that matches are played with."""

GATE = 0.55
"""Share of the points against the best network that lets a new one through the gate."""


class Stopped(Exception):  # noqa: N818  # not an error: it only leaves a match
    """The run is to stop in the middle of a match."""


class Evaluation:
    """Plays matches in a thread of its own; use it in a `with` statement."""

    def __init__(
        self,
        store: Store,
        run: Run,
        game: Game,
        algorithm: Algorithm,
        config: TrainConfig,
        control: Control,
        report: Report,
    ) -> None:
        """Join the parts; nothing is played yet."""
        self._store, self._run, self._game = store, run, game
        self._algorithm, self._config = algorithm, config
        self._control, self._report = control, report
        self._ladder = ladder_of(game, config.ladder, store.path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="match")
        self._pending: Future[None] | None = None

    def __enter__(self) -> "Evaluation":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._control.stop()
        try:
            if kind is None:
                self.wait()
        finally:
            self._thread.shutdown()

    def is_due(self, iteration: int) -> bool:
        """Return whether the network after so many iterations is evaluated; the last one is."""
        every = self._config.eval_every
        return bool(every) and (iteration % every == 0 or iteration == self._config.iterations)

    def resume(self) -> None:
        """Take up an evaluation that a kill or a stop has cut short."""
        try:
            checkpoint, weights = self._store.checkpoints.read_labelled(self._run.id, CANDIDATE)
        except UnknownRunError:
            return
        matches = self._store.matches.all(self._run.id)
        if all(match.iteration != checkpoint.iteration for match in matches):
            self.begin(checkpoint, weights)

    def begin(self, checkpoint: Checkpoint, weights: bytes) -> None:
        """Evaluate a checkpoint beside everything else, once the one before is done."""
        self.wait()
        self._pending = self._thread.submit(self._evaluate, checkpoint, weights)

    def wait(self) -> None:
        """Wait for the evaluation under way.

        Raises:
            SpielBotError: It has failed.
        """
        if self._pending is not None:
            self._pending.result()
            self._pending = None

    def _evaluate(self, checkpoint: Checkpoint, weights: bytes) -> None:
        """Play everybody, and store what came of it."""
        best, best_weights = self._store.checkpoints.read_labelled(self._run.id, BEST)
        player = self._player(weights, f"{self._run.name}@{checkpoint.iteration}")
        best_name = f"{self._run.name}@{best.iteration}"
        opponents: list[Player] = [*self._ladder, self._player(best_weights, best_name)]
        try:
            results = [self._play(player, opponent, checkpoint.iteration) for opponent in opponents]
        except Stopped:
            return
        elo, error = self._rating(results)
        share_needed = GATE if self._config.gate else 0.5
        with self._store.transaction():
            for result in results:
                self._store_match(checkpoint.iteration, result)
            self._store.metrics.add(
                self._run.id,
                checkpoint.iteration,
                checkpoint.step,
                {"elo": elo, "elo_error": error},
            )
            self._store.ratings.add_many(
                self._game.spec.name,
                [(player.name, elo, error, sum(result.games for result in results))],
                run=self._run.id,
                iteration=checkpoint.iteration,
            )
            if results[-1].win_rate > share_needed:
                self._store.checkpoints.label(checkpoint, BEST)
        for result in results:
            self._report("match", match_figures(checkpoint.iteration, result))
        figures = {"iteration": checkpoint.iteration, "elo": elo, "elo_error": error}
        self._report("rating", figures | {"over": self._ladder[0].name})

    def _player(self, weights: bytes, name: str) -> Player:
        return self._algorithm.player(self._algorithm.model(weights), name)

    def _play(self, player: Player, opponent: Player, iteration: int) -> MatchResult:
        def leave_if_asked(_: int) -> None:
            if self._control.should_stop():
                raise Stopped

        return play_match(
            self._game,
            player,
            opponent,
            self._config.eval_pairs,
            self._config.seed + iteration,
            on_finished=leave_if_asked,
        )

    def _rating(self, results: list[MatchResult]) -> tuple[float, float]:
        """Return Elo over the first player of the ladder, and its standard error.

        That player has 0. The best network has the rating it got when it was new, so that a
        network that always beats the ladder can still be told from its forerunners. Both
        estimates count by their precision.
        """
        known = [(results[0], 0.0, 0.0)]
        for rating in self._store.ratings.history(self._game.spec.name, results[-1].players[1]):
            if rating.run_id == self._run.id:
                known.append((results[-1], rating.elo, rating.error))
        weights = [1.0 / (result.elo.error**2 + error**2) for result, _, error in known]
        elos = [result.elo.elo + elo for result, elo, _ in known]
        total = sum(weights)
        mean = sum(weight * elo for weight, elo in zip(weights, elos, strict=True)) / total
        return mean, math.sqrt(1.0 / total)

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


def match_figures(iteration: int, result: MatchResult) -> dict[str, object]:
    """Return what a display shows of a match."""
    return {
        "iteration": iteration,
        "opponent": result.players[1],
        "games": result.games,
        "win_rate": result.win_rate,
        "elo": result.elo.elo,
        "elo_error": result.elo.error,
    }
