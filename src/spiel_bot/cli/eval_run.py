"""spiel-bot eval-run: the win rate of each checkpoint of a run against random."""

import json
from typing import TYPE_CHECKING, Any

import typer

from spiel_bot.cli.arguments import Json, RunName, StorePath, expect_at_least, load_game, open_store
from spiel_bot.cli.evaluation import Games, Seed, Threads, pairs_of, play
from spiel_bot.errors import BadRequestError

if TYPE_CHECKING:
    from spiel_bot.storage.store import Store

OPPONENT = "random"


def eval_run(
    name: RunName = "latest",
    num_games: Games = 200,
    seed: Seed = 0,
    threads: Threads = None,
    store_path: StorePath = None,
    as_json: Json = False,
) -> None:
    """Play each stored checkpoint of a run against random, and report the win rates."""
    from spiel_bot.players.spec import prepare

    pairs = pairs_of(num_games)
    expect_at_least(0, seed=seed)
    with open_store(store_path) as store:
        run = store.runs.find(name)
        iterations = stored_iterations(store, run.id)
        if not iterations:
            raise BadRequestError(f"run {run.name} has no stored weights yet")
        settings = [f"{key}={json.dumps(value)}" for key, value in run.game_options.items()]
        game = load_game(run.game, settings)
        rows: list[dict[str, Any]] = []
        for iteration in iterations:
            player = prepare(f"net:{run.name}@{iteration}", game, store=store.path)
            opponent = prepare(OPPONENT, game)
            result = play(game, (player, opponent), pairs, seed, threads=threads)
            rows.append({"iteration": iteration} | result.figures())
            if not as_json:
                row = rows[-1]
                typer.echo(
                    f"{row['first']}: {row['win_rate']:.1%} of {row['games']:,} games, "
                    f"Elo {row['elo']:+.0f} ± {row['elo_error']:.0f}"
                )
    if as_json:
        typer.echo(json.dumps({"run": run.name, "checkpoints": rows}, indent=2))


def stored_iterations(store: "Store", run: int) -> list[int]:
    """Return the iterations of a run whose weights are stored."""
    stored = [one.iteration for one in store.checkpoints.all(run) if one.file is not None]
    return sorted(set(stored))
