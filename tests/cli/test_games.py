import json
from pathlib import Path

import pytest
from tests.cli.runner import Run

from spiel_bot.games.catalogue import OWN_GAMES


def test_the_table_names_every_game_with_its_numbers(run: Run) -> None:
    table = run("games").out
    for name in OWN_GAMES:
        assert name in table
    row = next(line for line in table.splitlines() if "race" in line)
    for cell in ("12", "18", "21", "≤ 72", "checkers=3"):
        assert cell in row


def test_the_table_is_also_json(run: Run) -> None:
    games = json.loads(run("games", "--json").out)
    assert set(games) >= OWN_GAMES.keys()
    assert games["pig"]["num_chance_outcomes"] == 6
    assert games["pig"]["options"] == {"target": 100}
    assert games["tic_tac_toe"]["observation_shape"] == [3, 3, 3]


def test_a_game_that_keeps_the_contract_passes(run: Run) -> None:
    result = run("games", "check", "pig", "--games", "20", "-o", "target=15")
    assert result.code == 0
    assert result.out.startswith("pig keeps all 24 clauses of the contract (20 games, ")


def test_a_check_is_also_json(run: Run) -> None:
    figures = json.loads(run("games", "check", "pig", "--games", "5", "--json").out)
    assert (figures["game"], figures["num_games"]) == ("pig", 5)


def test_a_broken_game_of_another_package_does_not_hide_the_others(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "my_package-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("[spiel_bot.games]\nbroken = no_such_place:game\n")
    monkeypatch.syspath_prepend(tmp_path)
    out = run("games").out
    assert "tic_tac_toe" in out
    assert "broken cannot be loaded: no module 'no_such_place'" in out
    assert "no module" in json.loads(run("games", "--json").out)["broken"]["error"]


def test_a_game_that_breaks_the_contract_is_told_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_bad_game.py").write_text(
        "import dataclasses\nfrom spiel_bot import load\n"
        "bad = dataclasses.replace(load('pig'), draw=lambda state: '')\n"
    )
    monkeypatch.chdir(tmp_path)  # modules in the current directory are found
    result = run("games", "check", "my_bad_game:bad")
    assert result.code == 2
    assert "breaks the clause 'drawing' (draw, and svg where it is given, " in result.err
