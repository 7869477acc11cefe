"""Starting, pausing and stopping training from the page.

A run trains in a process of its own, in a session of its own: it goes on when the server ends, and
the page finds it again in the store. What is asked of it later goes through the store as well, so
it does not matter who began it.
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from spiel_bot.errors import BadRequestError, BusyError, StoreBusyError, TrainingStartError
from spiel_bot.games.catalogue import names
from spiel_bot.storage.requests import Request
from spiel_bot.storage.runs import ACTIVE, Run, RunState
from spiel_bot.storage.store import DATABASE_NAME, Store

PRESETS = ("quick", "standard", "long")
RECIPES = ("bot", "third", "long_base", "base", "first", "second", "scout")
ALGORITHMS = ("alphazero", "td")
Command = Literal["pause", "continue", "stop"]
COMMANDS: tuple[Command, ...] = get_args(Command)
START_SECONDS = 120.0
"""A run stands in the store after some seconds; a machine that is busy may need more."""

MOST_ITERATIONS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingWish:
    """What may be chosen of a run from the page; all else is for the command line."""

    preset: str = "quick"
    recipe: str | None = None
    """The run that made a shipped model; preset, game and algorithm are its own then."""

    game: str = "trictrac"
    algorithm: str = "alphazero"
    name: str | None = None
    iterations: int | None = None
    """None for those of the preset."""

    seed: int | None = None
    """None for that of the preset."""

    def __post_init__(self) -> None:
        """Refuse what is not on the list.

        Raises:
            BadRequestError: Something is not.
        """
        for what, value, known in (
            ("preset", self.preset, PRESETS),
            ("algorithm", self.algorithm, ALGORITHMS),
            ("game", self.game, names()),
            ("recipe", self.recipe, (None, *RECIPES)),
        ):
            if value not in known:
                raise BadRequestError(
                    f"{what}: expected one of {', '.join(filter(None, known))}, got {value!r}"
                )
        if self.name is not None and not set(self.name).isdisjoint("/\\"):
            raise BadRequestError(f"name: expected one without slashes, got {self.name!r}")
        if self.iterations is not None and not 1 <= self.iterations <= MOST_ITERATIONS:
            raise BadRequestError(
                f"iterations: expected 1 to {MOST_ITERATIONS}, got {self.iterations}"
            )
        if self.seed is not None and not 0 <= self.seed < 2**63:
            raise BadRequestError(f"seed: expected 0 to 2^63-1, got {self.seed}")

    def words(self) -> list[str]:
        """Return the arguments of `spiel-bot train`."""
        if self.recipe is not None:
            found = [f"--recipe={self.recipe}"]
        else:
            found = [f"--preset={self.preset}", f"--game={self.game}"]
            found.append(f"--algorithm={self.algorithm}")
        for name in ("name", "iterations", "seed"):
            if getattr(self, name) is not None:
                found.append(f"--{name}={getattr(self, name)}")
        return found


class Training:
    """Begins runs of one store, one at a time, and hands requests to them."""

    def __init__(self, store_path: Path) -> None:
        self._path = store_path
        self._lock = threading.Lock()

    def start(self, wish: TrainingWish) -> Run:
        """Begin a run; return it once it stands in the store.

        Raises:
            StoreBusyError: Another run is being trained.
            TrainingStartError: It did not begin, and why.
        """
        return self._begin(wish.words())

    def resume(self, name: str) -> Run:
        """Go on with a run that was stopped.

        Raises:
            StoreBusyError: A run is being trained.
            UnknownRunError: There is no such run.
            TrainingStartError: It did not begin, and why.
        """
        with Store(self._path, create=False) as store:
            run = store.runs.find(name)
        return self._begin([f"--resume={run.name}"])

    def ask(self, name: str, command: str) -> Request:
        """Leave a request for the process that trains a run; it answers within seconds.

        Raises:
            UnknownRunError: There is no such run.
            StoreBusyError: The run is in no state for it.
            BadRequestError: There is no such command.
        """
        if command not in COMMANDS:
            raise BadRequestError(f"expected one of {', '.join(COMMANDS)}, got {command!r}")
        with Store(self._path, create=False) as store:
            run = store.runs.find(name)
            fits = {"pause": (RunState.RUNNING,), "continue": (RunState.PAUSED,), "stop": ACTIVE}
            if run.state not in fits[command]:
                raise StoreBusyError(
                    f"run {run.name} is {run.state}; there is nothing to {command}"
                )
            return store.requests.ask(run.id, command)

    def active(self) -> Run | None:
        """Return the run that is being trained, by whomever."""
        if not (self._path / DATABASE_NAME).exists():
            return None
        with Store(self._path, create=False) as store:
            return next((run for run in store.runs.all() if run.state in ACTIVE), None)

    def _begin(self, words: Sequence[str]) -> Run:
        if not self._lock.acquire(blocking=False):
            raise StoreBusyError("a run is being started; wait until it stands in the list")
        try:
            active = self.active()
            if active is not None:
                raise StoreBusyError(f"run {active.name} is {active.state}; stop it first")
            return self._launch(words)
        finally:
            self._lock.release()

    def _launch(self, words: Sequence[str]) -> Run:
        self._path.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "spiel_bot", "train", f"--store={self._path}", *words]
        # What it prints is kept beside the store's files, so that a failure can be read later.
        with tempfile.NamedTemporaryFile(
            dir=self._path, prefix="training-", suffix=".log", delete=False
        ) as log:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C at the server is not for it
            )
        # Waited for as soon as it ends: nothing of it is left behind while the server lives.
        threading.Thread(target=child.wait, name=f"training {child.pid}", daemon=True).start()
        log_path = Path(log.name)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            ended = child.poll() is not None
            run = self._run_of(child.pid)
            if run is not None:
                return run
            if ended:
                raise TrainingStartError(last_line(log_path))
            time.sleep(0.2)
        raise BusyError("the run has not begun yet; look at the list of runs in a while")

    def _run_of(self, process: int) -> Run | None:
        """Return the run that a process trains or has trained, if it has begun."""
        if not (self._path / DATABASE_NAME).exists():
            return None
        with Store(self._path, create=False) as store:
            for run in reversed(store.runs.all()):
                if run.owner.split()[1:2] == [str(process)]:
                    return run
        return None


def last_line(log_path: Path) -> str:
    """Return what a process that failed said last, and forget the rest."""
    lines = [line.strip() for line in log_path.read_text(errors="replace").splitlines()]
    log_path.unlink(missing_ok=True)
    said = next((line for line in reversed(lines) if line), "it ended without a word")
    return said.removeprefix("error: ")
