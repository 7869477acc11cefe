"""Matches: two players over the same dice from both seats, shared by threads.

Pairs are played in batches of a fixed size, and what comes of a match is put together in their
order. So the number of threads changes the time it takes and nothing else, and a sequential test
stops at the same pair.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from spiel_bot.arena.luck import Luck
from spiel_bot.arena.pairs import Pairs, play_pairs
from spiel_bot.arena.result import MatchResult
from spiel_bot.arena.sprt import Sprt
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Game
from spiel_bot.players.base import Player, Recipe

__all__ = ["MatchResult", "play_match", "share_match"]

PAIRS_AT_ONCE = 64
"""Pairs of a batch: large enough for networks, small enough that threads can share a match."""

Report = Callable[[npt.NDArray[np.float32]], None]
"""Told the first player's returns of games that have just ended; one thread at a time."""


def play_match(
    game: Game,
    first: Player,
    second: Player,
    pairs: int,
    seed: int,
    *,
    on_finished: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play `pairs` times two games with the same dice, the seats changed in between.

    Args:
        game: The game.
        first: Whose result it is.
        second: The opponent.
        pairs: How many pairs.
        seed: Root seed of dice and players.
        on_finished: Called with the number of games just finished.

    Raises:
        BadRequestError: There is no pair to play.
        IllegalActionError: A player chose an action that is not legal.
    """
    recipes = Recipe(first.name, lambda: first), Recipe(second.name, lambda: second)
    report: Report | None = None
    if on_finished is not None:
        report = lambda returns: on_finished(len(returns))  # noqa: E731
    return share_match(game, recipes, pairs, seed, report=report)


def share_match(
    game: Game,
    recipes: tuple[Recipe, Recipe],
    pairs: int,
    seed: int,
    *,
    threads: int = 1,
    luck: Luck | None = None,
    sprt: Sprt | None = None,
    report: Report | None = None,
) -> MatchResult:
    """Play a match with several threads, each with players of its own.

    Args:
        game: The game.
        recipes: Of the first player, whose result it is, and of the other.
        pairs: How many pairs; with `sprt` at most so many.
        seed: Root seed of dice and players.
        threads: How many; the result does not depend on it.
        luck: Measures the luck of every roll, if given.
        sprt: Stops the match when it accepts a hypothesis.
        report: Called as games end.

    Raises:
        BadRequestError: There is no pair to play, or no thread.
        IllegalActionError: A player chose an action that is not legal.
    """
    if pairs < 1:
        raise BadRequestError(f"expected at least 1 pair of games, got {pairs}")
    if threads < 1:
        raise BadRequestError(f"expected at least 1 thread, got {threads}")
    batches = [
        range(start, min(start + PAIRS_AT_ONCE, pairs)) for start in range(0, pairs, PAIRS_AT_ONCE)
    ]
    work = _Work(game, recipes, seed, luck, report)
    played: list[Pairs] = []
    for part in work.results(batches, threads):
        played.append(part)
        if sprt is not None and sprt.verdict(_join(work, played).pair_scores) != "undecided":
            break
    return _join(work, played, sprt)


class _Work:
    """Plays batches in threads; yields them in order."""

    def __init__(
        self,
        game: Game,
        recipes: tuple[Recipe, Recipe],
        seed: int,
        luck: Luck | None,
        report: Report | None,
    ) -> None:
        self.game, self.recipes, self.seed, self.luck = game, recipes, seed, luck
        self._report = report
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._own = threading.local()

    def results(self, batches: list[range], threads: int) -> Iterator[Pairs]:
        """Yield what came of each batch. No more are played once nobody asks for the next."""
        if threads == 1:
            yield from map(self._play, batches)
            return
        with ThreadPoolExecutor(threads, thread_name_prefix="match") as pool:
            waiting: list[Future[Pairs]] = [pool.submit(self._play, batch) for batch in batches]
            try:
                for future in waiting:
                    yield future.result()
            finally:
                self._stop.set()
                for future in waiting:
                    future.cancel()

    def _play(self, batch: range) -> Pairs:
        if not hasattr(self._own, "players"):
            self._own.players = (self.recipes[0].new(), self.recipes[1].new())
        return play_pairs(
            self.game,
            self._own.players,
            batch,
            self.seed,
            luck=self.luck,
            on_finished=self._tell,
            should_stop=self._stop.is_set,
        )

    def _tell(self, returns: npt.NDArray[np.float32]) -> None:
        if self._report is not None:
            with self._lock:
                self._report(returns)


def _join(work: _Work, parts: list[Pairs], sprt: Sprt | None = None) -> MatchResult:
    digests = [digest for part in parts for digest in part.digests]
    luck = work.luck
    return MatchResult(
        players=(work.recipes[0].name, work.recipes[1].name),
        returns=np.concatenate([part.returns for part in parts]),
        leads=np.concatenate([part.leads for part in parts]),
        distinct_games=len(set(digests)),
        average_plies=float(np.mean(np.concatenate([part.plies for part in parts]))),
        seed=work.seed,
        luck=None if luck is None else np.concatenate([part.luck for part in parts]),
        luck_by=None if luck is None else luck.name,
        sprt=sprt,
    )
