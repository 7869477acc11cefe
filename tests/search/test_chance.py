import numpy as np
import pytest
from tests.search.trees import CHANCES, POSITIONS, batch_of, game_of, position, streams_of

from spiel_bot import CHANCE
from spiel_bot.rng import MASK
from spiel_bot.search.batch import Search
from spiel_bot.search.chance import offset_of
from spiel_bot.search.config import Chance, MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.tree import NO_NODE


@pytest.mark.parametrize("chance", CHANCES)
def test_rolls_that_may_follow_each_other_without_end_do_not_keep_a_search(chance: Chance) -> None:
    # A 1 in pig gives the other side the roll.
    state = position("pig")
    states = batch_of(*[state] * 24)
    config = MctsConfig(n_simulations=12, chance=chance, eval_batch_size=3)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(states, streams_of(seed=5, count=24))
    assert (result.visits.sum(axis=1) == 12).all()
    tree = search.forest.tree
    players = tree.nodes["player"]
    twice = [
        players[game, node] == CHANCE and players[game, tree.nodes["parent"][game, node]] == CHANCE
        for game in range(24)
        for node in range(1, tree.num_nodes[game])
    ]
    assert any(twice) == (chance != "leaf")


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


@pytest.mark.compiled
def test_candidates_of_a_turn_meet_the_same_rolls_and_other_turns_meet_others() -> None:
    state = position("trictrac")
    config = MctsConfig(n_simulations=300, chance="quota", eval_batch_size=1)
    search = Search(state.game, HashEvaluator(state.game), config)
    search.run(batch_of(state), streams_of(seed=1))
    assert_turns_share_their_rolls(search)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["trictrac", "race"])
def test_a_turn_keeps_its_rolls_when_a_tree_is_used_again(name: str) -> None:
    for seed in range(6):
        state = position(name, seed % len(POSITIONS[name]))
        while state.current_player < 0:
            state.apply_chance()
        config = MctsConfig(n_simulations=80, eval_batch_size=1)
        search = Search(state.game, HashEvaluator(state.game), config)
        streams = streams_of(seed=seed)
        result = search.run(batch_of(state), streams)
        for _ in range(3):  # into the turn, past a roll, and once where it stands
            for label in result.principal_variation[0][:1]:
                if state.current_player >= 0:
                    state.apply(int(label))
                else:
                    state.apply_outcome(int(label))
            if state.is_terminal:
                break
            result = search.run(batch_of(state), streams, reuse=True)
            result = search.run(batch_of(state), streams, reuse=True)
            assert_turns_share_their_rolls(search)


def assert_turns_share_their_rolls(search: Search) -> None:
    """Compare what the offsets of all rolls of a tree follow from: one word for each turn."""
    tree = search.forest.tree
    nodes = tree.nodes[0, : tree.num_nodes[0]]
    words: dict[int, set[int]] = {}
    for number in np.flatnonzero(nodes["player"] == CHANCE):
        roll, begin = nodes[number], int(number)
        while nodes[begin]["parent"] != NO_NODE and (
            nodes[nodes[begin]["parent"]]["player"] != CHANCE
        ):
            begin = int(nodes[begin]["parent"])
        assert roll["turn_word"] > 0
        words.setdefault(begin, set()).add(int(roll["turn_word"]))
    assert all(len(found) == 1 for found in words.values())
    assert len(set().union(*words.values())) == len(words)


def test_offsets_lie_above_zero_and_are_one_at_most() -> None:
    assert offset_of(0) == 2.0**-32
    assert offset_of(MASK) == 1.0
    assert offset_of(2**31 - 1) == 0.5


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
    mean = float((edges["prior"] * children["value_sum"]).sum() / edges["prior"].sum())
    assert tree.nodes["value_sum"][0, 1] == pytest.approx(mean, abs=1e-6)
