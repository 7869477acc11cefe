"""spiel-bot runs games: the games of a run, and one of them as a game file."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import Json, RunName, StorePath, expect_at_least, open_store
from spiel_bot.errors import BadRequestError, SpielBotError

if TYPE_CHECKING:
    from spiel_bot.games.played import Event, PlayedGame
    from spiel_bot.storage.games import StoredGame
    from spiel_bot.storage.records import GameRecord
    from spiel_bot.storage.runs import Run

RESULTS = {1: "white", 0: "draw", -1: "black"}


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
    """Print one game as a game file, or as JSON."""
    from spiel_bot.games.game_file import game_text

    names: list[str] = []
    text = plain_text(run, stored, record)
    if not plain:
        try:
            played = played_game(run, stored, record)
            names = event_names(played)
            text = game_text(played)
        except SpielBotError as error:
            typer.echo(f"events as numbers only: {error}", err=True)
    if as_json:
        figures = facts(stored) | {
            "game": run.game,
            "options": run.game_options,
            "start": record.start,
            "players_to_act": record.players.tolist(),
            "events": record.events.tolist(),
            "names": names,
        }
        typer.echo(json.dumps(figures))
    else:
        typer.echo(text, nl=False)


def tags_of(run: "Run", stored: "StoredGame") -> dict[str, str]:
    """Return where a game comes from."""
    return {
        "run": run.name,
        "iteration": str(stored.iteration),
        "number": str(stored.number),
        "returns": f"white {stored.white_return:+g}, black {stored.black_return:+g}",
    }


def played_game(run: "Run", stored: "StoredGame", record: "GameRecord") -> "PlayedGame":
    """Return a stored game as one that can be replayed.

    Raises:
        SpielBotError: The game cannot be loaded.
    """
    from spiel_bot.cli.arguments import load_game
    from spiel_bot.games.played import PlayedGame

    settings = [f"{key}={json.dumps(value)}" for key, value in run.game_options.items()]
    return PlayedGame(
        game=load_game(run.game, settings),
        name=run.game,
        players=(stored.players, stored.players),
        seed=stored.seed,
        start=record.start,
        events=events_of(record),
        score=stored.score,
        tags=tags_of(run, stored),
    )


def events_of(record: "GameRecord") -> "tuple[Event, ...]":
    """Return the events of a record."""
    from spiel_bot.games.played import Event

    pairs = zip(record.players.tolist(), record.events.tolist(), strict=True)
    return tuple(Event(player, event) for player, event in pairs)


def plain_text(run: "Run", stored: "StoredGame", record: "GameRecord") -> str:
    """Return a game file with events as numbers, which needs no rules."""
    from spiel_bot.games.game_file import plain_game_text

    options = {f"option {key}": json.dumps(value) for key, value in run.game_options.items()}
    header = {
        "game": run.game,
        **options,
        "white": stored.players or "unknown",
        "black": stored.players or "unknown",
        "seed": str(stored.seed),
        **({"start": record.start} if record.start else {}),
        "result": RESULTS[stored.result],
        **({"score": stored.score} if stored.score else {}),
        **tags_of(run, stored),
    }
    return plain_game_text(header, events_of(record))


def event_names(played: "PlayedGame") -> list[str]:
    """Replay a game and return each event in the game's own words.

    Raises:
        SpielBotError: The rules are others now.
    """
    return [
        state.outcome_name(event.number) if event.player < 0 else state.action_name(event.number)
        for state, event in played.replay()
    ]
