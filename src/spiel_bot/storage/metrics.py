"""Metrics: named numbers over the steps of a run, in the form a chart wants them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spiel_bot.storage.database import Database
from spiel_bot.storage.failures import expecting_run

ERROR_SUFFIX = "_error"
"""The metric `elo_error` holds the error bars of the metric `elo`, and so on."""

Sample = tuple[int, int, str, float]  # iteration, step, name, value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """One metric of a run, in the order of iterations and steps."""

    name: str
    iterations: npt.NDArray[np.int64]
    """[N]"""

    steps: npt.NDArray[np.int64]
    """[N]"""

    values: npt.NDArray[np.float64]
    """[N] NaN where a value was not a number."""


class Metrics:
    """The metrics of all runs."""

    def __init__(self, database: Database) -> None:
        """Work on this database."""
        self.database = database

    def add(self, run: int, iteration: int, step: int, values: Mapping[str, float]) -> None:
        """Store the values of one step."""
        self.add_many(run, ((iteration, step, name, value) for name, value in values.items()))

    def add_many(self, run: int, samples: Iterable[Sample]) -> None:
        """Store many values at once; one that is there already is replaced.

        Raises:
            UnknownRunError: There is no such run.
        """
        with expecting_run(run):
            self.database.write_many(
                "INSERT OR REPLACE INTO metrics (run_id, iteration, step, name, value)"
                " VALUES (?, ?, ?, ?, ?)",
                (
                    (run, int(iteration), int(step), name, _number(value))
                    for iteration, step, name, value in samples
                ),
            )

    def names(self, run: int) -> list[str]:
        """Return the names of a run's metrics, sorted."""
        # One jump for each name instead of a walk over every sample.
        rows = self.database.read(
            "WITH RECURSIVE known (name) AS ("
            " SELECT MIN(name) FROM metrics WHERE run_id = :run UNION ALL"
            " SELECT (SELECT MIN(name) FROM metrics WHERE run_id = :run AND name > known.name)"
            " FROM known WHERE known.name IS NOT NULL)"
            " SELECT name FROM known WHERE name IS NOT NULL",
            {"run": run},
        )
        return [row["name"] for row in rows]

    def series(self, run: int, name: str, *, after: tuple[int, int] = (-1, -1)) -> Series:
        """Return one metric; empty if the run has none of that name.

        Args:
            run: Number of the run.
            name: Name of the metric.
            after: Only what comes later than this iteration and step, for a live chart.
        """
        rows = self.database.read(
            "SELECT iteration, step, value FROM metrics"
            " WHERE run_id = ? AND name = ? AND (iteration, step) > (?, ?)"
            " ORDER BY iteration, step",
            (run, name, *after),
        )
        columns = list(zip(*rows, strict=True)) or [(), (), ()]
        return Series(
            name=name,
            iterations=np.array(columns[0], np.int64),
            steps=np.array(columns[1], np.int64),
            values=np.array(columns[2], np.float64),
        )

    def last(self, run: int) -> dict[str, float]:
        """Return the newest value of each metric of a run."""
        found = {}
        for name in self.names(run):
            row = self.database.read_one(
                "SELECT value FROM metrics WHERE run_id = ? AND name = ?"
                " ORDER BY iteration DESC, step DESC LIMIT 1",
                (run, name),
            )
            if row is not None:
                found[name] = math.nan if row["value"] is None else float(row["value"])
        return found


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
