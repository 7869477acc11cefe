"""What a search has found: visits, values, the policy to learn from, and the action."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import Actions
from spiel_bot.games.constants import CHANCE, NO_ACTION
from spiel_bot.rng import Stream, uniform
from spiel_bot.search.config import KernelConfig
from spiel_bot.search.gumbel import complete_values, improve_policy, select_at_root
from spiel_bot.search.puct import MIN_SCORE, mover_sign
from spiel_bot.search.select import Roots
from spiel_bot.search.tree import NO_NODE, ROOT, Edges, Nodes, Tree

Floats64 = npt.NDArray[np.float64]


VARIATION_PLIES = 16
"""Actions and outcomes of the principal variation, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What was found for each of B decisions; entry i of a row belongs to `actions[b, i]`.

    Values are white's. Of a row only the first `num_actions` entries are used.
    """

    actions: Actions
    """[B, L] legal actions, ascending; `NO_ACTION` after the last."""

    num_actions: npt.NDArray[np.int32]
    """[B] how many."""

    visits: npt.NDArray[np.int32]
    """[B, L] how often the search took each; a lookahead counts positions evaluated for it."""

    values: Floats64
    """[B, L] white's value of each; the mean over all visits where an action was not tried."""

    priors: npt.NDArray[np.float32]
    """[B, L] what the evaluator's policy said, without noise."""

    policy: Floats64
    """[B, L] policy to learn from; knows neither temperature nor noise."""

    root_value: Floats64
    """[B] white's value of the position: the mean over visits; with Gumbel, whose visits are not
    meant to follow the values, that of the actions weighted by the improved policy."""

    action: npt.NDArray[np.int32]
    """[B] the action chosen."""

    principal_variation: Actions
    """[B, V] the action chosen and the most visited answers to it; `NO_ACTION` after the last."""

    simulations: npt.NDArray[np.int32]
    """[B] simulations done; fewer than asked for where a limit was met."""

    evaluations: int
    """Positions the evaluator was asked about, of all games together."""

    def full_policy(self, num_actions: int) -> npt.NDArray[np.float32]:
        """Return the policy over all actions of the game, [B, A]."""
        full = np.zeros((len(self.actions), num_actions), np.float32)
        for row, (actions, count) in enumerate(zip(self.actions, self.num_actions, strict=True)):
            full[row, actions[:count]] = self.policy[row, :count]
        return full


class Summary(NamedTuple):
    """The arrays of a `SearchResult` that a kernel writes; of the same names and shapes."""

    actions: Actions  # [B, L]
    visits: Actions  # [B, L]
    values: Floats64  # [B, L]
    priors: npt.NDArray[np.float32]  # [B, L]
    policy: Floats64  # [B, L]
    chosen: Actions  # [B] the action; NO_ACTION where the root is a roll
    root_value: Floats64  # [B]
    variation: Actions  # [B, V]


def new_summary(num_games: int, max_actions: int) -> Summary:
    """Return room for what is found in so many games, with nothing found yet."""
    shape = (num_games, max_actions)
    return Summary(
        actions=np.full(shape, NO_ACTION, np.int32),
        visits=np.zeros(shape, np.int32),
        values=np.zeros(shape),
        priors=np.zeros(shape, np.float32),
        policy=np.zeros(shape),
        chosen=np.full(num_games, NO_ACTION, np.int32),
        root_value=np.zeros(num_games),
        variation=np.full((num_games, VARIATION_PLIES), NO_ACTION, np.int32),
    )


@kernel
def summarise(
    tree: Tree, roots: Roots, config: KernelConfig, scratch: Floats64, out: Summary
) -> None:
    """Read the roots of all trees.

    Args:
        tree: Only read.
        roots: `streams` are advanced where the action is drawn.
        config: How was selected, and how the action and the policy are.
        scratch: [L] overwritten.
        out: Written; as it comes from `new_summary`.
    """
    nodes, edges = tree.nodes, tree.edges
    for game in range(tree.num_nodes.shape[0]):
        out.root_value[game] = nodes[game, ROOT]["value_sum"] / nodes[game, ROOT]["visits"]
        if nodes[game, ROOT]["player"] == CHANCE:
            follow_visits(nodes, edges, game, NO_ACTION, out.variation)
            continue
        num_edges = int(nodes[game, ROOT]["num_edges"])
        read_edges(nodes, edges, game, out)
        complete_values(nodes, edges, game, ROOT, config, scratch)
        if config.is_gumbel:
            edge = select_at_root(nodes, edges, game, -1, roots.inherited, roots.noise, scratch)
            out.chosen[game] = edges[game, edge]["label"]
        if config.has_completed_q_target:
            improve_policy(nodes, edges, game, ROOT, scratch)
            for i in range(num_edges):
                out.policy[game, i] = scratch[i]
        if config.is_gumbel and config.value_scale > 0.0:
            out.root_value[game] = improved_value(nodes, edges, game, config, scratch)
        if not config.is_gumbel:
            place = choose_by_visits(
                out.visits[game],
                out.values[game],
                num_edges,
                mover_sign(nodes, game, ROOT),
                config.temperature,
                roots.streams[game],
                scratch,
            )
            out.chosen[game] = out.actions[game, place]
        follow_visits(nodes, edges, game, int(out.chosen[game]), out.variation)


@kernel
def improved_value(
    nodes: Nodes, edges: Edges, game: int, config: KernelConfig, scratch: Floats64
) -> float:
    """Return white's value of the root if it is played by the improved policy.

    Args:
        nodes: [B, N] only read.
        edges: [B, E] only read.
        game: Row of both.
        config: How was selected; its scale of values is above zero.
        scratch: [L] overwritten.
    """
    scale = complete_values(nodes, edges, game, ROOT, config, scratch)
    num_edges = int(nodes[game, ROOT]["num_edges"])
    values = np.empty(num_edges)
    for i in range(num_edges):
        values[i] = scratch[i] / scale + config.least_return
    improve_policy(nodes, edges, game, ROOT, scratch)
    total = 0.0
    for i in range(num_edges):
        total += scratch[i] * values[i]
    return mover_sign(nodes, game, ROOT) * total


@kernel
def follow_visits(nodes: Nodes, edges: Edges, game: int, chosen: int, out: Actions) -> None:
    """Write the labels of the most visited edges from the root on.

    Args:
        nodes: [B, N] only read.
        edges: [B, E] only read.
        game: Row of both.
        chosen: The action that begins the line, or NO_ACTION to begin with the most visited.
        out: [B, V] written.
    """
    node = ROOT
    for ply in range(out.shape[1]):
        first = int(nodes[game, node]["first_edge"])
        best = NO_NODE
        most = 0
        for edge in range(first, first + int(nodes[game, node]["num_edges"])):
            child = int(edges[game, edge]["child"])
            is_other = ply == 0 and chosen != NO_ACTION and edges[game, edge]["label"] != chosen
            if child == NO_NODE or is_other:
                continue
            if nodes[game, child]["visits"] > most:
                most = int(nodes[game, child]["visits"])
                best = child
                out[game, ply] = edges[game, edge]["label"]
        if best == NO_NODE:
            return
        node = best


@kernel
def read_edges(nodes: Nodes, edges: Edges, game: int, out: Summary) -> None:
    """Write actions, priors, visits, values and the policy of visits of one root."""
    first = int(nodes[game, ROOT]["first_edge"])
    num_edges = int(nodes[game, ROOT]["num_edges"])
    all_visits = 0
    for i in range(num_edges):
        child = int(edges[game, first + i]["child"])
        out.actions[game, i] = edges[game, first + i]["label"]
        out.priors[game, i] = edges[game, first + i]["prior"]
        out.values[game, i] = nodes[game, ROOT]["value_sum"] / nodes[game, ROOT]["visits"]
        if child != NO_NODE and nodes[game, child]["visits"] > 0:
            visits = int(nodes[game, child]["visits"])
            out.visits[game, i] = visits
            out.values[game, i] = nodes[game, child]["value_sum"] / visits
            all_visits += visits
    for i in range(num_edges):
        out.policy[game, i] = out.visits[game, i] / max(all_visits, 1)


@kernel
def choose_by_visits(
    visits: Actions,
    values: Floats64,
    count: int,
    sign: float,
    temperature: float,
    stream: Stream,
    scratch: Floats64,
) -> int:
    """Return a place among `count`: drawn by visits ** (1 / temperature), or the most visited.

    Of equally visited actions the one with the better value for the mover comes first.

    Args:
        visits: [L].
        values: [L] white's.
        count: Actions in use.
        sign: 1 if white moves, else -1.
        temperature: 0 for the most visited.
        stream: [4] advanced by a draw.
        scratch: [L] overwritten.
    """
    best = 0
    best_value = MIN_SCORE
    for i in range(count):
        value = sign * values[i]
        if visits[i] > visits[best] or (visits[i] == visits[best] and value > best_value):
            best = i
            best_value = value
    if temperature == 0.0 or visits[best] == 0:
        return best
    total = 0.0
    for i in range(count):
        scratch[i] = 0.0
        if visits[i] > 0:  # divided by the most, so that a low temperature does not overflow
            scratch[i] = math.exp(math.log(visits[i] / visits[best]) / temperature)
        total += scratch[i]
    point = uniform(stream) * total
    chosen = best
    for i in range(count):
        if scratch[i] > 0.0:
            chosen = i
            point -= scratch[i]
            if point < 0.0:
                break
    return chosen


def join(parts: list[SearchResult]) -> SearchResult:
    """Return the results of several batches as those of one."""

    def whole(name: str) -> npt.NDArray[np.generic]:
        return np.concatenate([getattr(part, name) for part in parts])

    names = [name for name in SearchResult.__slots__ if name != "evaluations"]
    arrays = {name: whole(name) for name in names}
    return SearchResult(**arrays, evaluations=sum(part.evaluations for part in parts))  # type: ignore[arg-type]


def priors_of(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the softmax of the logits [M, L] of legal actions; 0 where there is none."""
    most = logits.max(axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp(logits - most)
    policy: npt.NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return policy
