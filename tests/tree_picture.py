"""The picture of a search tree in docs/search.md: a real search of pig, drawn level by level."""

from html import escape
from typing import Any

from spiel_bot import load
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.inspect import Pruning, tree_as_dict
from spiel_bot.search.rollout import RolloutEvaluator

POSITION = "10-14 +5 of 20, white decides"
COLUMN, ROW, MARGIN = 96, 104, 46
SHAPES = {"decision": "#2f6f8f", "roll": "#b5651d", "end": "#4d4d4d"}


def searched() -> dict[str, Any]:
    """Return the tree of a small search, the most visited part of it."""
    game = load("pig", target=20)
    config = MctsConfig(n_simulations=100, eval_batch_size=1).without_exploration()
    search = Search(game, RolloutEvaluator(game), config)
    state = game.from_notation(POSITION, seed=0)
    search.run(state.record.reshape(1), streams(0, Purpose.SEARCH, [0]))
    return tree_as_dict(search, pruning=Pruning(max_depth=4, max_children=3, min_visits=2))


def picture() -> str:
    """Return the SVG."""
    tree = searched()
    parts: list[str] = []
    columns = place(tree, 0, 0, parts)
    width, height = int(columns * COLUMN + MARGIN), depth_of(tree) * ROW + 2 * MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12" text-anchor="middle">'
        f'<rect width="{width}" height="{height}" fill="#fbf8f1"/>'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def depth_of(node: dict[str, Any]) -> int:
    """Return the levels below a node."""
    return max((1 + depth_of(child) for child in node["children"]), default=0)


def place(node: dict[str, Any], left: float, depth: int, parts: list[str]) -> float:
    """Draw a node and what is below it from the column `left` on; return its columns."""
    columns = 0.0
    below: list[tuple[float, dict[str, Any]]] = []
    for child in node["children"]:
        taken = place(child, left + columns, depth + 1, parts)
        below.append((centre(left + columns, taken), child))
        columns += taken
    columns = max(columns, 1.0)
    x, y = centre(left, columns), MARGIN + depth * ROW
    for child_x, child in below:
        parts.insert(0, edge(x, y, child_x, y + ROW, child))
    parts.append(shape(x, y, node))
    return columns


def centre(left: float, columns: float) -> float:
    """Return the middle of some columns."""
    return MARGIN / 2 + (left + columns / 2) * COLUMN


def edge(x: float, y: float, child_x: float, child_y: float, child: dict[str, Any]) -> str:
    """Draw a line with the name of an action or roll, and its prior or probability."""
    middle = (x + 2 * child_x) / 3
    label = escape(child["name"].removeprefix("die shows ").partition(",")[0])
    return (
        f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{child_x:.0f}" y2="{child_y:.0f}" stroke="#999"/>'
        f'<text x="{middle:.0f}" y="{(y + 2 * child_y) / 3 - 6:.0f}" fill="#333" stroke="#fbf8f1" '
        f'stroke-width="3" paint-order="stroke">{label} ({child["prior"]:.2f})</text>'
    )


def shape(x: float, y: float, node: dict[str, Any]) -> str:
    """Draw a circle for a decision, a diamond for a roll, a square for an end."""
    fill = SHAPES[node["kind"]]
    if node["kind"] == "roll":
        body = f'<path d="M{x:.0f} {y - 33:.0f}l33 33l-33 33l-33-33z" fill="{fill}"/>'
    elif node["kind"] == "end":
        body = f'<rect x="{x - 21:.0f}" y="{y - 21:.0f}" width="42" height="42" fill="{fill}"/>'
    else:
        body = f'<circle cx="{x:.0f}" cy="{y:.0f}" r="25" fill="{fill}"/>'
    return (
        f'{body}<text x="{x:.0f}" y="{y - 2:.0f}" fill="#fff">n {node["visits"]}</text>'
        f'<text x="{x:.0f}" y="{y + 13:.0f}" fill="#fff">{node["value"]:+.2f}</text>'
    )
