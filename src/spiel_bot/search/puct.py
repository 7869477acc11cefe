"""PUCT: the action with the best sum of value and prior-weighted curiosity."""

import math

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.constants import WHITE
from spiel_bot.search.config import KernelConfig
from spiel_bot.search.tree import NO_NODE, ROOT, Edges, Nodes

MIN_SCORE = -1e300


@kernel
def mover_sign(nodes: Nodes, game: int, node: int) -> float:
    """Return 1 where white decides and -1 where black does: white's value times this is his."""
    return 1.0 if nodes[game, node]["player"] == WHITE else -1.0


@kernel
def tries(nodes: Nodes, game: int, child: int) -> int:
    """Return the visits of a child, those still in flight included; 0 without a child."""
    if child == NO_NODE:
        return 0
    return int(nodes[game, child]["visits"]) + int(nodes[game, child]["in_flight"])


@kernel
def mover_value(nodes: Nodes, game: int, child: int, sign: float) -> float:
    """Return the mean value of a tried child for the side that moves to it.

    Virtual loss: each descent in flight counts as a loss of that side until its value is known.
    """
    in_flight = int(nodes[game, child]["in_flight"])
    total = sign * nodes[game, child]["value_sum"] - in_flight
    return float(total / (int(nodes[game, child]["visits"]) + in_flight))


@kernel
def select_puct(
    nodes: Nodes,
    edges: Edges,
    game: int,
    node: int,
    config: KernelConfig,
    noise: npt.NDArray[np.float64],
) -> int:
    """Return the edge of a decision to follow: the most of Q + c P sqrt(N) / (1 + n).

    Args:
        nodes: [B, N] only read.
        edges: [B, E] only read.
        game: Row of both.
        node: A decision that has been expanded.
        config: How to select.
        noise: [B, L] noise of the root's edges, in their order.
    """
    sign = mover_sign(nodes, game, node)
    first = int(nodes[game, node]["first_edge"])
    num_edges = int(nodes[game, node]["num_edges"])
    tried_prior = 0.0
    for edge in range(first, first + num_edges):
        if edges[game, edge]["child"] != NO_NODE:
            tried_prior += float(edges[game, edge]["prior"])
    visits = int(nodes[game, node]["visits"])
    own_value = sign * nodes[game, node]["value_sum"] / visits
    untried = own_value - config.fpu_reduction * math.sqrt(tried_prior)
    curiosity = config.c_puct * math.sqrt(visits + int(nodes[game, node]["in_flight"]))
    best = first
    best_score = MIN_SCORE
    for i in range(num_edges):
        edge = first + i
        prior = float(edges[game, edge]["prior"])
        if node == ROOT:
            prior = (1.0 - config.noise_share) * prior + config.noise_share * noise[game, i]
        child = int(edges[game, edge]["child"])
        n = tries(nodes, game, child)
        q = mover_value(nodes, game, child, sign) if n > 0 else untried
        score = q + curiosity * prior / (1.0 + n)
        if score > best_score:
            best_score = score
            best = edge
    return best
