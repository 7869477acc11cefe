"""How a tree grew: what each simulation changed, so that it can be shown step by step."""

from dataclasses import dataclass, field
from typing import Any

from spiel_bot.games.constants import CHANCE
from spiel_bot.search.chance import Floats64
from spiel_bot.search.tree import NO_NODE, Ints, Tree


@dataclass(slots=True)
class Growth:
    """Notes what each simulation of one game changed; give it to `Search.run` as `watcher`.

    Each entry of `steps` has the `path` of node numbers from the root to the leaf, white's `value`
    of the leaf, and `changed`: number, visits and value (white's mean) of each node of the path
    and of outcomes that were opened with it, as they stand after the step. With more than one leaf
    for each call of the evaluator they stand as after the call, and steps of one call look alike.
    """

    game: int = 0
    steps: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, tree: Tree, games: Ints, leaves: Ints, values: Floats64) -> None:
        """Note the descents of one round."""
        for game, leaf, value in zip(games, leaves, values, strict=True):
            if game != self.game:
                continue
            path = path_to(tree, self.game, int(leaf))
            changed = path + self._opened(tree, int(leaf))
            self.steps.append(
                {
                    "path": path,
                    "value": float(value),
                    "changed": [self._figures(tree, number) for number in changed],
                }
            )

    def _opened(self, tree: Tree, leaf: int) -> list[int]:
        """Return the outcomes that were evaluated together with a roll reached first now."""
        node = tree.nodes[self.game, leaf]
        if node["player"] != CHANCE or node["visits"] != 1:
            return []
        first = int(node["first_edge"])
        edges = tree.edges[self.game, first : first + int(node["num_edges"])]
        found = []
        for child in edges["child"]:
            if child != NO_NODE and tree.nodes[self.game, child]["visits"] > 0:
                found += [int(child), *self._opened(tree, int(child))]
        return found

    def _figures(self, tree: Tree, number: int) -> list[float]:
        node = tree.nodes[self.game, number]
        return [number, int(node["visits"]), float(node["value_sum"] / node["visits"])]


def path_to(tree: Tree, game: int, leaf: int) -> list[int]:
    """Return the numbers of the nodes from the root to a leaf."""
    path = [leaf]
    while (parent := int(tree.nodes[game, path[-1]]["parent"])) != NO_NODE:
        path.append(parent)
    return path[::-1]
