import numpy as np
import pytest
from tests.search.trees import (
    SELECTIONS,
    batch_of,
    check_sums,
    position,
    streams_of,
    tree_of,
)

from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig, Selection
from spiel_bot.search.evaluator import HashEvaluator, UniformEvaluator
from spiel_bot.search.memory import Forest


@pytest.mark.parametrize("chance", ["quota", "expect"])  # "leaf" has no large trees
@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_search_stops_with_a_valid_result_when_its_memory_is_full(
    selection: Selection, chance: Chance
) -> None:
    state = position("race")
    config = MctsConfig(
        n_simulations=2000, chance=chance, selection=selection, memory_limit_mb=0.03
    )
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state, state), streams_of(seed=1, count=2))
    done = int(result.simulations[0])
    assert 0 < done < 2000
    assert result.visits[0].sum() == done
    assert search.forest.nbytes < 2 * 30_000
    assert result.action[0] in state.legal_actions
    assert result.policy.sum(axis=1) == pytest.approx([1, 1])
    check_sums(search, 0)


@pytest.mark.parametrize("reuse", [False, True])
def test_a_search_whose_memory_was_full_can_search_as_long_again(reuse: bool) -> None:
    state = position("race")
    config = MctsConfig(n_simulations=2000, chance="quota", memory_limit_mb=0.03)
    search = Search(state.game, HashEvaluator(state.game), config)
    first = search.run(batch_of(state), streams_of(seed=1))
    assert 8 < first.simulations[0] < 2000
    state.apply(int(first.action[0]))  # the same side plays its second number
    again = search.run(batch_of(state), streams_of(seed=2), reuse=reuse)
    assert again.simulations[0] > 8  # more than one round
    assert search.forest.nbytes < 2 * 30_000


@pytest.mark.compiled
def test_trees_grow_without_a_change_to_what_is_found() -> None:
    state = position("race")
    config = MctsConfig(n_simulations=3000, memory_limit_mb=None)
    large = Search(state.game, HashEvaluator(state.game), config)
    large.run(batch_of(state), streams_of(seed=1))
    room = large.forest.nbytes
    assert large.forest.tree.nodes.shape[1] > 1024  # has grown several times
    once = tree_of(large, 0)
    large.run(batch_of(state), streams_of(seed=1))  # with room from the start
    assert large.forest.nbytes == room
    assert all(np.array_equal(a, b) for a, b in zip(once, tree_of(large, 0), strict=True))


def test_bytes_per_node_count_positions_nodes_and_edges() -> None:
    state = position("tic_tac_toe", 2)
    search = Search(state.game, UniformEvaluator(state.game), MctsConfig(n_simulations=5))
    search.run(batch_of(state), streams_of(seed=1))
    forest = search.forest
    used = forest.tree.num_nodes[0] * (forest.states.itemsize + forest.tree.nodes.itemsize)
    used += forest.tree.num_edges[0] * forest.tree.edges.itemsize
    assert forest.bytes_per_node() * forest.tree.num_nodes[0] == pytest.approx(used)


def test_room_is_not_copied_again_and_again_near_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position("race")
    config = MctsConfig(n_simulations=20_000, eval_batch_size=8, memory_limit_mb=1.0)
    search = Search(state.game, HashEvaluator(state.game), config)
    resize, sizes = Forest._resize, []

    def counted(forest: Forest, num_nodes: int, num_edges: int) -> None:
        sizes.append(num_nodes)
        resize(forest, num_nodes, num_edges)

    monkeypatch.setattr(Forest, "_resize", counted)
    result = search.run(batch_of(state), streams_of(seed=1))
    assert 100 < result.simulations[0] < 20_000
    assert 3 < len(sizes) < 25
    assert search.forest.nbytes < 1_000_000
