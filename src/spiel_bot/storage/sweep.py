"""Removes what a killed writer left behind, and nothing a living one still needs."""

import time
from contextlib import suppress
from pathlib import Path

from spiel_bot.storage.file_table import FileTable
from spiel_bot.storage.files import draft_owner
from spiel_bot.storage.process import is_alive

DAY_SECONDS = 86_400.0


def sweep(files: FileTable) -> list[Path]:
    """Remove files that no row names, and drafts of processes that are gone.

    The write lock is held meanwhile: a file gets its final name only under that lock, in the
    transaction that brings its row, so one without a row has been given up.

    Returns:
        What was removed.
    """
    removed = []
    with files.database.transaction():
        named = {row["path"] for row in files.database.read("SELECT path FROM files")}
        found = sorted((files.root / "runs").rglob("*"), reverse=True)  # files before folders
        for path in found:
            if path.is_dir():
                with suppress(OSError):  # not empty: in use
                    path.rmdir()
            elif path.relative_to(files.root).as_posix() not in named:
                removed.append(path)
                path.unlink(missing_ok=True)
    for draft in (files.root / "drafts").glob("*.tmp"):
        if _is_given_up(draft):
            removed.append(draft)
            draft.unlink(missing_ok=True)
    return removed


def _is_given_up(draft: Path) -> bool:
    alive = is_alive(draft_owner(draft))
    if alive is not None:
        return not alive
    try:
        return time.time() - draft.stat().st_mtime > DAY_SECONDS
    except FileNotFoundError:
        return False
