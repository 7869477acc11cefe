"""Processes that begin with Numba imported, and nothing of ours: a fork instead of a start.

To import Numba is most of what a small program costs, and the tests of the kernel cache run some
hundred of them. A program started here has its own memory, arguments, folder and environment;
only settings that Numba reads when it is imported (``NUMBA_...``) need a process of the old kind.
"""

import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


class Nursery:
    """A process that forks one program after the other."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> tuple[int, str, str]:
        """Run a program of Python, given by its path, and return its exit code and output."""
        with tempfile.TemporaryDirectory() as outputs:
            paths = [str(Path(outputs, name)) for name in ("out", "err")]
            order = (list(arguments), str(folder), dict(environment), paths)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            printed, said = (Path(path).read_text() for path in paths)
        return code, printed, said

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def serve() -> None:
    """Fork a child for each order on stdin; in the child, return after becoming its program."""
    import numba  # noqa: F401, PLC0415

    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            become(*order)
            return
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def become(arguments: list[str], folder: str, environment: dict[str, str], paths: Any) -> None:
    """Run a program as if this process had been started for it."""
    for descriptor, path in enumerate(paths, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    tempfile.tempdir = None
    sys.argv = arguments
    sys.path[0] = folder
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    serve()
