"""spiel-bot bench search: simulations a second, without a network to wait for."""

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from spiel_bot.cli.bench_env import decisions, rates

if TYPE_CHECKING:
    from spiel_bot.search.batch import Search

NUM_GAMES = 256
NUM_SIMULATIONS = 64
SIMULATIONS_OF_ONE_GAME = 400
LEAVES_OF_ONE_GAME = 16

GAMES_OF_A_THREAD = 1024
"""Where threads are compared. Between two kernels a thread needs the GIL, and to be woken for it
costs tens of microseconds: as much as a kernel takes for 256 games."""


def bench_search(seconds: float, threads: int) -> dict[str, Any]:
    """Search middle-game positions of trictrac with the uniform evaluator."""
    import numpy as np

    from spiel_bot.games.registry import load
    from spiel_bot.rng import Purpose, streams
    from spiel_bot.search.batch import Search
    from spiel_bot.search.config import MctsConfig
    from spiel_bot.search.evaluator import UniformEvaluator

    game = load("trictrac")
    states = decisions(game)
    config = MctsConfig(n_simulations=NUM_SIMULATIONS, eval_batch_size=1)
    one = MctsConfig(n_simulations=SIMULATIONS_OF_ONE_GAME, eval_batch_size=LEAVES_OF_ONE_GAME)
    many = Search(game, UniformEvaluator(game), config)
    searches = [Search(game, UniformEvaluator(game), config) for _ in range(threads)]
    alone = Search(game, UniformEvaluator(game), one)

    def run(search: "Search", count: int = NUM_GAMES) -> None:
        search.run(states[:count], streams(0, Purpose.SEARCH, np.arange(count)))

    def run_all() -> None:
        for _ in pool.map(lambda search: run(search, GAMES_OF_A_THREAD), searches):
            pass

    (one_thread,) = rates([lambda: run(many)], NUM_GAMES * NUM_SIMULATIONS, seconds)
    with ThreadPoolExecutor(threads) as pool:
        one_of_many, each_of_many = rates(
            [lambda: run(searches[0], GAMES_OF_A_THREAD), run_all],
            GAMES_OF_A_THREAD * NUM_SIMULATIONS,
            seconds,
        )
    (one_game,) = rates([lambda: run(alone, 1)], SIMULATIONS_OF_ONE_GAME, seconds)
    forest = many.forest
    return {
        "sims_per_s": one_thread,
        "sims_per_s_1game": one_game,
        "sims_per_s_1024_games": one_of_many,
        "sims_per_s_1024_games_all": each_of_many * threads,
        "thread_ratio": round(each_of_many * threads / one_of_many, 2),
        "bytes_per_node": round(forest.bytes_per_node()),
        "tree_mb": round(forest.nbytes / 1e6, 1),
    }
