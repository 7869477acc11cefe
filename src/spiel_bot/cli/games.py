"""spiel-bot games: which games there are, and whether one keeps the contract."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from spiel_bot.cli.arguments import GameName, GameOptions, Json, load_game
from spiel_bot.errors import SpielBotError

if TYPE_CHECKING:
    from spiel_bot.games.base import GameSpec

app = typer.Typer(help="List the games, or check one against the game contract.")


@app.callback(invoke_without_command=True)
def list_games(context: typer.Context, as_json: Json = False) -> None:
    """List the games with their actions, observations and chance outcomes."""
    if context.invoked_subcommand is not None:
        return
    from spiel_bot.games.catalogue import names

    specs: dict[str, GameSpec] = {}
    broken: dict[str, str] = {}
    for name in names():
        try:
            specs[name] = load_game(name).spec
        except SpielBotError as error:  # a game of another package must not hide the others
            broken[name] = str(error)
    if as_json:
        found = {name: describe(spec) for name, spec in specs.items()}
        errors = {name: {"error": reason} for name, reason in broken.items()}
        typer.echo(json.dumps(found | errors, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "actions", "observation", "outcomes", "plies")
    table.add_column("options", overflow="fold")
    for name, spec in specs.items():
        table.add_row(
            name,
            str(spec.num_actions),
            " x ".join(map(str, spec.observation_shape)),
            str(spec.num_chance_outcomes) if spec.num_chance_outcomes else "no chance",
            f"≤ {spec.max_plies}" if spec.max_plies else "no bound",
            "\n".join(f"{key}={value}" for key, value in spec.options.items()) or "none",
        )
    Console().print(table)
    for name, reason in broken.items():
        typer.echo(f"{name} cannot be loaded: {reason}")


@app.command()
def check(
    name: GameName,
    option: GameOptions = None,
    num_games: Annotated[int, typer.Option("--games", help="Random games to play.")] = 200,
    seed: Annotated[int, typer.Option(help="Root seed of dice and choices.")] = 0,
    as_json: Json = False,
) -> None:
    """Play random games and check every clause of the contract."""
    from spiel_bot.games.clauses import CLAUSES
    from spiel_bot.games.contract import check_game

    game = load_game(name, option)
    report = check_game(game, num_games=num_games, seed=seed)
    if as_json:
        typer.echo(json.dumps({"game": game.spec.name, "clauses": len(CLAUSES)} | asdict(report)))
        return
    typer.echo(
        f"{game.spec.name} keeps all {len(CLAUSES)} clauses of the contract "
        f"({report.num_games} games, {report.num_positions} positions, "
        f"{report.num_texts} texts read back)"
    )


def describe(spec: "GameSpec") -> dict[str, object]:
    """Return the spec as JSON can hold it."""
    return {
        "num_actions": spec.num_actions,
        "max_legal_actions": spec.max_legal_actions,
        "observation_shape": list(spec.observation_shape),
        "num_chance_outcomes": spec.num_chance_outcomes,
        "return_range": list(spec.return_range),
        "max_plies": spec.max_plies,
        "versions": {
            "rules": spec.rules_version,
            "actions": spec.actions_version,
            "observation": spec.observation_version,
        },
        "options": dict(spec.options),
    }
