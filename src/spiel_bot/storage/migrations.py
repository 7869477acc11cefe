"""The version of the database, and the steps from each older one to this.

`schema.sql` is always the newest version. To change it: edit it, append the statements that turn
the version before into it to `MIGRATIONS`, and add a dump of the version before to
`tests/data/store`. A test compares the two ways to the newest version.
"""

import sqlite3
from collections.abc import Iterator
from importlib import resources

from spiel_bot.errors import StoreVersionError
from spiel_bot.storage.database import Database

APPLICATION_ID = 0x53706C42  # "SplB": tells our database from any other SQLite file

MIGRATIONS: tuple[str, ...] = ()
"""Entry i holds the statements from version i + 1 to version i + 2."""

EMPTY = 0


def prepare(database: Database) -> None:
    """Make the tables of a new database, or bring those of an old one up to date.

    All of it is one transaction: after a crash the database is as before.

    Raises:
        StoreVersionError: The database is newer than this code, or not a run store.
    """
    newest = len(MIGRATIONS) + 1
    if _version(database, newest) == newest:
        return
    with database.transaction():
        version = _version(database, newest)  # another process may have been first
        if version == newest:
            return
        for script in (schema(),) if version == EMPTY else MIGRATIONS[version - 1 :]:
            for statement in statements(script):
                database.write(statement)
        database.write(f"PRAGMA application_id = {APPLICATION_ID}")
        database.write(f"PRAGMA user_version = {newest}")


def schema() -> str:
    """Return the statements that make the newest version."""
    return resources.files("spiel_bot.storage").joinpath("schema.sql").read_text("utf-8")


def statements(script: str) -> Iterator[str]:
    """Split a script, since SQLite's own way to run one would commit first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _version(database: Database, newest: int) -> int:
    version = int(database.read("PRAGMA user_version")[0][0])
    application = int(database.read("PRAGMA application_id")[0][0])
    if application == APPLICATION_ID:
        if version > newest:
            raise StoreVersionError(
                f"{database.path} has version {version} of the store, this spiel-bot knows up to "
                f"{newest}; update spiel-bot or name another store"
            )
        return version
    if application or version or database.read("SELECT 1 FROM sqlite_master LIMIT 1"):
        raise StoreVersionError(
            f"{database.path} is not a run store of spiel-bot; name another folder"
        )
    return EMPTY
