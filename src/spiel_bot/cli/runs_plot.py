"""spiel-bot runs plot: the figures of a run over time, in the terminal and as SVG."""

import difflib
import json
import math
import shutil
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spiel_bot.cli.arguments import Json, RunName, StorePath, open_store
from spiel_bot.errors import BadRequestError

if TYPE_CHECKING:
    from spiel_bot.charts.curve import Curve
    from spiel_bot.storage.store import Store

USUAL = ("loss", "elo")
"""What is plotted if nobody says, where a run has it."""


class Over(StrEnum):
    """What the x axis counts."""

    STEP = "step"
    ITERATION = "iteration"


def plot(
    name: RunName,
    metric: Annotated[
        str | None,
        typer.Option(help="Metrics, with commas between; loss and elo if the run has them."),
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Write the chart to this file.")] = None,
    over: Annotated[Over, typer.Option(help="What the x axis counts.")] = Over.STEP,
    store_path: StorePath = None,
    as_json: Json = False,
) -> None:
    """Plot metrics of a run. A metric elo_error gives the error bars of elo, and so on."""
    with open_store(store_path) as store:
        run = store.runs.find(name)
        known = store.metrics.names(run.id)
        if not known:
            raise BadRequestError(f"run {run.name} has no metrics yet; nothing to plot")
        wanted = choose(known, metric)
        curves = [curve_of(store, run.id, each, over) for each in wanted]
    if svg is not None:
        write_svg(svg, curves, title=run.name, x_label=over.value)
    if as_json:
        typer.echo(json.dumps({curve.name: points(curve) for curve in curves}))
        return
    from spiel_bot.charts.terminal import line_chart_text

    width = min(shutil.get_terminal_size().columns, 120)
    for curve in curves:
        if curve.finite_points():
            typer.echo(line_chart_text(curve, x_label=over.value, width=width) + "\n")
        else:
            typer.echo(f"{curve.name}: no value is a finite number\n")
    if svg is not None:
        typer.echo(f"wrote {svg}")


def choose(known: list[str], given: str | None) -> list[str]:
    """Return the metrics to plot.

    Raises:
        BadRequestError: The run has no metric of a name that was given.
    """
    if given is None:
        return [name for name in USUAL if name in known] or known[:2]
    names = [name.strip() for name in given.split(",") if name.strip()]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known)}"
            raise BadRequestError(f"the run has no metric {name!r}; {hint}")
    if not names:
        raise BadRequestError(f"--metric: expected names such as {', '.join(known[:2])}, got none")
    return names


def curve_of(store: "Store", run: int, name: str, over: Over) -> "Curve":
    """Return one metric with its error bars, where the run has a metric of those."""
    from spiel_bot.charts.curve import Curve
    from spiel_bot.storage.metrics import ERROR_SUFFIX

    series = store.metrics.series(run, name)
    bars = store.metrics.series(run, name + ERROR_SUFFIX)
    error_at = {
        (iteration, step): value
        for iteration, step, value in zip(
            bars.iterations.tolist(), bars.steps.tolist(), bars.values.tolist(), strict=True
        )
    }
    moments = list(zip(series.iterations.tolist(), series.steps.tolist(), strict=True))
    return Curve(
        name=name,
        x=[step if over is Over.STEP else iteration for iteration, step in moments],
        y=series.values.tolist(),
        errors=[error_at.get(moment, 0.0) for moment in moments] if error_at else None,
    )


def points(curve: "Curve") -> list[list[float | None]]:
    """Return x, y and error of each point for JSON, null where a value is not a number."""
    return [[x, y if math.isfinite(y) else None, error] for x, y, error in curve.points()]


def write_svg(path: Path, curves: "list[Curve]", *, title: str, x_label: str) -> None:
    """Write the chart to a file, whole or not at all.

    Raises:
        BadRequestError: The file cannot be written.
    """
    from spiel_bot.charts.svg import line_chart_svg
    from spiel_bot.files import write_atomically

    chart = line_chart_svg(curves, title=title, x_label=x_label)
    try:
        write_atomically(path, chart.encode())
    except OSError as error:
        raise BadRequestError(f"cannot write {path}: {error.strerror}") from error
