"""Descents: from the root to a position that is not in the tree yet, or to the end of a game."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.constants import CHANCE, NO_ACTION, TERMINAL
from spiel_bot.rng import Streams
from spiel_bot.search.chance import Floats64, Positions, choose_outcome
from spiel_bot.search.config import LEAF, KernelConfig
from spiel_bot.search.gumbel import (
    complete_values,
    halving_visits,
    improve_policy,
    select_at_root,
    select_below_root,
)
from spiel_bot.search.puct import select_puct
from spiel_bot.search.tree import NO_NODE, PENDING, ROOT, Bytes, Edges, Ints, Nodes, Tree, add_node

NO_EDGE = -1


class Roots(NamedTuple):
    """What a search knows of its roots besides the tree."""

    simulations: Ints  # [B] descents begun
    noise: Floats64  # [B, L] Dirichlet's or Gumbel's, in the order of the edges
    inherited: Ints  # [B, L] visits of each edge from an earlier search
    num_considered: Ints  # [B] actions that Gumbel's root begins with
    streams: Streams  # [B, 4] for what is drawn in the search
    seeds: npt.NDArray[np.int64]  # [B] of the offsets of outcomes; see `turn_of`


@kernel
def select_many(
    tree: Tree,
    roots: Roots,
    config: KernelConfig,
    scratch: Floats64,
    node_states: Bytes,
    out: Positions,
    out_states: Bytes,
) -> tuple[int, int]:
    """Descend up to K times in every game and say which positions are to be made.

    Each descent is in flight until `backup_many`: the next one of its game sees it as a loss. A
    game stops for this round when a descent meets a position that is still to be made, or when
    the next halving needs values that are still in flight; its first descent never does.

    Args:
        tree: Changed in place: pending nodes, and what is in flight.
        roots: `simulations` counts the descents; `streams` are advanced by their draws.
        config: How to select.
        scratch: [L] overwritten.
        node_states: [B, N, S] positions of the nodes.
        out: Written: game, node, bottom, action, outcome.
        out_states: [M, S] written: the positions that the steps begin from.

    Returns:
        How many positions, and how many of them begin with a roll.
    """
    nodes, edges, num_nodes = tree.nodes, tree.edges, tree.num_nodes
    simulations, streams = roots.simulations, roots.streams
    noise, inherited = roots.noise, roots.inherited
    num_considered = roots.num_considered
    out_game, out_node, out_bottom = out.game, out.node, out.bottom
    out_action, out_outcome = out.action, out.outcome
    count = 0
    num_rolls = 0
    for game in range(simulations.shape[0]):
        for k in range(config.leaves_per_round):
            simulation = int(simulations[game])
            if simulation >= config.n_simulations:
                break
            wanted = 0
            if config.is_gumbel:
                wanted, is_new_level = halving_visits(
                    int(num_considered[game]), config.n_simulations, simulation
                )
                if k > 0 and is_new_level:
                    break
            words = streams[game, 0], streams[game, 1], streams[game, 2], streams[game, 3]
            node, edge = find_leaf(
                nodes,
                edges,
                game,
                config,
                streams,
                noise,
                inherited,
                wanted,
                scratch,
            )
            player = nodes[game, node]["player"]
            if player == PENDING:  # the next round draws the same rolls again
                for i in range(4):
                    streams[game, i] = words[i]
                break
            out_game[count] = game
            for i in range(out_states.shape[1]):
                out_states[count, i] = node_states[game, node, i]
            out_action[count] = NO_ACTION
            out_outcome[count] = NO_ACTION
            if player == CHANCE:
                out_outcome[count] = edges[game, edge]["label"]
                num_rolls += 1
            elif player != TERMINAL:
                out_action[count] = edges[game, edge]["label"]
            is_new = edge != NO_EDGE and (player != CHANCE or config.mode != LEAF)
            if is_new:
                child = add_node(nodes, num_nodes, game, node)
                edges[game, edge]["child"] = child
                node = child
            out_node[count] = node
            out_bottom[count] = node
            take_off(nodes, game, node)
            simulations[game] += 1
            count += 1
    return count, num_rolls


@kernel
def take_off(nodes: Nodes, game: int, node: int) -> None:
    """Count a descent as in flight at every node from its end to the root."""
    while node != NO_NODE:
        nodes[game, node]["in_flight"] += 1
        node = int(nodes[game, node]["parent"])


@kernel
def find_leaf(
    nodes: Nodes,
    edges: Edges,
    game: int,
    config: KernelConfig,
    streams: Streams,
    noise: Floats64,
    inherited: Ints,
    wanted: int,
    scratch: Floats64,
) -> tuple[int, int]:
    """Follow the best edges from the root; return the last node and its edge to be taken.

    The edge has no child yet, or leaves a roll that does not grow; it is NO_EDGE at the end of a
    game and at a position that is still to be made.

    Args:
        nodes: [B, N] only read.
        edges: [B, E] only read.
        game: Row of both.
        config: How to select.
        streams: [B, 4] advanced by draws.
        noise: [B, L] of the root.
        inherited: [B, L] visits that Gumbel's root does not count.
        wanted: Visits that the action Gumbel's root takes must have.
        scratch: [L] overwritten.
    """
    node = ROOT
    while True:
        player = nodes[game, node]["player"]
        if player <= TERMINAL:  # or PENDING
            return node, NO_EDGE
        if player == CHANCE:
            edge = choose_outcome(nodes, edges, game, node, config.mode, streams)
            if config.mode == LEAF:
                return node, edge
        elif not config.is_gumbel:
            edge = select_puct(nodes, edges, game, node, config, noise)
        else:
            complete_values(nodes, edges, game, node, config, scratch)
            if node == ROOT:
                edge = select_at_root(nodes, edges, game, wanted, inherited, noise, scratch)
            else:
                improve_policy(nodes, edges, game, node, scratch)
                edge = select_below_root(nodes, edges, game, node, scratch)
        child = int(edges[game, edge]["child"])
        if child == NO_NODE:
            return node, edge
        node = child
