"""Curves of a run: which metrics make up a chart, and their points with error bars."""

import math
from dataclasses import dataclass

from spiel_bot.storage.metrics import ERROR_SUFFIX
from spiel_bot.storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One value of a metric."""

    iteration: int
    step: int
    value: float
    error: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One metric over the iterations; points that are not numbers are left out."""

    metric: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpec:
    """What one chart shows. Titles and units are words of the page, by the chart's name."""

    name: str
    metrics: tuple[str, ...]
    needs_policy: bool = False
    """Whether it says something only of networks with a policy."""

    is_share: bool = False
    """Whether values are shares, shown as percentages."""


CHARTS = (
    ChartSpec(name="elo", metrics=("elo",)),
    ChartSpec(name="loss", metrics=("loss", "policy_loss", "value_loss")),
    ChartSpec(name="games_per_s", metrics=("games_per_s",)),
    ChartSpec(name="game_plies", metrics=("game_plies",)),
    ChartSpec(name="policy_entropy", metrics=("policy_entropy", "policy_kl"), needs_policy=True),
    ChartSpec(name="value_calibration", metrics=("value_calibration",)),
    ChartSpec(name="white_wins", metrics=("white_wins",), is_share=True),
)
"""Charts of the training page in their order."""


def read_line(store: Store, run: int, metric: str) -> Line:
    """Return one metric of a run with its error bars, where it has any."""
    series = store.metrics.series(run, metric)
    bars = store.metrics.series(run, metric + ERROR_SUFFIX)
    errors = {
        (int(iteration), int(step)): float(value)
        for iteration, step, value in zip(bars.iterations, bars.steps, bars.values, strict=True)
        if math.isfinite(value)
    }
    points = (
        Point(
            iteration=int(iteration),
            step=int(step),
            value=float(value),
            error=errors.get((int(iteration), int(step))),
        )
        for iteration, step, value in zip(
            series.iterations, series.steps, series.values, strict=True
        )
        if math.isfinite(value)
    )
    return Line(metric=metric, points=tuple(points))


def read_chart(store: Store, run: int, spec: ChartSpec, *, has_policy: bool) -> list[Line]:
    """Return the lines of a chart; those of a policy only where there is one."""
    wanted = [metric for metric in spec.metrics if has_policy or not metric.startswith("policy")]
    lines = [read_line(store, run, metric) for metric in wanted]
    if not has_policy and len(lines) > 1:  # without a policy the loss is the value's
        lines = lines[:1]
    return [line for line in lines if line.points]
