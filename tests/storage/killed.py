"""A program that kills its own children while they write to a store, and looks at what is left.

It forks, so that a child costs milliseconds; the tests themselves run in a process with threads.
"""

import os
import random
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.storage.samples import assert_whole, write_iteration

from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store


def fork(child: Callable[[], None]) -> int:
    """Run a function in a process of its own and return its number."""
    process = os.fork()
    if process:
        return process
    try:
        child()
    except BaseException as error:
        sys.stderr.write(f"child: {error!r}\n")
        os._exit(1)
    os._exit(0)


def outcome(process: int) -> int:
    """Wait for a process; return its exit code, or minus the signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def unnamed_files(folder: Path, store: Store) -> set[str]:
    """Return the files beside the database that no row names."""
    named = {row["path"] for row in store.database.read("SELECT path FROM files")}
    found = [path for part in ("runs", "drafts") for path in (folder / part).rglob("*")]
    return {path.relative_to(folder).as_posix() for path in found if path.is_file()} - named


def look(folder: Path, run: int, least: int) -> int:
    """Check that all is whole after a kill and can be cleaned; return the last iteration."""
    with Store(folder) as store:
        last = assert_whole(store, run)
        assert last >= least, f"iteration {least} was committed, but {last} is the last"
        left = unnamed_files(folder, store)
        assert {path.relative_to(folder).as_posix() for path in store.sweep()} == left
        assert unnamed_files(folder, store) == set()
        assert assert_whole(store, run) == last
        return last


def kill_at_every_call(folder: Path, run: int) -> None:
    """Kill a writer before its first, second, ... call that changes a file; then let it finish."""
    last, call, left_behind = -1, 0, 0
    while True:
        call += 1

        def write(last: int = last, call: int = call) -> None:
            count_down(call)
            with Store(folder) as store:
                write_iteration(store, run, last + 1)
                write_iteration(store, run, last + 2)

        code = outcome(fork(write))
        with Store(folder) as store:
            left_behind += bool(unnamed_files(folder, store))
        last = look(folder, run, last)
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert call > 20, f"only {call} moments were tried"
    assert left_behind > 5, "the kills left nothing behind: they did not meet a writer at work"
    sys.stdout.write(f"{call} moments, {last + 1} iterations\n")


def count_down(call: int) -> None:
    """Kill this process when it makes its n-th call that changes a file."""
    left = call
    for name in ("fsync", "replace", "unlink", "mkdir"):
        real = getattr(os, name)

        def counted(*arguments: Any, real: Callable[..., Any] = real, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **named)

        setattr(os, name, counted)


def kill_at_random(folder: Path, run: int, times: int) -> None:
    """Kill a writer at random moments, also inside SQLite."""
    generator = random.Random(1)
    last = -1
    for _ in range(times):
        read_end, write_end = os.pipe()

        def write(last: int = last, write_end: int = write_end) -> None:
            with Store(folder) as store:
                for iteration in range(last + 1, last + 1000):
                    write_iteration(store, run, iteration)
                    os.write(write_end, f"{iteration}\n".encode())

        child = fork(write)
        os.close(write_end)
        # The moment counts from the start, which includes opening, or from the first commit.
        if generator.random() < 0.8:
            select.select([read_end], [], [])
        select.select([], [], [], generator.uniform(0, 0.05))
        os.kill(child, signal.SIGKILL)
        assert outcome(child) == -signal.SIGKILL
        with os.fdopen(read_end) as committed:
            said = [int(line) for line in committed]
        last = look(folder, run, max([last, *said]))
    sys.stdout.write(f"{times} kills, {last + 1} iterations\n")


def open_at_once(folder: Path, processes: int) -> None:
    """Let several processes make the same new store at the same moment, and write to it."""
    read_end, write_end = os.pipe()

    def create() -> None:
        os.close(write_end)
        os.read(read_end, 1)  # ends when the parent closes its end
        with Store(folder) as store:
            run = store.runs.create(game="pig", seed=1, config={})
            for iteration in range(5):
                write_iteration(store, run.id, iteration)

    children = [fork(create) for _ in range(processes)]
    os.close(write_end)
    assert [outcome(child) for child in children] == [0] * processes
    with Store(folder) as store:
        runs = store.runs.all()
        assert [run.name for run in runs] == [f"pig-{n + 1}" for n in range(processes)]
        assert [run.state for run in runs] == [RunState.INTERRUPTED] * processes
        assert [assert_whole(store, run.id) for run in runs] == [4] * processes


def share_with_a_child(folder: Path) -> None:
    """Fork with an open store, as `multiprocessing` does, and use it on both sides."""
    with Store(folder) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
        write_iteration(store, run, 0)

        def write() -> None:
            with store:
                write_iteration(store, run, 1)

        assert outcome(fork(write)) == 0
        write_iteration(store, run, 2)
        assert assert_whole(store, run) == 2


def main(what: str, folder: Path) -> None:
    """Run one of the programs in an empty folder."""
    if what == "open":
        open_at_once(folder, 4)
        return
    if what == "fork":
        share_with_a_child(folder)
        return
    with Store(folder) as store:
        run = store.runs.create(game="pig", seed=1, config={}).id
    if what == "calls":
        kill_at_every_call(folder, run)
    elif what == "random":
        kill_at_random(folder, run, 20)
    else:
        with Store(folder) as store:
            for iteration in range(40):
                write_iteration(store, run, iteration)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
