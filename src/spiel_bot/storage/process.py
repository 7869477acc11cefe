"""Tells whether the process that wrote something still runs, so that a killed one is noticed."""

import os
import socket
from pathlib import Path


def process_mark() -> str:
    """Return the mark of this process: host, process number, time it started.

    The start tells it from a later process with the same number; it is left out where the
    operating system has no /proc.
    """
    process = os.getpid()
    return f"{socket.gethostname()} {process} {_start(process) or ''}".rstrip()


def is_alive(mark: str) -> bool | None:
    """Return whether the marked process runs; None if this machine cannot know."""
    host, _, rest = mark.partition(" ")
    process, _, start = rest.partition(" ")
    # On Windows even the harmless signal 0 ends a process, so nobody is asked there.
    if host != socket.gethostname() or not process.isdigit() or os.name == "nt":
        return None
    now = _start(int(process))
    if start and now is not None:
        return now == start
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return now != ""


def _start(process: int) -> str | None:
    """Return when a process started, in ticks since the machine did; None without /proc.

    A process that has ended but was not yet waited for (Z) gives an empty text.
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the name before may hold spaces
    return "" if fields[0] in ("Z", "X") else fields[19]
