"""The SQLite file: one connection for each thread, and transactions that take files along.

WAL lets others read while one process writes. `synchronous=FULL` because a file that was replaced
is deleted after the commit: with less, a power cut could take the commit back and leave a row
whose file is gone.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spiel_bot.storage.failures import SQLITE_BUSY, named_failures, primary_code

BUSY_SECONDS = 30.0
RETRY_SECONDS = 0.01
Values = tuple[Any, ...] | dict[str, Any]


@dataclass(slots=True)
class Transaction:
    """Files whose fate hangs on the commit."""

    published: list[Path] = field(default_factory=list)
    """In their place already; removed if the transaction fails."""

    replaced: list[Path] = field(default_factory=list)
    """Removed once the transaction is committed."""


class ThreadState(threading.local):
    """What belongs to one thread."""

    connection: sqlite3.Connection | None = None
    transaction: Transaction | None = None


_INHERITED: list[Any] = []
"""Connections of a parent process. SQLite forbids a child to use them, even to close them."""


class Database:
    """Connections to one SQLite file."""

    _process: int
    _mine: ThreadState
    _lock: threading.Lock
    _connections: dict[threading.Thread, sqlite3.Connection]

    def __init__(self, path: Path) -> None:
        """Connect nothing yet; the file is opened by the thread that first needs it."""
        self.path = path
        self._begin()

    def read(self, sql: str, values: Values = ()) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        with named_failures(self.path):
            return self._connection().execute(sql, values).fetchall()

    def read_one(self, sql: str, values: Values = ()) -> sqlite3.Row | None:
        """Return the first row of a query, or None."""
        rows = self.read(sql, values)
        return rows[0] if rows else None

    def write(self, sql: str, values: Values = ()) -> int:
        """Change rows in a transaction; return the id of the row inserted last."""
        with self.transaction(), named_failures(self.path):
            return self._connection().execute(sql, values).lastrowid or 0

    def write_many(self, sql: str, rows: Iterable[Values]) -> None:
        """Run a statement for each of many rows in one transaction."""
        with self.transaction(), named_failures(self.path):
            self._connection().executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Commit all or nothing of what the block writes, its files included.

        Inside another transaction of the same thread the block becomes part of that one; if it
        fails, what it did is undone and the outer one can go on.
        """
        outer = self._state().transaction
        if outer is None:
            with self._outermost() as transaction:
                yield transaction
        else:
            with self._nested(outer):
                yield outer

    def close(self) -> None:
        """Close the connections of all threads of this process."""
        self._state()
        with self._lock:
            for connection in self._connections.values():
                connection.close()
            self._connections.clear()
        self._mine = ThreadState()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._mine = ThreadState()
        self._lock = threading.Lock()
        self._connections = {}

    @contextmanager
    def _outermost(self) -> Iterator[Transaction]:
        state = self._state()
        transaction = Transaction()
        try:
            self._run("BEGIN IMMEDIATE")
            state.transaction = transaction
            yield transaction
        except BaseException:
            state.transaction = None
            self._roll_back()
            _remove(transaction.published)
            raise
        state.transaction = None
        try:
            self._run("COMMIT")
        except BaseException:
            # Whether the commit reached the disk is not certain here, so the files stay; if it
            # did not, they belong to no row and the next sweep removes them.
            self._roll_back()
            raise
        _remove(transaction.replaced)

    @contextmanager
    def _nested(self, outer: Transaction) -> Iterator[None]:
        published, replaced = len(outer.published), len(outer.replaced)
        self._run("SAVEPOINT nested")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):  # gone already if SQLite rolled back everything
                self._connection().execute("ROLLBACK TO nested")
                self._connection().execute("RELEASE nested")
            _remove(outer.published[published:])
            del outer.published[published:], outer.replaced[replaced:]
            raise
        self._run("RELEASE nested")

    def _run(self, sql: str) -> None:
        with named_failures(self.path):
            self._connection().execute(sql)

    def _roll_back(self) -> None:
        connection = self._connection()
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")

    def _state(self) -> ThreadState:
        if self._process != os.getpid():
            _INHERITED.append((self._mine.connection, self._connections))
            self._begin()
        return self._mine

    def _connection(self) -> sqlite3.Connection:
        state = self._state()
        if state.connection is None:
            state.connection = connect(self.path)
            with self._lock:
                for thread in [known for known in self._connections if not known.is_alive()]:
                    self._connections.pop(thread).close()
                self._connections[threading.current_thread()] = state.connection
        return state.connection


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection with the settings every one of ours has."""
    # Threads keep to their own connection; another one only closes it.
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        _write_ahead(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn WAL on, which for a new file needs it for a moment alone.

    SQLite does not wait here, whatever the timeout: two that read and both want more would wait
    for each other. Each attempt lets go of the file, so trying again is safe.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if primary_code(error) != SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(RETRY_SECONDS)


def _remove(paths: list[Path]) -> None:
    """Remove files that no row names; one that stays is the sweep's work."""
    for path in paths:
        with suppress(OSError):
            path.unlink()
