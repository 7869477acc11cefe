"""Turns what SQLite and the operating system say into one line that names the store."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spiel_bot.errors import (
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    UnknownRunError,
)

NO_SPACE = (errno.ENOSPC, errno.EDQUOT)

# Primary result codes of SQLite; the extended ones keep them in the lowest byte.
SQLITE_BUSY = 5
SQLITE_LOCKED = 6
SQLITE_READONLY = 8
SQLITE_CORRUPT = 11
SQLITE_FULL = 13
SQLITE_CANTOPEN = 14
SQLITE_NOTADB = 26


@contextmanager
def named_failures(path: Path) -> Iterator[None]:
    """Raise our errors instead of SQLite's and the system's. `path` is what is worked on.

    A broken constraint passes: only the caller knows what it means.
    """
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise database_error(path, error) from error
    except OSError as error:
        raise file_error(path, error) from error


@contextmanager
def expecting_run(run: int) -> Iterator[None]:
    """Turn the broken constraint of a row whose run is gone into our error."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise UnknownRunError(f"no run {run}; it may have been deleted") from None


def file_error(path: Path, error: OSError) -> StoreError:
    """Return our error for one of the operating system."""
    if error.errno in NO_SPACE:
        return full_error(path)
    return StoreError(f"{path}: {error.strerror or error}")


def full_error(path: Path) -> StoreFullError:
    """Return the error of a full disk."""
    return StoreFullError(
        f"no space left to write {path}; all that was stored before is whole: "
        "free some space, then resume"
    )


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0 for errors that Python's own module raised."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def database_error(path: Path, error: sqlite3.Error) -> StoreError:
    """Return our error for one of SQLite."""
    code = primary_code(error)
    if code == SQLITE_FULL:
        return full_error(path)
    if code in (SQLITE_BUSY, SQLITE_LOCKED):
        return StoreBusyError(f"{path} is kept busy by another process; try again later")
    if code in (SQLITE_CORRUPT, SQLITE_NOTADB):
        return StoreCorruptError(f"{path} is damaged ({error}); restore it from a copy")
    if code in (SQLITE_READONLY, SQLITE_CANTOPEN):
        return StoreError(f"{path} cannot be written or opened ({error}); check its permissions")
    return StoreError(f"{path}: {error}")
