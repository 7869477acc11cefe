"""spiel-bot random-games: watch one game, or count many."""

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import GameName, GameOptions, Json, expect_at_least, load_game

if TYPE_CHECKING:
    from spiel_bot.games.base import Game
    from spiel_bot.games.random_play import RandomGames

SIDES = ("white", "black")


def random_games(
    name: GameName,
    num_games: Annotated[int, typer.Option("--games", "-n", help="Games to play.")] = 1,
    seed: Annotated[int, typer.Option(help="Root seed: same seed, same games.")] = 0,
    threads: Annotated[int, typer.Option(help="Threads to share the games.")] = 1,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every move of every game.")
    ] = False,
    as_json: Json = False,
    option: GameOptions = None,
) -> None:
    """Play games with random moves: one is shown move by move, many are counted."""
    expect_at_least(1, games=num_games, threads=threads)
    expect_at_least(0, seed=seed)
    game = load_game(name, option)
    shown = num_games if verbose else 0
    if as_json:
        figures = count(game, num_games, seed, threads)
        if shown:
            figures["moves"] = [moves(game, seed, number) for number in range(shown)]
        typer.echo(json.dumps(figures, indent=2))
        return
    for number in range(max(shown, 1 if num_games == 1 else 0)):
        show(game, seed, number, title=num_games > 1)
    if num_games > 1:
        show_figures(count(game, num_games, seed, threads))


def count(game: "Game", num_games: int, seed: int, threads: int) -> dict[str, Any]:
    """Play the games behind a progress bar; return the figures."""
    from rich.console import Console
    from rich.progress import Progress

    from spiel_bot.games.random_play import play_random_games

    play_random_games(game, 1, seed)  # compiles, where that is still to do, before the clock starts
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(f"{game.spec.name}", total=num_games)
        start = time.perf_counter()
        games = play_random_games(
            game,
            num_games,
            seed,
            threads=threads,
            on_finished=lambda finished: progress.advance(bar, finished),
        )
        seconds = time.perf_counter() - start
    return summarise(game, games, seconds) | {"seed": seed, "threads": threads}


def summarise(game: "Game", games: "RandomGames", seconds: float) -> dict[str, Any]:
    """Return speed, length and results of games that took `seconds` in all."""
    white = games.returns[:, 0]
    num_games = len(white)
    return {
        "game": game.spec.name,
        "options": dict(game.spec.options),
        "games": num_games,
        "seconds": round(seconds, 6),
        "games_per_s": round(num_games / seconds, 1),
        "turns_per_s": round(float(games.turns.sum()) / seconds, 1),
        "average_turns": round(float(games.turns.mean()), 3),
        "average_plies": round(float(games.plies.mean()), 3),
        "longest_plies": int(games.plies.max()),
        "results": {
            "white_wins": int((white > 0).sum()),
            "black_wins": int((white < 0).sum()),
            "draws": int((white == 0).sum()),
            "white_return": round(float(white.mean()), 5),
        },
    }


def show_figures(figures: dict[str, Any]) -> None:
    """Print the figures as a table for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(
        show_header=False, title=f"{figures['games']:,} random games of {figures['game']}"
    )
    table.add_column()
    table.add_column(justify="right")
    table.add_row("games/s", f"{figures['games_per_s']:,.0f}")
    table.add_row("turns/s", f"{figures['turns_per_s']:,.0f}")
    table.add_row("average length", f"{figures['average_turns']:.1f} turns")
    table.add_row("with rolls", f"{figures['average_plies']:.1f} plies")
    results = figures["results"]
    for key in ("white_wins", "black_wins", "draws"):
        share = results[key] / figures["games"]
        table.add_row(key.replace("_", " "), f"{results[key]:,} ({share:.1%})")
    Console().print(table)


def show(game: "Game", seed: int, number: int, *, title: bool) -> None:
    """Print one game move by move, with the board drawn after each."""
    from spiel_bot.games.random_play import walk_random_game

    start = game.new_game(seed, number=number)
    if title:
        typer.echo(f"=== game {number + 1} ===")
    typer.echo(f"{start}\n")
    state = start
    for count_plies, (position, ply) in enumerate(walk_random_game(game, seed, number), 1):
        who = SIDES[ply.player] if ply.player >= 0 else "chance"
        typer.echo(f"{count_plies}. {who}: {ply.name}\n{position}\n")
        state = position
    white, black = state.returns
    typer.echo(f"returns: white {white:+g}, black {black:+g}\n")


def moves(game: "Game", seed: int, number: int) -> list[dict[str, Any]]:
    """Return one game as a list of plies for JSON."""
    from spiel_bot.games.random_play import walk_random_game

    return [
        {
            "player": SIDES[ply.player] if ply.player >= 0 else "chance",
            "number": ply.number,
            "name": ply.name,
            "position": position.notation,
        }
        for position, ply in walk_random_game(game, seed, number)
    ]
