"""Keeping what an earlier search knows: a node below the old root becomes the new one."""

from spiel_bot._jit import kernel
from spiel_bot.games.constants import TERMINAL
from spiel_bot.search.chance import turn_of
from spiel_bot.search.tree import NO_NODE, PENDING, ROOT, Bytes, Ints, Tree


@kernel
def find_states(tree: Tree, states: Bytes, wanted: Bytes, out: Ints) -> None:
    """Find each position in its tree: the most visited node with the same bytes, or NO_NODE.

    Equal positions have equal futures, so it does not matter by which way the tree reached it.

    Args:
        tree: Only read.
        states: [B, N, S] positions of the nodes.
        wanted: [B, S] positions to find.
        out: [B] written.
    """
    for game in range(out.shape[0]):
        out[game] = NO_NODE
        most_visits = -1
        for node in range(tree.num_nodes[game]):
            player = tree.nodes[game, node]["player"]
            if player == PENDING:
                continue
            if player == TERMINAL:
                continue
            is_same = True
            for i in range(wanted.shape[1]):
                if states[game, node, i] != wanted[game, i]:
                    is_same = False
                    break
            visits = tree.nodes[game, node]["visits"]
            if is_same and visits > most_visits:
                most_visits = visits
                out[game] = node


@kernel
def keep_subtrees(tree: Tree, states: Bytes, new_roots: Ints, old: Tree, old_states: Bytes) -> None:
    """Copy what lies below the new roots; a game without one gets an empty tree.

    Parents come before their children in both trees, so one pass over the nodes is enough.

    Args:
        tree: Written; has as much room as `old`.
        states: [B, N, S] written.
        new_roots: [B] nodes of `old`, or NO_NODE.
        old: Only read, but for `in_flight`, which is used to note where a node has gone.
        old_states: [B, N, S].
    """
    for game in range(new_roots.shape[0]):
        tree.num_nodes[game] = 0
        tree.num_edges[game] = 0
        if new_roots[game] == NO_NODE:
            continue
        for node in range(new_roots[game], old.num_nodes[game]):
            parent = old.nodes[game, node]["parent"]
            is_root = node == new_roots[game]
            is_kept = is_root
            if not is_root and parent >= new_roots[game]:
                is_kept = old.nodes[game, parent]["in_flight"] != NO_NODE
            if not is_kept:
                old.nodes[game, node]["in_flight"] = NO_NODE
                continue
            place = int(tree.num_nodes[game])
            tree.num_nodes[game] += 1
            old.nodes[game, node]["in_flight"] = place
            copy_node(tree, states, game, place, old, old_states, node)
            if is_root:  # a turn that has begun keeps its rolls
                turn = turn_of(old.nodes, game, int(node))
                tree.nodes[game, place]["turn_word"] = old.nodes[game, turn]["turn_word"]
                tree.nodes[game, place]["parent"] = NO_NODE
            else:
                tree.nodes[game, place]["parent"] = old.nodes[game, parent]["in_flight"]
        for place in range(tree.num_nodes[game]):  # children have their new numbers by now
            first = int(tree.nodes[game, place]["first_edge"])
            for edge in range(first, first + int(tree.nodes[game, place]["num_edges"])):
                child = tree.edges[game, edge]["child"]
                if child != NO_NODE:
                    tree.edges[game, edge]["child"] = old.nodes[game, child]["in_flight"]


@kernel
def copy_node(
    tree: Tree, states: Bytes, game: int, place: int, old: Tree, old_states: Bytes, node: int
) -> None:
    """Copy a node and its edges; their children still have the old numbers."""
    tree.nodes[game, place] = old.nodes[game, node]
    tree.nodes[game, place]["in_flight"] = 0
    for i in range(states.shape[2]):
        states[game, place, i] = old_states[game, node, i]
    first = int(tree.num_edges[game])
    start = int(old.nodes[game, node]["first_edge"])
    count = int(old.nodes[game, node]["num_edges"])
    tree.nodes[game, place]["first_edge"] = first
    for i in range(count):
        tree.edges[game, first + i] = old.edges[game, start + i]
    tree.num_edges[game] += count


@kernel
def count_inherited(tree: Tree, out: Ints) -> None:
    """Write the visits that each edge of the root has, `out` [B, L]."""
    for game in range(out.shape[0]):
        first = int(tree.nodes[game, ROOT]["first_edge"])
        for i in range(out.shape[1]):
            out[game, i] = 0
            if i < tree.nodes[game, ROOT]["num_edges"]:
                child = tree.edges[game, first + i]["child"]
                if child != NO_NODE:
                    out[game, i] = tree.nodes[game, child]["visits"]
