"""spiel-bot bench: the project's own speed figures."""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import Json, expect_at_least
from spiel_bot.cli.bench_env import bench_env
from spiel_bot.cli.bench_networks import bench_networks
from spiel_bot.cli.bench_search import bench_search
from spiel_bot.cli.bench_selfplay import bench_selfplay

if TYPE_CHECKING:
    from spiel_bot.games.base import Game

ROUNDS = 5


class Suite(StrEnum):
    """What can be measured."""

    GAMES = "games"
    RULES = "rules"
    ENV = "env"
    SEARCH = "search"
    NETWORKS = "networks"
    SELFPLAY = "selfplay"


def bench(
    suite: Annotated[
        Suite | None, typer.Argument(help="What to measure; all of it if left out.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="About how long to measure each figure.")] = 2.0,
    threads: Annotated[
        int | None, typer.Option(help="Threads of the *_all figures; all cores if left out.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure speed, the median of five rounds; compare only figures of one run."""
    num_threads = (os.cpu_count() or 1) if threads is None else threads
    expect_at_least(1, threads=num_threads)
    expect_at_least(0.01, seconds=seconds)
    chosen = [suite] if suite is not None else list(Suite)
    figures = {one.value: SUITES[one](seconds, num_threads) for one in chosen}
    if as_json:
        shown = figures[suite.value] if suite is not None else figures
        typer.echo(json.dumps(shown | machine(num_threads), indent=2))
        return
    for name, one in figures.items():
        show(name, one)


def bench_games(seconds: float, threads: int) -> dict[str, Any]:
    """Random games of each small game."""
    return {name: speed_of(name, seconds, threads) for name in ("tic_tac_toe", "pig", "race")}


def bench_rules(seconds: float, threads: int) -> dict[str, Any]:
    """Random games of trictrac to the end."""
    return speed_of("trictrac", seconds, threads)


def speed_of(name: str, seconds: float, threads: int) -> dict[str, Any]:
    """Return the speed of random games: on one thread, and on all.

    Rounds on one thread and on all take turns, so that both meet the same neighbours.
    """
    from spiel_bot.games.random_play import play_random_games
    from spiel_bot.games.registry import load

    game = load(name)
    num_games = 16 * threads
    play_random_games(game, num_games, seed=0, threads=threads)  # compiles
    while timed(game, num_games, 1)[0] * ROUNDS < seconds:
        num_games *= 2
    all_games = num_games * threads  # each thread has as much to do as the one alone
    rounds = [(timed(game, num_games, 1), timed(game, all_games, threads)) for _ in range(ROUNDS)]
    one = statistics.median(alone[0] for alone, _ in rounds)
    together = statistics.median(shared[0] for _, shared in rounds)
    turns = rounds[0][0][1]
    return {
        "games_per_s": round(num_games / one),
        "turns_per_s": round(turns / one),
        "games_per_s_all": round(all_games / together),
    }


def timed(game: "Game", num_games: int, threads: int) -> tuple[float, int]:
    """Return the seconds that random games took, and their turns."""
    from spiel_bot.games.random_play import play_random_games

    start = time.perf_counter()
    games = play_random_games(game, num_games, seed=1, threads=threads)
    return time.perf_counter() - start, int(games.turns.sum())


def machine(threads: int) -> dict[str, Any]:
    """Return what the figures were measured with."""
    return {"threads": threads, "python": platform.python_version()}


def show(name: str, figures: dict[str, Any]) -> None:
    """Print the figures of a suite as a table for people."""
    from rich.console import Console
    from rich.table import Table

    by_name = {key: value for key, value in figures.items() if isinstance(value, dict)}
    if 0 < len(by_name) < len(figures):  # single figures, and tables of their own
        show(name, {key: value for key, value in figures.items() if key not in by_name})
        for key, values in by_name.items():
            show(key, values)
        return
    rows = figures if all(isinstance(row, dict) for row in figures.values()) else {name: figures}
    columns = list(next(iter(rows.values())))
    table = Table(title=name)
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="right")
    for row, values in rows.items():
        table.add_row(row, *(f"{values[column]:,}" for column in columns))
    Console().print(table)


SUITES: dict[Suite, Callable[[float, int], dict[str, Any]]] = {
    Suite.GAMES: bench_games,
    Suite.RULES: bench_rules,
    Suite.ENV: bench_env,
    Suite.SEARCH: bench_search,
    Suite.NETWORKS: bench_networks,
    Suite.SELFPLAY: bench_selfplay,
}
