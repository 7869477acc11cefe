import errno
import hashlib
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.storage.samples import assert_whole, content, random_game, write_iteration

from spiel_bot.errors import StoreBusyError, StoreCorruptError, StoreError, StoreFullError
from spiel_bot.storage import check, database
from spiel_bot.storage.files import drafted
from spiel_bot.storage.store import Store
from spiel_bot.storage.sweep import DAY_SECONDS


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def alter(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)


@pytest.mark.parametrize(
    ("damage", "message", "is_seen_at_once"),
    [
        (Path.unlink, "is missing", True),
        (cut, "bytes, ", True),
        (alter, "is not what was written", False),
    ],
)
def test_a_damaged_file_is_found_and_named(
    store: Store,
    run: int,
    damage: Callable[[Path], None],
    message: str,
    is_seen_at_once: bool,
) -> None:
    write_iteration(store, run, 0)
    assert store.check() == store.check(full=True) == []
    readers: dict[str, Callable[[], object]] = {
        "games": lambda: store.games.read(run, 0),
        "checkpoints": lambda: store.checkpoints.read_labelled(run),
        "resume": lambda: store.resume_states.load(run),
    }
    damaged = []
    for folder, read in readers.items():
        read()
        (path,) = (store.path / "runs" / str(run) / folder).iterdir()
        damage(path)
        damaged.append(path)
        with pytest.raises(StoreCorruptError, match=f"{path.name} .*{message}"):
            read()
        found = store.check(full=True)
        assert {(problem.path, problem.run_id) for problem in found} == {
            (path, run) for path in damaged
        }
        assert all(message in problem.what for problem in found)
        assert len(store.check(run)) == (len(damaged) if is_seen_at_once else 0)
    assert store.check(run + 1) == []


def test_a_shard_that_holds_something_else_is_found(store: Store, run: int) -> None:
    shard = store.games.add(run, [random_game(0), random_game(1)], iteration=0)
    path = store.path / shard.file.path
    for wrong, message in (
        (b"nothing", "expected a shard of games"),
        (two_as_one(store, run), "holds 1 games, expected 2"),
    ):
        path.write_bytes(wrong)
        store.database.write(
            "UPDATE files SET size = ?, sha256 = ? WHERE id = ?",
            (len(wrong), hashlib.sha256(wrong).hexdigest(), shard.file.id),
        )
        (problem,) = store.check(full=True)
        assert message in problem.what


def two_as_one(store: Store, run: int) -> bytes:
    shard = store.games.add(run, [random_game(9)], iteration=0)
    return store.files.read(shard.file)


def test_a_damaged_database_is_found_at_open(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
        store.metrics.add_many(run, ((0, step, "loss", 1.0) for step in range(5000)))
    path = tmp_path / "store.sqlite3"
    whole = path.read_bytes()
    path.write_bytes(whole[:-8192] + b"\xff" * 8192)
    with pytest.raises(StoreCorruptError, match=r"store.sqlite3 is damaged"):
        Store(tmp_path)
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreCorruptError, match=r"store.sqlite3 is damaged"):
        Store(tmp_path)


def test_a_large_database_is_checked_on_request_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
        store.metrics.add_many(run, ((0, step, "loss", 1.0) for step in range(5000)))
    path = tmp_path / "store.sqlite3"
    path.write_bytes(path.read_bytes()[:-8192] + b"\xff" * 8192)
    monkeypatch.setattr(check, "MAX_SIZE_AT_OPEN", 1000)
    with Store(tmp_path) as store:
        assert "damaged" in store.check(full=True)[0].what


def test_a_row_that_belongs_to_nothing_is_found(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
        store.metrics.add(run, 0, 0, {"loss": 1.0})
    with sqlite3.connect(tmp_path / "store.sqlite3") as connection:  # keys are off by default
        connection.execute("DELETE FROM runs")
    connection.close()
    with pytest.raises(StoreCorruptError, match="a row of metrics belongs to nothing"):
        Store(tmp_path)


def test_leftovers_are_swept_and_nothing_else(store: Store, run: int) -> None:
    write_iteration(store, run, 0)
    folder = store.path / "runs" / str(run) / "games"
    gone = [folder / "000001-abc.safetensors", store.path / "runs" / "77" / "games" / "x"]
    drafts = store.path / "drafts"
    mine = drafts / "-".join([next(iter(names(store))), "1.tmp"])
    foreign, old = drafts / "elsewhere%201%201-2.tmp", drafts / "elsewhere%201%201-3.tmp"
    for path in (*gone, mine, foreign, old):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    os.utime(old, (time.time() - DAY_SECONDS - 1,) * 2)
    assert sorted(store.sweep()) == sorted([*gone, old])
    assert mine.exists()
    assert foreign.exists()
    assert not (store.path / "runs" / "77").exists()
    assert assert_whole(store, run) == 0


def names(store: Store) -> list[str]:
    """Return what the drafts of this process are called, up to the random part."""
    with drafted(store.path, b"") as draft:
        return [draft.path.name.rpartition("-")[0]]


def test_a_file_that_is_replaced_while_it_is_read_is_read_again(
    store: Store, run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_iteration(store, run, 0)
    real = store.files.read
    late = [1]

    def slow_read(file: object) -> bytes:
        if late:
            write_iteration(store, run, late.pop())  # another process, as it were
        return real(file)  # type: ignore[arg-type]

    monkeypatch.setattr(store.files, "read", slow_read)
    checkpoint, weights = store.checkpoints.read_labelled(run)
    assert (checkpoint.iteration, weights) == (1, content("weights", 1))
    late.append(2)
    state = store.resume_states.load(run)
    assert state is not None
    assert (state.iteration, state.content) == (2, content("state", 2))


class FullDisk:
    """Lets a number of flushes pass, then has no space left."""

    def __init__(self, flushes: int, code: int = errno.ENOSPC) -> None:
        self.flushes, self.code = flushes, code

    def fsync(self, descriptor: int) -> None:
        self.flushes -= 1
        if self.flushes < 0:
            raise OSError(self.code, os.strerror(self.code))


@pytest.mark.parametrize("flushes", [0, 1, 2, 3])
def test_a_full_disk_is_one_line_and_loses_nothing(
    store: Store, run: int, monkeypatch: pytest.MonkeyPatch, flushes: int
) -> None:
    write_iteration(store, run, 0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", FullDisk(flushes).fsync)
        with pytest.raises(StoreFullError, match=r"^no space left to write .*then resume$"):
            write_iteration(store, run, 1)
    assert assert_whole(store, run) == 0
    assert store.sweep() == []
    write_iteration(store, run, 1)
    assert assert_whole(store, run) == 1


def test_a_database_that_cannot_grow_is_one_line_and_loses_nothing(store: Store, run: int) -> None:
    write_iteration(store, run, 0)
    pages = store.database.read("PRAGMA page_count")[0][0]
    store.database.read(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFullError, match=r"no space left to write .*store.sqlite3"):
        store.metrics.add_many(run, ((9, step, "x", 1.0) for step in range(10_000)))
    store.database.read("PRAGMA max_page_count = 1000000")
    assert assert_whole(store, run) == 0
    write_iteration(store, run, 1)
    assert assert_whole(store, run) == 1


def test_other_troubles_of_the_disk_are_named(
    store: Store, run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", FullDisk(0, errno.EIO).fsync)
    with pytest.raises(StoreError, match="Input/output error"):
        store.resume_states.save(run, b"", iteration=0, step=0, version=1)


def test_a_store_that_another_process_keeps_is_named(
    store: Store, run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.0)
    with Store(store.path) as other, other.transaction():
        other.metrics.add(run, 0, 0, {"loss": 1.0})
        with Store(store.path) as third, pytest.raises(StoreBusyError, match="kept busy"):
            third.metrics.add(run, 0, 1, {"loss": 1.0})
    assert len(store.metrics.series(run, "loss").values) == 1


def test_a_commit_that_fails_leaves_the_files_to_the_sweep(
    store: Store, run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store.database._run

    def run_statement(sql: str) -> None:
        if sql == "COMMIT":
            raise StoreError("the disk went away")
        real(sql)

    with monkeypatch.context() as patch:
        patch.setattr(store.database, "_run", run_statement)
        with pytest.raises(StoreError, match="the disk went away"):
            write_iteration(store, run, 0)
    assert assert_whole(store, run) == -1
    assert len(store.sweep()) == 3
    write_iteration(store, run, 0)
    assert assert_whole(store, run) == 0
