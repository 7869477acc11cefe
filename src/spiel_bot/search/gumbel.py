"""Gumbel search: few simulations that still improve the policy.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022).
The root samples actions without replacement (Gumbel top-k) and halves them in phases; below it
an action is taken so that visits follow the improved policy; untried actions are completed with
a mixed value. Equation numbers are the paper's.
"""

import math

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.search.config import KernelConfig
from spiel_bot.search.puct import MIN_SCORE, mover_sign, mover_value, tries
from spiel_bot.search.tree import ROOT, Edges, Ints, Nodes

Floats64 = npt.NDArray[np.float64]

TINY_PRIOR = 1e-38
"""Priors that float32 rounds to zero keep a logarithm."""


@kernel
def halving_visits(num_actions: int, num_simulations: int, simulation: int) -> tuple[int, bool]:
    """Return the visits that the action of a simulation must have had, and if a level begins.

    Each of ceil(log2(num_actions)) phases gets an equal share of the simulations, at least one
    for each action still considered, and leaves the better half for the next; the last phase
    (two actions) takes what remains. Where a level begins all values before it must be known,
    because it may choose between fewer actions.

    >>> [halving_visits(4, 8, simulation)[0] for simulation in range(8)]
    [0, 0, 0, 0, 1, 1, 2, 2]

    Args:
        num_actions: Actions considered at first.
        num_simulations: Of the whole search.
        simulation: Its number, from 0.
    """
    if num_actions == 1:
        return simulation, False
    phases = 0
    while 1 << phases < num_actions:
        phases += 1
    considered = num_actions
    visits = 0
    place = simulation
    while True:
        share = max(1, num_simulations // (phases * considered))
        if place < share * considered:
            is_new_level = simulation > 0 and place % considered == 0
            return visits + place // considered, is_new_level
        place -= share * considered
        visits += share
        considered = max(2, considered // 2)


@kernel
def complete_values(
    nodes: Nodes,
    edges: Edges,
    game: int,
    node: int,
    config: KernelConfig,
    out: Floats64,
) -> float:
    """Write sigma(completed q) of each edge of a decision, from the mover's side (equation 8).

    An untried action is given the mixed value of equation 33: the node's own evaluation, and
    the tried actions' mean weighted by the policy, in the ratio 1 to the number of visits.

    Args:
        nodes: [B, N] only read.
        edges: [B, E] only read.
        game: Row of both.
        node: A decision that has been expanded.
        config: Has c_visit and c_scale of the paper, and the returns that values are scaled by.
        out: [L] written, in the order of the edges.

    Returns:
        The factor in sigma: what a difference of 1 in value is worth in logits.
    """
    sign = mover_sign(nodes, game, node)
    first = int(nodes[game, node]["first_edge"])
    num_edges = int(nodes[game, node]["num_edges"])
    most_tries = 0
    all_tries = 0
    prior_sum = 0.0
    weighted_sum = 0.0
    for i in range(num_edges):
        child = int(edges[game, first + i]["child"])
        n = tries(nodes, game, child)
        if n > 0:
            out[i] = mover_value(nodes, game, child, sign)
            prior = max(float(edges[game, first + i]["prior"]), TINY_PRIOR)
            prior_sum += prior
            weighted_sum += prior * out[i]
            all_tries += n
            most_tries = max(most_tries, n)
    mixed = sign * float(nodes[game, node]["value"])
    if all_tries > 0:
        mixed = (mixed + all_tries * weighted_sum / prior_sum) / (1.0 + all_tries)
    least = config.least_return
    scale = (config.visit_scale + most_tries) * config.value_scale / (config.most_return - least)
    for i in range(num_edges):
        if tries(nodes, game, int(edges[game, first + i]["child"])) == 0:
            out[i] = mixed
        out[i] = scale * (out[i] - least)
    return scale


@kernel
def improve_policy(nodes: Nodes, edges: Edges, game: int, node: int, out: Floats64) -> None:
    """Turn `out` [L] from sigma(completed q) into softmax(logits + it) (equation 11), in place."""
    first = int(nodes[game, node]["first_edge"])
    num_edges = int(nodes[game, node]["num_edges"])
    most = MIN_SCORE
    for i in range(num_edges):
        out[i] += math.log(max(float(edges[game, first + i]["prior"]), TINY_PRIOR))
        most = max(most, out[i])
    total = 0.0
    for i in range(num_edges):
        out[i] = math.exp(out[i] - most)
        total += out[i]
    for i in range(num_edges):
        out[i] /= total


@kernel
def select_below_root(nodes: Nodes, edges: Edges, game: int, node: int, policy: Floats64) -> int:
    """Return the edge whose share of the visits lags most behind `policy` [L] (equation 14)."""
    first = int(nodes[game, node]["first_edge"])
    num_edges = int(nodes[game, node]["num_edges"])
    all_tries = 0
    for edge in range(first, first + num_edges):
        all_tries += tries(nodes, game, int(edges[game, edge]["child"]))
    best = first
    best_score = MIN_SCORE
    for i in range(num_edges):
        n = tries(nodes, game, int(edges[game, first + i]["child"]))
        score = policy[i] - n / (1.0 + all_tries)
        if score > best_score:
            best_score = score
            best = first + i
    return best


@kernel
def select_at_root(
    nodes: Nodes,
    edges: Edges,
    game: int,
    wanted_visits: int,
    inherited: Ints,
    gumbel: Floats64,
    completed: Floats64,
) -> int:
    """Return the root's edge with most gumbel + logit + sigma(q) among those visited so often.

    Args:
        nodes: [B, N] only read.
        edges: [B, E] only read.
        game: Row of both.
        wanted_visits: From the halving table; or -1 for the most visits any edge has.
        inherited: [B, L] visits an earlier search has left on each edge, not counted here.
        gumbel: [B, L] noise of each edge.
        completed: [L] sigma(completed q) of each edge.
    """
    first = int(nodes[game, ROOT]["first_edge"])
    num_edges = int(nodes[game, ROOT]["num_edges"])
    if wanted_visits < 0:
        for i in range(num_edges):
            n = tries(nodes, game, int(edges[game, first + i]["child"])) - int(inherited[game, i])
            wanted_visits = max(wanted_visits, n)
    best = first
    best_score = MIN_SCORE
    for i in range(num_edges):
        edge = first + i
        n = tries(nodes, game, int(edges[game, edge]["child"])) - int(inherited[game, i])
        if n != wanted_visits:
            continue
        logit = math.log(max(float(edges[game, edge]["prior"]), TINY_PRIOR))
        score = gumbel[game, i] + logit + completed[i]
        if score > best_score:
            best_score = score
            best = edge
    return best
