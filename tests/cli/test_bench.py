import json

import pytest
from tests.cli.runner import Run

from spiel_bot.games.trictrac.observations.catalogue import OBSERVATIONS


def test_figures_are_positive_and_complete(run: Run) -> None:
    arguments = ["bench", "games", "--json", "--seconds", "0.01", "--threads", "2"]
    figures = json.loads(run(*arguments).out)
    assert figures["threads"] == 2
    for name in ("tic_tac_toe", "pig", "race"):
        assert figures[name].keys() == {"games_per_s", "turns_per_s", "games_per_s_all"}
        assert min(figures[name].values()) > 0
        assert figures[name]["turns_per_s"] > figures[name]["games_per_s"]


@pytest.mark.compiled
def test_the_environment_is_measured_layout_by_layout(run: Run) -> None:
    figures = json.loads(run("bench", "env", "--json", "--seconds", "0.01").out)
    single = {"observe_per_s", "legal_per_s", "plays_per_s", "step_per_s"}
    assert figures.keys() == single | {"observe_per_s_by_name", "threads", "python"}
    assert min(figures[key] for key in single) > 0
    assert figures["observe_per_s"] == figures["observe_per_s_by_name"]["td217"]
    assert figures["observe_per_s_by_name"].keys() == OBSERVATIONS.keys()


@pytest.mark.compiled
def test_all_suites_are_shown_as_tables(run: Run) -> None:
    out = run("bench", "--seconds", "0.01").out
    for text in ("games", "tic_tac_toe", "games_per_s", "observe_per_s_by_name", "expert"):
        assert text in out
