import numpy as np
from tests.search.trees import assert_same_trees, batch_of, position, streams_of, tree_of

from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.puct import mover_value, tries
from spiel_bot.search.tree import NO_NODE, add_node, new_tree


def test_a_descent_in_flight_counts_as_a_visit_and_a_loss() -> None:
    tree = new_tree(num_games=1, num_nodes=1, num_edges=1)
    node = add_node(tree.nodes, tree.num_nodes, 0, NO_NODE)
    tree.nodes[0, node]["visits"] = 3
    tree.nodes[0, node]["value_sum"] = 1.5
    tree.nodes[0, node]["in_flight"] = 2
    assert tries(tree.nodes, 0, node) == 5
    assert tries(tree.nodes, 0, NO_NODE) == 0
    assert mover_value(tree.nodes, 0, node, 1.0) == (1.5 - 2) / 5
    assert mover_value(tree.nodes, 0, node, -1.0) == (-1.5 - 2) / 5


def test_noise_changes_the_search_but_not_the_priors_it_reports() -> None:
    state = position("tic_tac_toe")
    for eps, num_trees in ((0.0, 1), (0.5, 3)):
        config = MctsConfig(n_simulations=30, dirichlet_eps=eps)
        visits = set()
        for seed in range(3):
            search = Search(state.game, HashEvaluator(state.game), config)
            result = search.run(batch_of(state), streams_of(seed))
            visits.add(tuple(result.visits[0].tolist()))
            logits, _ = HashEvaluator(state.game).evaluate(state.observation().reshape(-1))
            weights = np.exp(logits.astype(float))
            np.testing.assert_allclose(result.priors[0], weights / weights.sum(), rtol=1e-6)
            np.testing.assert_allclose(result.policy[0], result.visits[0] / 30)
        assert len(visits) == num_trees


def test_automatic_noise_has_the_sum_of_the_plan() -> None:
    state = position("tic_tac_toe")
    trees = []
    for alpha in ("auto", 10 / 9):
        config = MctsConfig(n_simulations=20).replace(dirichlet_alpha=alpha)
        search = Search(state.game, HashEvaluator(state.game), config)
        search.run(batch_of(state), streams_of(seed=1))
        trees.append(tree_of(search))
    assert_same_trees(*trees)


def test_without_curiosity_the_best_value_is_followed() -> None:
    state = position("tic_tac_toe", 2)
    config = MctsConfig(n_simulations=40, c_puct=0.0, fpu_reduction=0.0, dirichlet_eps=0.0)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=1))
    assert result.visits[0].argmax() == result.values[0, : result.num_actions[0]].argmax()
