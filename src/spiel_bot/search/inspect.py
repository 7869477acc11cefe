"""Looking inside a search: the tree as plain values and as text, and what each simulation did."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spiel_bot.games.base import Game, State
from spiel_bot.games.constants import CHANCE, NO_ACTION, TERMINAL
from spiel_bot.search.batch import Search
from spiel_bot.search.chance import Floats64
from spiel_bot.search.result import SearchResult
from spiel_bot.search.tree import NO_NODE, ROOT, Ints, Tree

SIDES = ("white", "black")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """How much of a tree is shown; what is left out is counted."""

    min_visits: int = 1
    """Least visits of a node that is shown."""

    max_depth: int | None = None
    """Actions and rolls below the root; None for all."""

    max_children: int | None = None
    """Children of a node, the most visited first; None for all."""


ALL = Pruning()


def tree_as_dict(search: Search, game: int = 0, pruning: Pruning = ALL) -> dict[str, Any]:
    """Return one game's tree of the last search as plain values that JSON can hold.

    Each node has its `number`, `kind` (decision, roll or end), `player`, `visits`, `value`
    (white's mean) and `own_value`; below the root also `label`, `name` and `prior` of the edge
    that leads to it. `children` are the most visited first; `hidden` counts those left out.
    """
    return _node_as_dict(search, game, ROOT, pruning, depth=0)


def _node_as_dict(
    search: Search, game: int, number: int, pruning: Pruning, depth: int
) -> dict[str, Any]:
    tree = search.forest.tree
    node = tree.nodes[game, number]
    player, visits = int(node["player"]), int(node["visits"])
    shown: dict[str, Any] = {
        "number": number,
        "kind": _kind(player),
        "player": SIDES[player] if player >= 0 else None,
        "visits": visits,
        "value": float(node["value_sum"] / visits) if visits else None,
        "own_value": None if player == CHANCE else float(node["value"]),
        "children": [],
        "hidden": 0,
    }
    state = search.forest.states[game, number]
    children = sorted(_children(tree, game, number), key=lambda edge: (-edge[0], edge[1]))
    for visits, label, prior, child in children:
        is_beyond = pruning.max_depth is not None and depth >= pruning.max_depth
        is_full = (
            pruning.max_children is not None and len(shown["children"]) >= pruning.max_children
        )
        if child == NO_NODE or visits < pruning.min_visits or is_beyond or is_full:
            shown["hidden"] += 1
            continue
        edge = {
            "label": label,
            "name": _name(search.game, state, player, label),
            "prior": prior,
        }
        shown["children"].append(edge | _node_as_dict(search, game, child, pruning, depth + 1))
    return shown


def _children(tree: Tree, game: int, number: int) -> list[tuple[int, int, float, int]]:
    """Return visits, label, prior and number of each child; NO_NODE where there is none yet."""
    node = tree.nodes[game, number]
    first = int(node["first_edge"])
    found = []
    for edge in tree.edges[game, first : first + int(node["num_edges"])]:
        child = int(edge["child"])
        visits = int(tree.nodes[game, child]["visits"]) if child != NO_NODE else 0
        found.append((visits, int(edge["label"]), float(edge["prior"]), child))
    return found


def _kind(player: int) -> str:
    if player == CHANCE:
        return "roll"
    return "end" if player == TERMINAL else "decision"


def _name(game: Game, state: State, player: int, label: int) -> str:
    if player != CHANCE:
        return game.action_name(state, label)
    return str(label) if game.outcome_name is None else game.outcome_name(state, label)


def tree_as_text(tree: dict[str, Any]) -> str:
    """Return a tree of `tree_as_dict` drawn with lines, one node a line."""
    lines = [f"{_title(tree)}  {_figures(tree)}"]
    _draw_children(tree, "", lines)
    return "\n".join(lines)


def _draw_children(node: dict[str, Any], indent: str, lines: list[str]) -> None:
    rows: list[dict[str, Any] | str] = list(node["children"])
    if node["hidden"]:
        rows.append(f"({node['hidden']} more)")
    width = max((len(row["name"]) for row in rows if isinstance(row, dict)), default=0)
    for place, row in enumerate(rows):
        is_last = place == len(rows) - 1
        branch = indent + ("└─ " if is_last else "├─ ")
        if isinstance(row, str):
            lines.append(branch + row)
            continue
        lines.append(f"{branch}{row['name']:<{width}}  {_figures(row)}")
        _draw_children(row, indent + ("   " if is_last else "│  "), lines)


def _title(node: dict[str, Any]) -> str:
    return "roll" if node["kind"] == "roll" else f"{node['player']} to play"


def _figures(node: dict[str, Any]) -> str:
    value = "" if node["value"] is None else f"{node['value']:+.3f}"
    prior = f"  p {node['prior']:.3f}" if "prior" in node else ""
    end = "  end" if node["kind"] == "end" else ""
    return f"n {node['visits']:<5} value {value}{prior}{end}"


def principal_variation(search: Search, result: SearchResult, game: int = 0) -> list[str]:
    """Return the line of play that a search expects, in the game's own words."""
    names, number = [], ROOT
    for label in result.principal_variation[game]:
        if label == NO_ACTION:
            break
        tree = search.forest.tree
        player = int(tree.nodes[game, number]["player"])
        names.append(_name(search.game, search.forest.states[game, number], player, int(label)))
        number = next(
            child for _, other, _, child in _children(tree, game, number) if other == label
        )
    return names


@dataclass(slots=True)
class Recorder:
    """Notes what each simulation of one game did; give it to `Search.run` as `watcher`.

    Each entry of `simulations` has the `path` of node numbers from the root to the `leaf` it
    ended at, white's `value` of it, and the `round` (a call of the evaluator) it belonged to.
    """

    game: int = 0
    simulations: list[dict[str, Any]] = field(default_factory=list)
    rounds: int = 0

    def __call__(self, tree: Tree, games: Ints, leaves: Ints, values: Floats64) -> None:
        """Note the descents of one round."""
        self.rounds += 1
        for m in np.flatnonzero(games == self.game):
            path = [int(leaves[m])]
            while (parent := int(tree.nodes[self.game, path[0]]["parent"])) != NO_NODE:
                path.insert(0, parent)
            self.simulations.append(
                {
                    "number": len(self.simulations) + 1,
                    "round": self.rounds,
                    "path": path,
                    "leaf": path[-1],
                    "value": float(values[m]),
                }
            )
