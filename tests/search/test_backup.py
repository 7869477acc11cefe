import numpy as np
import pytest

from spiel_bot.search.backup import backup_many
from spiel_bot.search.chance import new_positions
from spiel_bot.search.tree import NO_NODE, add_node, new_tree


@pytest.mark.parametrize("seed", range(3))
def test_a_value_is_added_to_every_node_on_the_way_to_the_root(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, positions = new_tree(num_games=1, num_nodes=32, num_edges=1), new_positions(1)
    parents: dict[int, int] = {}
    for i in range(32):
        parents[i] = int(rng.integers(i)) if i else NO_NODE
        add_node(tree.nodes, tree.num_nodes, 0, parents[i])
    visits, sums = [0] * 32, [0.0] * 32
    for _ in range(50):
        leaf, value = int(rng.integers(32)), float(rng.choice([-1.0, 0.25, 1.0]))
        positions.game[0], positions.node[0], positions.value[0] = 0, leaf, value
        node = leaf
        while node != NO_NODE:
            tree.nodes[0, node]["in_flight"] += 1
            visits[node] += 1
            sums[node] += value
            node = parents[node]
        backup_many(tree.nodes, positions, 1)
    assert tree.nodes["visits"][0].tolist() == visits
    assert tree.nodes["value_sum"][0].tolist() == sums
    assert not tree.nodes["in_flight"].any()
