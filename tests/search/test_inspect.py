import json

import numpy as np
import pytest
from tests import pictures, tree_picture

from spiel_bot import Game, load
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.inspect import (
    Pruning,
    Recorder,
    principal_variation,
    tree_as_dict,
    tree_as_text,
)


def searched(
    game: Game, chance: Chance = "quota", n: int = 60, k: int = 4
) -> tuple[Search, Recorder]:
    """Return a search after a run from the first decision of a game, and what was recorded."""
    state = game.new_game(seed=3)
    while state.current_player < 0:
        state.apply_chance()
    config = MctsConfig(n_simulations=n, chance=chance, eval_batch_size=k)
    search = Search(game, HashEvaluator(game), config.without_exploration())
    recorder = Recorder()
    search.run(state.record.reshape(1), streams(1, Purpose.SEARCH, [0]), watcher=recorder)
    return search, recorder


def all_nodes(node: dict[str, object]) -> list[dict[str, object]]:
    below = [found for child in node["children"] for found in all_nodes(child)]  # type: ignore[attr-defined]
    return [node, *below]


def test_the_whole_tree_is_there_and_json_can_hold_it() -> None:
    search, _ = searched(load("race"))
    tree = json.loads(json.dumps(tree_as_dict(search)))
    nodes = all_nodes(tree)
    assert len(nodes) == search.forest.tree.num_nodes[0]
    assert {node["number"] for node in nodes} == set(range(len(nodes)))
    assert sum(child["visits"] for child in tree["children"]) == 60
    visits = [child["visits"] for child in tree["children"]]
    assert visits == sorted(visits, reverse=True)
    assert {"decision", "roll"} <= {node["kind"] for node in nodes}


def test_what_is_pruned_is_counted() -> None:
    search, _ = searched(load("race"))
    tree = tree_as_dict(search, pruning=Pruning(min_visits=5, max_depth=2, max_children=3))
    nodes = all_nodes(tree)
    assert all(node["visits"] >= 5 for node in nodes)  # type: ignore[operator]
    assert len(tree["children"]) == 3
    whole = tree_as_dict(search)
    assert tree["hidden"] + 3 == whole["hidden"] + len(whole["children"])
    deepest = [child for child in tree["children"] for child in child["children"]]
    assert all(not node["children"] for node in deepest)


def test_the_text_has_a_line_for_each_node_and_each_omission() -> None:
    search, _ = searched(load("tic_tac_toe"))
    tree = tree_as_dict(search, pruning=Pruning(min_visits=2, max_depth=3))
    lines = tree_as_text(tree).splitlines()
    nodes = all_nodes(tree)
    assert len(lines) == len(nodes) + sum(1 for node in nodes if node["hidden"])
    assert lines[0].startswith("white to play")
    assert all(child["name"] in "\n".join(lines) for child in tree["children"])


@pytest.mark.parametrize("chance", ["sample", "leaf", "quota", "expect"])
def test_recorded_simulations_add_up_to_the_tree(chance: Chance) -> None:
    search, recorder = searched(load("race"), chance, n=30, k=1)
    nodes = search.forest.tree.nodes[0]
    assert [step["number"] for step in recorder.simulations] == list(range(1, 31))
    visits = np.zeros(len(nodes), int)
    for step in recorder.simulations:
        assert step["path"][0] == 0
        assert step["path"][-1] == step["leaf"]
        visits[step["path"]] += 1
    visits[0] += 1  # its own evaluation
    count = search.forest.tree.num_nodes[0]
    if chance != "expect":  # there the outcomes of a roll are evaluated besides
        assert np.array_equal(visits[:count], nodes["visits"][:count])
        total = nodes["value"][0] + sum(step["value"] for step in recorder.simulations)
        assert nodes["value_sum"][0] == pytest.approx(total, abs=1e-5)
    else:
        assert visits[0] == nodes["visits"][0]


def test_the_principal_variation_is_told_in_words() -> None:
    game = load("race")
    state = game.new_game(seed=3)
    state.apply_chance()
    config = MctsConfig(n_simulations=60).without_exploration()
    search = Search(game, HashEvaluator(game), config)
    result = search.run(state.record.reshape(1), streams(1, Purpose.SEARCH, [0]))
    names = principal_variation(search, result)
    assert names[0] == state.action_name(int(result.action[0]))
    for name in names:
        assert name in [
            *(state.action_name(action) for action in state.legal_actions),
            *(state.outcome_name(outcome) for outcome, _ in state.chance_outcomes),
        ]
        if state.legal_actions:
            state.apply(next(a for a in state.legal_actions if state.action_name(a) == name))
        else:
            state.apply_outcome(
                next(o for o, _ in state.chance_outcomes if state.outcome_name(o) == name)
            )


@pytest.mark.compiled
def test_a_pruned_tree_of_trictrac_is_small_enough_for_a_browser() -> None:
    search, _ = searched(load("trictrac"), n=400)
    tree = tree_as_dict(search, pruning=Pruning(min_visits=2))
    assert len(json.dumps(tree)) < 200_000


def test_the_picture_of_a_tree_in_the_documents_is_fresh() -> None:
    # Meant to change? Run: python -m tests.pictures, and look at it.
    assert tree_picture.picture() == (pictures.FOLDER / "search_tree.svg").read_text()
