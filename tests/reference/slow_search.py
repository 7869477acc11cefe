"""A textbook tree search on `Environment` objects: one node, one edge, one position at a time.

Written from the description of the search (`MctsConfig`, Silver et al. 2017 for PUCT,
Danihelka et al. 2022 for Gumbel), slow and obviously right. It gives the same trees as the
kernels for the same seed, because it takes its random numbers in the same order:

1. one word (quota and expect) that the offsets of all outcomes follow from;
2. the noise of the root;
3. the rolls of each round: first those met on the way down, descent after descent, then those
   beyond the new positions, roll after roll;
4. the action, where it is drawn.

An edge keeps what its mover knows of it (n, w); a node keeps white's values.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from spiel_bot import CHANCE, TERMINAL, Environment
from spiel_bot.rng import Stream, finish_hash, next_word, uniform
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.noise import draw_gamma

Evaluate = Callable[[Environment], tuple[list[float], float]]
"""Logits of all actions, and the value for who acts."""

UNKNOWN = -3  # the player of a position that has not been looked at yet


@dataclass
class Edge:
    """An action or an outcome."""

    label: int
    prior: float
    child: "Node | None" = None
    n: int = 0  # visits, and one for each descent under way
    w: float = 0.0  # sum of the values for the mover, less one for each descent under way
    offset: float = 0.0  # of an outcome: when its turn comes


@dataclass
class Node:
    """A position: a decision, a roll or the end."""

    state: Environment
    player: int = UNKNOWN
    value: float = 0.0  # white's, of the evaluator or the result
    visits: int = 0
    value_sum: float = 0.0  # white's
    edges: list[Edge] = field(default_factory=list)
    turn_word: int = 0  # of a turn's first node: what the offsets of its rolls follow from

    @property
    def sign(self) -> int:
        """Turn white's values to those of who decides here."""
        return 1 if self.player == 0 else -1

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below it."""
        yield self
        for edge in self.edges:
            if edge.child is not None:
                yield from edge.child.walk()


@dataclass
class Descent:
    """One way down, and the position at its end."""

    path: list[tuple[Node, Edge]]
    node: Node  # the first new node, or the end of a game; or a roll that does not grow
    state: Environment
    value: float = 0.0  # white's
    rolls: list[Node] = field(default_factory=list)  # rolls straight before the position


@dataclass
class Found:
    """What a search says of its root."""

    root: Node
    visits: list[int]
    values: list[float]
    policy: list[float]
    root_value: float
    action: int


class SlowSearch:
    """One search of one position; `stream` is advanced."""

    def __init__(self, config: MctsConfig, evaluate: Evaluate, stream: Stream) -> None:
        self.config = config
        self.evaluate = evaluate
        self.stream = stream
        self.simulations = 0
        self.nodes: list[Node] = []  # in the order of their making

    def run(self, state: Environment, old: "SlowSearch | None" = None) -> Found:
        """Search a position, going on with what an old search knows of it."""
        config = self.config
        self.seed = 0
        if config.chance in ("quota", "expect") and state.game.has_chance:
            self.seed = next_word(self.stream)
        kept = None if old is None else find(old, state)
        if kept is None or old is None:
            self.root = self._new_node(state.clone())
            self._begin_root()
        else:
            self.root = kept
            kept.turn_word = old.turn_of(kept).turn_word
            below_root = {id(node) for node in kept.walk()}
            self.nodes = [node for node in old.nodes if id(node) in below_root]
        self._draw_noise()
        self.inherited = [edge.n for edge in self.root.edges]
        while self._round():
            pass
        return self._found()

    # The root

    def _begin_root(self) -> None:
        root = self.root
        if root.state.current_player == CHANCE:
            self._make_roll(root)
        else:
            self._make_leaf(root)
            root.visits, root.value_sum = 1, root.value

    def _draw_noise(self) -> None:
        config, root = self.config, self.root
        count = 0 if root.player == CHANCE else len(root.edges)
        self.noise = [0.0] * count
        if config.selection == "puct" and config.dirichlet_eps > 0 and count:
            alpha = config.dirichlet_alpha
            shape = 10.0 / count if alpha == "auto" else alpha
            gammas = [draw_gamma(self.stream, float(shape)) for _ in range(count)]
            self.noise = [gamma / sum(gammas) for gamma in gammas]
        if config.selection == "gumbel" and config.gumbel_scale > 0:
            for i in range(count):
                self.noise[i] = -config.gumbel_scale * math.log(-math.log(uniform(self.stream)))
        self.considered = min(config.gumbel_actions, config.n_simulations, max(count, 1))
        self.wanted = wanted_visits(self.considered, config.n_simulations)

    # One round: descents, new positions, backup

    def _round(self) -> bool:
        config = self.config
        descents: list[Descent] = []
        for _ in range(config.eval_batch_size):
            if self.simulations == config.n_simulations or (descents and self._must_wait()):
                break
            path: list[tuple[Node, Edge]] = []
            before = self.stream.copy()
            end = self._descend(self.root, path)
            if end.player == UNKNOWN and any(end is other.node for other in descents):
                self.stream[:] = before  # the next round draws the same rolls again
                break
            for _, edge in path:  # virtual loss
                edge.n += 1
                edge.w -= 1.0
            state = end.state.clone()
            if config.chance == "leaf" and end.player == CHANCE:
                state.apply_outcome(path[-1][1].label)
            descents.append(Descent(path, end, state))
            self.simulations += 1
        self._grow(descents)
        for descent in descents:
            self._back_up(descent)
        return bool(descents)

    def _must_wait(self) -> bool:
        """Tell whether Gumbel's root begins a new level, for which it must know all values."""
        if self.config.selection != "gumbel" or self.considered == 1:
            return False
        return self.wanted[self.simulations] > self.wanted[self.simulations - 1]

    def _descend(self, node: Node, path: list[tuple[Node, Edge]]) -> Node:
        """Go down from a node; return where it ends: a new node, the end of a game, or a roll."""
        if node.player in (TERMINAL, UNKNOWN):
            return node
        edge = self._choose_outcome(node) if node.player == CHANCE else self._choose_action(node)
        path.append((node, edge))
        if node.player == CHANCE and self.config.chance == "leaf":
            return node
        if edge.child is None:
            edge.child = self._new_node(after(node, edge))
            return edge.child
        return self._descend(edge.child, path)

    def _grow(self, descents: list[Descent]) -> None:
        """Roll until every position is a decision or the end, then evaluate the new ones."""
        positions = list(descents)
        while any(position.state.current_player == CHANCE for position in positions):
            more: list[Descent] = []
            for position in positions:
                if position.state.current_player == CHANCE:
                    more += self._roll(position)
            positions += more
        for position in positions:
            node = position.node
            if node.player == UNKNOWN:
                self._make_leaf(node)
                position.value = node.value
            elif node.player == TERMINAL:
                position.value = node.value
            else:  # beyond a roll that does not grow: only the value is used
                beyond = Node(position.state)
                self._make_leaf(beyond)
                position.value = beyond.value
            if not any(position is descent for descent in descents):  # another outcome of a roll
                for one in (node, *position.rolls):
                    one.visits, one.value_sum = 1, position.value

    def _roll(self, position: Descent) -> list[Descent]:
        """Take a position beyond its roll; return the positions of other outcomes, if any."""
        node, mode = position.node, self.config.chance
        if node.player == CHANCE:  # beyond a roll that does not grow
            position.state.apply_outcome(draw(position.state.chance_outcomes, self.stream))
            return []
        self._make_roll(node)
        is_again = bool(position.path) and position.path[-1][0].player == CHANCE
        if mode == "leaf":
            edge = self._draw_edge(node)
            position.state.apply_outcome(edge.label)
            return []
        is_whole = mode == "expect" and not is_again
        edges = node.edges if is_whole else [self._choose_outcome(node)]
        outcomes = []
        for edge in edges:
            child = edge.child = self._new_node(after(node, edge))
            edge.n, edge.w = 1, -1.0
            path = [*position.path, (node, edge)]
            outcomes.append(Descent(path, child, child.state.clone()))
        first = outcomes[0]
        position.path, position.node, position.state = first.path, first.node, first.state
        position.rolls.append(node)
        return outcomes[1:]

    def _back_up(self, descent: Descent) -> None:
        """Take the virtual losses back and tell every node of the path what was found."""
        node, change = descent.node, descent.value
        if self.config.chance == "leaf" and node.player == CHANCE:
            path = [step for step in descent.path if step[0] is not node]
        else:
            path = descent.path
        node.visits += 1
        node.value_sum += change
        for node, edge in reversed(path):
            node.visits += 1
            if self.config.chance == "expect" and node.player == CHANCE:
                total = node.visits * mean(node)
                change = total - node.value_sum
            node.value_sum += change
            edge.w += 1.0 + node.sign * change

    # Making nodes

    def _new_node(self, state: Environment) -> Node:
        node = Node(state)
        self.nodes.append(node)
        return node

    def _make_leaf(self, node: Node) -> None:
        """Give the end of a game its result, and a decision its evaluation."""
        state = node.state
        node.player = state.current_player
        if node.player == TERMINAL:
            node.value = state.returns[0]
            return
        logits, value = self.evaluate(state)
        node.value = node.sign * value
        legal = state.legal_actions
        most = max(logits[action] for action in legal)
        weights = [math.exp(logits[action] - most) for action in legal]
        for action, weight in zip(legal, weights, strict=True):
            node.edges.append(Edge(action, single(weight / sum(weights))))

    def _make_roll(self, node: Node) -> None:
        chances = dict(node.state.chance_outcomes)
        node.player = CHANCE
        offsets = self._offsets(node)
        node.edges = [
            Edge(outcome, single(chance), offset=offsets[outcome])
            for outcome, chance in chances.items()
        ]

    def turn_of(self, node: Node) -> Node:
        """Return where the turn of a node began: after the last roll above it."""
        parents = {id(edge.child): parent for parent in self.nodes for edge in parent.edges}
        while (parent := parents.get(id(node))) is not None and parent.player != CHANCE:
            node = parent
        return node

    def _offsets(self, node: Node) -> list[float]:
        """Return the offset of each outcome: the same for all rolls that end the same turn."""
        begin = self.turn_of(node)
        if begin.turn_word == 0:
            number = next(i for i, other in enumerate(self.nodes) if other is begin)
            begin.turn_word = max(finish_hash((self.seed + number) % 2**32), 1)
        word = begin.turn_word
        offsets = []
        for _ in range(node.state.game.spec.num_chance_outcomes):
            offsets.append(single((word + 1) / 2**32))
            word = (1_664_525 * word + 1_013_904_223) % 2**32
        return offsets

    # Choosing

    def _draw_edge(self, node: Node) -> Edge:
        label = draw([(edge.label, edge.prior) for edge in node.edges], self.stream)
        return next(edge for edge in node.edges if edge.label == label)

    def _choose_outcome(self, node: Node) -> Edge:
        if self.config.chance in ("sample", "leaf"):
            return self._draw_edge(node)
        return max(node.edges, key=lambda edge: edge.prior / (edge.n + edge.offset))

    def _choose_action(self, node: Node) -> Edge:
        if self.config.selection == "puct":
            return self._choose_by_puct(node)
        if node is self.root:
            return self._choose_by_halving(self.wanted[self.simulations])
        policy = self._improved_policy(node)
        tries = sum(edge.n for edge in node.edges)
        lags = [p - edge.n / (1 + tries) for p, edge in zip(policy, node.edges, strict=True)]
        return node.edges[lags.index(max(lags))]

    def _choose_by_puct(self, node: Node) -> Edge:
        config = self.config
        priors = [edge.prior for edge in node.edges]
        tried = sum(edge.prior for edge in node.edges if edge.child is not None)
        parent_value = node.sign * node.value_sum / node.visits
        first_play = parent_value - config.fpu_reduction * math.sqrt(tried)
        if node is self.root:
            eps = config.dirichlet_eps
            priors = [(1 - eps) * p + eps * x for p, x in zip(priors, self.noise, strict=True)]
        visits = 1 + sum(edge.n for edge in node.edges)
        scores = []
        for edge, prior in zip(node.edges, priors, strict=True):
            q = edge.w / edge.n if edge.n else first_play
            scores.append(q + config.c_puct * math.sqrt(visits) * prior / (1 + edge.n))
        return node.edges[scores.index(max(scores))]

    # Gumbel

    def _choose_by_halving(self, wanted: int) -> Edge:
        """Return the root's edge with most g + logit + sigma(q) of those taken so often."""
        root = self.root
        sigma = self._sigma_of_completed_q(root)
        scores = {
            i: self.noise[i] + math.log(edge.prior) + sigma[i]
            for i, edge in enumerate(root.edges)
            if edge.n - self.inherited[i] == wanted
        }
        return root.edges[max(scores, key=scores.__getitem__)]

    def _completed_q(self, node: Node) -> list[float]:
        """Return q for the mover of each action, v_mix for those that are untried."""
        tried = [edge for edge in node.edges if edge.n]
        tries = sum(edge.n for edge in tried)
        mixed = node.sign * node.value
        if tried:
            prior = sum(edge.prior for edge in tried)
            weighted = sum(edge.prior * (edge.w / edge.n) for edge in tried)
            mixed = (mixed + tries * weighted / prior) / (1 + tries)
        return [edge.w / edge.n if edge.n else mixed for edge in node.edges]

    def _sigma_of_completed_q(self, node: Node) -> list[float]:
        """Return (c_visit + max N) c_scale q, with q in [0, 1]."""
        config = self.config
        least, most = node.state.game.spec.return_range
        most_tries = max(edge.n for edge in node.edges)
        factor = (config.gumbel_visit_scale + most_tries) * config.gumbel_value_scale
        return [factor / (most - least) * (value - least) for value in self._completed_q(node)]

    def _improved_policy(self, node: Node) -> list[float]:
        sigma = self._sigma_of_completed_q(node)
        logits = [math.log(edge.prior) + s for edge, s in zip(node.edges, sigma, strict=True)]
        weights = [math.exp(logit - max(logits)) for logit in logits]
        return [weight / sum(weights) for weight in weights]

    # The end

    def _found(self) -> Found:
        root, config = self.root, self.config
        root_value = root.value_sum / root.visits
        if root.player == CHANCE:
            return Found(root, [], [], [], root_value, -1)
        visits = [edge.n for edge in root.edges]
        values = [
            root_value if edge.child is None else edge.child.value_sum / edge.child.visits
            for edge in root.edges
        ]
        policy = [n / max(sum(visits), 1) for n in visits]
        if config.has_completed_q_target:
            policy = self._improved_policy(root)
        if config.selection == "gumbel" and config.gumbel_value_scale > 0:
            completed = self._completed_q(root)
            improved = self._improved_policy(root)
            root_value = root.sign * sum(p * q for p, q in zip(improved, completed, strict=True))
        return Found(root, visits, values, policy, root_value, self._choose(visits, values))

    def _choose(self, visits: list[int], values: list[float]) -> int:
        root, config = self.root, self.config
        if config.selection == "gumbel":
            most = max(edge.n - old for edge, old in zip(root.edges, self.inherited, strict=True))
            return self._choose_by_halving(most).label
        if config.temperature == 0:
            ranked = [(n, root.sign * value) for n, value in zip(visits, values, strict=True)]
            return root.edges[ranked.index(max(ranked))].label
        weights = [(n / max(visits)) ** (1 / config.temperature) for n in visits]
        point = uniform(self.stream) * sum(weights)
        for edge, weight in zip(root.edges, weights, strict=True):
            if point < weight:
                return edge.label
            point -= weight
        raise AssertionError("the weights add up to more than the point")


def after(node: Node, edge: Edge) -> Environment:
    """Return the position an edge leads to."""
    state = node.state.clone()
    if node.player == CHANCE:
        state.apply_outcome(edge.label)
    else:
        state.apply(edge.label)
    return state


def mean(roll: Node) -> float:
    """Return the mean of the outcomes that have a value, weighted by probability."""
    known = [(e.prior, e.child) for e in roll.edges if e.child is not None and e.child.visits]
    total = sum(p * child.value_sum / child.visits for p, child in known)
    return total / sum(p for p, _ in known)


def draw(chances: list[tuple[int, float]], stream: Stream) -> int:
    """Return an outcome by its probability."""
    point = uniform(stream)
    total = 0.0
    for outcome, probability in chances:
        total += probability
        if point < total:
            return outcome
    return chances[-1][0]


def single(number: float) -> float:
    """Round to what a tree stores."""
    return float(np.float32(number))


def wanted_visits(num_actions: int, num_simulations: int) -> list[int]:
    """Return how often the action of each simulation was taken before (sequential halving).

    The n simulations are shared equally by ceil(log2(m)) phases; each takes all actions it
    considers in turn, at least once, and hands the better half to the next, two at least.
    """
    if num_actions == 1:
        return list(range(num_simulations))
    phases = math.ceil(math.log2(num_actions))
    taken = [0] * num_actions
    wanted: list[int] = []
    while len(wanted) < num_simulations:
        for _ in range(max(1, num_simulations // (phases * len(taken)))):
            wanted += taken
            taken = [n + 1 for n in taken]
        taken = taken[: max(2, len(taken) // 2)]
    return wanted[:num_simulations]


def find(old: SlowSearch, state: Environment) -> Node | None:
    """Return the most visited node of a search with this position, of equals the oldest."""
    same = [
        node
        for node in old.nodes
        if node.player not in (TERMINAL, UNKNOWN) and node.state.notation == state.notation
    ]
    return max(same, key=lambda node: node.visits, default=None)
