"""The rows about files: each names one with its size and hash, and both come and go together."""

import secrets
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from spiel_bot.errors import StoreCorruptError
from spiel_bot.storage.database import Database
from spiel_bot.storage.files import Draft, publish, read_verified

FILE_COLUMNS = "files.id AS file_id, files.path, files.size, files.sha256"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file of the store."""

    id: int
    path: str
    """From the store's folder, with slashes."""

    size: int
    sha256: str

    @classmethod
    def of(cls, row: sqlite3.Row) -> "StoredFile":
        """Read the columns of `FILE_COLUMNS`."""
        return cls(id=row["file_id"], path=row["path"], size=row["size"], sha256=row["sha256"])


class FileTable:
    """Files with their rows."""

    def __init__(self, database: Database, root: Path) -> None:
        """Work on the files below `root`."""
        self.database = database
        self.root = root

    def add(self, draft: Draft, run: int, folder: str, name: str) -> int:
        """Give a draft its place and its row, in the caller's transaction; return the row's id.

        Args:
            draft: Renamed.
            run: Number of the run.
            folder: Folder inside the run's.
            name: How the file is called; a dot begins its ending. A random part is put in, so
                that no file is ever written over.
        """
        stem, dot, ending = name.partition(".")
        path = f"runs/{run}/{folder}/{stem}-{secrets.token_hex(4)}{dot}{ending}"
        with self.database.transaction() as transaction:
            added = self.database.write(
                "INSERT INTO files (run_id, path, size, sha256) VALUES (?, ?, ?, ?)",
                (run, path, draft.size, draft.sha256),
            )
            place = self.root / path
            transaction.published.append(place)
            publish(draft, place)
        return added

    def remove(self, files: Iterable[StoredFile]) -> None:
        """Remove rows now, with all rows that cannot do without, and the files at the commit."""
        with self.database.transaction() as transaction:
            for file in files:
                self.database.write("DELETE FROM files WHERE id = ?", (file.id,))
                transaction.replaced.append(self.root / file.path)

    def read(self, file: StoredFile) -> bytes:
        """Return a file's content; raises `StoreCorruptError` if it is not what was written."""
        return read_verified(self.root / file.path, file.size, file.sha256)

    def read_newest(self, find: Callable[[], StoredFile]) -> bytes:
        """Read a file that another process may replace meanwhile.

        Args:
            find: Asks the database which file it is.
        """
        file = find()
        while True:
            try:
                return self.read(file)
            except StoreCorruptError:
                newer = find()
                if newer == file:
                    raise
                file = newer
