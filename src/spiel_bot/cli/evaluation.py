"""spiel-bot eval: a match of two players on the same dice, and what it says about strength."""

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import (
    GameOptions,
    Json,
    StorePath,
    complete_game,
    expect_at_least,
    load_game,
)
from spiel_bot.errors import BadRequestError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from spiel_bot.arena.luck import Luck
    from spiel_bot.arena.result import MatchResult
    from spiel_bot.arena.sprt import Sprt
    from spiel_bot.games.base import Game
    from spiel_bot.players.base import Recipe

EXPERT = "expert"

PlayerText = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER",
        help="Such as random, greedy, expert, net:MODEL, search:MODEL,simulations=32 or bot.",
    ),
]

MatchGame = Annotated[str, typer.Option("--game", help="The game.", autocompletion=complete_game)]
Games = Annotated[int, typer.Option("--games", "-n", help="Games; two for each pair of seats.")]
Seed = Annotated[int, typer.Option(help="Root seed: same seed, same match.")]
Threads = Annotated[
    int | None,
    typer.Option(help="Threads that share the games; one a core by default.", show_default=False),
]


def evaluate(
    first: PlayerText,
    second: PlayerText,
    num_games: Games = 1000,
    seed: Seed = 0,
    name: MatchGame = "trictrac",
    luck: Annotated[
        str | None,
        typer.Option(
            metavar="NET",
            help="Take the luck of the dice off, judged by this model, or by expert.",
            show_default=False,
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as one of two differences in Elo is clear, such as -5,5.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    save: Annotated[
        bool, typer.Option("--save", help="Keep the match in the store, for ratings.")
    ] = False,
    store_path: StorePath = None,
    as_json: Json = False,
    option: GameOptions = None,
) -> None:
    """Play two players against each other: pairs of games on the same dice, seats changed."""
    from spiel_bot.arena.sprt import Sprt
    from spiel_bot.players.spec import prepare

    pairs = pairs_of(num_games)
    expect_at_least(0, seed=seed)
    test = None if sprt is None else Sprt.parse(sprt)
    game = load_game(name, option)
    recipes = (
        prepare(first, game, store=store_path),
        prepare(second, game, store=store_path),
    )
    judge = None if luck is None else luck_of(luck, game, store_path)
    started = time.perf_counter()
    result = play(game, recipes, pairs, seed, threads=threads, luck=judge, sprt=test)
    figures = {"game": game.spec.name, "options": dict(game.spec.options)} | result.figures()
    figures["seconds"] = round(time.perf_counter() - started, 3)
    if save:
        from spiel_bot.arena.tournament import stored_match
        from spiel_bot.storage.store import Store

        with Store(store_path) as store:
            store.matches.add(stored_match(game, result))
    if as_json:
        typer.echo(json.dumps(figures, indent=2))
    else:
        show(figures)


def pairs_of(num_games: int) -> int:
    """Return the pairs of so many games.

    Raises:
        BadRequestError: The number is not even, or less than 2.
    """
    if num_games < 2 or num_games % 2:
        raise BadRequestError(
            f"--games: expected an even number, two games for each pair of seats, got {num_games}"
        )
    return num_games // 2


def luck_of(text: str, game: "Game", store: Path | None) -> "Luck":
    """Return the judge of luck that a text names: a model, or expert."""
    from spiel_bot.arena.luck import Luck
    from spiel_bot.players.models import load_model
    from spiel_bot.players.trictrac import ExpertEvaluator, by_outcome

    if text == EXPERT:
        return Luck(by_outcome(game), ExpertEvaluator(game), text)
    model = load_model(text, game, store=store)
    return Luck(model.game, model.evaluator, model.name)


def play(
    game: "Game",
    recipes: "tuple[Recipe, Recipe]",
    pairs: int,
    seed: int,
    *,
    threads: int | None = None,
    luck: "Luck | None" = None,
    sprt: "Sprt | None" = None,
) -> "MatchResult":
    """Play a match behind a progress bar that shows the result so far."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from spiel_bot.arena.match import share_match

    if threads is not None:
        expect_at_least(1, threads=threads)
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[score]}"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(f"{recipes[0].name} - {recipes[1].name}", total=2 * pairs, score="")
        counts = {"wins": 0, "draws": 0, "losses": 0}

        def report(returns: "npt.NDArray[np.float32]") -> None:
            counts["wins"] += int((returns > 0).sum())
            counts["losses"] += int((returns < 0).sum())
            counts["draws"] += int((returns == 0).sum())
            done = sum(counts.values())
            score = (counts["wins"] + counts["draws"] / 2) / done
            bar.update(task, completed=done, score=f"{score:.1%}")

        return share_match(
            game,
            recipes,
            pairs,
            seed,
            threads=threads or os.cpu_count() or 1,
            luck=luck,
            sprt=sprt,
            report=report,
        )


def show(figures: dict[str, Any]) -> None:
    """Print a match for people."""
    typer.echo(
        f"{figures['first']} against {figures['second']}: {figures['games']:,} games of "
        f"{figures['game']}, seed {figures['seed']}, {figures['seconds']:.1f} s"
    )
    draws = f", {figures['draws']:,} drawn" if figures["draws"] else ""
    typer.echo(
        f"  {figures['wins']:,} won, {figures['losses']:,} lost{draws}: "
        f"{figures['win_rate']:.1%}{plus_minus(figures['win_rate_error'], '.1%')}"
    )
    if figures["hole_margin"] is not None:
        error = plus_minus(figures["hole_margin_error"], ".2f")
        typer.echo(f"  hole margin {figures['hole_margin']:+.2f}{error}")
    typer.echo(f"  {elo_text(figures)}")
    if "luck" in figures:
        luck = figures["luck"]
        error = plus_minus(luck["win_rate_error"], ".1%")
        typer.echo(f"  without luck, by {luck['by']}: {luck['win_rate']:.1%}{error}")
        typer.echo(f"  {elo_text(luck)}")
    if "sprt" in figures:
        typer.echo(f"  {sprt_text(figures['sprt'])}")
    typer.echo(
        f"  {figures['distinct_games']:,} distinct games of {figures['average_plies']:.0f} plies"
    )


def elo_text(figures: dict[str, Any]) -> str:
    """Return a difference in Elo for people."""
    return (
        f"Elo {figures['elo']:+.0f} ± {figures['elo_error']:.0f}, "
        f"superior with likelihood {figures['superiority']:.1%}"
    )


def sprt_text(sprt: dict[str, Any]) -> str:
    """Return what a sequential test has found, for people."""
    meaning = {
        "H0": f"H0 accepted: not {sprt['elo1']:+g} Elo",
        "H1": f"H1 accepted: at least {sprt['elo0']:+g} Elo",
        "undecided": "undecided",
    }
    ratio, bound = sprt["log_likelihood_ratio"], sprt["bounds"][1]
    return (
        f"SPRT {sprt['elo0']:+g} against {sprt['elo1']:+g}: {meaning[sprt['accepted']]} "
        f"(log-likelihood ratio {ratio:+.2f}, bounds ±{bound:.2f})"
    )


def plus_minus(error: float | None, form: str) -> str:
    """Return an error as a tail of a figure, nothing where it is not known."""
    return "" if error is None else f" ± {error:{form}}"
