"""How well the machine is used: CPU time, memory and evaluations between two moments."""

import os
import resource
import sys
import time


def num_cores() -> int:
    """Return the cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def peak_memory_mb() -> float:
    """Return the most memory this process has had so far, in millions of bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


class Meter:
    """Measures from one call of `read` to the next."""

    def __init__(self) -> None:
        self._last = (time.perf_counter(), time.process_time(), 0)

    def read(self, evaluations: int) -> dict[str, float]:
        """Return the figures since the last call; `evaluations` is the count so far."""
        now = (time.perf_counter(), time.process_time(), evaluations)
        seconds, cpu, asked = (b - a for a, b in zip(self._last, now, strict=True))
        self._last = now
        return {
            "seconds": seconds,
            "cpu_busy": cpu / (seconds * num_cores()),
            "evals_per_s": asked / seconds,
            "peak_memory_mb": peak_memory_mb(),
        }
