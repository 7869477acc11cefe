import json
from urllib.parse import parse_qsl

import pytest

from spiel_bot import load
from spiel_bot.analysis.judge import load_judge
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Environment
from spiel_bot.web.views import tree
from spiel_bot.web.views.search_request import SearchRequest
from spiel_bot.web.views.tree import SearchView, final_figures, root_rows, run_search


def searched(name: str, rolls: int = 1, **settings: object) -> SearchView:
    state = load(name).new_game(seed=3)
    for _ in range(rolls):
        state.apply_chance()
    return view_of(state, **settings)


def view_of(state: Environment, **settings: object) -> SearchView:
    given: dict[str, object] = {"game": state.game.spec.name, "simulations": 40} | settings
    request = SearchRequest(**given)  # type: ignore[arg-type]
    return run_search(load_judge("uniform", state.game), state, request)


def test_a_request_travels_in_an_address() -> None:
    asked = SearchRequest(
        game="pig", position="a b", dice="6-5", judge="my run@3", chance="leaf", simulations=9
    )
    assert SearchRequest.from_query(dict(parse_qsl(asked.query()))) == asked
    assert SearchRequest().query() == "game=trictrac"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"simulations": "0"}, "simulations: expected 1 to 2000, got 0"),
        ({"simulations": "many"}, "simulations: expected a whole number, got 'many'"),
        ({"selection": "best"}, "selection: expected one of puct, gumbel, got 'best'"),
        ({"chance": "x"}, "chance: expected one of sample, leaf, quota, expect, got 'x'"),
        ({"seed": "9999999999"}, "seed: expected 0 to 2147483647, got 9999999999"),
        ({"position": "x" * 501}, "position: expected at most 500 letters"),
    ],
)
def test_a_bad_address_is_refused_in_one_line(query: dict[str, str], reason: str) -> None:
    with pytest.raises(BadRequestError, match=reason):
        SearchRequest.from_query(query)


@pytest.mark.parametrize("chance", ["quota", "expect"])
def test_the_tree_is_a_list_of_nodes_with_parents_before_children(chance: str) -> None:
    view = searched("race", chance=chance)
    json.dumps([view.nodes, view.steps])
    seen: set[int] = set()
    for node in view.nodes:
        assert node["parent"] is None or node["parent"] in seen
        seen.add(node["id"])
    assert len(view.steps) == 40
    assert {number for step in view.steps for number in step["path"]} <= seen
    last = final_figures(view)
    assert last[0][0] == 41  # its own evaluation, and every simulation


def test_rolls_are_known_by_their_dice() -> None:
    view = searched("pig")
    kinds = {node["id"]: node["kind"] for node in view.nodes}
    below_rolls = [node for node in view.nodes if kinds.get(node["parent"]) == "roll"]
    assert below_rolls
    assert all(len(node["dice"]) == 1 and 1 <= node["dice"][0] <= 6 for node in below_rolls)
    assert all(node["dice"] == [] for node in view.nodes if node not in below_rolls)


def test_the_table_of_the_root_has_every_action() -> None:
    view = searched("race")
    rows = root_rows(view, str.upper)
    assert [row["name"] for row in rows if row["is_best"]] == [view.figures["name"].upper()]
    assert len(rows) == len(view.state.legal_actions)
    assert sum(row["visits"] for row in rows) == 40
    last = final_figures(view)
    for row in rows:
        if row["id"] is not None:
            assert row["visits"] == last[row["id"]][0]
            assert row["value"] == pytest.approx(last[row["id"]][1], abs=1e-4)


def test_a_root_may_be_a_roll() -> None:
    view = searched("pig", rolls=0)
    rows = root_rows(view, str)
    assert view.figures["name"] is None
    assert sum(row["visits"] for row in rows) == 40
    assert sum(row["prior"] for row in rows) == pytest.approx(1.0, abs=1e-3)


def test_a_node_has_its_position() -> None:
    view = searched("race")
    assert view.position(0).notation == view.state.notation
    child = next(node for node in view.nodes if node["parent"] == 0)
    state = view.state.clone()
    state.apply(child["label"])
    assert view.position(child["id"]).notation == state.notation
    with pytest.raises(BadRequestError, match="no node 99999"):
        view.position(99999)


def test_a_large_tree_loses_its_rare_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_NODES", 15)
    view = searched("race")
    assert view.min_visits > 1
    assert len(view.nodes) <= 15
    shown = {node["id"] for node in view.nodes}
    assert all(set(step["path"]) <= shown for step in view.steps)


def test_a_game_that_is_over_is_not_searched() -> None:
    state = load("tic_tac_toe").new_game()
    for action in (0, 3, 1, 4, 2):
        state.apply(action)
    with pytest.raises(BadRequestError, match="the game is over"):
        view_of(state)
