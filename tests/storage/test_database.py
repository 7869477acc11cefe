"""Connections: what they do while another process has the file."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from spiel_bot.storage import database
from spiel_bot.storage.database import connect


@pytest.fixture
def other(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that is about to write to a new file, which is not in WAL mode yet.

    SQLite's own timeout does not help against that: turning WAL on fails at once.
    """
    other = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


def test_a_new_file_is_waited_for_while_another_has_it(
    tmp_path: Path, other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            other.execute("COMMIT")

    monkeypatch.setattr(time, "sleep", wait)
    connection = connect(tmp_path / "store.sqlite3")
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert waits == [database.RETRY_SECONDS] * 2
    connection.close()


@pytest.mark.usefixtures("other")
def test_a_file_that_stays_busy_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        connect(tmp_path / "store.sqlite3")


def test_what_is_no_database_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "store.sqlite3").write_bytes(b"no database at all, but long enough" * 40)
    monkeypatch.delattr(time, "sleep")
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        connect(tmp_path / "store.sqlite3")
