"""Takes a run back to an earlier iteration, so that it can be repeated exactly."""

from spiel_bot.storage.file_table import FILE_COLUMNS, FileTable, StoredFile


def rewind(files: FileTable, run: int, iteration: int) -> None:
    """Remove what came after an iteration: games, metrics, checkpoints, matches, ratings.

    A label that had moved to a removed checkpoint is gone with it. The resume state is left alone:
    it is what the run goes back to.
    """
    database = files.database
    later = (run, iteration)
    with database.transaction():
        for table in ("shards", "checkpoints"):
            rows = database.read(
                f"SELECT {FILE_COLUMNS} FROM {table} JOIN files ON files.id = {table}.file_id"
                f" WHERE {table}.run_id = ? AND {table}.iteration > ?",
                later,
            )
            files.remove(StoredFile.of(row) for row in rows)
        for table in ("checkpoints", "metrics", "matches", "ratings"):
            database.write(f"DELETE FROM {table} WHERE run_id = ? AND iteration > ?", later)
        database.write("DELETE FROM iterations WHERE run_id = ? AND number > ?", later)
