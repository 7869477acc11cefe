"""What the tests of the search share: positions of all games, and trees compared node by node."""

from functools import cache
from typing import NamedTuple

import numpy as np
from tests.reference.slow_search import Node, SlowSearch

from spiel_bot import CHANCE, TERMINAL, Environment, Game, load
from spiel_bot.games.base import States
from spiel_bot.rng import Purpose, Streams, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig, Selection
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.result import SearchResult
from spiel_bot.search.tree import NO_NODE, ROOT, Edges, Nodes

SELECTIONS: tuple[Selection, ...] = ("puct", "gumbel")
CHANCES: tuple[Chance, ...] = ("sample", "leaf", "quota", "expect")

# Openings, middles and last moves; decisions and rolls; either side to act.
POSITIONS = {
    "tic_tac_toe": (".../.../... X", "X.O/.X./... O", "XOX/O.X/..O X", "XOX/OXX/.OO X"),
    "pig": (
        "0-0 +8 of 20, white decides",
        "3-15 +2 of 20, black decides",
        "14-9 +0 of 20, black rolls",
    ),
    "race": (
        "white 0,0,0,0,1,1,1 black 0,0,0,0,1,1,1: white plays 5-2",
        "white 1,1,0,0,0,0,1 black 1,1,0,0,0,0,1: black plays 2-1",
        "white 0,0,1,1,0,0,1 black 0,1,1,0,0,0,1: white plays 2-2 again",
        "white 1,0,1,1,0,0,0 black 1,1,0,0,1,0,0: black rolls",
    ),
    "trictrac": (
        "white 1*8 4*2 6*2 8 9 10, black 1*7 5*2 6*2 8*2 11*2; white plays 5-2",
        "white 1*9 3 7*3 8 9, black 1*11 4*2 8 11; white plays 5-5 or goes; holes 1-0; flag white",
        "white 22 23*2 24, black 20*3 21*2; white rolls",
    ),
}
OPTIONS: dict[str, dict[str, int]] = {"pig": {"target": 20}}


@cache
def game_of(name: str) -> Game:
    """Return a game as the tests play it."""
    return load(name, **OPTIONS.get(name, {}))


def position(name: str, index: int = 0, seed: int = 0) -> Environment:
    """Return one of `POSITIONS`."""
    return game_of(name).from_notation(POSITIONS[name][index], seed)


def batch_of(*states: Environment) -> States:
    """Return positions as a search takes them."""
    return np.array([state.record for state in states])


def streams_of(seed: int, count: int = 1, first: int = 0) -> Streams:
    """Return the streams of so many searches."""
    return streams(seed, Purpose.SEARCH, range(first, first + count))


def run_both(
    config: MctsConfig, states: list[Environment], seed: int
) -> tuple[Search, SearchResult, list[SlowSearch]]:
    """Search positions by kernels and slowly, compare all, and return both."""
    game = states[0].game
    search = Search(game, HashEvaluator(game), config)
    result = search.run(batch_of(*states), streams_of(seed, len(states)))
    return (
        search,
        result,
        [
            check_twin(search, result, row, state, streams_of(seed, len(states))[row])
            for row, state in enumerate(states)
        ],
    )


def check_twin(
    search: Search,
    result: SearchResult,
    row: int,
    state: Environment,
    stream: Streams,
    old: SlowSearch | None = None,
) -> SlowSearch:
    """Search a position slowly; everything must equal what kernels made of it in a row."""
    evaluator = HashEvaluator(state.game)

    def evaluate(one: Environment) -> tuple[list[float], float]:
        logits, value = evaluator.evaluate(one.observation().reshape(-1))
        return logits.tolist(), value

    slow = SlowSearch(search.config, evaluate, stream)
    found = slow.run(state, old)
    assert count_same_nodes(search, row, ROOT, found.root) == search.forest.tree.num_nodes[row]
    count = int(result.num_actions[row])
    assert result.visits[row, :count].tolist() == found.visits
    np.testing.assert_allclose(result.values[row, :count], found.values, rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.policy[row, :count], found.policy, rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.root_value[row], found.root_value, rtol=0, atol=1e-9)
    assert result.action[row] == found.action
    assert result.simulations[row] == slow.simulations
    return slow


def count_same_nodes(search: Search, row: int, number: int, node: Node) -> int:
    """Compare a node and all below it with the slow one; return how many there are."""
    tree = search.forest.tree
    fast = tree.nodes[row, number]
    assert fast["player"] == node.player
    assert fast["visits"] == node.visits
    assert fast["in_flight"] == 0
    assert abs(fast["value_sum"] - node.value_sum) < 1e-9
    assert abs(fast["value"] - node.value) < 1e-9
    assert search.forest.states[row, number] == node.state.record
    first = fast["first_edge"]
    edges = tree.edges[row, first : first + fast["num_edges"]]
    assert edges["label"].tolist() == [edge.label for edge in node.edges]
    np.testing.assert_allclose(edges["prior"], [e.prior for e in node.edges], rtol=1e-6)
    total = 1
    for edge, slow in zip(edges, node.edges, strict=True):
        child = int(edge["child"])
        assert (child == NO_NODE) == (slow.child is None)
        if slow.child is not None:
            assert tree.nodes[row, child]["parent"] == number
            total += count_same_nodes(search, row, child, slow.child)
    return total


class TreeRow(NamedTuple):
    """What is in use of one tree."""

    nodes: Nodes
    edges: Edges
    states: States


def tree_of(search: Search, row: int = 0) -> TreeRow:
    """Return a copy of one tree."""
    tree, num_nodes = search.forest.tree, search.forest.tree.num_nodes[row]
    return TreeRow(
        tree.nodes[row, :num_nodes].copy(),
        tree.edges[row, : tree.num_edges[row]].copy(),
        search.forest.states[row, :num_nodes].copy(),
    )


def assert_same_trees(one: TreeRow, other: TreeRow) -> None:
    """Compare every number of two trees."""
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def check_sums(search: Search, row: int = 0) -> None:
    """Check visits and sums of every node of a tree against those of its children."""
    nodes, edges, _ = tree_of(search, row)
    for number, node in enumerate(nodes):
        own = edges[node["first_edge"] : node["first_edge"] + node["num_edges"]]
        own = own[own["child"] != NO_NODE]
        children = nodes[own["child"]]
        assert node["visits"] > 0
        assert node["in_flight"] == 0
        assert node["parent"] < number
        assert (children["parent"] == number).all()
        visits, total = int(children["visits"].sum()), float(children["value_sum"].sum())
        if node["player"] == TERMINAL:
            assert node["value_sum"] == node["visits"] * node["value"]
        elif node["player"] != CHANCE:
            assert node["visits"] == 1 + visits
            assert abs(node["value_sum"] - (float(node["value"]) + total)) < 1e-9
        elif search.config.chance == "expect":
            priors = own["prior"].astype(float)
            mean = (priors * children["value_sum"] / children["visits"]).sum()
            mean /= priors.sum()
            assert node["visits"] <= visits < node["visits"] + len(own)
            assert abs(node["value_sum"] - node["visits"] * mean) < 1e-9 * node["visits"]
        elif search.config.chance != "leaf":
            assert node["visits"] == visits
            assert abs(node["value_sum"] - total) < 1e-9
