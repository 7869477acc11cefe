"""A real server on a free port of this machine, for the tests that look at it with a browser."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(store: Path, log: Path) -> Iterator[str]:
    """Serve a store; yield the address of the page. What the server says goes to the log."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "spiel_bot",
                "serve",
                "--port",
                str(port),
                "--store",
                str(store),
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(process, address, log)
            yield address
        finally:
            process.terminate()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    """Wait until the server answers; if it ends instead, say what it said."""
    while process.poll() is None:
        try:
            with urllib.request.urlopen(address) as answer:
                answer.read()
            return
        except urllib.error.HTTPError:
            return  # it answers
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise RuntimeError(f"the server ended with {process.returncode}: {log.read_text()[-2000:]}")
