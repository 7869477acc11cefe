"""spiel-bot runs games: the games of a run, and one of them event by event."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import Json, RunName, StorePath, expect_at_least, open_store
from spiel_bot.errors import BadRequestError, SpielBotError

if TYPE_CHECKING:
    from spiel_bot.storage.games import StoredGame
    from spiel_bot.storage.records import GameRecord
    from spiel_bot.storage.runs import Run

RESULTS = {1: "white", 0: "draw", -1: "black"}
WHO = {-1: "chance", 0: "white", 1: "black"}


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


def facts(game: "StoredGame") -> dict[str, Any]:
    """Return the row of a game for JSON."""
    return {
        "number": game.number,
        "iteration": game.iteration,
        "players": game.players,
        "checkpoint": game.checkpoint_id,
        "seed": game.seed,
        "plies": game.plies,
        "result": RESULTS[game.result],
        "returns": [game.white_return, game.black_return],
        "score": game.score,
    }


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
    """Print one game event by event."""
    names: list[str] = []
    if not plain:
        try:
            names = event_names(run, record)
        except SpielBotError as error:
            typer.echo(f"events as numbers only: {error}", err=True)
    players, events = record.players.tolist(), record.events.tolist()
    if as_json:
        figures = facts(stored) | {
            "game": run.game,
            "options": run.game_options,
            "start": record.start,
            "players_to_act": players,
            "events": events,
            "names": names,
        }
        typer.echo(json.dumps(figures))
        return
    typer.echo(f"# {run.game}, run {run.name}, iteration {stored.iteration}, game {stored.number}")
    if run.game_options:
        typer.echo("# options: " + ", ".join(f"{k}={v}" for k, v in run.game_options.items()))
    typer.echo(f"# players: {stored.players or 'unknown'}; seed {stored.seed}")
    typer.echo(f"# returns: white {stored.white_return:+g}, black {stored.black_return:+g}")
    if stored.score:
        typer.echo(f"# score: {stored.score}")
    if record.start:
        typer.echo(f"# start: {record.start}")
    for ply, (player, event) in enumerate(zip(players, events, strict=True)):
        typer.echo(f"{ply + 1} {WHO[player]} {event} {names[ply] if names else ''}".rstrip())


def event_names(run: "Run", record: "GameRecord") -> list[str]:
    """Replay a game and return each event in the game's own words.

    Raises:
        SpielBotError: The game cannot be loaded, or its rules are others now.
    """
    from spiel_bot.cli.arguments import load_game

    settings = [f"{key}={json.dumps(value)}" for key, value in run.game_options.items()]
    game = load_game(run.game, settings)
    state = game.from_notation(record.start) if record.start else game.new_game(0)
    names = []
    for player, event in zip(record.players.tolist(), record.events.tolist(), strict=True):
        if player < 0:
            names.append(state.outcome_name(event))
            state.apply_outcome(event)
        else:
            names.append(state.action_name(event))
            state.apply(event)
    return names
