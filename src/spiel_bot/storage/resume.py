"""What a driver needs to go on where it stopped: optimiser, counters, random streams.

The content is the driver's own; a version says how to read it. There is one for each run, and it
is replaced in the transaction that stores what belongs to it, so it never says more or less than
the rest of the store.
"""

import sqlite3
import time
from dataclasses import dataclass

from spiel_bot.errors import UnknownRunError
from spiel_bot.storage.failures import expecting_run
from spiel_bot.storage.file_table import FILE_COLUMNS, FileTable, StoredFile
from spiel_bot.storage.files import drafted


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeState:
    """The state of a run after an iteration."""

    run_id: int
    iteration: int
    step: int
    version: int
    created: float
    content: bytes


class ResumeStates:
    """One resume state for each run."""

    def __init__(self, files: FileTable) -> None:
        """Work on this database and its files."""
        self.files = files
        self.database = files.database

    def save(self, run: int, content: bytes, *, iteration: int, step: int, version: int) -> None:
        """Replace the resume state of a run; a reader meets the old one or the new one, whole.

        Raises:
            UnknownRunError: There is no such run.
        """
        with drafted(self.files.root, content) as draft, self.database.transaction():
            old = [StoredFile.of(row) for row in self._rows(run)]
            with expecting_run(run):
                file = self.files.add(draft, run, "resume", f"{iteration:06d}.state")
            self.files.remove(old)
            self.database.write(
                "INSERT INTO resume_states (run_id, iteration, step, version, created, file_id)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (run, iteration, step, version, time.time(), file),
            )

    def load(self, run: int) -> ResumeState | None:
        """Return the resume state of a run; None if it has none yet.

        Raises:
            StoreCorruptError: The file is missing, cut short or altered.
        """
        if not self._rows(run):
            return None
        found: list[sqlite3.Row] = []

        def find() -> StoredFile:
            found[:] = self._rows(run)
            if not found:
                raise UnknownRunError(f"no run {run}; it may have been deleted")
            return StoredFile.of(found[0])

        content = self.files.read_newest(find)
        return ResumeState(
            run_id=run,
            iteration=found[0]["iteration"],
            step=found[0]["step"],
            version=found[0]["version"],
            created=found[0]["created"],
            content=content,
        )

    def _rows(self, run: int) -> list[sqlite3.Row]:
        return self.database.read(
            f"SELECT resume_states.*, {FILE_COLUMNS} FROM resume_states"
            " JOIN files ON files.id = resume_states.file_id WHERE resume_states.run_id = ?",
            (run,),
        )
