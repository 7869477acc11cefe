import io
import json
import math
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.runner import Run
from tests.storage.samples import random_game, write_iteration

from spiel_bot.games.game_file_reader import parse_game
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.results import Match
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a small run of pig."""
    path = tmp_path_factory.mktemp("template") / "store"
    with Store(path) as opened:
        run = opened.runs.create(
            game="pig",
            seed=7,
            config={"search": {"simulations": 8}, "rate": 0.001},
            game_options={"target": 20},
        ).id
        for iteration in range(4):
            write_iteration(opened, run, iteration)
            opened.metrics.add(
                run, iteration, iteration * 10, {"elo": 10.0 * iteration, "elo_error": 5.0}
            )
        opened.games.add(run, [pig_game()], iteration=4, players="net:1", scores=["20 to 0"])
        opened.matches.add(
            Match(
                game="pig",
                first="net:1",
                second="random",
                wins=3,
                losses=1,
                draws=0,
                seed=1,
                run_id=run,
                iteration=3,
                elo=190.8,
                elo_error=120.2,
            )
        )
        opened.runs.set_state(run, RunState.FINISHED, "all 4 iterations are done")
    return path


@pytest.fixture
def store(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A copy of the template, and the store commands use."""
    shutil.copytree(template, tmp_path / "store")
    monkeypatch.setenv("SPIEL_BOT_STORE", str(tmp_path / "store"))
    with Store() as opened:
        yield opened


def pig_game() -> GameRecord:
    """A game of pig to 20 that white wins in one turn of four sixes."""
    players = np.array([-1, 0] * 3 + [-1], np.int8)
    decisions = 3
    return replace(
        random_game(100),
        events=np.array([5, 0] * 3 + [5], np.int32),
        players=players,
        policy_starts=np.zeros(decisions + 1, np.int32),
        policy_actions=np.zeros(0, np.int32),
        policy_weights=np.zeros(0, np.float32),
        root_values=np.zeros(decisions, np.float32),
        is_full_search=np.zeros(decisions, np.bool_),
        returns=np.array([1, -1], np.float32),
    )


def parsed(run: Run, *arguments: str) -> Any:
    result = run("runs", *arguments, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_an_empty_store_is_no_mistake_and_is_not_made(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none"
    assert run("runs", "list", "--store", str(path)).out.startswith(f"no runs yet in {path}; ")
    assert parsed(run, "list", "--store", str(path)) == []
    assert not path.exists()
    Store(path).close()
    assert run("runs", "list", "--store", str(path)).out.startswith("no runs yet")


def test_runs_are_listed(run: Run, store: Store) -> None:
    row = next(line for line in run("runs", "list").out.splitlines() if "pig-1" in line)
    for cell in ("finished", " 3 ", " 13 ", " MB "):
        assert cell in row
    (found,) = parsed(run, "list")
    assert (found["name"], found["games"], found["step"]) == ("pig-1", 13, 30)


def test_a_run_is_shown(run: Run, store: Store) -> None:
    shown = run("runs", "show", "latest").out
    for text in (
        "run 1: pig-1, pig, finished",
        "all 4 iterations are done",
        "options:       target = 20",
        "iteration 3, 30 steps, 13 games",
        "search.simulations = 8",
        "rate = 0.001",
        "loss = 0.25",
        "4: iteration 3, step 30 (latest)",
        "net:1 against random, 3 won, 1 lost, 0 drawn, Elo +191 ± 120",
    ):
        assert text in shown
    assert "damaged" not in shown
    next((store.path / "runs" / "1" / "games").iterdir()).unlink()
    assert "damaged: " in run("runs", "show", "1").out


def test_a_run_that_was_cut_off_says_how_to_go_on(run: Run, store: Store) -> None:
    store.runs.create(game="pig", seed=1, config={}, name="my run")
    store.runs.set_state(2, RunState.INTERRUPTED)
    shown = run("runs", "show", "my run").out
    assert "to go on: spiel-bot train --resume 'my run'" in shown
    assert "no iteration, 0 steps, 0 games" in shown


def test_a_run_is_also_json(run: Run, store: Store) -> None:
    store.metrics.add(1, 9, 90, {"loss": math.nan})
    figures = parsed(run, "show", "pig-1")
    assert figures["config"] == {"search": {"simulations": 8}, "rate": 0.001}
    assert figures["metrics"] == {"elo": 30.0, "elo_error": 5.0, "loss": None}
    assert figures["problems"] == []


def test_metrics_are_plotted(run: Run, store: Store, tmp_path: Path) -> None:
    result = run("runs", "plot", "latest", "--svg", str(tmp_path / "chart.svg"))
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "loss"
    assert "elo" in lines
    assert lines[-1] == f"wrote {tmp_path / 'chart.svg'}"
    assert (tmp_path / "chart.svg").read_text().startswith("<svg ")
    store.metrics.add(1, 4, 40, {"broken": math.nan})
    shown = run("runs", "plot", "latest", "--metric", "broken, elo").out
    assert shown.startswith("broken: no value is a finite number")
    assert "30┤" in shown
    figures = parsed(run, "plot", "1", "--metric", "elo,broken", "--over", "iteration")
    assert figures["elo"] == [[i, 10.0 * i, 5.0] for i in range(4)]
    assert figures["broken"] == [[4, None, 0.0]]


def test_games_are_listed(run: Run, store: Store) -> None:
    shown = run("runs", "games", "latest", "--limit", "2").out
    assert "20 to 0" in shown
    assert shown.endswith("2 of 13 games\n")
    found = parsed(run, "games", "latest", "--iteration", "4", "--winner", "white")
    (game,) = found["games"]
    assert (found["total"], game["number"], game["returns"]) == (1, 100, [1.0, -1.0])
    assert run("runs", "games", "1", "--iteration", "9").out == "run pig-1 has no such games\n"


def test_a_game_is_written_out(run: Run, store: Store) -> None:
    lines = run("runs", "games", "latest", "--number", "100").out.splitlines()
    assert lines[:2] == ["spiel_bot game file 1", "game: pig"]
    for line in ("option target: 20", "white: net:1", "seed: 0", "result: white", "run: pig-1"):
        assert line in lines
    assert lines[-4:] == [
        "1 white | die shows 6 | roll again",
        "2 white | die shows 6 | roll again",
        "3 white | die shows 6 | roll again",
        "4 roll | die shows 6",
    ]
    plain = run("runs", "games", "latest", "-n", "100", "--plain").out
    assert plain.splitlines()[-2:] == ["3 white | @5 | @0", "4 roll | @5"]
    assert parse_game(plain).events == parse_game("\n".join(lines)).events
    figures = parsed(run, "games", "latest", "-n", "100")
    assert figures["events"] == [5, 0] * 3 + [5]
    assert figures["names"][1] == "roll again"


def test_a_game_of_other_rules_is_written_in_numbers(run: Run, store: Store) -> None:
    result = run("runs", "games", "latest", "--number", "0")  # random events
    assert result.code == 0
    assert result.err.startswith("events as numbers only: ")
    assert result.out.count("\n") > 20


def test_a_run_is_deleted_after_a_question(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return len(asked) > 1

    monkeypatch.setattr("typer.confirm", confirm)
    result = run("runs", "delete", "pig-1")
    assert (result.code, result.err) == (1, "nothing was deleted\n")
    assert asked[0].startswith("Delete run pig-1 with 13 games (")
    assert len(store.runs.all()) == 1
    assert run("runs", "delete", "pig-1").out == "deleted run pig-1\n"
    assert store.runs.all() == []
    store.runs.create(game="pig", seed=1, config={}, name="next")
    assert parsed(run, "delete", "next", "--yes") == {"deleted": "next"}
    assert len(asked) == 2


def test_no_answer_deletes_nothing(run: Run, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    result = run("runs", "delete", "pig-1")
    assert result.code == 1
    assert result.err.endswith("nothing was deleted\n")
    assert len(store.runs.all()) == 1


def test_the_store_is_checked(run: Run, store: Store) -> None:
    leftover = store.path / "runs" / "1" / "games" / "leftover"
    leftover.write_text("")
    assert run("runs", "check").out == f"{store.path} is whole; removed 1 leftover files\n"
    assert parsed(run, "check", "--full") == {"problems": [], "removed": []}
    shards = sorted((store.path / "runs" / "1" / "games").iterdir())
    for path in shards[:2]:
        path.write_bytes(b"")
    result = run("runs", "check")
    assert result.code == 2
    assert "has 0 bytes" in result.err
    assert result.err.endswith("and 1 more (--json lists them)\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "nobody"], "no run 'nobody'; the store has pig-1"),
        (["plot", "latest", "--metric", "los"], "no metric 'los'; did you mean 'loss'?"),
        (["plot", "latest", "--metric", "x"], "no metric 'x'; it has elo, elo_error, loss"),
        (["plot", "latest", "--metric", ","], "--metric: expected names such as elo, elo_error"),
        (["plot", "latest", "--svg", "/no/such/folder/x.svg"], "cannot write /no/such/folder"),
        (["games", "latest", "--number", "999"], "run 1 has no game 999; its games go up to 100"),
        (["games", "latest", "--winner", "green"], "expected white, black or draw, got 'green'"),
        (["games", "latest", "--limit", "-1"], "--limit: expected at least 0, got -1"),
        (["show", "latest", "--store", "/no/such"], "there is no run store at /no/such"),
    ],
)
def test_bad_input_is_one_line(run: Run, store: Store, arguments: list[str], message: str) -> None:
    result = run("runs", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_a_run_without_metrics_has_nothing_to_plot(run: Run, store: Store) -> None:
    store.runs.create(game="pig", seed=1, config={})
    assert "has no metrics yet" in run("runs", "plot", "latest").err
