"""Checkpoints: weights that players receive from the store and the learner sends to it.

What is in the file is not the store's business. A label (`latest`, `best`) names one checkpoint
of a run and moves. Weights that lose their last label are removed unless they are kept; the row
stays, so that games still say which model played them.
"""

import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spiel_bot.errors import RecordError, UnknownRunError
from spiel_bot.storage.documents import from_json, to_json
from spiel_bot.storage.failures import expecting_run
from spiel_bot.storage.file_table import FILE_COLUMNS, FileTable, StoredFile
from spiel_bot.storage.files import drafted

LATEST = "latest"
BEST = "best"

CHECKPOINTS = (
    f"SELECT checkpoints.*, {FILE_COLUMNS}, (SELECT GROUP_CONCAT(label, ',') FROM"
    " (SELECT label FROM checkpoint_labels WHERE checkpoint_id = checkpoints.id ORDER BY label))"
    " AS labels FROM checkpoints LEFT JOIN files ON files.id = checkpoints.file_id"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A model of a run at one moment."""

    id: int
    run_id: int
    iteration: int
    step: int
    labels: tuple[str, ...]
    is_kept: bool
    created: float
    details: dict[str, Any]
    file: StoredFile | None
    """None once the weights are gone."""


class Checkpoints:
    """The checkpoints of all runs."""

    def __init__(self, files: FileTable) -> None:
        """Work on this database and its files."""
        self.files = files
        self.database = files.database

    def add(
        self,
        run: int,
        content: bytes | Path,
        *,
        iteration: int,
        step: int,
        labels: Sequence[str] = (LATEST,),
        is_kept: bool = False,
        details: Mapping[str, Any] | None = None,
        ending: str = "safetensors",
    ) -> Checkpoint:
        """Store weights, and move the labels to them.

        Args:
            run: Number of the run.
            content: The weights, or a file with them, which is copied.
            iteration: Iteration they come from.
            step: Gradient steps so far.
            labels: Names that mean this checkpoint from now on.
            is_kept: Whether the weights stay when the labels have moved on.
            details: Anything about it that JSON can hold.
            ending: Of the file's name.

        Raises:
            RecordError: Neither a label nor `is_kept` holds the weights.
            UnknownRunError: There is no such run.
        """
        if not labels and not is_kept:
            raise RecordError("expected a label for the checkpoint, or is_kept; got neither")
        with drafted(self.files.root, content) as draft, self.database.transaction():
            with expecting_run(run):
                file = self.files.add(draft, run, "checkpoints", f"{iteration:06d}.{ending}")
            added = self.database.write(
                "INSERT INTO checkpoints (run_id, iteration, step, is_kept, created, details,"
                " file_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    run,
                    iteration,
                    step,
                    int(is_kept),
                    time.time(),
                    to_json("details", details or {}),
                    file,
                ),
            )
            for label in labels:
                self._move(run, label, added)
            self._prune(run)
            return self.get(added)

    def label(self, checkpoint: Checkpoint, label: str) -> None:
        """Move a label of the run to this checkpoint."""
        with self.database.transaction():
            self._move(checkpoint.run_id, label, checkpoint.id)
            self._prune(checkpoint.run_id)

    def keep(self, checkpoint: Checkpoint, *, is_kept: bool = True) -> None:
        """Keep the weights without a label, or stop doing so."""
        with self.database.transaction():
            self.database.write(
                "UPDATE checkpoints SET is_kept = ? WHERE id = ?", (int(is_kept), checkpoint.id)
            )
            self._prune(checkpoint.run_id)

    def get(self, number: int) -> Checkpoint:
        """Return a checkpoint by its number.

        Raises:
            UnknownRunError: There is none.
        """
        found = self._read("WHERE checkpoints.id = ?", (number,))
        if not found:
            raise UnknownRunError(f"the store has no checkpoint {number}")
        return found[0]

    def find(self, run: int, label: str = LATEST) -> Checkpoint:
        """Return the checkpoint a label of a run means now.

        Raises:
            UnknownRunError: The run has no such label.
        """
        found = self._read(
            "WHERE checkpoints.id = (SELECT checkpoint_id FROM checkpoint_labels"
            " WHERE run_id = ? AND label = ?)",
            (run, label),
        )
        if not found:
            known = sorted({name for known in self.all(run) for name in known.labels})
            has = f"it has {', '.join(known)}" if known else "it has no checkpoint yet"
            raise UnknownRunError(f"run {run} has no checkpoint {label!r}; {has}")
        return found[0]

    def all(self, run: int) -> list[Checkpoint]:
        """Return the checkpoints of a run, the oldest first, also those without weights."""
        return self._read("WHERE checkpoints.run_id = ? ORDER BY checkpoints.id", (run,))

    def read(self, checkpoint: Checkpoint) -> bytes:
        """Return the weights of this very checkpoint.

        Raises:
            UnknownRunError: They were not kept.
            StoreCorruptError: The file is missing, cut short or altered.
        """
        return self.files.read_newest(lambda: self._file(self.get(checkpoint.id)))

    def read_labelled(self, run: int, label: str = LATEST) -> tuple[Checkpoint, bytes]:
        """Return the checkpoint a label means and its weights, while others may move the label."""
        found: list[Checkpoint] = []

        def find() -> StoredFile:
            found.append(self.find(run, label))
            return self._file(found[-1])

        content = self.files.read_newest(find)
        return found[-1], content

    def path(self, checkpoint: Checkpoint) -> Path:
        """Return where the weights lie; `read` is safer while a run goes on."""
        return self.files.root / self._file(checkpoint).path

    def _file(self, checkpoint: Checkpoint) -> StoredFile:
        if checkpoint.file is None:
            raise UnknownRunError(
                f"the weights of checkpoint {checkpoint.id} (iteration {checkpoint.iteration}) "
                "were not kept"
            )
        return checkpoint.file

    def _read(self, rest: str, values: tuple[Any, ...]) -> list[Checkpoint]:
        return [_checkpoint_of(row) for row in self.database.read(f"{CHECKPOINTS} {rest}", values)]

    def _move(self, run: int, label: str, checkpoint: int) -> None:
        self.database.write(
            "INSERT OR REPLACE INTO checkpoint_labels (run_id, label, checkpoint_id)"
            " VALUES (?, ?, ?)",
            (run, label, checkpoint),
        )

    def _prune(self, run: int) -> None:
        rows = self.database.read(
            f"SELECT {FILE_COLUMNS} FROM checkpoints JOIN files ON files.id = checkpoints.file_id"
            " WHERE checkpoints.run_id = ? AND NOT is_kept"
            " AND checkpoints.id NOT IN (SELECT checkpoint_id FROM checkpoint_labels)",
            (run,),
        )
        self.files.remove(StoredFile.of(row) for row in rows)


def _checkpoint_of(row: sqlite3.Row) -> Checkpoint:
    return Checkpoint(
        id=row["id"],
        run_id=row["run_id"],
        iteration=row["iteration"],
        step=row["step"],
        labels=tuple(row["labels"].split(",")) if row["labels"] else (),
        is_kept=bool(row["is_kept"]),
        created=row["created"],
        details=from_json(row["details"]),
        file=None if row["file_id"] is None else StoredFile.of(row),
    )
