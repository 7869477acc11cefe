import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.runner import Run
from tests.networks.nets import trained

from spiel_bot import load
from spiel_bot.cli import az_eval
from spiel_bot.networks.checkpoint import checkpoint_bytes
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.storage.store import Store

SMALL = NetworkConfig(hidden_sizes=(8,))
KEYS = [
    "games",
    "wins",
    "losses",
    "draws",
    "win_rate",
    "hole_margin",
    "elo",
    "elo_error",
    "distinct_games",
]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with one run of race, `steps`, and the weights of three iterations."""
    path = tmp_path / "store"
    monkeypatch.setenv("SPIEL_BOT_STORE", str(path))
    with Store(path) as opened:
        run = opened.runs.create(game="race", seed=1, config={}, name="steps")
        opened.runs.create(game="race", seed=1, config={}, name="empty")
        for iteration in (2, 4, 6):
            opened.checkpoints.add(
                run.id,
                checkpoint_bytes(trained(SMALL, load("race").spec, iteration)),
                iteration=iteration,
                step=iteration,
                is_kept=True,
            )
    return path


def test_a_match_is_told_to_people_and_to_programs(run: Run) -> None:
    command = ["eval", "lookahead:rollout,plies=0", "random", "--game", "race", "--games", "20"]
    told = run(*command, "--seed", "3", "--sprt", "-300,300")
    assert told.code == 0, told.err
    assert "20 games of race, seed 3" in told.out
    assert "Elo " in told.out
    assert "SPRT -300 against +300" in told.out
    results = [
        json.loads(run(*command, "--seed", "3", "--json", "--threads", threads).out)
        for threads in ("1", "2")
    ]
    assert {*KEYS, "distinct_games"} <= set(results[0])
    assert results[0]["games"] == 20
    assert results[0]["hole_margin"] is None
    for result in results:
        del result["seconds"]
    assert results[0] == results[1]


def test_luck_is_judged_by_a_model_or_by_the_expert(run: Run, store: Path) -> None:
    told = run("eval", "random", "random", "--game", "race", "--games", "4", "--luck", "steps@4")
    assert "without luck, by steps@4" in told.out
    holes = ["eval", "random", "random", "-o", "holes_to_win=1", "--games", "2", "--luck", "expert"]
    figures = json.loads(run(*holes, "--json").out)
    assert figures["luck"]["by"] == "expert"
    assert figures["hole_margin"] is not None
    assert "hole margin" in run(*holes).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random", "randon"), "did you mean 'random'"),
        (("random", "random", "--games", "3"), "--games: expected an even number"),
        (("random", "random", "--threads", "0"), "--threads: expected at least 1, got 0"),
        (("random", "random", "--sprt", "5"), "expected ELO0,ELO1"),
        (("greedy", "random", "--game", "pig"), "knows only trictrac, not pig"),
        (("human", "random"), "human plays at the terminal"),
        (("random", "random", "--luck", "nowhere.onnx"), "cannot read nowhere.onnx"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    arguments: tuple[str, ...], message: str, run: Run
) -> None:
    told = run("eval", *arguments)
    assert told.code == 2
    assert message in told.err
    assert told.err.count("\n") == 1


def test_each_checkpoint_of_a_run_meets_random(
    run: Run, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run("eval-run", "steps", "--games", "4")
    assert [line.split(":")[1] for line in told.out.splitlines()] == [
        "steps@2",
        "steps@4",
        "steps@6",
    ]
    assert "% of 4 games" in told.out
    with pytest.raises(SystemExit):
        az_eval.main(["steps", "--n-games=4", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert [row["iteration"] for row in figures["checkpoints"]] == [2, 4, 6]
    assert all(row["games"] == 4 for row in figures["checkpoints"])
    assert "no stored weights" in run("eval-run", "empty").err


def test_ratings_are_played_kept_and_drawn(run: Run, store: Path, tmp_path: Path) -> None:
    svg = tmp_path / "curve.svg"
    command = ["ratings", "--game", "race", "--games", "4", "--store", str(store)]
    told = run(*command, "lookahead:rollout,plies=0", "--run", "steps", "--svg", str(svg))
    assert told.code == 0, told.err
    assert "Elo of race, random = 0" in told.out
    assert "40 games played" in told.err  # ten pairings of five players
    assert "iteration" in told.out
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    again = run(*command, "--run", "steps", "--every", "2")
    assert "0 games played" in again.err
    figures = json.loads(run(*command, "--json").out)
    names = {row["player"]: row for row in figures["ratings"]}
    assert names["random"]["elo"] == 0
    assert {"net:steps@2", "net:steps@4", "net:steps@6"} <= set(names)
    with Store(store) as opened:
        rated = opened.ratings.newest("race")
        assert {one.player for one in rated} == set(names)
        assert len(opened.matches.all()) == 10


def test_ratings_say_what_is_missing(run: Run, store: Path, tmp_path: Path) -> None:
    assert "no match of random" in run("ratings", "--game", "race").err
    assert "no run store" in run("ratings", "--store", str(tmp_path / "none")).err
    assert "no stored weights" in run("ratings", "--game", "race", "--run", "empty").err
    saved = run(
        "eval", "lookahead:rollout,plies=0", "random", "--game", "race", "-n", "2", "--save"
    )
    assert saved.code == 0, saved.err
    told = run("ratings", "--game", "race", "--svg", str(tmp_path / "no.svg"))
    assert "no run has two rated checkpoints" in told.err
    assert "lookahead:rollout" in run("ratings", "--game", "race").out
