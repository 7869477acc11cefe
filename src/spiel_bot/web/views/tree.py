"""The tree of a search as the viewer shows it: nodes, steps, and the actions of the root."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spiel_bot.analysis.judge import Judge
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Environment
from spiel_bot.games.event_names import DICE
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.growth import Growth
from spiel_bot.search.inspect import Pruning, principal_variation, tree_as_dict
from spiel_bot.search.report import figures_of
from spiel_bot.web.views.search_request import SearchRequest

MOST_NODES = 4_000
"""More than a browser shows at ease; rarely visited nodes are left out beyond it."""

Phrase = Callable[[str], str]
"""Turns a name into the reader's language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchView:
    """A search that was run, with all that is shown of it."""

    state: Environment
    """The position searched, of the game as the judge sees it."""

    judge: str
    seconds: float
    figures: dict[str, Any]
    """What was found, as `spiel-bot search --json` prints it."""

    line: list[str]
    """What the search expects."""

    nodes: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    min_visits: int
    """Nodes with fewer visits are left out."""

    search: Search

    def position(self, number: int) -> Environment:
        """Return the position of a node.

        Raises:
            BadRequestError: There is no such node.
        """
        forest = self.search.forest
        if not 0 <= number < int(forest.tree.num_nodes[0]):
            raise BadRequestError(f"the tree has no node {number}")
        return Environment(self.state.game, forest.states[0, number : number + 1].copy(), 0)


def run_search(judge: Judge, state: Environment, request: SearchRequest) -> SearchView:
    """Search a position and keep what is to be shown.

    Args:
        judge: Who judges positions; positions are those of his game.
        state: Where somebody decides or rolls.
        request: How to search.

    Raises:
        BadRequestError: The game is over there.
    """
    if state.is_terminal:
        raise BadRequestError("the game is over in this position; there is nothing to search")
    seen = Environment(judge.game, state.record.reshape(1), 0)
    search, growth = Search(judge.game, judge.evaluator, request.config()), Growth()
    started = time.perf_counter()
    result = search.run(
        seen.record.reshape(1), streams(request.seed, Purpose.SEARCH, [0]), watcher=growth
    )
    seconds = time.perf_counter() - started
    tree, min_visits = pruned(search)
    nodes = flattened(tree)
    return SearchView(
        state=seen,
        judge=judge.name,
        seconds=seconds,
        figures=figures_of(seen, result),
        line=principal_variation(search, result),
        nodes=nodes,
        steps=shown_steps(growth.steps, {node["id"] for node in nodes}),
        min_visits=min_visits,
        search=search,
    )


def pruned(search: Search) -> tuple[dict[str, Any], int]:
    """Return the tree with as many nodes as can be shown, and the least visits of one."""
    visits = search.forest.tree.nodes[0]["visits"]
    least = 1
    while int((visits >= least).sum()) > MOST_NODES:
        least += 1
    return tree_as_dict(search, pruning=Pruning(min_visits=least)), least


def flattened(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the nodes of a tree, parents before children and the most visited child first."""
    found: list[dict[str, Any]] = []
    waiting: list[tuple[dict[str, Any], int | None, str]] = [(tree, None, "")]
    while waiting:
        node, parent, parent_kind = waiting.pop()
        name = node.get("name", "")
        dice = DICE.findall(name) if parent_kind == "roll" else []
        found.append(
            {
                "id": node["number"],
                "parent": parent,
                "kind": node["kind"],
                "player": node["player"],
                "name": name,
                "dice": [int(face) for face in dice[0].split("-")] if len(dice) == 1 else [],
                "label": node.get("label"),
                "prior": rounded(node.get("prior")),
                "own": rounded(node["own_value"]),
            }
        )
        waiting += [(child, node["number"], node["kind"]) for child in reversed(node["children"])]
    return found


def shown_steps(steps: list[dict[str, Any]], shown: set[int]) -> list[dict[str, Any]]:
    """Return what each simulation did, as far as its nodes are shown, with short numbers."""
    return [
        {
            "path": [number for number in step["path"] if number in shown],
            "value": rounded(step["value"]),
            "changed": [
                [int(number), int(visits), rounded(value)]
                for number, visits, value in step["changed"]
                if number in shown
            ],
        }
        for step in steps
    ]


def rounded(value: float | None) -> float | None:
    """Return a number with four decimals, which is all that is shown."""
    return None if value is None else round(value, 4)


def root_rows(view: SearchView, phrase: Phrase) -> list[dict[str, Any]]:
    """Return the actions of the root, or the rolls that fall there, the most visited first."""
    by_label = {node["label"]: node for node in view.nodes if node["parent"] == 0}
    if view.figures["actions"]:
        return [
            {
                "id": by_label[row["action"]]["id"] if row["action"] in by_label else None,
                "name": phrase(row["name"]),
                "visits": row["visits"],
                "value": row["value"] if row["visits"] else None,
                "prior": row["prior"],
                "is_best": row["action"] == view.figures["action"],
            }
            for row in view.figures["actions"]
        ]
    last = final_figures(view)
    return [
        {
            "id": node["id"],
            "name": phrase(node["name"]),
            "visits": last[node["id"]][0],
            "value": last[node["id"]][1],
            "prior": node["prior"],
            "is_best": False,
        }
        for node in by_label.values()
        if node["id"] in last
    ]


def final_figures(view: SearchView) -> dict[int, tuple[int, float]]:
    """Return visits and value of each node after the last simulation."""
    return {
        number: (visits, value) for step in view.steps for number, visits, value in step["changed"]
    }
