import numpy as np
import pytest
from tests.search.trees import (
    CHANCES,
    SELECTIONS,
    assert_same_trees,
    batch_of,
    check_sums,
    check_twin,
    game_of,
    position,
    streams_of,
    tree_of,
)

from spiel_bot import CHANCE, Environment
from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig, Selection
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.tree import ROOT


def most_visited(search: Search, row: int, state: Environment) -> Environment:
    """Return the position below the root that was visited most often."""
    tree = search.forest.tree
    root = tree.nodes[row, ROOT]
    edges = tree.edges[row, root["first_edge"] : root["first_edge"] + root["num_edges"]]
    edges = edges[edges["child"] >= 0]
    after = state.clone()
    if len(edges) == 0:  # a roll that does not grow
        after.apply_outcome(after.chance_outcomes[0][0])
        return after
    best = edges[tree.nodes["visits"][row, edges["child"]].argmax()]
    (after.apply_outcome if root["player"] == CHANCE else after.apply)(int(best["label"]))
    return after


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
@pytest.mark.parametrize("leaves", [pytest.param(1, marks=pytest.mark.compiled), 4])
def test_a_tree_that_is_kept_equals_that_of_the_slow_search(
    name: str, selection: Selection, chance: Chance, leaves: int
) -> None:
    config = MctsConfig(n_simulations=9, chance=chance, selection=selection, eval_batch_size=leaves)
    search = Search(game_of(name), HashEvaluator(game_of(name)), config)
    states = [position(name, 0), position(name, 1)]
    fast, slow = streams_of(seed=6, count=2), streams_of(seed=6, count=2)
    result = search.run(batch_of(*states), fast)
    old = [check_twin(search, result, row, states[row], slow[row]) for row in range(2)]
    for _ in range(2):  # an action, then what comes after it: a roll, or the next decision
        states = [most_visited(search, row, state) for row, state in enumerate(states)]
        if any(state.is_terminal for state in states):
            break
        result = search.run(batch_of(*states), fast, reuse=True)
        old = [check_twin(search, result, row, states[row], slow[row], old[row]) for row in (0, 1)]
        check_sums(search, 0)
    np.testing.assert_array_equal(fast, slow)


@pytest.mark.compiled
@pytest.mark.parametrize("chance", CHANCES)
def test_a_tree_of_trictrac_that_is_kept_equals_that_of_the_slow_search(chance: Chance) -> None:
    config = MctsConfig(n_simulations=30, chance=chance, eval_batch_size=1)
    state = position("trictrac", 1)
    search = Search(state.game, HashEvaluator(state.game), config)
    fast, slow = streams_of(seed=6), streams_of(seed=6)
    old = None
    for _ in range(3):  # a play, the roll after it, the reply
        result = search.run(batch_of(state), fast, reuse=True)
        old = check_twin(search, result, 0, state, slow[0], old)
        state = most_visited(search, 0, state)


def test_what_was_known_is_kept_and_as_many_simulations_are_added() -> None:
    state = position("race")
    config = MctsConfig(n_simulations=30, chance="expect")
    search = Search(state.game, HashEvaluator(state.game), config)
    stream = streams_of(seed=1)
    search.run(batch_of(state), stream)
    after = most_visited(search, 0, state)
    nodes = tree_of(search).nodes
    known = nodes["visits"][nodes["parent"] == ROOT].max()
    result = search.run(batch_of(after), stream, reuse=True)
    assert result.simulations[0] == 30
    assert result.visits.sum() == known - 1 + 30


def test_gumbel_halves_among_new_visits_only() -> None:
    state = position("race", 2)
    config = MctsConfig(n_simulations=12, selection="gumbel", gumbel_scale=0.0)
    search = Search(state.game, HashEvaluator(state.game), config)
    stream = streams_of(seed=1)
    before = search.run(batch_of(state), stream).visits
    again = search.run(batch_of(state), stream, reuse=True).visits - before
    count = len(state.legal_actions)
    assert sorted(again[0, :count]) == sorted(before[0, :count])
    assert again.sum() == 12


def test_without_reuse_or_with_another_position_everything_is_new() -> None:
    states = [position("race", 0), position("race", 2)]
    config = MctsConfig(n_simulations=8)
    search = Search(states[0].game, HashEvaluator(states[0].game), config)
    search.run(batch_of(states[0]), streams_of(seed=1))
    fresh = tree_of(search)
    search.run(batch_of(states[1]), streams_of(seed=2), reuse=True)
    search.run(batch_of(states[0]), streams_of(seed=1), reuse=True)
    assert_same_trees(tree_of(search), fresh)
    search.run(batch_of(states[0]), streams_of(seed=1))
    assert_same_trees(tree_of(search), fresh)
    search.run(batch_of(*states), streams_of(seed=1, count=2), reuse=True)  # other batch
    assert_same_trees(tree_of(search), fresh)


def test_some_games_of_a_batch_may_keep_their_trees() -> None:
    states = [position("race", 0), position("race", 2)]
    config = MctsConfig(n_simulations=10)
    search = Search(states[0].game, HashEvaluator(states[0].game), config)
    stream = streams_of(seed=1, count=2)
    search.run(batch_of(*states), stream)
    later = [states[0], position("race", 1)]
    result = search.run(batch_of(*later), stream, reuse=True)
    assert result.visits.sum(axis=1).tolist() == [20, 10]
    check_sums(search, 0)
    check_sums(search, 1)
