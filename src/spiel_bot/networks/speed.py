"""How fast a bare network is, without game or tree: what self-play is measured against."""

import statistics
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Floats
from spiel_bot.search.evaluator import Evaluator

ROUNDS = 5

Work = Callable[[], object]
"""Evaluates one batch."""


def bare_evals_per_s(
    evaluator: Evaluator, observations: Floats, *, seconds: float, threads: int = 1
) -> float:
    """Return evaluations a second of batches like `observations` [B, F], all threads together."""
    work = partial(evaluator.evaluate_batch, observations)
    return compared({"bare": work}, len(observations), seconds=seconds, threads=threads)["bare"]


def compared(
    works: Mapping[str, Work], batch: int, *, seconds: float, threads: int = 1
) -> dict[str, float]:
    """Return evaluations a second of each work: the median of several rounds.

    The works take turns in each round, so that noise of the machine meets all of them.

    Args:
        works: By name; each evaluates one batch when called.
        batch: Evaluations of a batch.
        seconds: About how long to measure each work.
        threads: Threads that each do the same work at the same time.

    Raises:
        BadRequestError: A number is too small.
    """
    for what, number in (("batch", batch), ("threads", threads)):
        if number < 1:
            raise BadRequestError(f"{what}: expected at least 1, got {number}")
    rates: dict[str, list[float]] = {name: [] for name in works}
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(ROUNDS):
            for name, work in works.items():
                calls, elapsed = one_round(pool, work, seconds / ROUNDS, threads)
                rates[name].append(calls * batch / elapsed)
    return {name: statistics.median(column) for name, column in rates.items()}


def one_round(
    pool: ThreadPoolExecutor, work: Work, seconds: float, threads: int
) -> tuple[int, float]:
    """Return how often a work was done by all threads together, and the seconds that it took."""
    barrier = threading.Barrier(threads)

    def repeat() -> tuple[int, float, float]:
        work()  # warms caches and buffers
        barrier.wait()
        calls, start = 0, time.perf_counter()
        while (now := time.perf_counter()) - start < seconds or calls == 0:
            work()
            calls += 1
        return calls, start, now

    done = [task.result() for task in [pool.submit(repeat) for _ in range(threads)]]
    elapsed = max(end for _, _, end in done) - min(start for _, start, _ in done)
    return sum(calls for calls, _, _ in done), elapsed
