"""Looks for damage: in the database, and in the files it names."""

from dataclasses import dataclass
from pathlib import Path

from spiel_bot.errors import StoreCorruptError
from spiel_bot.storage.file_table import FILE_COLUMNS, FileTable, StoredFile
from spiel_bot.storage.games import Games

# Looking at all pages takes 0.4 s for 35 MB; a larger database is left to a check on request.
MAX_SIZE_AT_OPEN = 16 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that is not as it was written."""

    path: Path
    """The damaged file."""

    run_id: int | None
    """Run it belongs to; None for the database."""

    what: str
    """What is wrong, in one line that names the file."""


def check_at_open(files: FileTable) -> None:
    """Refuse a damaged database, where finding out is quick.

    Raises:
        StoreCorruptError: With the first thing found.
    """
    path = files.database.path
    if path.stat().st_size <= MAX_SIZE_AT_OPEN:
        for problem in _check_database(files, "quick_check(1)"):
            raise StoreCorruptError(problem.what)


def check_files(files: FileTable, run: int | None = None) -> list[Problem]:
    """Return files that are missing or have another size. Quick: no file is opened."""
    problems = []
    for owner, file in _files(files, run):
        path = files.root / file.path
        try:
            size = path.stat().st_size
        except OSError:
            what = f"{path} is missing"
        else:
            if size == file.size:
                continue
            what = f"{path} has {size} bytes, {file.size} were written"
        if _is_current(files, file):
            problems.append(Problem(path=path, run_id=owner, what=what))
    return problems


def check_all(files: FileTable, run: int | None = None) -> list[Problem]:
    """Return everything that is wrong: database, files, hashes, and what is in the shards.

    What a damaged database says about its files is not worth a look.
    """
    problems = _check_database(files, "integrity_check(10)")
    if problems:
        return problems
    for owner, file in _files(files, run):
        try:
            files.read(file)
        except StoreCorruptError as error:
            if _is_current(files, file):
                path = files.root / file.path
                problems.append(Problem(path=path, run_id=owner, what=str(error)))
    damaged = {problem.path for problem in problems}
    games = Games(files)
    runs = {owner for owner, _ in _files(files, run)}
    for shard in (shard for owner in sorted(runs) for shard in games.shards(owner)):
        path = files.root / shard.file.path
        if path in damaged:
            continue
        try:
            games.read_shard(shard)
        except StoreCorruptError as error:
            if _is_current(files, shard.file):
                problems.append(Problem(path=path, run_id=shard.run_id, what=f"{path}: {error}"))
    return problems


def _check_database(files: FileTable, pragma: str) -> list[Problem]:
    path = files.database.path
    try:
        found = [row[0] for row in files.database.read(f"PRAGMA {pragma}")]
        if found == ["ok"]:
            orphans = files.database.read("PRAGMA foreign_key_check")
            found = [f"a row of {row['table']} belongs to nothing" for row in orphans[:1]]
    except StoreCorruptError as error:
        return [Problem(path=path, run_id=None, what=str(error))]
    return [
        Problem(path=path, run_id=None, what=f"{path} is damaged: {' '.join(what.split())}")
        for what in found
    ]


def _files(files: FileTable, run: int | None) -> list[tuple[int, StoredFile]]:
    rows = files.database.read(
        f"SELECT {FILE_COLUMNS}, run_id FROM files WHERE ? IS NULL OR run_id = ? ORDER BY id",
        (run, run),
    )
    return [(row["run_id"], StoredFile.of(row)) for row in rows]


def _is_current(files: FileTable, file: StoredFile) -> bool:
    """Return whether the row is still there; another process may have replaced the file."""
    return bool(files.database.read("SELECT 1 FROM files WHERE id = ?", (file.id,)))
