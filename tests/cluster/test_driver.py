import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from tests.cluster.scripted import Scripted

from spiel_bot import load
from spiel_bot.cluster import control as control_module
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.driver import Driver
from spiel_bot.cluster.local import begin_run, resume_run, train
from spiel_bot.cluster.states import pack, unpack
from spiel_bot.errors import LearningError, SettingsError, SpielBotError, StoreBusyError
from spiel_bot.networks.checkpoint import parse_checkpoint
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.networks.sample import random_observations
from spiel_bot.settings import from_plain
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store

SMALL: dict[str, Any] = {
    "game": "race",
    "iterations": 3,
    "games": 12,
    "steps": 4,
    "workers": 1,
    "eval_every": 2,
    "eval_pairs": 4,
    "alphazero": {
        "network": {"hidden_sizes": [16]},
        "selfplay": {"games_at_once": 8, "cheap_simulations": 2, "search": {"n_simulations": 4}},
        "learner": {"batch_size": 16},
    },
    "td": {
        "network": {"hidden_sizes": [16]},
        "selfplay": {"games_at_once": 8},
        "learner": {"batch_size": 16},
    },
}

JUDGED = SMALL["td"] | {"selfplay": {"games_at_once": 8, "judged_share": 0.6, "sparring": "random"}}
CORRECTED = SMALL["td"] | {
    "selfplay": {
        "games_at_once": 8,
        "judged_share": 1.0,
        "judged_lambda": 0.8,
        "judged_aim": "win",
        "random_share": 0.1,
    }
}


def config(**changes: Any) -> TrainConfig:
    return from_plain(TrainConfig(), SMALL | changes)


def run_through(
    store: Store, settings: TrainConfig, report: Callable[[str, dict[str, Any]], None] | None = None
) -> int:
    """Train a new run to its end; return its number."""
    run = begin_run(store, settings)
    with Control(store, run.id) as control:
        train(store, run, settings, control, report or (lambda kind, figures: None))
    return run.id


def weights(store: Store, run: int) -> dict[str, bytes]:
    """Return the weights of a run to the last bit; the order of a file's header is chance."""
    return weights_of(store.checkpoints.read_labelled(run)[1])


def weights_of(content: bytes) -> dict[str, bytes]:
    """Return the weights of a checkpoint."""
    return {name: array.tobytes() for name, array in safetensors.numpy.load(content).items()}


def test_a_run_stores_games_figures_matches_and_weights(tmp_path: Path) -> None:
    events: list[str] = []
    with Store(tmp_path) as store:
        run = run_through(store, config(), lambda kind, figures: events.append(kind))
        assert store.runs.get(run).state == RunState.FINISHED
        assert store.games.count(run) == 36
        assert [row.number for row in store.iterations.all(run)] == [1, 2, 3]
        assert store.metrics.last(run)["steps"] == 4
        matches = [(match.iteration, match.second) for match in reversed(store.matches.all(run))]
        assert matches[:3] == [(2, "random"), (2, "race-1@0"), (3, "random")]
        assert events.count("game") == 36
        assert events.count("iteration") == 3
        assert events.count("match") == 4  # at iteration 2, and at the last
        assert store.check(full=True) == []


@pytest.mark.parametrize(
    ("workers", "changes"),
    [
        (1, {}),
        (3, {}),
        (3, {"algorithm": "td"}),
        (3, {"algorithm": "td", "td": JUDGED}),
        (3, {"algorithm": "td", "td": JUDGED | {"precision": "float"}}),
        (3, {"algorithm": "td", "td": CORRECTED}),
    ],
    ids=["1 worker", "3 workers", "td", "td, judged", "td, judged in float", "td, corrected"],
)
def test_a_run_that_was_stopped_and_resumed_is_the_run_that_was_not(
    tmp_path: Path, workers: int, changes: dict[str, Any]
) -> None:
    with Store(tmp_path / "whole") as store:
        first = run_through(store, config(**changes))
        whole = weights(store, first)
        assert store.metrics.last(first)["steps"] > 0
    with Store(tmp_path / "parts") as store:
        settings = config(workers=workers, **changes)
        run = begin_run(store, settings)

        def stop_in_the_second_iteration(kind: str, figures: dict[str, Any]) -> None:
            if kind == "iteration":
                control.stop()

        with Control(store, run.id) as control:
            outcome = train(store, run, settings, control, stop_in_the_second_iteration)
        assert (outcome.is_finished, outcome.iterations) == (False, 1)
        assert store.runs.get(run.id).state == RunState.INTERRUPTED
        assert store.games.count(run.id) >= 12
        run, settings = resume_run(store, run.name)
        with Control(store, run.id) as control:
            assert train(store, run, settings, control, lambda kind, figures: None).is_finished
        assert store.games.count(run.id) == 36
        assert weights(store, run.id) == whole


def test_a_run_begins_with_the_model_it_is_given_and_then_needs_it_no_more(
    tmp_path: Path,
) -> None:
    changes: dict[str, Any] = {"algorithm": "td", "eval_every": 0}
    with Store(tmp_path / "whole") as store:
        first = run_through(store, config(**changes))
        known = store.checkpoints.read_labelled(first)[1]
        name = store.runs.get(first).name
        larger = SMALL["td"] | {"network": {"hidden_sizes": [24, 6]}}
        settings = config(**changes | {"td": larger, "start": name, "seed": 5, "steps": 0})
        second = begin_run(store, settings)
        begun = store.checkpoints.read_labelled(second.id)[1]
        store.runs.delete(first)
        with Control(store, second.id) as control:
            assert train(store, second, settings, control, lambda kind, figures: None).is_finished
        after = weights(store, second.id)
    seen = random_observations(load("race"), 50)
    before, grown = (
        OnnxEvaluator(model_bytes(parse_checkpoint(content, "it"), "float")).evaluate_batch(seen)[1]
        for content in (known, begun)
    )
    np.testing.assert_allclose(grown, before, atol=1e-5)
    assert after == weights_of(begun)  # no step was taken, so nothing has changed


def test_a_run_with_a_start_that_was_killed_at_once_begins_with_it_again(tmp_path: Path) -> None:
    changes: dict[str, Any] = {"algorithm": "td", "eval_every": 0}
    with Store(tmp_path) as store:
        first = run_through(store, config(**changes))
        settings = config(**changes | {"start": store.runs.get(first).name, "seed": 5})
        whole = weights(store, run_through(store, settings))
        run = begin_run(store, settings)
        with Control(store, run.id) as control:
            control.stop()
            assert not train(store, run, settings, control, lambda k, f: None).iterations
        with pytest.raises(SettingsError, match="start: a run keeps it"):
            resumed(store, {"start": ""})
        resumed(store, {})
        assert weights(store, run.id) == whole


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": "nobody"}, "no model 'nobody'"),
        ({"start": "race-1", "td": {"network": {"hidden_sizes": [8]}}}, "cannot grow into"),
        ({"start": "race-1", "game": "pig"}, "was trained for race, expected pig"),
    ],
)
def test_a_start_that_is_none_is_refused_and_leaves_no_run(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with Store(tmp_path) as store:
        run_through(store, config(algorithm="td", iterations=1, eval_every=0))
        with pytest.raises(SpielBotError, match=message):
            begin_run(store, config(**{"algorithm": "td"} | changes))
        assert len(store.runs.all()) == 1


def resumed(store: Store, changes: dict[str, Any]) -> None:
    """Go on with the last run of a store, with other settings, to its end."""
    run, settings = resume_run(store, "latest", changes)
    with Control(store, run.id) as control:
        assert train(store, run, settings, control, lambda kind, figures: None).is_finished


def test_a_run_whose_window_grows_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    constant = SMALL["alphazero"] | {
        "replay": {"capacity": 40, "growth": 0.9},
        "learner": {"batch_size": 16, "schedule": "constant"},
    }
    changes: dict[str, Any] = {"alphazero": constant, "eval_every": 0, "games": 24}
    with Store(tmp_path / "whole") as store:
        whole = weights(store, run_through(store, config(iterations=8, **changes)))
    with Store(tmp_path / "parts") as store:
        run = run_through(store, config(iterations=5, **changes))
        resumed(store, {"iterations": 8})
        assert weights(store, run) == whole


def test_a_window_may_become_smaller_when_resuming(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = run_through(store, config(eval_every=0))
        assert store.metrics.last(run)["replay"] > 100
        resumed(store, {"iterations": 4, "alphazero": {"replay": {"capacity": 30}}})
        assert store.metrics.last(run)["replay"] == 30


def test_more_iterations_can_be_asked_for_when_resuming(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        number = run_through(store, config(iterations=1, eval_every=0))
        run, settings = resume_run(store, "latest", {"iterations": 2})
        assert (run.id, settings.iterations) == (number, 2)
        with Control(store, run.id) as control:
            assert train(store, run, settings, control, lambda k, f: None).iterations == 2


def test_a_run_hears_what_is_asked_through_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_module, "BEAT_SECONDS", 0.01)
    with Store(tmp_path) as store:
        run = begin_run(store, config())
        with Control(store, run.id) as control:
            request = store.requests.ask(run.id, "stop")
            while store.requests.get(request.id).answer is None:
                time.sleep(0.01)
            assert control.should_stop()


def test_a_run_can_be_stopped_paused_and_continued(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = begin_run(store, config())
        control = Control(store, run.id)
        for command, state in (("pause", RunState.PAUSED), ("continue", RunState.RUNNING)):
            control._obey(command)
            assert store.runs.get(run.id).state == state
        assert not control.should_stop()
        control._obey("stop")
        assert control.should_stop()
        with control:
            pass


def test_a_loss_that_is_not_finite_leaves_the_last_good_state(tmp_path: Path) -> None:
    algorithm = Scripted(bad_lesson=2)
    with Store(tmp_path) as store:
        settings = config(eval_every=0)
        run = begin_run(store, settings)
        with Control(store, run.id) as control, pytest.raises(LearningError, match="became nan"):
            Driver(store, run, load("race"), algorithm, settings, control).train()
        saved = store.resume_states.load(run.id)
        assert saved is not None
        assert saved.iteration == 1
        assert store.checkpoints.read_labelled(run.id)[1] == b"1"
        assert store.games.count(run.id) >= 12


def test_games_of_the_next_iteration_that_were_stored_before_a_kill_are_used(
    tmp_path: Path,
) -> None:
    with Store(tmp_path / "whole") as store:
        number = run_through(store, config())
        whole = weights(store, number)
        early = [store.games.read(number, game) for game in range(12, 20)]
    events: list[str] = []
    with Store(tmp_path / "killed") as store:
        settings = config()
        run = begin_run(store, settings)
        store.games.add(run.id, early, iteration=2)
        with Control(store, run.id) as control:
            train(store, run, settings, control, lambda kind, figures: events.append(kind))
        assert events.count("game") == 36 - len(early)
        assert weights(store, run.id) == whole


def test_each_iteration_says_how_well_the_machine_is_used(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = run_through(store, config(eval_every=0))
        for name in ("cpu_busy", "peak_memory_mb", "games_per_s", "seconds"):
            values = store.metrics.series(run, name).values
            assert len(values) == 3
            assert (values > 0).all()
        # The last games may all be played before the iteration before them is stored.
        assert store.metrics.series(run, "evals_per_s").values[0] > 0


def test_a_run_that_is_trained_elsewhere_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        run = begin_run(store, config())
        store.database.write("UPDATE runs SET owner = ? WHERE id = ?", ("1@elsewhere", run.id))
        with pytest.raises(StoreBusyError):
            resume_run(store, run.name)


def test_states_are_read_back_and_others_are_refused() -> None:
    arrays = {"a": np.arange(3), "b/c": np.array(2.5)}
    found = unpack(pack(arrays), 1)
    assert found.keys() == arrays.keys()
    assert found["a"].tolist() == [0, 1, 2]
    with pytest.raises(LearningError, match="state version 7"):
        unpack(pack(arrays), 7)
    with pytest.raises(LearningError, match="cannot be read"):
        unpack(b"nonsense", 1)


@pytest.mark.parametrize("changes", [{"games": 0}, {"steps": -1}, {"gmaes": 3}])
def test_impossible_runs_are_refused(changes: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match=r"expected|did you mean 'games'"):
        config(**changes)
