"""spiel-bot search: one position searched, its actions compared, its tree shown."""

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.cli.arguments import GameOptions, Json, complete_game, expect_at_least, load_game
from spiel_bot.errors import BadRequestError

if TYPE_CHECKING:
    from spiel_bot.games.base import Environment, Game
    from spiel_bot.search.evaluator import Evaluator


class Judge(StrEnum):
    """Who judges new positions."""

    ROLLOUT = "rollout"
    UNIFORM = "uniform"
    HASH = "hash"


class Select(StrEnum):
    """How actions are selected; `MctsConfig.selection`."""

    PUCT = "puct"
    GUMBEL = "gumbel"


class Chance(StrEnum):
    """What a roll does; `MctsConfig.chance`."""

    SAMPLE = "sample"
    LEAF = "leaf"
    QUOTA = "quota"
    EXPECT = "expect"


def search(
    position: Annotated[str, typer.Argument(help="The position in one line.")],
    dice: Annotated[
        str | None, typer.Option(help="The roll, such as 6-5, where the position waits for one.")
    ] = None,
    name: Annotated[
        str, typer.Option("--game", help="The game.", autocompletion=complete_game)
    ] = "trictrac",
    simulations: Annotated[int, typer.Option("--simulations", "-n", help="Descents.")] = 200,
    select: Annotated[Select, typer.Option(help="How actions are selected.")] = Select.PUCT,
    chance: Annotated[Chance, typer.Option(help="What a roll in the tree does.")] = Chance.QUOTA,
    evaluator: Annotated[Judge, typer.Option(help="Who judges new positions.")] = Judge.ROLLOUT,
    batch: Annotated[int, typer.Option(help="Leaves for each call of the evaluator.")] = 8,
    lookahead: Annotated[
        int | None,
        typer.Option(
            help="Look 0, 1 or 2 rolls ahead, exactly. Options of the tree then mean nothing.",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same search.")] = 0,
    show_tree: Annotated[bool, typer.Option("--show-tree", help="Draw the tree.")] = False,
    depth: Annotated[int, typer.Option(help="Levels of the tree that are shown.")] = 4,
    min_visits: Annotated[int, typer.Option(help="Least visits of a node that is shown.")] = 2,
    record: Annotated[
        bool, typer.Option("--record", help="With --json: what each simulation did.")
    ] = False,
    as_json: Json = False,
    option: GameOptions = None,
) -> None:
    """Search one position: actions with visits, value and prior, and on request the tree."""
    from spiel_bot.games.rolled import position_of

    expect_at_least(0, seed=seed, depth=depth)
    expect_at_least(1, simulations=simulations, batch=batch, min_visits=min_visits)
    if lookahead is not None and (show_tree or record):
        raise BadRequestError("--lookahead makes no tree; leave out --show-tree and --record")
    if record and not as_json:
        raise BadRequestError("--record is for other programs; add --json")
    game = load_game(name, option)
    state = position_of(game, position, dice)
    judge = judge_of(game, evaluator, seed)
    if lookahead is not None:
        figures = look_ahead(state, judge, lookahead)
    else:
        config = {
            "n_simulations": simulations,
            "selection": select.value,
            "chance": chance.value,
            "eval_batch_size": batch,
            "time_limit_seconds": seconds,
        }
        figures = grow(state, judge, config, seed, (depth, min_visits), record=record)
        if not show_tree:
            del figures["tree"]
    if as_json:
        typer.echo(json.dumps(figures, indent=2))
    else:
        show(state, figures)


def judge_of(game: "Game", judge: Judge, seed: int) -> "Evaluator":
    """Return the evaluator of this name."""
    from spiel_bot.search.evaluator import HashEvaluator, UniformEvaluator
    from spiel_bot.search.rollout import RolloutEvaluator

    if judge is Judge.ROLLOUT:
        return RolloutEvaluator(game, seed=seed)
    return HashEvaluator(game, seed) if judge is Judge.HASH else UniformEvaluator(game)


def look_ahead(state: "Environment", judge: "Evaluator", plies: int) -> dict[str, Any]:
    """Return what an exact lookahead says, for JSON."""
    from spiel_bot.search.lookahead import Lookahead
    from spiel_bot.search.lookahead_config import LookaheadConfig
    from spiel_bot.search.report import figures_of

    most = state.game.spec.max_legal_actions
    config = LookaheadConfig(plies=plies, candidates=most, finalists=most)
    result = Lookahead(state.game, judge, config).run(state.record.reshape(1))
    return figures_of(state, result, by_visits=False)


def grow(
    state: "Environment",
    judge: "Evaluator",
    settings: dict[str, Any],
    seed: int,
    shown: tuple[int, int],
    *,
    record: bool,
) -> dict[str, Any]:
    """Return what a tree search found, for JSON, with the tree and what was recorded."""
    from spiel_bot.rng import Purpose, streams
    from spiel_bot.search.batch import Search
    from spiel_bot.search.config import MctsConfig
    from spiel_bot.search.inspect import Pruning, Recorder, principal_variation, tree_as_dict
    from spiel_bot.search.report import figures_of

    tree_search = Search(state.game, judge, MctsConfig(**settings).without_exploration())
    recorder = Recorder() if record else None
    result = tree_search.run(
        state.record.reshape(1), streams(seed, Purpose.SEARCH, [0]), watcher=recorder
    )
    pruning = Pruning(max_depth=shown[0], min_visits=shown[1])
    figures = figures_of(state, result)
    figures["principal_variation"] = principal_variation(tree_search, result)
    figures["tree"] = tree_as_dict(tree_search, pruning=pruning)
    if recorder is not None:
        figures["recorded"] = recorder.simulations
    return figures


def show(state: "Environment", figures: dict[str, Any]) -> None:
    """Print the board, the actions and the tree for people."""
    from rich.console import Console
    from rich.table import Table

    from spiel_bot.search.inspect import tree_as_text

    console = Console()
    typer.echo(str(state))
    table = Table(title=f"white's value {figures['value']:+.3f}")
    for column in ("action", "visits", "value", "prior"):
        table.add_column(column, justify="left" if column == "action" else "right")
    has_visits = any(row["visits"] for row in figures["actions"])
    for row in figures["actions"]:
        has_value = row["visits"] > 0 or not has_visits
        table.add_row(
            row["name"],
            str(row["visits"]),
            f"{row['value']:+.3f}" if has_value else "",
            f"{row['prior']:.3f}",
            style="bold" if row["action"] == figures["action"] else None,
        )
    if figures["actions"]:
        console.print(table)
    if figures.get("principal_variation"):
        typer.echo("expected: " + ", ".join(figures["principal_variation"]))
    if "tree" in figures:
        typer.echo(tree_as_text(figures["tree"]))
