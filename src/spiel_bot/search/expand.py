"""Expansion: positions become nodes with priors, and an evaluation becomes white's value."""

import math

import numpy as np

from spiel_bot._jit import kernel
from spiel_bot.games.base import Actions, Floats, Players
from spiel_bot.games.constants import CHANCE, TERMINAL, WHITE
from spiel_bot.search.chance import Floats64, Positions
from spiel_bot.search.tree import NO_NODE, PENDING, Bytes, Edges, Ints, Nodes, Tree

ALL_FINITE = -1
"""What `expand_many` returns if all is well."""


@kernel
def store_positions(
    nodes: Nodes,
    positions: Positions,
    count: int,
    states: Bytes,
    out_nodes: Bytes,
    out_states: Bytes,
    out_players: Players,
    out_places: Ints,
) -> tuple[int, int]:
    """Store the positions of new nodes, and gather those where somebody decides.

    Only decisions go to the evaluator: the end of a game has its result, and a roll its outcomes.
    In one kernel, because threads hand the GIL to each other between kernels.

    Args:
        nodes: [B, N] only read.
        positions: Only read.
        count: Positions in use.
        states: [M, S] of the positions.
        out_nodes: [B, N, S] states of the nodes; those of new ones are written.
        out_states: [M, S] the decisions next to each other.
        out_players: [M] who decides.
        out_places: [M] number of the position.

    Returns:
        The rolls of the game that has most of them, and the number of decisions.
    """
    games, targets, players = positions.game, positions.node, positions.player
    rolls = np.zeros(nodes.shape[0], np.int64)
    most_rolls = 0
    total = 0
    for m in range(count):
        game = games[m]
        node = targets[m]
        player = players[m]
        if nodes[game, node]["player"] == PENDING:
            for i in range(states.shape[1]):
                out_nodes[game, node, i] = states[m, i]
        if player == CHANCE:
            rolls[game] += 1
            most_rolls = max(most_rolls, rolls[game])
        elif player != TERMINAL:
            for i in range(states.shape[1]):
                out_states[total, i] = states[m, i]
            out_players[total] = player
            out_places[total] = m
            total += 1
    return int(most_rolls), total


@kernel
def finish_games(nodes: Nodes, positions: Positions, count: int, returns: Floats) -> None:
    """Give ended games their result, `returns` [M, 2], and make new ones nodes."""
    for m in range(count):
        if positions.player[m] == TERMINAL:
            game = positions.game[m]
            node = positions.node[m]
            positions.value[m] = returns[m, WHITE]
            if nodes[game, node]["player"] == PENDING:
                nodes[game, node]["player"] = TERMINAL
                nodes[game, node]["value"] = returns[m, WHITE]


@kernel
def expand_many(
    tree: Tree,
    positions: Positions,
    places: Ints,
    count: int,
    legal: Actions,
    counts: Actions,
    logits: Floats,
    values: Floats,
    scratch: Floats64,
) -> int:
    """Give evaluated decisions their edges, and turn their values to white's side.

    Where a tree has no room for them nothing is changed.

    Illegal actions take no part in the softmax. A decision beyond a roll that does not grow is
    not stored: only its value is used.

    Args:
        tree: Changed in place.
        positions: `value` is written.
        places: [D] number of the position of each decision.
        count: Decisions in use.
        legal: [D, L] legal actions.
        counts: [D] how many.
        logits: [D, A] of all actions.
        values: [D] from the mover's side.
        scratch: [L] overwritten.

    Returns:
        `ALL_FINITE`, or the first decision whose value or legal logits are not finite, or less
        than `ALL_FINITE` by the edges a tree must have room for.
    """
    nodes, edges, num_edges = tree.nodes, tree.edges, tree.num_edges
    games, targets, players = positions.game, positions.node, positions.player
    white_values = positions.value
    needed = edges_of_a_game(games, places, count, counts, num_edges)
    if needed > edges.shape[1]:
        return ALL_FINITE - needed
    for d in range(count):
        m = places[d]
        game = int(games[m])
        node = int(targets[m])
        sign = 1.0 if players[m] == WHITE else -1.0
        white_values[m] = sign * values[d]
        is_finite = math.isfinite(values[d]) and softmax(legal, counts, logits, d, scratch)
        if not is_finite:
            return d
        if nodes[game, node]["player"] == CHANCE:
            continue
        nodes[game, node]["player"] = players[m]
        nodes[game, node]["value"] = white_values[m]
        add_actions(nodes, edges, num_edges, game, node, legal, int(counts[d]), d, scratch)
    return ALL_FINITE


@kernel
def edges_of_a_game(games: Ints, places: Ints, count: int, counts: Actions, num_edges: Ints) -> int:
    """Return how many edges the tree needs in all that needs most, with those of new decisions.

    Args:
        games: [M] game of each position.
        places: [D] number of the position of each decision.
        count: Decisions in use.
        counts: [D] legal actions of each.
        num_edges: [B] edges in use.
    """
    totals = num_edges.astype(np.int64)
    most = 0
    for d in range(count):
        game = games[places[d]]
        totals[game] += counts[d]
        most = max(most, totals[game])
    return int(most)


@kernel
def softmax(legal: Actions, counts: Actions, logits: Floats, d: int, out: Floats64) -> bool:
    """Write the policy of the legal actions of row `d` to `out` [L]; False if not finite."""
    count = int(counts[d])
    most = -math.inf
    for i in range(count):
        logit = float(logits[d, legal[d, i]])
        if not math.isfinite(logit):
            return False
        most = max(most, logit)
    total = 0.0
    for i in range(count):
        out[i] = math.exp(float(logits[d, legal[d, i]]) - most)
        total += out[i]
    for i in range(count):
        out[i] /= total
    return True


@kernel
def add_actions(
    nodes: Nodes,
    edges: Edges,
    num_edges: Ints,
    game: int,
    node: int,
    legal: Actions,
    count: int,
    d: int,
    priors: Floats64,
) -> None:
    """Give a decision an edge for each of `count` legal actions.

    Args:
        nodes: [B, N] changed.
        edges: [B, E] changed.
        num_edges: [B] edges in use, changed.
        game: Row of these.
        node: The decision.
        legal: [D, L] legal actions.
        count: How many.
        d: Row of the legal actions.
        priors: [L] of these actions.
    """
    first = int(num_edges[game])
    for i in range(count):
        edges[game, first + i]["label"] = legal[d, i]
        edges[game, first + i]["prior"] = priors[i]
        edges[game, first + i]["child"] = NO_NODE
    nodes[game, node]["first_edge"] = first
    nodes[game, node]["num_edges"] = count
    num_edges[game] += count
