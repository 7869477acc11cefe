"""Backup: what a descent has found is added to every node between its end and the root."""

from spiel_bot._jit import kernel
from spiel_bot.games.constants import CHANCE
from spiel_bot.search.chance import Opened, Positions
from spiel_bot.search.tree import NO_NODE, ROOT, Edges, Nodes, Tree


@kernel
def begin_roots(nodes: Nodes, positions: Positions, count: int) -> None:
    """Count the evaluation of new roots as their first visit; a roll has none of its own."""
    for m in range(count):
        game = positions.game[m]
        if nodes[game, ROOT]["player"] != CHANCE:
            nodes[game, ROOT]["visits"] = 1
            nodes[game, ROOT]["value_sum"] = positions.value[m]


@kernel
def backup_many(nodes: Nodes, positions: Positions, count: int) -> None:
    """Land every descent: one visit and its value for each node from its end to the root.

    Chance nodes need no special case: the rolls below them come as often as they are probable,
    so the mean over visits is the expectation.
    """
    games, values, ends = positions.game, positions.value, positions.node
    for m in range(count):
        game = games[m]
        value = values[m]
        node = int(ends[m])
        while node != NO_NODE:
            nodes[game, node]["in_flight"] -= 1
            nodes[game, node]["visits"] += 1
            nodes[game, node]["value_sum"] += value
            node = int(nodes[game, node]["parent"])


@kernel
def backup_expectations(
    tree: Tree,
    positions: Positions,
    num_descents: int,
    num_positions: int,
    opened: Opened,
    num_opened: int,
) -> None:
    """Land every descent where the value of a roll is the exact mean over its outcomes.

    The sum of a chance node is kept at visits times that mean. What its parent is given is the
    change of the sum, so that a decision's sum stays its own evaluation and its children's.

    Args:
        tree: Changed in place.
        positions: Of all outcomes of the rolls opened in this round, and of descents without.
        num_descents: The first positions, one for each descent.
        num_positions: All positions.
        opened: The rolls opened, parents before children.
        num_opened: How many.
    """
    nodes, edges = tree.nodes, tree.edges
    for m in range(num_positions):
        game = positions.game[m]
        node = positions.node[m]
        if node != positions.bottom[m]:  # an outcome of a roll opened in this round
            nodes[game, node]["visits"] = 1
            nodes[game, node]["value_sum"] = positions.value[m]
    for i in range(num_opened - 1, -1, -1):
        game = opened.game[i]
        node = opened.node[i]
        nodes[game, node]["visits"] = 1
        nodes[game, node]["value_sum"] = expectation(nodes, edges, int(game), int(node))
    for m in range(num_descents):
        game = positions.game[m]
        node = int(positions.bottom[m])
        nodes[game, node]["in_flight"] -= 1
        if node == positions.node[m]:
            change = positions.value[m]
            nodes[game, node]["visits"] += 1
            nodes[game, node]["value_sum"] += change
        else:
            change = nodes[game, node]["value_sum"]
        node = int(nodes[game, node]["parent"])
        while node != NO_NODE:
            nodes[game, node]["in_flight"] -= 1
            nodes[game, node]["visits"] += 1
            if nodes[game, node]["player"] == CHANCE:
                total = nodes[game, node]["visits"] * expectation(nodes, edges, int(game), node)
                change = total - nodes[game, node]["value_sum"]
            nodes[game, node]["value_sum"] += change
            node = int(nodes[game, node]["parent"])


@kernel
def expectation(nodes: Nodes, edges: Edges, game: int, node: int) -> float:
    """Return the mean of the outcomes that have been evaluated, weighted by probability."""
    total = 0.0
    weight = 0.0
    first = int(nodes[game, node]["first_edge"])
    for edge in range(first, first + int(nodes[game, node]["num_edges"])):
        child = edges[game, edge]["child"]
        if child != NO_NODE and nodes[game, child]["visits"] > 0:
            p = float(edges[game, edge]["prior"])
            total += p * nodes[game, child]["value_sum"] / nodes[game, child]["visits"]
            weight += p
    return float(total / weight)
