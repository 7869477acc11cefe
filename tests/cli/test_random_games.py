import json

import pytest
from tests.cli.runner import Run


def test_one_game_is_shown_move_by_move_with_the_board(run: Run) -> None:
    out = run("random-games", "tic_tac_toe", "--seed", "3").out
    assert out.startswith(" 0 | 1 | 2\n---+---+---\n")
    assert "\n1. white: X to row " in out
    assert "\n2. black: O to row " in out
    assert out.strip().splitlines()[-1].startswith("returns: white ")


def test_many_games_are_counted(run: Run) -> None:
    result = run("random-games", "race", "--games", "300", "--threads", "2")
    assert result.err == ""
    for text in ("300 random games of race", "games/s", "turns/s", "average length", "white wins"):
        assert text in result.out
    assert "dice show" not in result.out


def test_many_games_are_shown_when_asked_for(run: Run) -> None:
    out = run("random-games", "pig", "-n", "2", "-v", "-o", "target=5").out
    assert "=== game 1 ===" in out
    assert "=== game 2 ===" in out
    assert "chance: die shows " in out
    assert "2 random games of pig" in out


def test_figures_as_json_add_up_and_do_not_depend_on_threads(run: Run) -> None:
    arguments = ["random-games", "pig", "-n", "200", "--seed", "7", "--json", "-o", "target=20"]
    one, two = (json.loads(run(*arguments, "--threads", t).out) for t in ("1", "2"))
    assert one["results"] == two["results"]
    assert one["average_plies"] == two["average_plies"]
    results = one["results"]
    assert results["white_wins"] + results["black_wins"] + results["draws"] == one["games"] == 200
    assert one["options"] == {"target": 20}
    turns = one["turns_per_s"] / one["games_per_s"]
    assert turns == pytest.approx(one["average_turns"], rel=0.01)
    assert one["average_turns"] < one["average_plies"]
    assert (one["threads"], two["threads"]) == (1, 2)


def test_moves_as_json_can_be_followed(run: Run) -> None:
    figures = json.loads(run("random-games", "race", "--seed", "1", "--json", "-v").out)
    (moves,) = figures["moves"]
    assert len(moves) == figures["longest_plies"]
    assert moves[0]["player"] == "chance"
    assert moves[-1]["position"].endswith("won")
