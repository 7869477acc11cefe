"""The run store: a folder with a SQLite database and the files it names.

Any number of threads and processes on one machine may open the same store; players, learner and
page meet here and nowhere else.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from spiel_bot.errors import StoreError
from spiel_bot.storage.check import Problem, check_all, check_at_open, check_files
from spiel_bot.storage.checkpoints import Checkpoints
from spiel_bot.storage.database import Database
from spiel_bot.storage.failures import named_failures
from spiel_bot.storage.file_table import FileTable
from spiel_bot.storage.games import Games
from spiel_bot.storage.iterations import Iterations
from spiel_bot.storage.location import default_path
from spiel_bot.storage.metrics import Metrics
from spiel_bot.storage.migrations import prepare
from spiel_bot.storage.requests import Requests
from spiel_bot.storage.results import Matches, Ratings
from spiel_bot.storage.resume import ResumeStates
from spiel_bot.storage.rewind import rewind
from spiel_bot.storage.runs import Runs
from spiel_bot.storage.sweep import sweep

DATABASE_NAME = "store.sqlite3"


class Store:
    """An open store. Close it, or use it in a `with` statement.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Store(folder) as store:
    ...     run = store.runs.create(game="pig", seed=1, config={"simulations": 32})
    ...     store.metrics.add(run.id, iteration=0, step=100, values={"loss": 0.5})
    ...     store.metrics.last(run.id)
    {'loss': 0.5}
    """

    def __init__(self, path: Path | str | None = None, *, create: bool = True) -> None:
        """Open a store, or make one.

        Args:
            path: Its folder; None for the user's own (`SPIEL_BOT_STORE` names another).
            create: Whether to make one where there is none.

        Raises:
            StoreError: It cannot be opened, is damaged, or belongs to a newer version.
        """
        self.path = (default_path() if path is None else Path(path)).absolute()
        database = Database(self.path / DATABASE_NAME)
        if not create and not database.path.exists():
            raise StoreError(f"there is no run store at {self.path}; name another with --store")
        with named_failures(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        self.database = database
        self.files = FileTable(database, self.path)
        try:
            prepare(database)
            check_at_open(self.files)
        except BaseException:
            database.close()
            raise
        self.runs = Runs(database)
        self.iterations = Iterations(database)
        self.metrics = Metrics(database)
        self.games = Games(self.files)
        self.checkpoints = Checkpoints(self.files)
        self.matches = Matches(database)
        self.ratings = Ratings(database)
        self.resume_states = ResumeStates(self.files)
        self.requests = Requests(database)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all or nothing of what the block stores, files included.

        Others cannot write meanwhile, so compute first and store then. What belongs together, such
        as an iteration's metrics, checkpoint and resume state, goes into one transaction: then no
        kill can part it.
        """
        with self.database.transaction():
            yield

    def delete_run(self, run: int) -> None:
        """Delete a run with its rows and files.

        Raises:
            StoreBusyError: A process works on it.
        """
        self.runs.delete(run)
        shutil.rmtree(self.path / "runs" / str(run), ignore_errors=True)

    def rewind(self, run: int, iteration: int) -> None:
        """Remove what a run stored after an iteration, to repeat it exactly from there."""
        rewind(self.files, run, iteration)

    def sweep(self) -> list[Path]:
        """Remove files that a killed writer left behind, and return them. Safe at any time."""
        with named_failures(self.path):
            return sweep(self.files)

    def check(self, run: int | None = None, *, full: bool = False) -> list[Problem]:
        """Return what is damaged.

        Args:
            run: Look at the files of this run only.
            full: Read everything and compare hashes, instead of sizes only.
        """
        return check_all(self.files, run) if full else check_files(self.files, run)

    def size(self, run: int | None = None) -> int:
        """Return the bytes of the files of a run, or of all with the database."""
        rows = self.database.read(
            "SELECT COALESCE(SUM(size), 0) FROM files WHERE ? IS NULL OR run_id = ?", (run, run)
        )
        database = 0 if run is not None else self.database.path.stat().st_size
        return int(rows[0][0]) + database

    def close(self) -> None:
        """Close all connections of this process."""
        self.database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
