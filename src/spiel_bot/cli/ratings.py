"""spiel-bot ratings: tournaments of players and checkpoints, their Elo, its curve over training."""

import dataclasses
import json
import math
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import GameOptions, Json, StorePath, expect_at_least, load_game
from spiel_bot.cli.evaluation import MatchGame, Seed, Threads, pairs_of, play
from spiel_bot.errors import BadRequestError

if TYPE_CHECKING:
    from spiel_bot.arena.ratings import Rated
    from spiel_bot.charts.curve import Curve
    from spiel_bot.games.base import Game
    from spiel_bot.players.base import Recipe
    from spiel_bot.storage.store import Store

ANCHOR = "random"
LADDER = ("greedy", "expert")
TRICTRAC = "trictrac"


def ratings(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER]...",
            help="Who shall meet; random takes part always. Without players the stored ones.",
        ),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN",
            help="A run whose stored checkpoints take part, as net:RUN@ITERATION.",
            show_default=False,
        ),
    ] = None,
    every: Annotated[
        int, typer.Option(help="With --run: only each so many of the stored checkpoints.")
    ] = 1,
    num_games: Annotated[
        int, typer.Option("--games", "-n", help="Games that every two players shall have played.")
    ] = 200,
    seed: Seed = 0,
    name: MatchGame = TRICTRAC,
    threads: Threads = None,
    svg: Annotated[Path | None, typer.Option(help="Write the curve to this file.")] = None,
    store_path: StorePath = None,
    as_json: Json = False,
    option: GameOptions = None,
) -> None:
    """Rate players by matches: random has Elo 0. Matches and ratings are kept in the store."""
    from spiel_bot.arena.ratings import rate
    from spiel_bot.arena.tournament import rated_matches
    from spiel_bot.storage.store import Store

    expect_at_least(0, seed=seed)
    expect_at_least(1, every=every)
    pairs = pairs_of(num_games)
    game = load_game(name, option)
    is_tournament = bool(players or run)
    with Store(store_path, create=is_tournament) as store:
        if is_tournament:
            meet(
                store,
                game,
                entrants(store, game, players or [], run or [], every),
                pairs,
                seed,
                threads,
            )
        rated = rate(rated_matches(store, game), ANCHOR)
        if is_tournament:
            rows = [(one.player, one.elo, one.error, one.games) for one in rated]
            store.ratings.add_many(game.spec.name, rows)
    curves = curves_of(rated)
    if svg is not None:
        write_curves(svg, curves, game.spec.name)
    if as_json:
        figures: dict[str, Any] = {
            "game": game.spec.name,
            "anchor": ANCHOR,
            "ratings": [dataclasses.asdict(one) for one in rated],
        }
        typer.echo(json.dumps(figures, indent=2))
        return
    show(rated, game)
    show_curves(curves)
    if svg is not None:
        typer.echo(f"wrote {svg}")


def entrants(
    store: "Store", game: "Game", players: list[str], runs: list[str], every: int
) -> "list[Recipe]":
    """Return who takes part: random, the players named, and checkpoints of runs.

    Where checkpoints take part, so do the hand-written players of the game: a ladder for the curve.

    Raises:
        BadRequestError: A run has no stored weights.
    """
    from spiel_bot.players.spec import prepare

    texts = [ANCHOR, *players]
    if runs and game.spec.name == TRICTRAC:
        texts += LADDER
    for run in runs:
        found = store.runs.find(run)
        stored = [one for one in store.checkpoints.all(found.id) if one.file is not None]
        if not stored:
            raise BadRequestError(f"run {found.name} has no stored weights; nothing to rate")
        texts += [f"net:{found.name}@{one.iteration}" for one in chosen(stored, every)]
    return [prepare(text, game, store=store.path) for text in dict.fromkeys(texts)]


def chosen(stored: list[Any], every: int) -> list[Any]:
    """Return each so many of a list, counted from its end: the newest is always among them."""
    return stored[::-1][::every][::-1]


def meet(
    store: "Store",
    game: "Game",
    players: "list[Recipe]",
    pairs: int,
    seed: int,
    threads: int | None,
) -> None:
    """Play what is missing of a tournament."""
    from spiel_bot.arena.tournament import play_tournament

    games = play_tournament(
        store,
        game,
        players,
        pairs,
        lambda both, missing: play(game, both, missing, seed, threads=threads),
    )
    typer.echo(f"{games:,} games played, the others were stored before", err=True)


def show(rated: "list[Rated]", game: "Game") -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"Elo of {game.spec.name}, {ANCHOR} = 0")
    for column in ("", "player", "Elo", "±", "games"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for place, one in enumerate(rated, 1):
        table.add_row(
            str(place), one.player, f"{one.elo:.0f}", f"{one.error:.0f}", f"{one.games:,}"
        )
    Console().print(table)


def curves_of(rated: "list[Rated]") -> "list[Curve]":
    """Return the Elo of each run's checkpoints over its iterations, where there are two or more."""
    from spiel_bot.charts.curve import Curve

    runs: dict[str, list[tuple[int, Rated]]] = {}
    for one in rated:
        found = re.fullmatch(r"(.+)@(\d+)((?:,.*)?)", one.player)
        if found:
            run, iteration, options = found.groups()
            runs.setdefault(run + options, []).append((int(iteration), one))
    return [
        Curve(
            name=run,
            x=[iteration for iteration, _ in points],
            y=[one.elo for _, one in points],
            errors=[one.error for _, one in points],
        )
        for run, found in sorted(runs.items())
        if len(points := sorted(found, key=lambda point: point[0])) > 1
    ]


def show_curves(curves: "list[Curve]") -> None:
    """Draw the curves in letters."""
    from spiel_bot.charts.terminal import line_chart_text

    width = min(shutil.get_terminal_size().columns, 120)
    for curve in curves:
        typer.echo("\n" + line_chart_text(curve, x_label="iteration", width=width))


def write_curves(path: Path, curves: "list[Curve]", game: str) -> None:
    """Write the curves to an SVG file.

    Raises:
        BadRequestError: There is no curve, or the file cannot be written.
    """
    from spiel_bot.cli.runs_plot import write_svg

    if not any(math.isfinite(y) for curve in curves for y in curve.y):
        raise BadRequestError("--svg: no run has two rated checkpoints; rate one with --run RUN")
    write_svg(path, curves, title=f"Elo of {game}, {ANCHOR} = 0", x_label="iteration")
