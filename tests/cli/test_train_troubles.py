"""What goes wrong in training is one line, and nothing is lost."""

import errno
import os
import signal
import sqlite3
from pathlib import Path

import pytest
from tests.cli.runner import Run
from tests.cli.test_train import SMALL
from tests.cluster.test_driver import weights

from spiel_bot.cli.training_display import TrainingDisplay
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store


def test_a_loss_that_is_not_finite_ends_the_run_and_a_lower_rate_mends_it(
    run: Run, tmp_path: Path
) -> None:
    store = ["--store", str(tmp_path)]
    flags = [*SMALL, "--steps=20", "--name=wild", "--learner.learning_rate=1e38"]
    broken = run("train", *flags, *store)
    assert broken.code == 2
    last = broken.err.splitlines()[-1]
    assert "the loss became" in last
    assert "resume with a lower learning_rate" in last
    with Store(tmp_path) as opened:
        found = opened.runs.find("wild")
        assert (found.state, len(opened.iterations.all(found.id))) == (RunState.FAILED, 1)
        assert found.message in last
        assert opened.check(full=True) == []
    mended = run("train", "--resume", "wild", "--learner.learning_rate=1e-3", *store)
    assert "run wild finished" in mended.out


def test_a_full_disk_is_one_line_and_the_run_goes_on_later(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("train", *SMALL, "--name=disk", "--store", str(tmp_path / "whole")).code == 0
    flags = ["--store", str(tmp_path / "full")]
    real_report = TrainingDisplay.report

    def no_space(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fill_after_the_first_iteration(
        display: TrainingDisplay, kind: str, figures: dict[str, object]
    ) -> None:
        real_report(display, kind, figures)
        if kind == "iteration":
            patch.setattr(os, "fsync", no_space)

    with monkeypatch.context() as patch:
        patch.setattr(TrainingDisplay, "report", fill_after_the_first_iteration)
        full = run("train", *SMALL, "--name=disk", *flags)
    assert full.code == 2
    assert full.err.splitlines()[-1].startswith("error: no space left to write")
    with Store(tmp_path / "full") as opened:
        assert len(opened.iterations.all(1)) == 1
        assert opened.check(full=True) == []
    assert run("train", "--resume", "disk", *flags).code == 0
    with Store(tmp_path / "whole") as one, Store(tmp_path / "full") as other:
        assert weights(one, 1) == weights(other, 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_run_and_says_how_to_resume_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    real_report = TrainingDisplay.report

    def interrupt(display: TrainingDisplay, kind: str, figures: dict[str, object]) -> None:
        real_report(display, kind, figures)
        if kind == "iteration":
            os.kill(os.getpid(), number)
            os.kill(os.getpid(), number)  # as people do

    before = signal.getsignal(number)
    with monkeypatch.context() as patch:
        patch.setattr(TrainingDisplay, "report", interrupt)
        stopped = run("train", *SMALL, "--name=asked", "--store", str(tmp_path))
    assert signal.getsignal(number) is before
    assert stopped.code == 0, stopped.err
    assert "run asked stopped after iteration 1" in stopped.out
    assert "spiel-bot train --resume asked" in stopped.out
    resumed = run("train", "--resume", "asked", "--store", str(tmp_path))
    assert "run asked finished" in resumed.out


@pytest.mark.parametrize("folder", ["resume", "checkpoints", "games"])
def test_a_damaged_file_is_named_when_a_run_is_resumed(
    run: Run, tmp_path: Path, folder: str
) -> None:
    store = ["--store", str(tmp_path)]
    assert run("train", *SMALL, "--eval-every=0", "--name=cut", *store).code == 0
    for path in (tmp_path / "runs" / "1" / folder).iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    result = run("train", "--resume", "cut", "--iterations", "3", *store)
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert folder in result.err
    assert "restore it from a copy" in result.err


def test_a_store_of_a_newer_version_is_refused(run: Run, tmp_path: Path) -> None:
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / "store.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for arguments in (SMALL, ["--resume", "latest"]):
        result = run("train", *arguments, "--store", str(tmp_path))
        assert (result.code, len(result.err.splitlines())) == (2, 1)
        assert "has version 99" in result.err
