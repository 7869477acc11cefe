"""Writers that die, and readers beside a writer; each in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.storage.samples import assert_same, assert_whole, content, random_game

from spiel_bot.storage.store import Store

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]


def program(what: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.storage.killed", what, str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("what", ["calls", "random"])
def test_a_kill_loses_nothing_that_was_committed(tmp_path: Path, what: str) -> None:
    run_to_the_end(tmp_path, what)


def test_several_processes_make_the_same_store_at_once(tmp_path: Path) -> None:
    run_to_the_end(tmp_path, "open")


def test_a_child_process_can_use_the_store_of_its_parent(tmp_path: Path) -> None:
    run_to_the_end(tmp_path, "fork")


def run_to_the_end(tmp_path: Path, what: str) -> None:
    with program(what, tmp_path / "store") as running:
        said, _ = running.communicate()
    assert running.returncode == 0, said


def test_another_process_reads_while_one_writes(tmp_path: Path) -> None:
    seen: set[int] = set()
    with program("write", tmp_path / "store") as writer:
        while writer.poll() is None:
            if (tmp_path / "store" / "store.sqlite3").exists():
                with Store(tmp_path / "store") as store:
                    seen.add(look(store))
        assert writer.returncode == 0, writer.stdout and writer.stdout.read()
    with Store(tmp_path / "store") as store:
        assert assert_whole(store, 1) == 39
    assert len(seen) > 3, "the reader never met the writer at work"


def look(store: Store) -> int:
    """Read all kinds of things; whatever shows up is whole."""
    state = store.resume_states.load(1)
    if state is None:
        return -1
    assert state.content == content("state", state.iteration)
    checkpoint, weights = store.checkpoints.read_labelled(1)
    assert checkpoint.iteration >= state.iteration
    assert weights == content("weights", checkpoint.iteration)
    shard = store.games.shards(1)[-1]
    for record in store.games.read_shard(shard):
        assert_same(record, random_game(record.number))
    assert store.games.count(1) >= 3 * (shard.iteration + 1)
    assert store.check() == []
    return state.iteration
