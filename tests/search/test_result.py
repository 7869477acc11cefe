import numpy as np
import pytest
from tests.search.trees import assert_same_trees, batch_of, position, streams_of, tree_of

from spiel_bot.games.base import NO_ACTION
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig, Selection
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.result import choose_by_visits
from spiel_bot.search.tree import NO_NODE


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_the_temperature_does_not_enter_the_policy_or_the_tree(selection: Selection) -> None:
    state = position("race")
    found = []
    for temperature in (0.0, 0.3, 1.0, 20.0):
        config = MctsConfig(n_simulations=20, temperature=temperature, selection=selection)
        search = Search(state.game, HashEvaluator(state.game), config)
        found.append((search.run(batch_of(state), streams_of(seed=3)), tree_of(search)))
    for result, tree in found[1:]:
        np.testing.assert_array_equal(result.policy, found[0][0].policy)
        assert_same_trees(tree, found[0][1])


def test_untried_actions_have_the_value_of_the_position() -> None:
    state = position("tic_tac_toe")
    config = MctsConfig(n_simulations=3, dirichlet_eps=0.0)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=3))
    untried = result.visits[0] == 0
    assert untried.sum() >= 6
    assert (result.values[0, untried] == result.root_value[0]).all()


def test_the_full_policy_has_a_place_for_every_action() -> None:
    states = [position("race", 0), position("race", 3)]  # a decision and a roll
    search = Search(states[0].game, HashEvaluator(states[0].game), MctsConfig(n_simulations=9))
    result = search.run(batch_of(*states), streams_of(seed=3, count=2))
    full = result.full_policy(states[0].game.spec.num_actions)
    assert full.shape == (2, 12)
    assert np.flatnonzero(full[0]).tolist() == [
        action
        for action, visits in zip(states[0].legal_actions, result.visits[0], strict=False)
        if visits
    ]
    assert full.sum(axis=1) == pytest.approx([1.0, 0.0])


VISITS = np.array([10, 0, 40, 40, 10], np.int32)
VALUES = np.array([0.9, 0.9, 0.1, 0.2, 0.0])


def choose(temperature: float, seed: int, draws: int = 1, sign: float = 1.0) -> list[int]:
    stream = streams_of(seed)[0]
    scratch = np.empty(5)
    return [
        choose_by_visits(VISITS, VALUES, 5, sign, temperature, stream, scratch)
        for _ in range(draws)
    ]


def test_temperature_zero_takes_the_most_visited_and_of_equals_the_better() -> None:
    assert choose(0.0, seed=1) == [3]
    assert choose(0.0, seed=1, sign=-1.0) == [2]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_actions_are_drawn_by_visits_to_a_power(temperature: float) -> None:
    draws = 3000
    counts = np.bincount(choose(temperature, seed=2, draws=draws), minlength=5)
    weights = (VISITS / VISITS.sum()) ** (1 / temperature)
    expected = draws * weights / weights.sum()
    assert counts[1] == 0
    assert counts == pytest.approx(expected, abs=4 * draws**0.5 / 2)


def test_a_very_low_temperature_does_not_overflow() -> None:
    assert set(choose(1e-3, seed=3, draws=200)) == {2, 3}


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
def test_the_principal_variation_begins_with_the_choice(name: str, selection: Selection) -> None:
    state = position(name)
    config = MctsConfig(n_simulations=30, selection=selection, eval_batch_size=1)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=1))
    line = [int(label) for label in result.principal_variation[0] if label != NO_ACTION]
    tree, node = search.forest.tree, 0
    for ply, label in enumerate(line):
        first = tree.nodes["first_edge"][0, node]
        edges = tree.edges[0, first : first + tree.nodes["num_edges"][0, node]]
        visits = [tree.nodes["visits"][0, c] if c != NO_NODE else 0 for c in edges["child"]]
        taken = edges["label"].tolist().index(label)
        assert ply == 0 or visits[taken] == max(visits)
        node = int(edges["child"][taken])
    assert line[0] == result.action[0]
    is_end = tree.nodes["num_edges"][0, node] == 0 or tree.nodes["visits"][0, node] == 1
    assert is_end or len(line) == result.principal_variation.shape[1]


def test_the_root_value_of_a_gumbel_search_is_that_of_the_improved_policy() -> None:
    state = position("race")
    config = MctsConfig(selection="gumbel", n_simulations=64, eval_batch_size=1)
    search = Search(state.game, HashEvaluator(state.game), config.replace(gumbel_actions=99))
    result = search.run(batch_of(state), streams_of(seed=1))
    assert (result.visits[0, : result.num_actions[0]] > 0).all()
    expected = float((result.policy[0] * result.values[0]).sum())
    assert result.root_value[0] == pytest.approx(expected, abs=1e-9)
