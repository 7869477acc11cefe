"""spiel-bot analyze: the plays of one position ranked, or a whole game judged."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spiel_bot.cli.arguments import (
    GameOptions,
    Json,
    StorePath,
    complete_game,
    expect_at_least,
    load_game,
)
from spiel_bot.errors import BadRequestError, NotationError

if TYPE_CHECKING:
    from spiel_bot.analysis.decision import AnalysisConfig, Decision
    from spiel_bot.analysis.game import GameAnalysis
    from spiel_bot.analysis.judge import Judge

SHOWN_LINE = 5
"""Events of an expected line that fit beside a table."""


class Format(StrEnum):
    """Forms of a report."""

    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


def analyze(
    what: Annotated[
        str, typer.Argument(metavar="POSITION | FILE", help="A position in one line, or a game.")
    ],
    dice: Annotated[
        str | None, typer.Option(help="The roll, such as 6-5, where the position waits for one.")
    ] = None,
    name: Annotated[
        str, typer.Option("--game", help="The game of a position.", autocompletion=complete_game)
    ] = "trictrac",
    model: Annotated[
        str | None,
        typer.Option(
            help="Who judges: a file, RUN or RUN@ITERATION, or expert, rollout or uniform, which "
            "need no network; without it, the shipped bot, or else the newest model of the store.",
            show_default=False,
        ),
    ] = None,
    lookahead: Annotated[int, typer.Option(help="Rolls looked ahead exactly: 0, 1 or 2.")] = 1,
    simulations: Annotated[
        int, typer.Option("--simulations", "-n", help="Descents of the tree beside it; 0 for none.")
    ] = 400,
    seed: Annotated[int, typer.Option(help="Same seed, same tree.")] = 0,
    form: Annotated[
        Format, typer.Option("--format", help="Form of the report on a game.")
    ] = Format.MARKDOWN,
    out: Annotated[Path | None, typer.Option(help="Write to a file instead.")] = None,
    store_path: StorePath = None,
    as_json: Json = False,
    option: GameOptions = None,
) -> None:
    """Rank the plays of a position, or judge every decision of a game file."""
    from spiel_bot.analysis.decision import AnalysisConfig
    from spiel_bot.search.lookahead_config import MAX_PLIES

    expect_at_least(0, seed=seed, simulations=simulations)
    if lookahead not in range(MAX_PLIES + 1):
        raise BadRequestError(f"--lookahead: expected 0 to {MAX_PLIES}, got {lookahead}")
    config = AnalysisConfig(plies=lookahead, simulations=simulations, seed=seed)
    if is_file(what):
        if dice is not None or option:
            raise BadRequestError("a game file has its own rolls and options; leave yours out")
        chosen = Format.JSON if as_json else form
        write_or_print(report_on(Path(what), model, config, chosen, store_path), out)
        return
    if out is not None and not as_json:
        raise BadRequestError("--out is for reports on games, or for --json; leave it out")
    from spiel_bot.analysis.decision import analyse
    from spiel_bot.analysis.judge import load_judge
    from spiel_bot.games.rolled import position_of

    game = load_game(name, option)
    state = position_of(game, what, dice)
    if not state.legal_actions and not state.is_terminal:
        raise BadRequestError("the position waits for a roll; add one such as --dice 6-5")
    judge = load_judge(model, game, store=store_path)
    decision = analyse(judge, state, config)
    if as_json:
        from spiel_bot.analysis.figures import figures_of

        write_or_print(json.dumps(figures_of(decision, judge, config), indent=2) + "\n", out)
    else:
        typer.echo(str(state))
        show(decision, judge, config)


def is_file(what: str) -> bool:
    """Tell a file from a position; what looks like neither is taken for a file that is missing.

    Raises:
        NotationError: It looks like a file, and there is none.
    """
    try:
        if Path(what).is_file():
            return True
    except OSError:  # too long for a name
        return False
    if not any(sign in what for sign in ";, ") or what.endswith(".txt"):
        raise NotationError(f"there is no file {what!r}, and it is no position in one line either")
    return False


def show(decision: "Decision", judge: "Judge", config: "AnalysisConfig") -> None:
    """Print a judged position as a table for people."""
    from rich.console import Console
    from rich.table import Table

    from spiel_bot.analysis.report import judged_by

    pivotal, plays = decision.pivotal, decision.plays
    title = judged_by(judge.game, judge.name, config.plies)
    table = Table(title=title, title_justify="left")
    for column in ("play", "equity", "wins", "loss", "visits", "expected"):
        is_text = column in ("play", "expected")
        table.add_column(
            column,
            justify="left" if is_text else "right",
            no_wrap=column != "expected",
            overflow="ellipsis",
        )
    for one in decision.actions:
        table.add_row(
            one.name,
            f"{one.equity:+.3f}",
            f"{one.win_chance:.1%}",
            f"{one.loss:.3f}" if one.loss else "",
            str(one.visits) if config.simulations else "",
            ", ".join(one.line[1:SHOWN_LINE]).replace("dice show ", ""),
            style="bold" if one is decision.best else None,
        )
    console = Console()
    console.print(table)
    for one in pivotal:
        best = plays[0] if plays else one
        typer.echo(
            f"{one.name if one is decision.best else 'hold'} is best: to hold with {best.name} "
            f"wins {best.win_chance:.1%}, to {one.name} {one.win_chance:.1%}"
        )


def report_on(
    path: Path, model: str | None, config: "AnalysisConfig", form: Format, store: Path | None
) -> str:
    """Judge a game behind a progress bar; return the report.

    Raises:
        SpielBotError: The file cannot be read, or there is nobody to judge.
    """
    from dataclasses import replace

    from rich.console import Console
    from rich.progress import Progress

    from spiel_bot.analysis.game import analyse_game
    from spiel_bot.analysis.judge import load_judge
    from spiel_bot.games.game_file_reader import read_game_file

    played = read_game_file(path)
    judge = load_judge(model, played.game, store=store)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("decisions", total=None)
        analysis = analyse_game(
            judge,
            played,
            replace(config, simulations=0),  # a report shows no trees
            on_judged=lambda done, total: progress.update(bar, completed=done, total=total),
        )
    return written(analysis, form)


def written(analysis: "GameAnalysis", form: Format) -> str:
    """Return a report in one of its forms."""
    from spiel_bot.analysis.report import as_dict, as_markdown
    from spiel_bot.analysis.report_html import as_html

    if form is Format.JSON:
        return json.dumps(as_dict(analysis), indent=2) + "\n"
    return as_html(analysis) if form is Format.HTML else as_markdown(analysis)


def write_or_print(text: str, out: Path | None) -> None:
    """Print a text, or write it to a file whole.

    Raises:
        BadRequestError: The file cannot be written.
    """
    from spiel_bot.files import write_atomically

    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        write_atomically(out, text.encode())
    except OSError as error:
        raise BadRequestError(f"cannot write {out}: {error.strerror}") from error
    typer.echo(f"wrote {out}")
