import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Run
from tests.networks.nets import trained

from spiel_bot import load
from spiel_bot.games.trictrac.referee import plays
from spiel_bot.networks.checkpoint import write_checkpoint
from spiel_bot.networks.config import NetworkConfig

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "short_game.txt")
BOARD = "8,0,1,0,1,1,2,1,1,0,0,0,0,0,0,0,-1,-1,-2,0,-1,0,-1,-8"
PIG = ["10-14 +5 of 100, white decides", "--game", "pig"]
GO = "white 1*8 3 5 6 7*2 8 9, black 1*8 2 4 6*2 7 8 9; black rolls; points 10-10"


@pytest.fixture
def model(tmp_path: Path) -> str:
    """A network of trictrac that has learned nothing."""
    path = tmp_path / "model.safetensors"
    write_checkpoint(path, trained(NetworkConfig(hidden_sizes=(16,)), load("trictrac").spec))
    return str(path)


def parsed(run: Run, *arguments: str) -> Any:
    result = run("analyze", *arguments, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_plays_are_ranked_each_once(run: Run, model: str) -> None:
    found = parsed(run, BOARD, "--dice", "6-4", "--model", model, "-n", "30")
    expected = {play.result for play in plays([int(x) for x in BOARD.split(",")], (6, 4))}
    assert {tuple(play["result"]) for play in found["plays"]} == expected
    assert len(found["plays"]) == len(expected)
    assert sum(play["visits"] for play in found["plays"]) == 30
    first = found["plays"][0]
    assert found["action"] == first["name"]
    assert (first["loss"], found["branches"]) == (0.0, {})
    for play in found["plays"]:
        assert play["win_chance"] == pytest.approx((play["equity"] + 1) / 2)
        assert play["loss"] == pytest.approx(first["equity"] - play["equity"])
        assert all(len(move) == 2 for move in play["moves"])


def test_hold_or_go_has_both_branches(run: Run, model: str) -> None:
    found = parsed(run, GO, "--dice", "6-4", "--model", model, "-n", "0")
    hold, go = found["branches"]["hold"], found["branches"]["go"]
    assert found["player"] == "black"
    assert found["action"] == ("go" if go["equity"] > hold["equity"] else hold["name"])
    assert min(hold["loss"], go["loss"]) == 0.0
    assert "go" not in [play["name"] for play in found["plays"]]
    shown = run("analyze", GO, "--dice", "6-4", "--model", model, "-n", "10").out
    assert " is best: to hold with " in shown
    assert "Judged by " in shown


@pytest.mark.compiled
def test_a_game_is_judged_in_three_forms(run: Run, model: str, tmp_path: Path) -> None:
    shown = run("analyze", EXAMPLE, "--model", model).out
    assert shown.startswith("# a network of the quick preset")
    assert "## The worst plays" in shown
    assert parsed(run, EXAMPLE, "--model", model)["result"] == "black"
    page = tmp_path / "report.html"
    result = run("analyze", EXAMPLE, "--model", model, "--format", "html", "--out", str(page))
    assert result.out == f"wrote {page}\n"
    assert page.read_text().startswith("<!doctype html>")
    assert page.read_text().count("<svg") == 5


def test_a_game_of_any_kind_is_judged(run: Run, tmp_path: Path) -> None:
    cells = ["X to row 1, column 1", "O to row 2, column 1", "X to row 1, column 2"]
    cells += ["O to row 2, column 2", "X to row 3, column 3", "O to row 2, column 3"]
    turns = [f"{n} {'white' if n % 2 else 'black'} | {cell}" for n, cell in enumerate(cells, 1)]
    path = tmp_path / "game.txt"
    path.write_text("\n".join(["spiel_bot game file 1", "game: tic_tac_toe", *turns]))
    for form, start in (("markdown", "# white against"), ("json", "{"), ("html", "<!doctype")):
        result = run("analyze", str(path), "--model", "uniform", "--format", form)
        assert result.out.startswith(start)
    assert parsed(run, str(path), "--model", "uniform")["worst"][0] == 5
    assert "game file has its own" in run("analyze", str(path), "-o", "target=3").err


def test_other_games_are_analysed_too(run: Run) -> None:
    position = "10-14 +5 of 20, white decides"
    found = parsed(run, position, "--game", "pig", "-o", "target=20", "--model", "rollout")
    assert found["action"] == "roll again"
    assert {play["moves"] for play in found["plays"]} == {"roll again", "hold, banking 5"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([BOARD], "the position waits for a roll; add one such as --dice 6-5"),
        ([BOARD, "--dice", "6-5", "-o", "holes_to_win=3"], "no model to judge trictrac"),
        (["no_such_game.txt"], "there is no file 'no_such_game.txt'"),
        ([EXAMPLE, "--dice", "6-5"], "a game file has its own rolls and options"),
        ([BOARD, "--dice", "6-5", "--out", "x"], "--out is for reports on games"),
        ([BOARD, "--simulations", "-1"], "--simulations: expected at least 0"),
        (
            [BOARD, "--lookahead", "3", "--dice", "6-5", "--model", "uniform"],
            "--lookahead: expected 0 to 2, got 3",
        ),
        (["white 1, black; x"], "expected"),
        ([*PIG, "--model", "uniform", "--json", "--out", "/no/such/x"], "cannot write /no/such"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.setenv("SPIEL_BOT_STORE", str(tmp_path / "none"))
    result = run("analyze", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1
