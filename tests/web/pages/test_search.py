"""The search viewer without a browser: the form, the tree, boards of nodes."""

from html import escape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from nicegui import ui
from nicegui.testing import User
from tests.web.simulated import elements, happen, html, press, until, until_seen, visiting
from tests.web.stores import make_store

from spiel_bot import load
from spiel_bot.web.hall import Hall
from spiel_bot.web.tree.component import SearchTree

POSITION = load("race").new_game(seed=1).notation


def address(**changes: object) -> str:
    asked = {"game": "race", "position": POSITION, "dice": "6-5", "judge": "uniform"}
    return "/search?" + urlencode(asked | {"simulations": 30} | changes)


def tree(user: User) -> SearchTree:
    (found,) = elements(user, SearchTree)
    return found


async def opened(user: User, where: str) -> None:
    await user.open(where)
    await until(lambda: elements(user, SearchTree))


def test_a_link_runs_the_search_it_names(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await opened(user, address(step=7))
        assert len(tree(user).props["steps"]) == 30
        assert tree(user).props["start"] == 7
        assert "30 simulations by uniform" in html(user)
        assert "Best: " in html(user)
        (table,) = elements(user, ui.table)
        assert sum(row["visits"] for row in table.rows) == 30

    visiting(tmp_path, scenario)


def test_a_node_that_is_pressed_shows_its_board(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await opened(user, address())
        first = next(node for node in tree(user).props["nodes"] if node["parent"] == 0)
        happen(user, tree(user), "select", first["id"])
        assert escape(f"Board after: {first['name']}") in html(user)
        for nonsense in ("x", None, 10**9, [0]):
            happen(user, tree(user), "select", nonsense)
        assert escape(f"Board after: {first['name']}") in html(user)
        happen(user, elements(user, ui.table)[0], "rowClick", [{}, {"id": 0}])
        assert "<h2>Position</h2>" in html(user)
        happen(user, elements(user, ui.table)[0], "rowClick", [{}, {"id": None}])

    visiting(tmp_path, scenario)


def test_the_form_leads_to_the_address_of_its_search(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/search?game=race")
        await until(lambda: len(elements(user, ui.input)) == 2)
        labels = {one.props["label"]: one for one in elements(user, ui.number)}
        labels["Simulations"].value = 0
        press(user, "Search")
        await until(lambda: user.notify.contains("simulations: expected 1 to 2000, got 0"))
        labels["Simulations"].value = 12
        press(user, "Search")
        await until(lambda: "simulations=12" in user.back_history[-1])

    visiting(tmp_path, scenario)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"position": "<script>"}, "expected"),
        ({"dice": "7-7"}, "dice: expected one of"),
        ({"judge": "nobody"}, "no run 'nobody'"),
        ({"judge": "/etc/passwd.onnx"}, "a model of a file cannot be named here"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"simulations": 10**6}, "simulations: expected 1 to 2000"),
    ],
)
def test_a_bad_link_is_one_clear_line(
    tmp_path: Path, changes: dict[str, object], line: str
) -> None:
    make_store(tmp_path / "store", "pig")

    async def scenario(user: User, hall: Hall) -> None:
        await user.open(address(**changes))
        await until(lambda: any(line in one.text for one in elements(user, ui.label)))

    visiting(tmp_path, scenario)


def test_networks_of_the_store_are_offered(tmp_path: Path) -> None:
    make_store(tmp_path / "store", "pig", "race")

    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/search?game=pig")
        await until(lambda: any(select.label for select in elements(user, ui.select)))
        judges = next(one for one in elements(user, ui.select) if one.label == "Who judges")
        assert list(judges.options) == ["", "rollout", "uniform", "my pig"]

    visiting(tmp_path, scenario)


def test_the_board_is_edited_and_taken_over(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/search")
        await until(lambda: len(elements(user, ui.expansion)) == 1)
        (box,) = elements(user, ui.expansion)
        box.value = True
        await until_seen(user, "Empty board")
        press(user, "Empty board")
        labels = {one.props["label"]: one for one in elements(user, ui.input)}
        await until(lambda: str(labels["Position"].value).startswith("white -, black -"))

    visiting(tmp_path, scenario)
