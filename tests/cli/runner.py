"""Runs the command line inside the test process, the way a shell would."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]
