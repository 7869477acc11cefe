"""The search trees of a batch of games: arrays, and the kernels that make nodes and edges.

Letters for shapes, besides those of `games/base.py`:
    N  nodes a tree has room for
    E  edges a tree has room for
    S  bytes of a position
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel

Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Nodes = npt.NDArray[np.void]  # [B, N] of NODE
Edges = npt.NDArray[np.void]  # [B, E] of EDGE

ROOT = 0
NO_NODE = -1
PENDING = -3
"""Player of a node whose position is still to be made; others are 0, 1, CHANCE, TERMINAL."""

NODE = np.dtype(
    [
        ("value_sum", np.float64),  # sum of the values backed up through the node
        ("visits", np.int32),  # how many
        ("in_flight", np.int32),  # descents through the node whose value is not known yet
        ("first_edge", np.int32),
        ("num_edges", np.int32),  # 0 until expanded, and at the end of a game
        ("parent", np.int32),  # NO_NODE at the root
        ("value", np.float32),  # its own evaluation, or the result of the game
        ("turn_word", np.uint32),  # of a turn's first node and its rolls: see `turn_of`
        ("player", np.int8),  # who acts: 0, 1, CHANCE, TERMINAL, or PENDING
    ],
    align=True,
)

EDGE = np.dtype(
    [
        ("label", np.int32),  # the action, or the chance outcome
        ("prior", np.float32),  # the policy's, or the probability of the outcome
        ("child", np.int32),  # NO_NODE until a descent takes the edge
    ]
)


class Tree(NamedTuple):
    """Statistics of B independent searches.

    A node is a position: a decision, a roll or the end. An edge is one of its actions or chance
    outcomes; the edges of a node are neighbours. Values are white's, whoever is to move, so a
    side that acts twice needs no special case. Node 0 is the root, and a parent always has a
    smaller number than its child.

    A decision has visits = 1 + those of its children: its own evaluation is the first.

    Kernels take the arrays out of a tuple before their loop, and hand on whole arrays and the
    number of the game, never the tuple or a row: each of these counts references every time,
    which made a descent six times as slow.
    """

    num_nodes: Ints  # [B] nodes in use
    num_edges: Ints  # [B] edges in use
    nodes: Nodes  # [B, N]
    edges: Edges  # [B, E]


def new_tree(num_games: int, num_nodes: int, num_edges: int) -> Tree:
    """Return empty trees; what is written when a node is made is left unset."""
    return Tree(
        num_nodes=np.zeros(num_games, np.int32),
        num_edges=np.zeros(num_games, np.int32),
        nodes=np.empty((num_games, num_nodes), NODE),
        edges=np.empty((num_games, num_edges), EDGE),
    )


@kernel
def add_node(nodes: Nodes, num_nodes: Ints, game: int, parent: int) -> int:
    """Make a pending node without statistics and return its number; `num_nodes` [B] grows."""
    number = int(num_nodes[game])
    num_nodes[game] += 1
    node = nodes[game, number]
    node["value_sum"] = 0.0
    node["visits"] = 0
    node["in_flight"] = 0
    node["first_edge"] = 0
    node["num_edges"] = 0
    node["parent"] = parent
    node["value"] = 0.0
    node["turn_word"] = 0
    node["player"] = PENDING
    return number


@kernel
def begin_trees(tree: Tree, games: Ints, count: int, out: Ints) -> None:
    """Make a pending root in the empty trees of `count` games; write its number to `out` [M]."""
    for m in range(count):
        out[m] = add_node(tree.nodes, tree.num_nodes, int(games[m]), NO_NODE)
