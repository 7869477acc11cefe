"""Memory of a search: trees that grow while they are searched, and the buffers of a round."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot.games.base import Floats, Game, Players, States
from spiel_bot.search.reuse import find_states, keep_subtrees
from spiel_bot.search.tree import NO_NODE, Bytes, Ints, Tree, new_tree

FIRST_NODES = 256
EDGES_PER_NODE = 16
"""Room for edges at first; a roll of two dice has 21, a trictrac decision about 9."""

GROWTH = 1.5
"""How much larger a full room becomes; while it is copied, 2.5 times the old one is there."""

MEGABYTE = 1_000_000


def as_bytes(states: States) -> Bytes:
    """Return positions [..., N] as their bytes [..., N, S], without a copy."""
    return states.view(np.uint8).reshape(*states.shape, states.dtype.itemsize)


class Forest:
    """The trees of a batch of games, with the positions of their nodes."""

    def __init__(self, game: Game, limit_mb: float | None = None) -> None:
        """Start without trees; `limit_mb` is what they may need, or None."""
        self._game = game
        self._limit = None if limit_mb is None else limit_mb * MEGABYTE
        self.is_full = False  # the limit is reached: the search should stop
        self._allocate(0, 0, 0)

    def _allocate(self, num_games: int, num_nodes: int, num_edges: int) -> None:
        self._room = new_tree(num_games, num_nodes, num_edges)
        self._state_room: States = np.empty((num_games, num_nodes), self._game.state_dtype)
        self._use(num_games)

    def _use(self, num_games: int) -> None:
        """Use the first rows of the room: batches of changing size share it."""
        room = self._room
        self.tree = Tree(
            room.num_nodes[:num_games],
            room.num_edges[:num_games],
            room.nodes[:num_games],
            room.edges[:num_games],
        )
        self.states: States = self._state_room[:num_games]
        self.bytes: Bytes = as_bytes(self.states)

    @property
    def nbytes(self) -> int:
        """Bytes of all trees, room that is not used yet included."""
        return int(self._state_room.nbytes + sum(field.nbytes for field in self._room))

    def begin(self, num_games: int, num_nodes: int) -> None:
        """Make empty trees for so many games, with room for about so many nodes each.

        Room that has reached the limit is given back, or this search would have to stop at once.
        """
        room = self._room
        if num_games > len(room.num_nodes) or self.is_full or room.nodes.shape[1] == 0:
            self._allocate(num_games, *self._first_room(num_games, num_nodes))
            self.is_full = False
        self._use(num_games)
        self.tree.num_nodes[:] = 0
        self.tree.num_edges[:] = 0

    def _first_room(self, num_games: int, num_nodes: int) -> tuple[int, int]:
        """Return the nodes and edges to make room for: as many as were needed before, or few."""
        num_nodes = min(num_nodes, FIRST_NODES)
        num_edges = EDGES_PER_NODE * num_nodes
        is_like_before = num_games <= 2 * len(self._room.num_nodes)
        if is_like_before and not self.is_full:
            num_nodes = max(num_nodes, self._room.nodes.shape[1])
            num_edges = max(num_edges, self._room.edges.shape[1])
        if self._limit is None:
            return num_nodes, num_edges
        wanted = num_games * (self._node_bytes * num_nodes + self.tree.edges.itemsize * num_edges)
        share = min(1.0, self._limit / (4 * max(wanted, 1)))  # a quarter of the limit at most
        return max(1, int(share * num_nodes)), max(EDGES_PER_NODE, int(share * num_edges))

    @property
    def _node_bytes(self) -> int:
        return int(self.states.itemsize + self.tree.nodes.itemsize)

    def keep(self, states: States) -> npt.NDArray[np.bool_]:
        """Make the nodes with these positions the roots; return [B] which games have one."""
        roots = np.empty(len(states), np.int32)
        find_states(self.tree, self.bytes, as_bytes(states), roots)
        old, old_bytes = self.tree, self.bytes
        self._allocate(len(states), old.nodes.shape[1], old.edges.shape[1])
        keep_subtrees(self.tree, self.bytes, roots, old, old_bytes)
        if self.is_full:
            used = [int(count.max(initial=0)) for count in self.tree[:2]]
            self._resize(*used)
            self.is_full = False
        is_kept: npt.NDArray[np.bool_] = roots != NO_NODE
        return is_kept

    def reserve(self, num_nodes: int, num_edges: int) -> None:
        """Give each tree room for at least so much, with some to spare while the limit allows it.

        While room is copied the old and the new one are there together, so both count. Where the
        limit does not allow it, just what this round needs is added, and the forest is full.
        """
        nodes, edges = self.tree.nodes.shape[1], self.tree.edges.shape[1]
        if num_nodes <= nodes and num_edges <= edges:
            return
        roomy = [
            max(needed, int(GROWTH * room)) if needed > room else room
            for needed, room in ((num_nodes, nodes), (num_edges, edges))
        ]
        num_games = len(self._room.num_nodes)
        grown = num_games * (self._node_bytes * roomy[0] + self.tree.edges.itemsize * roomy[1])
        if self._limit is None or self.nbytes + grown <= self._limit:
            self._resize(*roomy)
        else:
            self.is_full = True
            self._resize(max(num_nodes, nodes), max(num_edges, edges))

    def _resize(self, num_nodes: int, num_edges: int) -> None:
        """Give each tree room for so many nodes and edges, no fewer than are in use."""
        tree, states = self.tree, self.states
        self._allocate(len(states), num_nodes, num_edges)
        for old, new in zip((*tree, states), (*self.tree, self.states), strict=True):
            part = tuple(slice(min(sizes)) for sizes in zip(old.shape, new.shape, strict=True))
            new[part] = old[part]

    def bytes_per_node(self) -> float:
        """Return the bytes that a node in use takes on average, its edges included."""
        tree = self.tree
        edges_per_node = int(tree.num_edges.sum()) / max(int(tree.num_nodes.sum()), 1)
        return self._node_bytes + tree.edges.itemsize * edges_per_node


class Buffers(NamedTuple):
    """Memory of one round, M positions; only its first rows are in use."""

    states: States  # [M]
    state_bytes: Bytes  # [M, S] the same memory
    chances: npt.NDArray[np.float64]  # [M, C]
    returns: Floats  # [M, 2]
    decisions: States  # [M] those of `states` that go to the evaluator
    decision_bytes: Bytes  # [M, S] the same memory
    movers: Players  # [M]
    places: Ints  # [M] where in `states` a decision stands
    legal: Ints  # [M, L]
    counts: Ints  # [M]
    observations: Floats  # [M, F]
    scratch: npt.NDArray[np.float64]  # [L]


def new_buffers(game: Game, count: int) -> Buffers:
    """Return room for so many positions of a game."""
    spec = game.spec
    states = np.empty(count, game.state_dtype)
    decisions = np.empty(count, game.state_dtype)
    return Buffers(
        states=states,
        state_bytes=as_bytes(states),
        chances=np.empty((count, spec.num_chance_outcomes)),
        returns=np.empty((count, 2), np.float32),
        decisions=decisions,
        decision_bytes=as_bytes(decisions),
        movers=np.empty(count, np.int8),
        places=np.empty(count, np.int32),
        legal=np.empty((count, spec.max_legal_actions), np.int32),
        counts=np.empty(count, np.int32),
        observations=np.empty((count, spec.observation_size), np.float32),
        scratch=np.empty(spec.max_legal_actions),
    )


def keep_first(count: int, old: NamedTuple, new: NamedTuple) -> None:
    """Copy the first `count` entries of every array of `old` to the same array of `new`."""
    for source, target in zip(old, new, strict=True):
        target[:count] = source[:count]
