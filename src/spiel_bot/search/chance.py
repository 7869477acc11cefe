"""Rolls in the tree: which outcome a descent takes, and what a new chance node becomes."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.constants import CHANCE, NO_ACTION
from spiel_bot.games.sampling import draw_outcome
from spiel_bot.rng import MASK, Streams, finish_hash, uniform
from spiel_bot.search.config import EXPECT, LEAF
from spiel_bot.search.puct import tries
from spiel_bot.search.tree import NO_NODE, PENDING, Edges, Ints, Nodes, Tree, add_node

Floats64 = npt.NDArray[np.float64]

# The linear congruence of Numerical Recipes: quick, and only its high bits matter here.
LCG_FACTOR = 1_664_525
LCG_STEP = 1_013_904_223


class Positions(NamedTuple):
    """Positions on their way to the evaluator, M of them; each belongs to a descent.

    At first there is one position for each descent, in the same order. Where a roll is expanded
    to all its outcomes the descent gets more of them, at the end.
    """

    game: Ints  # [M] row of the tree
    node: Ints  # [M] node whose position this is, or the last roll before it
    bottom: Ints  # [M] the first new node of the descent, or the end of a game it came to
    action: Ints  # [M] to play from the source, or NO_ACTION
    outcome: Ints  # [M] to let happen, or NO_ACTION
    player: npt.NDArray[np.int8]  # [M] who acts
    value: Floats64  # [M] white's value


class Opened(NamedTuple):
    """Chance nodes whose outcomes were all made at once, in the order of their making."""

    game: Ints  # [M]
    node: Ints  # [M]


def new_positions(count: int) -> Positions:
    """Return room for so many positions."""
    return Positions(
        game=np.empty(count, np.int32),
        node=np.empty(count, np.int32),
        bottom=np.empty(count, np.int32),
        action=np.empty(count, np.int32),
        outcome=np.empty(count, np.int32),
        player=np.empty(count, np.int8),
        value=np.empty(count),
    )


@kernel
def choose_outcome(
    nodes: Nodes,
    edges: Edges,
    game: int,
    node: int,
    mode: int,
    streams: Streams,
) -> int:
    """Return the edge of a roll that a descent takes.

    Args:
        nodes: [B, N] only read.
        edges: [B, E] only read.
        game: Row of both.
        node: A chance node that has been opened.
        mode: `SAMPLE` and `LEAF` draw by probability; `QUOTA` and `EXPECT` take the most of
            p / (n + offset), so that the visits follow the probabilities as closely as they can.
        streams: [B, 4] advanced by a draw.
    """
    first = int(nodes[game, node]["first_edge"])
    num_edges = int(nodes[game, node]["num_edges"])
    best = first
    if mode <= LEAF:
        point = uniform(streams[game])
        total = 0.0
        for edge in range(first, first + num_edges):
            best = edge
            total += float(edges[game, edge]["prior"])
            if point < total:
                break
        return best
    best_share = -1.0
    word = int(np.int64(nodes[game, node]["turn_word"]))
    outcome = 0
    for edge in range(first, first + num_edges):
        n = tries(nodes, game, int(edges[game, edge]["child"]))
        while outcome < edges[game, edge]["label"]:  # outcomes that cannot come have no edge
            word = (word * LCG_FACTOR + LCG_STEP) & MASK
            outcome += 1
        share = float(edges[game, edge]["prior"]) / (n + offset_of(word))
        if share > best_share:
            best_share = share
            best = edge
    return best


@kernel
def offset_of(word: int) -> float:
    """Return the offset of an outcome, in (0, 1]: when its turn comes. As float32 has it."""
    return float(np.float32((word + 1) / 4_294_967_296.0))


@kernel
def turn_of(nodes: Nodes, game: int, node: int) -> int:
    """Return the first decision after the last roll above a node: where its turn began.

    Rolls that end the same turn have the same offsets, so the candidates of a decision are
    compared on the same rolls. Those of other turns must differ: with one order for the whole
    tree its few rolls came again at every depth, and the value of the root kept their luck.
    """
    parent = int(nodes[game, node]["parent"])
    while parent != NO_NODE and nodes[game, parent]["player"] != CHANCE:
        node = parent
        parent = int(nodes[game, node]["parent"])
    return node


@kernel
def open_rolls(
    tree: Tree,
    positions: Positions,
    count: int,
    probabilities: Floats64,
    mode: int,
    streams: Streams,
    seeds: npt.NDArray[np.int64],
    opened: Opened,
    num_opened: int,
    states: npt.NDArray[np.uint8],
) -> tuple[int, int]:
    """Go on from every position that is a roll: make its edges and say which outcome happens.

    A roll straight after a roll (pig, after a 1) gets one outcome with `EXPECT` too: all
    outcomes of all rolls of a chain would have no end.

    Args:
        tree: Changed in place.
        positions: Those at a roll move to a child; `outcome` is written for all. With `EXPECT`
            the other children are appended.
        count: Positions in use.
        probabilities: [M, C] of each position's roll.
        mode: As in `choose_outcome`.
        streams: [B, 4] advanced by draws.
        seeds: [B] of the offsets.
        opened: Appended to with `EXPECT`.
        num_opened: Entries of it in use.
        states: [M, S] of the positions; appended ones are copies of the roll.

    Returns:
        Positions in use, and entries of `opened` in use.
    """
    nodes, edges, num_nodes, num_edges = tree.nodes, tree.edges, tree.num_nodes, tree.num_edges
    games, targets = positions.game, positions.node
    bottoms, outcomes, players = positions.bottom, positions.outcome, positions.player
    total = count
    for m in range(count):
        outcomes[m] = NO_ACTION
        if players[m] != CHANCE:
            continue
        game = int(games[m])
        node = int(targets[m])
        if nodes[game, node]["player"] != PENDING:  # beyond a roll that does not grow: draw again
            outcomes[m] = draw_outcome(probabilities[m], uniform(streams[game]))
            continue
        add_outcomes(nodes, edges, num_edges, game, node, probabilities, m, seeds)
        parent = int(nodes[game, node]["parent"])
        is_again = parent != NO_NODE and nodes[game, parent]["player"] == CHANCE
        if mode == EXPECT:
            opened.game[num_opened] = game
            opened.node[num_opened] = node
            num_opened += 1
        if mode == EXPECT and not is_again:
            first = int(nodes[game, node]["first_edge"])
            for i in range(int(nodes[game, node]["num_edges"])):
                target = m if i == 0 else total
                total += 0 if i == 0 else 1
                child = add_node(nodes, num_nodes, game, node)
                edges[game, first + i]["child"] = child
                games[target] = game
                for byte in range(states.shape[1]):
                    states[target, byte] = states[m, byte]
                targets[target] = child
                bottoms[target] = bottoms[m]
                outcomes[target] = edges[game, first + i]["label"]
            continue
        edge = choose_outcome(nodes, edges, game, node, mode, streams)
        outcomes[m] = edges[game, edge]["label"]
        if mode != LEAF:
            child = add_node(nodes, num_nodes, game, node)
            nodes[game, child]["in_flight"] = 0 if mode == EXPECT else 1
            edges[game, edge]["child"] = child
            targets[m] = child
    return total, num_opened


@kernel
def open_root_rolls(
    tree: Tree,
    positions: Positions,
    count: int,
    probabilities: Floats64,
    seeds: npt.NDArray[np.int64],
) -> None:
    """Make roots that are rolls chance nodes, `probabilities` [M, C], without an outcome yet."""
    nodes, edges, num_edges = tree.nodes, tree.edges, tree.num_edges
    for m in range(count):
        if positions.player[m] == CHANCE:
            game, node = int(positions.game[m]), int(positions.node[m])
            add_outcomes(nodes, edges, num_edges, game, node, probabilities, m, seeds)


@kernel
def add_outcomes(
    nodes: Nodes,
    edges: Edges,
    num_edges: Ints,
    game: int,
    node: int,
    probabilities: Floats64,
    m: int,
    seeds: npt.NDArray[np.int64],
) -> None:
    """Make a pending node a roll with an edge for each outcome that is possible.

    Args:
        nodes: [B, N] changed.
        edges: [B, E] changed.
        num_edges: [B] edges in use, changed.
        game: Row of these.
        node: The node.
        probabilities: [M, C].
        m: Row of the probabilities.
        seeds: [B] of the offsets.
    """
    turn = turn_of(nodes, game, node)
    word = int(np.int64(nodes[game, turn]["turn_word"]))
    if word == 0:
        word = max(finish_hash((int(seeds[game]) + turn) & MASK), 1)
        nodes[game, turn]["turn_word"] = word
    nodes[game, node]["turn_word"] = word
    first = int(num_edges[game])
    edge = first
    for outcome in range(probabilities.shape[1]):
        if probabilities[m, outcome] > 0.0:
            edges[game, edge]["label"] = outcome
            edges[game, edge]["prior"] = probabilities[m, outcome]
            edges[game, edge]["child"] = NO_NODE
            edge += 1
    nodes[game, node]["player"] = CHANCE
    nodes[game, node]["first_edge"] = first
    nodes[game, node]["num_edges"] = edge - first
    num_edges[game] = edge
