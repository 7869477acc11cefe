"""Iterations: a row for each that was finished, with what the run had done by then."""

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spiel_bot.storage.database import Database
from spiel_bot.storage.documents import from_json, to_json
from spiel_bot.storage.failures import expecting_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration:
    """A finished iteration of a run."""

    run_id: int
    number: int
    step: int
    """Gradient steps of the run so far."""

    games: int
    """Games of the run so far."""

    seconds: float
    """How long this iteration took."""

    finished: float
    details: dict[str, Any]


class Iterations:
    """The iterations of all runs."""

    def __init__(self, database: Database) -> None:
        """Work on this database."""
        self.database = database

    def add(
        self,
        run: int,
        number: int,
        *,
        step: int,
        games: int,
        seconds: float,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        """Store that an iteration is finished; one of the same number is replaced.

        Raises:
            UnknownRunError: There is no such run.
        """
        with expecting_run(run):
            self.database.write(
                "INSERT OR REPLACE INTO iterations"
                " (run_id, number, step, games, seconds, finished, details)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (run, number, step, games, seconds, time.time(), to_json("details", details or {})),
            )

    def all(self, run: int) -> list[Iteration]:
        """Return the iterations of a run, the oldest first."""
        rows = self.database.read(
            "SELECT * FROM iterations WHERE run_id = ? ORDER BY number", (run,)
        )
        return [_iteration_of(row) for row in rows]

    def last(self, run: int) -> Iteration | None:
        """Return the newest iteration of a run; None before the first is finished."""
        row = self.database.read_one(
            "SELECT * FROM iterations WHERE run_id = ? ORDER BY number DESC LIMIT 1", (run,)
        )
        return None if row is None else _iteration_of(row)


def _iteration_of(row: sqlite3.Row) -> Iteration:
    return Iteration(**(dict(row) | {"details": from_json(row["details"])}))
