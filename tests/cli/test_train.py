import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from tests.cli.runner import Run

from spiel_bot import load
from spiel_bot.cli import az_train
from spiel_bot.cli.training_display import TrainingDisplay
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.presets import PRESETS, RECIPES, preset, recipe
from spiel_bot.networks.checkpoint import parse_checkpoint
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.settings import from_plain
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store

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
    assert "nan" not in first.err
    assert "policy loss -" in first.err  # there was nothing to learn from yet
    lines = first.out.splitlines()
    assert "small@2, without search, on paired dice" in first.out
    assert any(line.split()[:2] == ["random", "8"] for line in lines)
    plot = next(line for line in lines if line.startswith("plot: ")).removeprefix("plot: ")
    assert Path(plot).read_text().startswith("<svg")
    assert "  spiel-bot train --resume small --iterations 4" in lines
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
    assert "time: about " in result.out
    assert "memory: about " in result.out


TD = ["--algorithm", "td", "--learner.batch_size", "16", "--network.hidden_sizes=8"]


def test_settings_without_a_name_are_those_of_the_algorithm_that_is_used(
    run: Run, tmp_path: Path
) -> None:
    store = ["--store", str(tmp_path)]
    shared = [flag for flag in SMALL if "search" not in flag and "hidden" not in flag]
    first = run("train", *shared, *TD, *store, "--name", "after")
    assert first.code == 0, first.err
    more = run("train", "--resume", "after", "--iterations=3", "--learner.ema=0.5", *store)
    assert "run after finished" in more.out, more.err
    with Store(tmp_path) as opened:
        config = from_plain(TrainConfig(), opened.runs.find("after").config)
    assert config.td.network.hidden_sizes == (8,)
    assert (config.td.learner.batch_size, config.td.learner.ema) == (16, 0.5)
    assert config.alphazero.learner == preset("quick").alphazero.learner


def test_a_recipe_is_changed_by_settings_without_a_name(run: Run, tmp_path: Path) -> None:
    small = [flag for flag in SMALL if "search" not in flag and "hidden" not in flag]
    changes = [*small, *TD[2:], "--options.observation=raw36", "--replay.capacity=500"]
    options = ["--game", "trictrac", "--name", "again", "--store", str(tmp_path)]
    result = run("train", "--recipe", "base", *changes, "--eval-every=0", *options)
    assert "run again finished" in result.out, result.err
    with Store(tmp_path) as opened:
        config = from_plain(TrainConfig(), opened.runs.find("again").config)
    made = recipe("base")
    assert config.algorithm == "td"
    assert config.td.target == made.td.target
    assert config.td.network.hidden_sizes == (8,)
    assert config.options == {**made.options, "observation": "raw36"}


def test_a_recipe_trains_the_run_it_goes_on_from_first(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = {"game": "race", "algorithm": "td", "iterations": 1, "games": 4, "eval_every": 0}
    td = {"learner": {"batch_size": 8}, "network": {"hidden_sizes": [8]}}
    monkeypatch.setitem(RECIPES, "base", common | {"steps": 2, "td": td})
    monkeypatch.setitem(RECIPES, "bot", common | {"steps": 2, "td": td, "start": "base"})
    store = ["--store", str(tmp_path)]
    first = run("train", "--recipe", "bot", *store, "--name", "one")
    assert first.code == 0, first.err
    assert "goes on from the run base, which comes first" in first.err
    assert first.out.index("run base finished") < first.out.index("run one finished")
    again = run("train", "--recipe", "bot", *store, "--name", "two")
    assert "going on from the run base of the store" in again.err
    assert "run base finished" not in again.out
    plan = run("train", "--recipe", "bot", *store, "--dry-run")
    assert plan.out.count("time: about") == 1  # the first stage is there
    elsewhere = run("train", "--recipe", "bot", "--store", str(tmp_path / "new"), "--dry-run")
    assert elsewhere.out.startswith("first the run base:\nrace: 1 iterations")
    assert elsewhere.out.count("time: about") == 2
    with Store(tmp_path) as opened:
        assert [one.name for one in opened.runs.all()] == ["base", "one", "two"]
        assert opened.runs.find("two").config["start"] == "base@1"
        opened.runs.set_state(opened.runs.find("base").id, RunState.INTERRUPTED)
    resumed = run("train", "--recipe", "bot", *store, "--name", "three")
    assert resumed.out.index("run base finished") < resumed.out.index("run three finished")
    monkeypatch.setitem(RECIPES, "base", common | {"steps": 3, "td": td})
    other = run("train", "--recipe", "bot", *store)
    assert (other.code, len(other.err.splitlines())) == (2, 1)
    assert "the run base of the store was not made by the recipe base" in other.err
    given = run("train", "--recipe", "bot", *store, "--start", "two", "--name", "four")
    assert "run four finished" in given.out


def test_a_stage_that_was_trained_by_itself_is_found(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = {"game": "pig", "algorithm": "td", "iterations": 1, "games": 8, "steps": 2}
    monkeypatch.setitem(RECIPES, "base", common | {"eval_every": 0})
    monkeypatch.setitem(RECIPES, "bot", common | {"eval_every": 0, "start": "base"})
    store = ["--store", str(tmp_path / "store")]
    changed = run("train", "--recipe", "base", *store, "--steps", "3")
    assert "run pig-1 finished" in changed.out  # it would not be what the recipe goes on from
    assert "run base finished" in run("train", "--recipe", "base", *store).out
    assert "run pig-2 finished" in run("train", "--recipe", "base", *store).out
    unnamed = run("train", "--recipe", "base", *store, "--name", "")
    assert (unnamed.code, "'' cannot name a run" in unnamed.err) == (2, True)
    then = run("train", "--recipe", "bot", *store)
    assert "going on from the run base of the store, which is finished" in then.err
    assert then.code == 0, then.err


def test_a_recipe_goes_on_from_the_last_stage_that_is_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = {"game": "race", "algorithm": "td", "iterations": 1, "games": 4, "eval_every": 0}
    td = {"learner": {"batch_size": 8}, "network": {"hidden_sizes": [8]}}
    for name, start in (("base", ""), ("judged", "base"), ("bot", "judged")):
        monkeypatch.setitem(RECIPES, name, common | {"steps": 2, "td": td, "start": start})
    store = ["--store", str(tmp_path)]
    plan = run("train", "--recipe", "bot", *store, "--dry-run")
    assert plan.out.startswith("first the run base:\n")
    assert plan.out.count("then the run judged:\n") == 1
    assert plan.out.count("time: about") == 3
    whole = run("train", "--recipe", "bot", *store, "--name", "one")
    assert whole.code == 0, whole.err
    ends = [whole.out.index(f"run {name} finished") for name in ("base", "judged", "one")]
    assert ends == sorted(ends)
    with Store(tmp_path) as opened:
        assert opened.runs.find("judged").config["start"] == "base@1"
        assert opened.runs.find("one").config["start"] == "judged@1"
        opened.runs.set_state(opened.runs.find("base").id, RunState.INTERRUPTED)
    again = run("train", "--recipe", "bot", *store, "--name", "two")
    assert "going on from the run judged of the store" in again.err
    assert "run base finished" not in again.out
    with Store(tmp_path) as opened:
        opened.runs.set_state(opened.runs.find("judged").id, RunState.INTERRUPTED)
    resumed = run("train", "--recipe", "bot", *store, "--name", "three")
    assert "run base finished" not in resumed.out  # a run keeps a copy of its start
    assert resumed.out.index("run judged finished") < resumed.out.index("run three finished")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--name", "base"], "there is a run 'base' already, or will be"),
        (["--game", "pig"], "player expert knows only trictrac, not pig"),
        (["--network.hidden_sizes", "256"], "expected hidden sizes of at least [512], got [256]"),
        (["--options.observation", "td217"], "with observation=master, expected td217"),
        (["--selfplay.sparring", "nobody"], "unknown player 'nobody'"),
        (["--selfplay.sparring", "net:bot"], "expected random, greedy, expert"),
        (["--start", "x.onnx"], "an .onnx file has no weights to go on with"),
    ],
)
def test_a_recipe_that_could_not_go_on_is_refused_before_its_first_stage(
    run: Run, tmp_path: Path, flags: list[str], message: str
) -> None:
    result = run("train", "--recipe", "second", "--store", str(tmp_path / "store"), *flags)
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert message in result.err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--name", "long_base"], "there is a run 'long_base' already, or will be"),
        (["--network.hidden_sizes", "512,256"], "expected hidden sizes of at least [512, 512]"),
        (["--options.observation", "td217"], "with observation=master, expected td217"),
    ],
)
def test_a_mean_that_could_not_be_begun_with_is_refused_before_its_first_stage(
    run: Run, tmp_path: Path, flags: list[str], message: str
) -> None:
    result = run("train", "--recipe", "third", "--store", str(tmp_path / "store"), *flags)
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert message in result.err


def test_a_recipe_may_begin_with_the_mean_of_two(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = {"game": "pig", "algorithm": "td", "iterations": 1, "games": 8, "eval_every": 0}
    small = common | {"steps": 2, "td": {"network": {"hidden_sizes": [8]}}}
    monkeypatch.setitem(RECIPES, "base", small)
    monkeypatch.setitem(RECIPES, "first", small | {"start": "base"})
    monkeypatch.setitem(RECIPES, "second", small | {"seed": 3})
    joined = {"steps": 0, "td": {"network": {"hidden_sizes": [16]}}}
    monkeypatch.setitem(RECIPES, "bot", common | joined | {"start": "first+second"})
    store = ["--store", str(tmp_path / "store")]
    plan = run("train", "--recipe", "bot", *store, "--dry-run").out
    stages = ["first the run base:", "then the run first:", "then the run second:", "then:"]
    assert [line for line in plan.splitlines() if line.endswith(":")] == stages
    whole = run("train", "--recipe", "bot", *store, "--name", "mean")
    assert whole.code == 0, whole.err
    names = ("base", "first", "second", "mean")
    ends = [whole.out.index(f"run {name} finished") for name in names]
    assert ends == sorted(ends)
    again = run("train", "--recipe", "bot", *store, "--name", "again")
    for name in ("first", "second"):
        assert f"going on from the run {name} of the store, which is finished" in again.err
    with Store(tmp_path / "store") as opened:
        one, two, mean = (
            parse_checkpoint(opened.checkpoints.read_labelled(opened.runs.find(name).id)[1], name)
            for name in ("first", "second", "mean")
        )
        assert opened.runs.find("mean").config["start"] == "first@1+second@1"
    seen = np.random.default_rng(1).random((50, load("pig").spec.observation_size), np.float32)
    said = [
        np.arctanh(OnnxEvaluator(model_bytes(each, "float")).evaluate_batch(seen)[1])
        for each in (one, two, mean)
    ]
    np.testing.assert_allclose(said[2], (said[0] + said[1]) / 2, atol=1e-5)
    assert np.abs(said[0] - said[1]).max() > 0.001


def test_a_share_of_a_recipe_shortens_all_its_runs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {"game": "pig", "algorithm": "td", "games": 8, "steps": 2, "eval_every": 0}
    monkeypatch.setitem(RECIPES, "base", small | {"iterations": 20})
    monkeypatch.setitem(RECIPES, "bot", small | {"iterations": 5, "start": "base"})
    store = ["--store", str(tmp_path / "store")]
    shorter = ["train", "--recipe", "bot", "--share", "0.2", *store]
    assert "4 iterations" in run(*shorter, "--dry-run").out
    assert run(*shorter, "--name", "one").code == 0
    again = run(*shorter, "--name", "two")
    assert "going on from the run base of the store, which is finished" in again.err
    with Store(tmp_path / "store") as opened:
        configs = [opened.runs.find(name).config for name in ("base", "one", "two")]
    assert [config["iterations"] for config in configs] == [4, 3, 3]  # three at least
    assert configs[2]["start"] == "base@4"
    for other, made in (([], "base;"), (["--share", "0.5"], "base with 10 iterations;")):
        refused = run("train", "--recipe", "bot", *other, *store)
        assert refused.code == 2
        assert f"the run base of the store was not made by the recipe {made}" in refused.err
    refused = run("train", "--recipe", "base", *store)  # nobody would find it by another name
    assert refused.code == 2
    assert "the run base of the store was not made by the recipe base;" in refused.err


@pytest.mark.parametrize("table", ["network", "td.network"])
def test_a_file_may_name_the_algorithm_once(run: Run, tmp_path: Path, table: str) -> None:
    file = tmp_path / "run.toml"
    file.write_text(f'game = "race"\nalgorithm = "td"\n[{table}]\narchitecture = "resnet"\n')
    result = run("train", "--config", str(file), "--dry-run")
    assert "after-states without a tree" in result.out
    assert "network resnet" in result.out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[network]\nwidth = 8\n[alphazero.network]\nblocks = 1\n", "network: also given as"),
        ("alphazero = 3\n[network]\nwidth = 8\n", "expected a table of settings, got 3"),
        ("algorithm = 3\n", "algorithm: expected alphazero or td, got 3"),
        ("network = 3\n", "alphazero.network: expected a table of settings, got 3"),
        ("[td.search]\n", "unknown setting 'td.search'"),
    ],
)
def test_a_wrong_file_gets_one_line(run: Run, tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "run.toml"
    file.write_text(content)
    result = run("train", "--config", str(file), "--store", str(tmp_path / "store"))
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert message in result.err
    assert not (tmp_path / "store").exists()


def test_every_setting_is_listed_with_what_it_does(run: Run) -> None:
    out = run("train", "--list-settings").out
    for text in ("--iterations", "--selfplay.search.n_simulations", "--learner.ema", "--lambda"):
        assert text.replace("--lambda", "--target.lambda") in out
    assert "--selfplay.random_share" in run("train", "--list-settings", "--algorithm=td").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--itertions", "3"], "did you mean 'iterations'?"),
        (["--iterations"], "--iterations: expected a value after it"),
        (["--iterations", "many"], "iterations: expected a whole number, got 'many'"),
        (["stray"], "expected a setting such as --iterations 20, got 'stray'"),
        (["--preset", "huge"], "preset 'huge' is unknown; expected one of quick"),
        (["--recipe", "soup"], "recipe 'soup' is unknown; expected one of bot"),
        (["--recipe", "bot", "--preset", "quick"], "each is a whole run; take one"),
        (["--resume", "x", "--recipe", "bot"], "--resume takes the run's own settings"),
        (["--resume", "x", "--share", "0.5"], "--resume takes the run's own settings"),
        (["--share", "0.5"], "--share 0.5 is a part of a recipe; name one"),
        (["--recipe", "bot", "--share", "0"], "share: expected more than 0 and at most 1, got 0"),
        (["--config", "missing.toml"], "missing.toml: expected a TOML file"),
        (["--resume", "x", "--name", "y"], "--resume takes the run's own settings"),
        (
            ["--resume", "x", "--dry-run"],
            "leave out --preset, --recipe, --share, --config, --name and --dry-run",
        ),
        (["--resume", "x", "--preset", "long"], "--resume takes the run's own settings"),
        (["--game", "chess"], "chess"),
        (["--game", "pig", "--ladder", "giant"], "unknown player 'giant'"),
        (["--game", "pig", "--ladder", "greedy"], "greedy"),
        (["--game", "pig", "--ladder", "human"], "here, name another player"),
        (
            ["--game", "pig", "--dry-run", "--device", "nowhere"],
            "device: 'nowhere' is not available",
        ),
        (["--algorithm", "dqn"], "algorithm: expected alphazero or td, got 'dqn'"),
        (["--game=tic_tac_toe", "--algorithm=td"], "random_share: tic_tac_toe has no dice"),
        (["--game", "pig", "--ladder", "random;expert,plies=1"], "expert"),
        (["--network.judges", "rolls"], "network.judges: alphazero expects decisions, got rolls"),
        (["--game", "pig", "--network.auxiliary", "next_hole"], "pig does not tell points"),
        (["--game", "pig", "--replay.capacity", "10000000000000"], "lower replay.capacity"),
        (["--game", "pig", "--dry-run", "--selfplay.games_at_once", "100000000"], "lower selfplay"),
        (["--game", "pig", "--network.hidden_sizes", "65536,65536"], "choose a smaller network"),
    ],
)
def test_bad_requests_get_one_line(
    run: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    result = run("train", *arguments, "--store", str(tmp_path))
    assert result.code == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--games", "9"], "games: a run keeps it from its beginning"),
        (["--seed", "9"], "seed: a run keeps it from its beginning"),
        (["--network.hidden_sizes", "8"], "network: a run keeps it from its beginning"),
    ],
)
def test_a_run_cannot_become_another_one(
    run: Run, tmp_path: Path, change: list[str], message: str
) -> None:
    store = ["--store", str(tmp_path)]
    assert run("train", *SMALL, *store, "--eval-every=0", "--name", "small").code == 0
    result = run("train", "--resume", "small", *change, *store)
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert message in result.err


def test_without_tensorboard_one_line_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    result = run("train", *SMALL, "--tensorboard", "--store", str(tmp_path))
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert "pip install 'spiel-bot[tensorboard]'" in result.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("default")  # the package is not ours
def test_figures_are_written_for_tensorboard(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    result = run("train", *SMALL, "--tensorboard", "--store", str(tmp_path), "--name", "../small")
    assert result.code == 0, result.err
    (log,) = (tmp_path / "tensorboard" / "1 .._small").iterdir()
    content = log.read_bytes()
    for name in (b"policy_loss", b"match/random/win_rate", b"elo"):
        assert name in content


def shown(is_terminal: bool, events: list[tuple[str, dict[str, Any]]]) -> str:
    """Return what the display writes of some events."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=is_terminal, width=140, color_system=None)
    with TrainingDisplay("small", preset("quick"), console) as display:
        for kind, figures in events:
            display.report(kind, figures)
    return out.getvalue()


EVENTS: list[tuple[str, dict[str, Any]]] = [
    ("start", {"iteration": 0}),
    ("game", {"iteration": 1, "plies": 10}),
    ("game", {"iteration": 2, "plies": 10}),
    ("iteration", {"iteration": 1, "games_per_s": 4.0, "game_plies": 9.0, "seconds": 3.0}),
    ("iteration", {"iteration": 2, "seconds": 5.0, "policy_loss": 1.25, "cpu_busy": 0.9}),
    (
        "match",
        {
            "iteration": 2,
            "opponent": "random",
            "games": 8,
            "win_rate": 0.75,
            "elo": 190.0,
            "elo_error": 40.0,
        },
    ),
    ("rating", {"iteration": 2, "elo": 190.0, "elo_error": 40.0, "over": "random"}),
]


def test_a_terminal_shows_bars_and_a_table() -> None:
    text = shown(True, EVENTS)
    for part in (
        "2/36",
        "0:02:16 left",
        "0/384",
        "1.250",
        "90%",
        "Elo +190 ± 40 over random",
        "75.0% random",
    ):
        assert part in text
    assert "nan" not in text


def test_where_nobody_watches_there_are_plain_lines() -> None:
    lines = shown(False, EVENTS).splitlines()
    assert lines[0].startswith("iteration 1: policy loss -, value loss -, games/s 4.0, plies 9")
    assert lines[2] == "iteration 2: 75.0% against random (+190 ± 40 Elo, 8 games)"
    assert lines[3] == "iteration 2: Elo +190 ± 40 over random"


@pytest.mark.parametrize("name", PRESETS)
def test_presets_end_with_matches(name: str) -> None:
    config = preset(name)
    assert config.eval_every > 0
    assert name != "quick" or config.eval_pairs == 200


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
        az_train.main([*flags, "--game=race", "--selfplay.games_at_once=4", "--dry-run"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("race: 3 iterations of 7 games")
    assert "50 simulations" in out
    assert "resnet" in out
