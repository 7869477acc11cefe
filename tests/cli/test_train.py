import json
from pathlib import Path

import pytest
from tests.cli.runner import Run

from spiel_bot.cli import az_train

SMALL = [
    "--game=race",
    "--iterations=2",
    "--games=8",
    "--steps=2",
    "--eval-every=2",
    "--eval-pairs=4",
    "--workers=1",
    "--network.hidden_sizes=16",
    "--selfplay.search.n_simulations=4",
    "--learner.batch_size=16",
]


def test_a_run_is_trained_shown_and_resumed(run: Run, tmp_path: Path) -> None:
    store = ["--store", str(tmp_path)]
    first = run("train", *SMALL, *store, "--name", "small")
    assert first.code == 0, first.err
    assert "run small finished" in first.out
    assert "iteration 2" in first.err
    assert "against random" in first.err
    more = run("train", "--resume", "small", "--iterations", "3", *store)
    assert "run small finished" in more.out
    shown = json.loads(run("runs", "list", *store, "--json").out)
    assert "small" in json.dumps(shown)


def test_settings_come_from_a_file_and_flags_win(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('game = "pig"\niterations = 7\n[selfplay.search]\nn_simulations = 5\n')
    result = run("train", "--config", str(file), "--games", "9", "--dry-run")
    assert result.out.startswith("pig: 7 iterations of 9 games")
    assert "5 simulations" in result.out


def test_every_setting_is_listed_with_what_it_does(run: Run) -> None:
    out = run("train", "--list-settings").out
    for text in ("--iterations", "--selfplay.search.n_simulations", "--learner.ema", "--lambda"):
        assert text.replace("--lambda", "--target.lambda") in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--itertions", "3"], "did you mean 'iterations'?"),
        (["--iterations"], "--iterations: expected a value after it"),
        (["--iterations", "many"], "iterations: expected a whole number, got 'many'"),
        (["stray"], "expected a setting such as --iterations 20, got 'stray'"),
        (["--preset", "huge"], "preset 'huge' is unknown; expected one of quick"),
        (["--config", "missing.toml"], "missing.toml: expected a TOML file"),
        (["--resume", "x", "--name", "y"], "--resume takes the run's own settings"),
        (["--game", "chess"], "chess"),
    ],
)
def test_bad_requests_get_one_line(
    run: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    result = run("train", *arguments, "--store", str(tmp_path))
    assert result.code == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1


def test_the_first_plans_flags_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    flags = [
        "--n-sim",
        "50",
        "--n-games=7",
        "--n-iter",
        "3",
        "--arch",
        "resnet",
        "--eval-batch",
        "8",
    ]
    with pytest.raises(SystemExit) as caught:
        az_train.main([*flags, "--dry-run"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("trictrac: 3 iterations of 7 games")
    assert "50 simulations" in out
    assert "resnet" in out
