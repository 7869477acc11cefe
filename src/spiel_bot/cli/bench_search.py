"""spiel-bot bench search: simulations a second, without a network to wait for."""

from typing import Any

from spiel_bot.cli.bench_env import decisions, rates

NUM_GAMES = 256
NUM_SIMULATIONS = 64
SIMULATIONS_OF_ONE_GAME = 400
LEAVES_OF_ONE_GAME = 16
ROUNDS = 9


def bench_search(seconds: float, threads: int) -> dict[str, Any]:
    """Search middle-game positions of trictrac with the uniform evaluator."""
    import statistics
    import threading
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from spiel_bot.games.registry import load
    from spiel_bot.networks.speed import one_round
    from spiel_bot.rng import Purpose, streams
    from spiel_bot.search.batch import Search
    from spiel_bot.search.config import MctsConfig
    from spiel_bot.search.evaluator import UniformEvaluator

    game = load("trictrac")
    states = decisions(game)
    config = MctsConfig(n_simulations=NUM_SIMULATIONS, eval_batch_size=1)
    one = MctsConfig(n_simulations=SIMULATIONS_OF_ONE_GAME, eval_batch_size=LEAVES_OF_ONE_GAME)
    alone = Search(game, UniformEvaluator(game), one)
    own = threading.local()  # a search belongs to one thread

    def run(search: Search, count: int) -> None:
        search.run(states[:count], streams(0, Purpose.SEARCH, np.arange(count)))

    def work() -> None:
        if not hasattr(own, "search"):
            own.search = Search(game, UniformEvaluator(game), config)
        run(own.search, NUM_GAMES)

    work()  # compiles
    # One thread and all of them take turns, so that noise of the machine meets both.
    with ThreadPoolExecutor(threads) as pool:
        measured = [
            [one_round(pool, work, seconds / ROUNDS, number) for number in (1, threads)]
            for _ in range(ROUNDS)
        ]
    speeds = [
        [calls * NUM_GAMES * NUM_SIMULATIONS / elapsed for calls, elapsed in both]
        for both in measured
    ]
    (one_game,) = rates([lambda: run(alone, 1)], SIMULATIONS_OF_ONE_GAME, seconds)
    forest = own.search.forest
    return {
        "sims_per_s": round(statistics.median(speed for speed, _ in speeds)),
        "sims_per_s_all": round(statistics.median(speed for _, speed in speeds)),
        "thread_ratio": round(statistics.median(many / single for single, many in speeds), 2),
        "sims_per_s_1game": one_game,
        "bytes_per_node": round(forest.bytes_per_node()),
        "tree_mb": round(forest.nbytes / 1e6, 1),
    }
