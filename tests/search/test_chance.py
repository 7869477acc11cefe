import numpy as np
import pytest
from tests.search.trees import CHANCES, batch_of, game_of, position, streams_of

from spiel_bot import CHANCE
from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.tree import NO_NODE


@pytest.mark.parametrize("chance", CHANCES)
def test_rolls_that_may_follow_each_other_without_end_do_not_keep_a_search(chance: Chance) -> None:
    # A 1 in pig gives the other side the roll. In one of six searches it is first of its order.
    state = position("pig")
    states = batch_of(*[state] * 16)
    config = MctsConfig(n_simulations=4, chance=chance, eval_batch_size=2)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(states, streams_of(seed=5, count=16))
    assert (result.visits.sum(axis=1) == 4).all()
    first = {int(label) for label in first_labels(search)}
    assert 0 in first  # so the case has arisen
    assert chance in ("sample", "leaf") or len(first) > 3


def first_labels(search: Search) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the label of the first edge of the first roll in each tree."""
    tree = search.forest.tree
    labels = []
    for row in range(len(tree.num_nodes)):
        rolls = np.flatnonzero(tree.nodes["player"][row, : tree.num_nodes[row]] == CHANCE)
        labels.append(tree.edges["label"][row, tree.nodes["first_edge"][row, rolls[0]]])
    return np.array(labels, np.int32)


@pytest.mark.parametrize("seed", range(3))
def test_quotas_visit_rolls_as_often_as_they_are_probable(seed: int) -> None:
    state = position("race", 3)  # a roll
    config = MctsConfig(n_simulations=108, chance="quota", eval_batch_size=5)
    search = Search(state.game, HashEvaluator(state.game), config)
    search.run(batch_of(state), streams_of(seed))
    tree = search.forest.tree
    edges = tree.edges[0, : tree.nodes["num_edges"][0, 0]]
    visits = tree.nodes["visits"][0, edges["child"]]
    assert visits.tolist() == [round(108 * p) for p in edges["prior"].tolist()]


def test_all_candidates_of_a_search_meet_the_same_rolls_in_the_same_order() -> None:
    state = position("race")
    config = MctsConfig(n_simulations=64, chance="quota", eval_batch_size=1)
    search = Search(state.game, HashEvaluator(state.game), config)
    search.run(batch_of(state), streams_of(seed=1))
    tree = search.forest.tree
    nodes = tree.nodes[0, : tree.num_nodes[0]]
    rolls = nodes[nodes["player"] == CHANCE]
    assert len(rolls) > 5
    orders = {
        tuple(tree.edges["label"][0, r["first_edge"] : r["first_edge"] + r["num_edges"]])
        for r in rolls
    }
    assert len(orders) == 1


def test_a_leaf_search_does_not_grow_beyond_a_roll() -> None:
    for name in ("pig", "race"):
        state = position(name)
        config = MctsConfig(n_simulations=40, chance="leaf")
        search = Search(game_of(name), HashEvaluator(state.game), config)
        search.run(batch_of(state), streams_of(seed=2))
        tree = search.forest.tree
        nodes = tree.nodes[0, : tree.num_nodes[0]]
        parents = nodes["parent"][nodes["parent"] != NO_NODE]
        assert (nodes["player"] == CHANCE).any()
        assert (nodes["player"][parents] != CHANCE).all()


def test_expectation_evaluates_every_outcome_at_the_first_visit() -> None:
    state = game_of("race").from_notation("white 1,0,1,1,0,0,0 black 1,1,0,0,1,0,0: white plays 3")
    config = MctsConfig(n_simulations=1, chance="expect", dirichlet_eps=0.0)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=3))
    tree = search.forest.tree
    assert tree.nodes["player"][0, 1] == CHANCE
    assert result.evaluations == 1 + 21
    first = tree.nodes["first_edge"][0, 1]
    edges = tree.edges[0, first : first + 21]
    children = tree.nodes[0, edges["child"]]
    assert (children["visits"] == 1).all()
    priors = edges["prior"].astype(float)
    mean = float((priors * children["value_sum"]).sum() / priors.sum())
    assert tree.nodes["value_sum"][0, 1] == pytest.approx(mean, abs=1e-9)
