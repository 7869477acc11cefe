"""spiel-bot runs games: the games of a run, and one of them as a game file."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from spiel_bot.cli.arguments import (
    Json,
    RunName,
    StorePath,
    expect_at_least,
    find_modules_here,
    open_store,
)
from spiel_bot.errors import BadRequestError

if TYPE_CHECKING:
    from spiel_bot.storage.games import StoredGame
    from spiel_bot.storage.records import GameRecord
    from spiel_bot.storage.runs import Run

RESULTS = {1: "white", 0: "draw", -1: "black"}  # as in analysis, which is loaded when needed


def games(
    name: RunName,
    number: Annotated[
        int | None, typer.Option("--number", "-n", help="Write out this game.", show_default=False)
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="With --number: events as numbers only.")
    ] = False,
    iteration: Annotated[
        int | None, typer.Option(help="Only games of this iteration.", show_default=False)
    ] = None,
    winner: Annotated[
        str | None, typer.Option(help="Only games won by white or black, or a draw.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Most games to list, the newest first.")] = 20,
    offset: Annotated[int, typer.Option(help="Games to leave out before.")] = 0,
    store_path: StorePath = None,
    as_json: Json = False,
) -> None:
    """List the games of a run, or write one out."""
    expect_at_least(0, limit=limit, offset=offset)
    result = result_of(winner)
    with open_store(store_path) as store:
        run = store.runs.find(name)
        if number is not None:
            stored, record = store.games.get(run.id, number), store.games.read(run.id, number)
        else:
            total = store.games.count(run.id, iteration=iteration, result=result)
            found = store.games.find(
                run.id, iteration=iteration, result=result, limit=limit, offset=offset
            )
    if number is not None:
        write_out(run, stored, record, plain=plain, as_json=as_json)
    elif as_json:
        from spiel_bot.analysis.stored_game import facts

        typer.echo(json.dumps({"total": total, "games": [facts(game) for game in found]}, indent=2))
    elif not found:
        typer.echo(f"run {run.name} has no such games")
    else:
        show_table(found, total)


def result_of(winner: str | None) -> int | None:
    """Return the result that a name means.

    Raises:
        BadRequestError: It means none.
    """
    if winner is None:
        return None
    for result, known in RESULTS.items():
        if winner == known:
            return result
    raise BadRequestError(f"--winner: expected white, black or draw, got {winner!r}")


def show_table(found: "list[StoredGame]", total: int) -> None:
    """Print games as a table for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "iteration", "players", "plies", "result", "white", "score")
    for game in found:
        table.add_row(
            str(game.number),
            str(game.iteration),
            game.players,
            str(game.plies),
            RESULTS[game.result],
            f"{game.white_return:+g}",
            game.score,
        )
    Console().print(table)
    typer.echo(f"{len(found)} of {total:,} games")


def write_out(
    run: "Run", stored: "StoredGame", record: "GameRecord", *, plain: bool, as_json: bool
) -> None:
    """Print one game as a game file, or as JSON."""
    from spiel_bot.analysis.stored_game import details, file_text, plain_text

    find_modules_here()
    text, trouble = (
        (plain_text(run, stored, record), "") if plain else file_text(run, stored, record)
    )
    if trouble:
        typer.echo(trouble, err=True)
    if as_json:
        found = details(run, stored, record)
        typer.echo(json.dumps(found | ({"names": []} if plain else {})))
    else:
        typer.echo(text, nl=False)
