import json

import pytest
from tests.cli.runner import Run

START = "white 1*15, black 1*15; white rolls"
PIG = "0-0 +0 of 100, white rolls"


@pytest.mark.compiled
def test_the_actions_of_a_roll_are_listed_best_first(run: Run) -> None:
    result = run("search", START, "--dice", "2-1", "-n", "40", "--json")
    figures = json.loads(result.out)
    assert {row["name"] for row in figures["actions"]} == {"1>3 1>2", "1>3>4"}
    assert sum(row["visits"] for row in figures["actions"]) == 40 == figures["simulations"]
    assert figures["action"] == figures["actions"][0]["action"]
    assert figures["principal_variation"][0] == figures["name"]
    assert "tree" not in figures


@pytest.mark.compiled
def test_the_tree_is_drawn_on_request(run: Run) -> None:
    out = run("search", START, "--dice", "1-2", "-n", "60", "--show-tree").out
    assert "white to play" in out
    assert "├─ " in out
    assert "dice show" in out
    assert "white's value" in out


def test_other_games_are_searched_too(run: Run) -> None:
    empty = ".../.../... X"
    arguments = ["search", empty, "--game", "tic_tac_toe", "-n", "20"]
    figures = json.loads(run(*arguments, "--json", "--record", "--show-tree").out)
    assert len(figures["actions"]) == 9
    assert len(figures["recorded"]) == 20
    assert figures["tree"]["visits"] == 21
    assert run(*arguments, "--select", "gumbel", "--evaluator", "uniform").code == 0
    looked = json.loads(run(*arguments, "--lookahead", "1", "--evaluator", "hash", "--json").out)
    assert "tree" not in looked


def test_the_dice_of_any_game_are_understood(run: Run) -> None:
    arguments = ["search", PIG, "--game", "pig", "-n", "8", "--json"]
    lost = json.loads(run(*arguments, "--dice", "1").out)
    assert "black rolls" in lost["position"]
    assert "+4" in json.loads(run(*arguments, "--dice", "4").out)["position"]


def test_a_lookahead_lists_the_best_first_for_either_side(run: Run) -> None:
    for text, sign in (
        ("white 0,0,1,0,0,1,0 black 0,1,0,1,0,0,0: white plays 5-2", 1),
        ("white 0,0,1,0,0,1,0 black 0,1,0,1,0,0,0: black plays 5-2", -1),
    ):
        arguments = ["search", text, "--game", "race", "--evaluator", "hash", "--lookahead"]
        for plies in ("0", "1"):
            figures = json.loads(run(*arguments, plies, "--json").out)
            values = [sign * row["value"] for row in figures["actions"]]
            assert plies == "0" or values == sorted(values, reverse=True)
            assert plies == "0" or figures["action"] == figures["actions"][0]["action"]
        assert "value" in run(*arguments, "1").out


def test_a_roll_can_be_searched_before_it_falls(run: Run) -> None:
    figures = json.loads(run("search", PIG, "--game", "pig", "-n", "30", "--json").out)
    assert figures["action"] is None
    assert figures["actions"] == []
    assert figures["simulations"] == 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "expected"),
        ([START, "--dice", "7-1"], "error: dice: expected one of"),
        ([START, "--dice", "6-5", "-n", "0"], "--simulations: expected at least 1"),
        ([START, "--dice", "6-5", "--lookahead", "1", "--show-tree"], "makes no tree"),
        ([START, "--dice", "6-5", "--lookahead", "7"], "plies: expected 0 to 2"),
        ([START, "--dice", "6-5", "--record"], "add --json"),
        ([START, "--dice", "6-5", "--seconds", "0"], "time_limit_seconds: expected above 0"),
        (["white 1*15, black 1*15; first roll", "--dice", "6-5"], "may mean"),
        ([".../.../... X", "--game", "tic_tac_toe", "--dice", "6-5"], "nobody rolls"),
    ],
)
def test_bad_requests_get_one_line(run: Run, arguments: list[str], message: str) -> None:
    result = run("search", *arguments)
    assert result.code == 2
    assert result.err.startswith("error: ")
    assert message in result.err
    assert len(result.err.splitlines()) == 1
