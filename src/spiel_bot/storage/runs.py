"""Runs: what was asked for, who works on it, and how far it is."""

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from spiel_bot.errors import RecordError, StoreBusyError, UnknownRunError
from spiel_bot.storage.database import Database
from spiel_bot.storage.documents import from_json, to_json
from spiel_bot.storage.process import is_alive, process_mark
from spiel_bot.storage.provenance import __version__, git_commit

LATEST = "latest"
STALE_SECONDS = 600.0
"""A process on another machine that was silent for so long counts as gone."""


class RunState(StrEnum):
    """How a run stands."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


ACTIVE = (RunState.RUNNING, RunState.PAUSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it was when it was read."""

    id: int
    name: str
    game: str
    game_options: dict[str, Any]
    config: dict[str, Any]
    """All that was asked for, as the driver wrote it."""

    seed: int
    package_version: str
    git_commit: str | None
    created: float
    state: RunState
    """Interrupted, too, where the row says running but the process is gone."""

    message: str
    """Why the run is in this state, for people; mostly empty."""

    owner: str
    """Mark of the process that trains or did last."""

    heartbeat: float
    """When that process last said that it is there."""

    progress: dict[str, Any]
    """What it said then: whatever a page or a terminal shows live."""


class Runs:
    """The table of runs."""

    def __init__(self, database: Database) -> None:
        """Work on this database."""
        self.database = database

    def create(
        self,
        *,
        game: str,
        seed: int,
        config: Mapping[str, Any],
        game_options: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> Run:
        """Begin a run, worked on by this process. Without a name it gets one from the game.

        Raises:
            RecordError: The name is taken or is not usable as a name.
        """
        if name is not None:
            _check_name(name)
        commit = git_commit()  # before the lock: it asks another program
        now = time.time()
        with self.database.transaction():
            chosen = name or self._free_name(game)
            try:
                number = self.database.write(
                    "INSERT INTO runs (name, game, game_options, config, seed, package_version,"
                    " git_commit, created, state, owner, heartbeat)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        chosen,
                        game,
                        to_json("game_options", game_options or {}),
                        to_json("config", config),
                        str(seed),
                        __version__,
                        commit,
                        now,
                        RunState.RUNNING,
                        process_mark(),
                        now,
                    ),
                )
            except sqlite3.IntegrityError:
                raise RecordError(
                    f"there is a run {chosen!r} already; resume it or choose another name"
                ) from None
        return self.get(number)

    def all(self) -> list[Run]:
        """Return all runs, the oldest first."""
        return [_run_of(row) for row in self.database.read("SELECT * FROM runs ORDER BY id")]

    def get(self, number: int) -> Run:
        """Return a run by its number.

        Raises:
            UnknownRunError: There is none; the message says which there are.
        """
        row = self.database.read_one("SELECT * FROM runs WHERE id = ?", (number,))
        if row is None:
            raise self._unknown(str(number))
        return _run_of(row)

    def find(self, text: str) -> Run:
        """Return a run by its name, its number, or the word `latest`.

        Raises:
            UnknownRunError: There is none; the message says which there are.
        """
        row = self.database.read_one(
            "SELECT * FROM runs WHERE name = :text OR CAST(id AS TEXT) = :text"
            " OR (:text = :latest AND id = (SELECT MAX(id) FROM runs))",
            {"text": text, "latest": LATEST},
        )
        if row is None:
            raise self._unknown(text)
        return _run_of(row)

    def claim(self, number: int) -> Run:
        """Take a run over to go on with it in this process.

        Raises:
            StoreBusyError: A process that is still there works on it.
        """
        with self.database.transaction():
            _refuse_if_busy(self.get(number))
            self.database.write(
                "UPDATE runs SET state = ?, message = '', owner = ?, heartbeat = ? WHERE id = ?",
                (RunState.RUNNING, process_mark(), time.time(), number),
            )
        return self.get(number)

    def beat(self, number: int, progress: Mapping[str, Any] | None = None) -> None:
        """Say that this process is still at work; every few seconds is plenty.

        Args:
            number: The run.
            progress: Shown live; None leaves the last one.
        """
        text = None if progress is None else to_json("progress", progress)
        self.database.write(
            "UPDATE runs SET heartbeat = ?, progress = COALESCE(?, progress) WHERE id = ?",
            (time.time(), text, number),
        )

    def set_config(self, number: int, config: Mapping[str, Any]) -> None:
        """Replace what is asked for, when a run goes on with other settings."""
        self.database.write(
            "UPDATE runs SET config = ? WHERE id = ?", (to_json("config", config), number)
        )

    def set_state(self, number: int, state: RunState, message: str = "") -> None:
        """Write how the run stands, and why."""
        self.database.write(
            "UPDATE runs SET state = ?, message = ?, heartbeat = ? WHERE id = ?",
            (RunState(state), message, time.time(), number),
        )

    def delete(self, number: int) -> None:
        """Delete a run with all its rows; `Store.delete_run` removes its files as well.

        Raises:
            StoreBusyError: A process works on it.
        """
        with self.database.transaction():
            _refuse_if_busy(self.get(number))
            self.database.write("DELETE FROM runs WHERE id = ?", (number,))

    def _free_name(self, game: str) -> str:
        stem = game.rpartition(":")[2] or "run"
        taken = {row["name"] for row in self.database.read("SELECT name FROM runs")}
        number = 1
        while f"{stem}-{number}" in taken:
            number += 1
        return f"{stem}-{number}"

    def _unknown(self, text: str) -> UnknownRunError:
        names = [row["name"] for row in self.database.read("SELECT name FROM runs ORDER BY id")]
        if not names:
            return UnknownRunError(f"no run {text!r}; the store {self.database.path} has none")
        shown = ", ".join(names[-5:])
        more = f" and {len(names) - 5} older" if len(names) > 5 else ""
        return UnknownRunError(f"no run {text!r}; the store has {shown}{more}")


def _refuse_if_busy(run: Run) -> None:
    if run.state in ACTIVE and run.owner != process_mark():
        raise StoreBusyError(
            f"run {run.name} is {run.state} in another process ({run.owner}); stop that first"
        )


def _check_name(name: str) -> None:
    is_plain = name.isprintable() and name == name.strip() and 0 < len(name) <= 60
    if not is_plain or name.isdigit() or name == LATEST or name.startswith("-"):
        raise RecordError(
            f"{name!r} cannot name a run: expected up to 60 letters, not a number alone, "
            f"not {LATEST!r}, no dash in front"
        )


def _run_of(row: sqlite3.Row) -> Run:
    values = dict(row)
    for column in ("game_options", "config", "progress"):
        values[column] = from_json(values[column])
    values["seed"] = int(values["seed"])
    values["state"] = _true_state(RunState(row["state"]), row["owner"], row["heartbeat"])
    return Run(**values)


def _true_state(state: RunState, owner: str, heartbeat: float) -> RunState:
    """Return the state, or that a run was interrupted if its process cannot say so any more."""
    if state in ACTIVE:
        alive = is_alive(owner)
        if alive is None:
            alive = time.time() - heartbeat < STALE_SECONDS
        if not alive:
            return RunState.INTERRUPTED
    return state
