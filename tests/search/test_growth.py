import json

import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.growth import Growth


@pytest.mark.parametrize("chance", ["sample", "leaf", "quota", "expect"])
@pytest.mark.parametrize("name", ["race", "pig"])
def test_the_steps_end_with_the_tree_that_was_found(name: str, chance: Chance) -> None:
    game = load(name)
    states = np.concatenate([decision(name, seed) for seed in (3, 4)])
    config = MctsConfig(n_simulations=40, chance=chance, eval_batch_size=1).without_exploration()
    search, growth = Search(game, HashEvaluator(game), config), Growth(game=1)
    search.run(states, streams(1, Purpose.SEARCH, [0, 1]), watcher=growth)
    assert len(growth.steps) == 40
    assert json.loads(json.dumps(growth.steps)) == growth.steps
    visits, values = {0: 1.0}, {}
    for step in growth.steps:
        assert step["path"][0] == 0
        before = visits.get(0)
        for number, count, value in step["changed"]:
            visits[int(number)], values[int(number)] = count, value
        assert visits[0] == before + 1  # type: ignore[operator]
    nodes = search.forest.tree.nodes[1]
    for number in range(int(search.forest.tree.num_nodes[1])):
        if nodes[number]["visits"] > 0:
            assert visits[number] == nodes[number]["visits"]
            mean = nodes[number]["value_sum"] / nodes[number]["visits"]
            assert values[number] == pytest.approx(float(mean), abs=1e-6)
        else:
            assert number not in visits


def decision(name: str, seed: int) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    state = load(name).new_game(seed=seed)
    while state.current_player < 0:
        state.apply_chance()
    return state.record.reshape(1)
