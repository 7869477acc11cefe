"""Requests: how a page asks a training process, elsewhere, to pause, to go on or to stop."""

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spiel_bot.errors import UnknownRunError
from spiel_bot.storage.database import Database
from spiel_bot.storage.documents import from_json, to_json
from spiel_bot.storage.failures import expecting_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A wish, and what became of it."""

    id: int
    run_id: int
    command: str
    """Such as pause, continue or stop; the driver knows which there are."""

    argument: dict[str, Any]
    created: float
    taken: float | None
    """When the training process saw it."""

    answer: str | None
    """What it said."""


class Requests:
    """The requests to all runs."""

    def __init__(self, database: Database) -> None:
        """Work on this database."""
        self.database = database

    def ask(self, run: int, command: str, argument: Mapping[str, Any] | None = None) -> Request:
        """Leave a request for the process that trains a run.

        Raises:
            UnknownRunError: There is no such run.
        """
        with expecting_run(run):
            number = self.database.write(
                "INSERT INTO requests (run_id, command, argument, created) VALUES (?, ?, ?, ?)",
                (run, command, to_json("argument", argument or {}), time.time()),
            )
        return self.get(number)

    def take(self, run: int) -> list[Request]:
        """Return the requests nobody has taken yet, oldest first, each to one caller only."""
        waiting = "SELECT * FROM requests WHERE run_id = ? AND taken IS NULL ORDER BY id"
        if not self.database.read(waiting, (run,)):  # mostly so: then no write lock is needed
            return []
        with self.database.transaction():
            rows = self.database.read(waiting, (run,))
            now = time.time()
            self.database.write_many(
                "UPDATE requests SET taken = ? WHERE id = ?", [(now, row["id"]) for row in rows]
            )
        return [_request_of(row, taken=now) for row in rows]

    def answer(self, request: Request, text: str) -> None:
        """Say what became of a request."""
        self.database.write("UPDATE requests SET answer = ? WHERE id = ?", (text, request.id))

    def get(self, number: int) -> Request:
        """Return a request as it stands now.

        Raises:
            UnknownRunError: There is none.
        """
        row = self.database.read_one("SELECT * FROM requests WHERE id = ?", (number,))
        if row is None:
            raise UnknownRunError(f"the store has no request {number}")
        return _request_of(row)

    def all(self, run: int) -> list[Request]:
        """Return all requests to a run, the oldest first."""
        rows = self.database.read("SELECT * FROM requests WHERE run_id = ? ORDER BY id", (run,))
        return [_request_of(row) for row in rows]


def _request_of(row: sqlite3.Row, **newer: Any) -> Request:
    return Request(**(dict(row) | {"argument": from_json(row["argument"])} | newer))
