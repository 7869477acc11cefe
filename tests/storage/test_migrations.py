import sqlite3
from pathlib import Path

import pytest
from tests.storage.samples import assert_whole, random_game, write_iteration

from spiel_bot.errors import StoreVersionError
from spiel_bot.storage import migrations
from spiel_bot.storage.database import Database
from spiel_bot.storage.results import Match
from spiel_bot.storage.store import Store

DUMPS = Path(__file__).parents[1] / "data" / "store"


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def tables(path: Path) -> list[tuple[str, str]]:
    """Return name and columns of every table and index, whatever the order of the columns' SQL."""
    connection = sqlite3.connect(path)
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
    found = [
        (name, str(sorted(connection.execute(f"PRAGMA table_xinfo({name})").fetchall())))
        for name in names
        if not name.startswith("sqlite_")
    ]
    connection.close()
    return sorted(found)


def test_a_newer_store_is_refused_in_one_line(tmp_path: Path) -> None:
    Store(tmp_path).close()
    change(tmp_path / "store.sqlite3", "PRAGMA user_version = 99")
    with pytest.raises(StoreVersionError, match=r"has version 99 .* knows up to 1; update"):
        Store(tmp_path)


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    change(tmp_path / "store.sqlite3", "CREATE TABLE notes (text)")
    with pytest.raises(StoreVersionError, match="is not a run store of spiel-bot"):
        Store(tmp_path)
    assert tables(tmp_path / "store.sqlite3")[0][0] == "notes"


def test_an_older_store_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
        write_iteration(store, run, 0)
    steps = ("ALTER TABLE iterations ADD mood TEXT;", "CREATE TABLE moods (\n a, b\n);\n")
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, *steps))
    database = Database(tmp_path / "store.sqlite3")
    migrations.prepare(database)
    migrations.prepare(database)  # nothing left to do
    newest = len(migrations.MIGRATIONS) + 1
    assert database.read("PRAGMA user_version")[0][0] == newest
    assert database.read("SELECT a FROM moods") == []
    assert database.read("SELECT mood FROM iterations")[0]["mood"] is None
    database.close()


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
        write_iteration(store, run, 0)
    before = tables(tmp_path / "store.sqlite3")
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", ("CREATE TABLE moods (a);", "nonsense;"))
        with pytest.raises(Exception, match="syntax error"):
            Store(tmp_path)
    assert tables(tmp_path / "store.sqlite3") == before
    with Store(tmp_path) as store:
        assert assert_whole(store, run) == 0


@pytest.mark.parametrize("dump", sorted(DUMPS.glob("v*.sql")), ids=lambda dump: dump.stem)
def test_stores_of_every_version_are_read(dump: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "store.sqlite3")
    connection.executescript(dump.read_text())
    connection.close()
    Store(tmp_path / "new").close()
    with Store(tmp_path) as store:
        run = store.runs.find("sample")
        assert (run.game, run.seed, run.config) == ("pig", 2**100, {"simulations": 8})
        assert [iteration.number for iteration in store.iterations.all(run.id)] == [0]
        assert store.metrics.last(run.id) == {"loss": 0.5}
        assert store.checkpoints.find(run.id).details == {"net": "mlp"}
        (game,) = store.games.find(run.id)
        assert (game.number, game.score, game.players) == (0, "12 holes to 3", "net")
        assert store.matches.all(run.id)[0].elo == 100.0
        assert store.ratings.newest("pig")[0].player == "net"
        assert [request.command for request in store.requests.all(run.id)] == ["stop"]
        assert len(store.check()) == 3  # the dump has no files
    assert tables(tmp_path / "store.sqlite3") == tables(tmp_path / "new" / "store.sqlite3")


def make_dump(folder: Path) -> str:
    """Return a store with one of everything as SQL; how `tests/data/store/v1.sql` was made."""
    with Store(folder) as store:
        run = store.runs.create(game="pig", seed=2**100, config={"simulations": 8}, name="sample")
        checkpoint = store.checkpoints.add(
            run.id, b"weights", iteration=0, step=10, details={"net": "mlp"}
        )
        store.games.add(
            run.id,
            [random_game(0)],
            iteration=0,
            players="net",
            checkpoint=checkpoint.id,
            scores=["12 holes to 3"],
        )
        store.metrics.add(run.id, 0, 10, {"loss": 0.5})
        store.iterations.add(run.id, 0, step=10, games=1, seconds=1.5)
        store.resume_states.save(run.id, b"state", iteration=0, step=10, version=1)
        store.matches.add(
            Match(
                game="pig",
                first="net",
                second="random",
                wins=3,
                losses=1,
                draws=0,
                seed=5,
                run_id=run.id,
                elo=100.0,
            )
        )
        store.ratings.add_many("pig", [("net", 100.0, 50.0, 4)], run=run.id)
        store.requests.ask(run.id, "stop")
        store.database.write("UPDATE runs SET owner = 'elsewhere 1 1', git_commit = NULL")
    connection = sqlite3.connect(folder / "store.sqlite3")
    pragmas = [
        f"PRAGMA {name} = {connection.execute(f'PRAGMA {name}').fetchone()[0]};"
        for name in ("application_id", "user_version")
    ]
    # The dump names SQLite's own table of counters before it exists elsewhere; leave it out.
    lines = [line for line in connection.iterdump() if "sqlite_sequence" not in line]
    connection.close()
    return "\n".join([*pragmas, *lines, ""])


def test_the_newest_version_has_a_dump(tmp_path: Path) -> None:
    newest = DUMPS / f"v{len(migrations.MIGRATIONS) + 1}.sql"
    assert newest.exists()
    made = make_dump(tmp_path)
    for text in (made, newest.read_text()):
        assert "CREATE TABLE runs" in text
