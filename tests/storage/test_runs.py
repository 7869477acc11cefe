import math
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spiel_bot import __version__
from spiel_bot.errors import RecordError, StoreBusyError, UnknownRunError
from spiel_bot.storage.process import is_alive, process_mark
from spiel_bot.storage.provenance import git_commit
from spiel_bot.storage.runs import STALE_SECONDS, RunState
from spiel_bot.storage.store import Store

FOREIGN = "another-machine 1 1"


def ended_process() -> str:
    """Return the mark of a process that has ended."""
    code = "from spiel_bot.storage.process import process_mark; print(process_mark())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def set_owner(store: Store, run: int, owner: str, age: float = 0) -> None:
    store.database.write(
        "UPDATE runs SET owner = ?, heartbeat = ? WHERE id = ?", (owner, time.time() - age, run)
    )


def test_a_run_keeps_all_that_was_asked_for(store: Store) -> None:
    config = {"search": {"simulations": 32}, "name": "é"}
    run = store.runs.create(
        game="trictrac", seed=2**127, config=config, game_options={"holes": 12}, name="first try"
    )
    found = store.runs.find("first try")
    assert found == run
    assert (run.seed, run.config, run.game_options) == (2**127, config, {"holes": 12})
    assert (run.package_version, run.state) == (__version__, RunState.RUNNING)


def test_runs_without_a_name_get_one_from_their_game(store: Store) -> None:
    names = [store.runs.create(game=game, seed=1, config={}).name for game in ("pig", "pig")]
    assert names == ["pig-1", "pig-2"]
    assert store.runs.create(game="my_file.py:game", seed=1, config={}).name == "game-1"


def test_runs_are_found_by_name_number_and_age(store: Store) -> None:
    runs = [store.runs.create(game="pig", seed=1, config={}) for _ in range(7)]
    assert store.runs.all() == runs
    assert store.runs.find("pig-3") == store.runs.find("3") == runs[2]
    assert store.runs.find("latest") == runs[-1]
    with pytest.raises(UnknownRunError, match=r"no run '99'; the store has pig-3, .*and 2 older"):
        store.runs.find("99")


def test_an_empty_store_says_so(store: Store) -> None:
    with pytest.raises(UnknownRunError, match="has none"):
        store.runs.find("latest")


@pytest.mark.parametrize("name", ["", "7", "latest", "-x", " a", "a\nb", "a" * 61])
def test_a_name_that_could_mean_something_else_is_refused(store: Store, name: str) -> None:
    with pytest.raises(RecordError, match="cannot name a run"):
        store.runs.create(game="pig", seed=1, config={}, name=name)


def test_a_name_is_given_once(store: Store) -> None:
    store.runs.create(game="pig", seed=1, config={}, name="mine")
    with pytest.raises(RecordError, match="there is a run 'mine' already"):
        store.runs.create(game="pig", seed=1, config={}, name="mine")


def test_a_configuration_must_be_json(store: Store) -> None:
    with pytest.raises(RecordError, match="config cannot be stored as JSON"):
        store.runs.create(game="pig", seed=1, config={"path": Path("x")})
    assert store.runs.all() == []


def test_state_and_progress_are_seen(store: Store, run: int) -> None:
    store.runs.beat(run, {"games": 3})
    store.runs.beat(run)
    assert store.runs.get(run).progress == {"games": 3}
    store.runs.set_state(run, RunState.FAILED, "the loss is not a number at step 7")
    found = store.runs.get(run)
    assert (found.state, found.message) == ("failed", "the loss is not a number at step 7")


def test_a_run_whose_process_is_gone_was_interrupted(store: Store, run: int) -> None:
    set_owner(store, run, ended_process())
    assert store.runs.get(run).state is RunState.INTERRUPTED
    assert store.runs.claim(run).state is RunState.RUNNING
    assert store.runs.get(run).owner == process_mark()


def test_a_run_on_another_machine_is_judged_by_its_heartbeat(store: Store, run: int) -> None:
    set_owner(store, run, FOREIGN)
    assert store.runs.get(run).state is RunState.RUNNING
    with pytest.raises(StoreBusyError, match="run pig-1 is running in another process"):
        store.runs.claim(run)
    with pytest.raises(StoreBusyError, match="stop that first"):
        store.delete_run(run)
    set_owner(store, run, FOREIGN, age=STALE_SECONDS + 1)
    assert store.runs.get(run).state is RunState.INTERRUPTED


def test_a_finished_run_can_be_taken_up_again(store: Store, run: int) -> None:
    set_owner(store, run, FOREIGN)
    store.runs.set_state(run, RunState.FINISHED)
    assert store.runs.claim(run).state is RunState.RUNNING


def test_marks_tell_processes_apart() -> None:
    assert is_alive(process_mark()) is True
    assert is_alive(ended_process()) is False
    assert is_alive(FOREIGN) is None
    assert is_alive("") is None
    here = socket.gethostname()
    assert is_alive(f"{here} {os.getpid()}") is True  # a mark from where there is no /proc
    assert is_alive(f"{here} 999999999") is False
    if Path("/proc/self/stat").exists():
        assert is_alive(f"{here} {os.getpid()} 1") is False  # an earlier process of this number


def test_the_commit_is_that_of_the_code(tmp_path: Path) -> None:
    assert git_commit(tmp_path) is None
    assert git_commit(tmp_path / "nowhere") is None
    git_commit.cache_clear()
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    (tmp_path / "code.py").write_text("1")
    for command in (["init", "-q"], ["add", "code.py"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *command], check=True)
    commit = git_commit(tmp_path)
    assert commit is not None
    assert len(commit) == 40
    (tmp_path / "code.py").write_text("2")
    git_commit.cache_clear()
    assert git_commit(tmp_path) == f"{commit}-dirty"


def test_iterations_are_listed_in_order(store: Store, run: int) -> None:
    assert store.iterations.last(run) is None
    for number in (1, 0, 1):  # the second time replaces the first
        store.iterations.add(run, number, step=number, games=9, seconds=2.5, details={"kl": 0.1})
    assert [iteration.number for iteration in store.iterations.all(run)] == [0, 1]
    last = store.iterations.last(run)
    assert last is not None
    assert (last.number, last.step, last.details) == (1, 1, {"kl": 0.1})


def test_metrics_come_back_in_the_order_of_a_chart(store: Store, run: int) -> None:
    store.metrics.add_many(run, [(1, 20, "loss", 0.5), (0, 10, "loss", 0.75), (1, 20, "elo", 3)])
    store.metrics.add(run, 2, 30, {"loss": math.nan, "top": math.inf})
    series = store.metrics.series(run, "loss")
    assert series.iterations.tolist() == [0, 1, 2]
    assert series.steps.tolist() == [10, 20, 30]
    assert series.values[:2].tolist() == [0.75, 0.5]
    assert math.isnan(series.values[2])
    assert store.metrics.names(run) == ["elo", "loss", "top"]
    last = store.metrics.last(run)
    assert (last["elo"], last["top"], math.isnan(last["loss"])) == (3.0, math.inf, True)
    assert store.metrics.series(run, "loss", after=(1, 20)).steps.tolist() == [30]
    assert store.metrics.series(run, "nothing").values.tolist() == []


def test_a_metric_that_is_stored_again_is_replaced(store: Store, run: int) -> None:
    store.metrics.add(run, 1, 10, {"loss": 1.0})
    store.metrics.add(run, 1, 10, {"loss": 2.0})
    assert store.metrics.series(run, "loss").values.tolist() == [2.0]


def test_a_request_reaches_the_training_process_once(store: Store, run: int) -> None:
    assert store.requests.take(run) == []
    asked = store.requests.ask(run, "pause", {"minutes": 5})
    store.requests.ask(run, "stop")
    taken = store.requests.take(run)
    assert [request.command for request in taken] == ["pause", "stop"]
    assert taken[0].argument == {"minutes": 5}
    assert store.requests.take(run) == []
    assert store.requests.get(asked.id).answer is None
    store.requests.answer(taken[0], "paused")
    assert store.requests.get(asked.id).answer == "paused"
    assert len(store.requests.all(run)) == 2
    with pytest.raises(UnknownRunError, match="no request 77"):
        store.requests.get(77)
