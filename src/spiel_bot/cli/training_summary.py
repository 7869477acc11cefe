"""What a terminal says before and after a run: the plan; then strength, a plot, what to do next."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from spiel_bot.cluster.config import TrainConfig
    from spiel_bot.storage.results import Match
    from spiel_bot.storage.runs import Run
    from spiel_bot.storage.store import Store

PLOTTED = ("policy_loss", "value_loss", "elo")


def show_plan(config: "TrainConfig", store: Path | None = None) -> None:
    """Say how much work a run is, how long it will take and how much memory.

    Args:
        config: The run.
        store: Folder of the run store, where the ladder may have models of other runs.

    Raises:
        SpielBotError: The run cannot be made, or does not fit into the memory of this machine.
    """
    from spiel_bot.cluster.local import checked_game
    from spiel_bot.cluster.plan import plan_of
    from spiel_bot.cluster.usage import num_cores

    game = checked_game(config, store)
    search = config.alphazero.selfplay.search
    how = f"{search.n_simulations} simulations by {search.selection}"
    if config.algorithm == "td":
        how = "after-states without a tree"
    games = config.iterations * config.games
    typer.echo(
        f"{config.game}: {config.iterations} iterations of {config.games} games and "
        f"{config.steps} gradient steps, {games:,} games in all, {how}, "
        f"{config.num_workers} workers, network {config.method.network.architecture}"
    )
    plan = plan_of(game, config, store=store)
    typer.echo(
        f"time: about {duration_text(plan.seconds)} on {num_cores()} cores (a core just did "
        f"{plan.decisions_per_s:,.0f} decisions/s of self-play and {plan.steps_per_s:,.1f} "
        f"gradient steps/s; a game has about {plan.decisions_per_game:.0f} decisions; "
        f"matches take {duration_text(plan.match_seconds)} of a core)"
    )
    typer.echo(f"memory: about {plan.memory}")


def duration_text(seconds: float) -> str:
    """Return a time for people.

    >>> duration_text(50), duration_text(500), duration_text(50_000)
    ('50 seconds', '8 minutes', '14 hours')
    """
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.0f} hours"


def show_outcome(store: "Store", run: "Run", config: "TrainConfig", minutes: float) -> None:
    """Say what a finished run has reached, save its plot, and name the next commands."""
    typer.echo(f"run {run.name} finished after {minutes:.1f} minutes")
    matches = [m for m in store.matches.all(run.id) if m.iteration == config.iterations]
    if matches:
        show_matches(list(reversed(matches)))
    path = save_plot(store, run)
    if path is not None:
        typer.echo(f"plot: {path}")
    typer.echo("next:")
    typer.echo(f"  spiel-bot train --resume {run.name} --iterations {2 * config.iterations}")
    typer.echo(f"  spiel-bot runs show {run.name}")


def show_matches(matches: "list[Match]") -> None:
    """Print a table of the last network's matches."""
    from rich.console import Console
    from rich.table import Table

    typer.echo(f"{matches[0].first}, without search, on paired dice:")
    table = Table(box=None)
    table.add_column("against")
    for column in ("games", "points won", "Elo"):
        table.add_column(column, justify="right")
    for match in matches:
        share = (match.wins + match.draws / 2) / match.games
        elo = f"{match.elo:+.0f} ± {match.elo_error:.0f}"
        table.add_row(match.second, str(match.games), f"{share:.1%}", elo)
    Console().print(table)


def save_plot(store: "Store", run: "Run") -> Path | None:
    """Write the curves of a run beside the store's other files; None if it has none."""
    from spiel_bot.cli.runs_plot import Over, curve_of, write_svg

    known = store.metrics.names(run.id)
    curves = [curve_of(store, run.id, name, Over.ITERATION) for name in PLOTTED if name in known]
    curves = [curve for curve in curves if curve.finite_points()]
    if not curves:
        return None
    path = store.path / "plots" / f"{run.id}.svg"
    path.parent.mkdir(exist_ok=True)
    write_svg(path, curves, title=run.name, x_label="iteration")
    return path
