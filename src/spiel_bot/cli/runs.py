"""spiel-bot runs: what the run store holds."""

import json
import math
import shlex
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli import runs_games, runs_plot
from spiel_bot.cli.arguments import Json, RunName, StorePath, open_store
from spiel_bot.errors import StoreCorruptError

if TYPE_CHECKING:
    from spiel_bot.storage.runs import Run
    from spiel_bot.storage.store import Store

app = typer.Typer(
    help="List, show, plot, check and delete the runs of the store.", no_args_is_help=True
)
app.command("plot")(runs_plot.plot)
app.command("games")(runs_games.games)


@app.command("list")
def list_runs(store_path: StorePath = None, as_json: Json = False) -> None:
    """List the runs, the oldest first."""
    from spiel_bot.storage.location import default_path
    from spiel_bot.storage.store import DATABASE_NAME

    path = store_path or default_path()
    found: list[dict[str, Any]] = []
    if (path / DATABASE_NAME).exists():  # no store yet is no mistake: it has no runs
        with open_store(path) as store:
            found = [summarise(store, run) for run in store.runs.all()]
    if as_json:
        typer.echo(json.dumps(found, indent=2))
        return
    if not found:
        typer.echo(f"no runs yet in {path}; 'spiel-bot train' makes the first one")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("run", "name", "game", "state", "created")
    for column in ("iteration", "games", "size"):
        table.add_column(column, justify="right")
    for run in found:
        table.add_row(
            str(run["id"]),
            run["name"],
            run["game"],
            run["state"],
            date(run["created"]),
            "" if run["iteration"] is None else str(run["iteration"]),
            f"{run['games']:,}",
            megabytes(run["size"]),
        )
    Console().print(table)


@app.command()
def show(name: RunName, store_path: StorePath = None, as_json: Json = False) -> None:
    """Show one run: its configuration, how far it is, its newest figures."""
    with open_store(store_path) as store:
        run = store.runs.find(name)
        figures = summarise(store, run) | describe(store, run)
    if as_json:
        typer.echo(json.dumps(without_nan(figures), indent=2))
        return
    typer.echo(f"run {run.id}: {run.name}, {run.game}, {run.state}")
    if run.message:
        typer.echo(f"  {run.message}")
    if run.state == "interrupted":
        typer.echo(f"  to go on: spiel-bot train --resume {shlex.quote(run.name)}")
    done = "no iteration" if figures["iteration"] is None else f"iteration {figures['iteration']}"
    commit = f", commit {run.git_commit}" if run.git_commit else ""
    rows = {
        "created": f"{date(run.created)} by spiel-bot {run.package_version}{commit}",
        "seed": run.seed,
        "options": settings(run.game_options),
        "done": f"{done}, {figures['step']:,} steps, {figures['games']:,} games, "
        f"{megabytes(figures['size'])}",
        "last sign": date(run.heartbeat),
        "progress": settings(run.progress),
        "metrics": settings(figures["metrics"]),
        "checkpoints": figures["checkpoints"],
        "configuration": settings(run.config),
    }
    for key, value in rows.items():
        if value not in ("", []):
            lines = value if isinstance(value, list) else [value]
            typer.echo(f"  {key + ':':<15}{lines[0]}")
            for line in lines[1:]:
                typer.echo(" " * 17 + line)
    for match in figures["matches"]:
        typer.echo(f"  match: {match}")
    for problem in figures["problems"]:
        typer.echo(f"  damaged: {problem}")


@app.command()
def delete(
    name: RunName,
    store_path: StorePath = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete a run with its games, checkpoints and figures. Asks first."""
    with open_store(store_path) as store:
        run = store.runs.find(name)
        size = megabytes(store.size(run.id))
        question = f"Delete run {run.name} with {store.games.count(run.id):,} games ({size})?"
        if not yes and not is_confirmed(question):
            typer.echo("nothing was deleted", err=True)
            raise typer.Exit(1)
        store.delete_run(run.id)
    typer.echo(json.dumps({"deleted": run.name}) if as_json else f"deleted run {run.name}")


@app.command()
def check(
    store_path: StorePath = None,
    full: Annotated[
        bool, typer.Option("--full", help="Read every file and compare its hash.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Look for damage in the store, and remove what killed processes left behind."""
    with open_store(store_path) as store:
        problems = [problem.what for problem in store.check(full=full)]
        swept = [str(path.relative_to(store.path)) for path in store.sweep()]
        path = store.path
    if as_json:
        typer.echo(json.dumps({"problems": problems, "removed": swept}, indent=2))
    elif not problems:
        leftovers = f"; removed {len(swept)} leftover files" if swept else ""
        typer.echo(f"{path} is whole{leftovers}")
    if problems:
        more = f" and {len(problems) - 1} more (--json lists them)" if problems[1:] else ""
        raise StoreCorruptError(problems[0] + more)


def is_confirmed(question: str) -> bool:
    """Ask a person; no answer means no."""
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        typer.echo(err=True)
        return False


def summarise(store: "Store", run: "Run") -> dict[str, Any]:
    """Return the figures of a run that a list shows, for JSON."""
    last = store.iterations.last(run.id)
    return {
        "id": run.id,
        "name": run.name,
        "game": run.game,
        "state": run.state.value,
        "created": run.created,
        "iteration": None if last is None else last.number,
        "step": 0 if last is None else last.step,
        "games": store.games.count(run.id),
        "size": store.size(run.id),
    }


def describe(store: "Store", run: "Run") -> dict[str, Any]:
    """Return all else there is to say about a run, for JSON."""
    known = asdict(run)
    for key in ("state", "created", "id", "name", "game"):
        del known[key]
    return known | {
        "metrics": store.metrics.last(run.id),
        "checkpoints": [
            f"{checkpoint.id}: iteration {checkpoint.iteration}, step {checkpoint.step:,}"
            + (f" ({', '.join(checkpoint.labels)})" if checkpoint.labels else "")
            for checkpoint in store.checkpoints.all(run.id)
            if checkpoint.file is not None
        ],
        "matches": [
            f"iteration {match.iteration}: {match.first} against {match.second}, "
            f"{match.wins} won, {match.losses} lost, {match.draws} drawn"
            + (f", Elo {match.elo:+.0f}" if match.elo is not None else "")
            + (f" ± {match.elo_error:.0f}" if match.elo_error is not None else "")
            for match in store.matches.all(run.id, limit=5)
        ],
        "problems": [problem.what for problem in store.check(run.id)],
    }


def settings(values: dict[str, Any]) -> list[str]:
    """Return nested values as lines such as ``search.simulations = 32``."""
    lines: list[str] = []
    for key, value in values.items():
        if isinstance(value, dict):
            lines += [f"{key}.{line}" for line in settings(value)]
        else:
            shown = f"{value:.6g}" if isinstance(value, float) else value
            lines.append(f"{key} = {shown}")
    return lines


def without_nan(value: Any) -> Any:
    """Return the value with null where JSON has no number."""
    if isinstance(value, dict):
        return {key: without_nan(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [without_nan(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def date(seconds: float) -> str:
    """Return a time as people here write it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def megabytes(size: int) -> str:
    """Return a size for people."""
    return f"{size / 1e6:,.1f} MB"
