import json

from tests.cli.runner import Run


def test_figures_are_positive_and_complete(run: Run) -> None:
    arguments = ["bench", "games", "--json", "--seconds", "0.01", "--threads", "2"]
    figures = json.loads(run(*arguments).out)
    assert figures["threads"] == 2
    for name in ("tic_tac_toe", "pig", "race"):
        assert figures[name].keys() == {"games_per_s", "turns_per_s", "games_per_s_all"}
        assert min(figures[name].values()) > 0
        assert figures[name]["turns_per_s"] > figures[name]["games_per_s"]


def test_all_suites_are_shown_as_tables(run: Run) -> None:
    out = run("bench", "--seconds", "0.01").out
    for text in ("games", "tic_tac_toe", "games_per_s"):
        assert text in out
