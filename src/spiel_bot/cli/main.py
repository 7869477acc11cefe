"""spiel-bot: joins the commands, and turns every error into one line."""

import os
import sys
import traceback
from typing import Annotated

import typer

from spiel_bot import __version__
from spiel_bot.cli import (
    analyze,
    bench,
    eval_run,
    evaluation,
    export,
    games,
    play,
    random_games,
    ratings,
    referee,
    runs,
    search,
    serve,
    train,
)
from spiel_bot.errors import SpielBotError

USAGE_EXIT_CODE = 2

# Typer's own usage errors; which module defines their base differs between Typer's versions.
USAGE_ERRORS: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)

app = typer.Typer(
    name="spiel-bot",
    help="Learn board games with dice by self-play, and play them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(games.app, name="games")
app.add_typer(runs.app, name="runs")
app.command("random-games")(random_games.random_games)
app.command("referee")(referee.referee)
app.command("search")(search.search)
app.command("analyze")(analyze.analyze)
app.command("play")(play.play)
app.command("export")(export.export)
app.command("train", context_settings=train.CONTEXT)(train.train)
app.command("eval")(evaluation.evaluate)
app.command("eval-run")(eval_run.eval_run)
app.command("ratings")(ratings.ratings)
app.command("bench")(bench.bench)
app.command("serve")(serve.serve)


def show_version(is_wanted: bool) -> None:
    """Print the version and stop."""
    if is_wanted:
        typer.echo(f"spiel-bot {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the whole traceback of an error.")
    ] = False,
) -> None:
    """Learn board games with dice by self-play, and play them."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 if all is well, 2 and one line on stderr if not."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    # Accepted after the command too, where people put it once something has gone wrong.
    rest = [argument for argument in given if argument != "--debug"]
    try:
        code = app(rest, prog_name="spiel-bot", standalone_mode=False)
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The reader (head, less) went away; keep the interpreter from complaining at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except Exception as error:
        code = report(error, debug=debug)
    sys.exit(code if isinstance(code, int) else 0)


def report(error: Exception, *, debug: bool) -> int:
    """Print one line about an error, or the traceback, and return the exit code."""
    if debug:
        traceback.print_exception(error)
    elif isinstance(error, USAGE_ERRORS):
        message = getattr(error, "format_message", error.__str__)()
        if message:  # empty where the help was shown instead
            say_error(message)
    elif isinstance(error, SpielBotError):
        say_error(str(error))
    else:
        say_error(f"{type(error).__name__}: {error} (--debug shows where)")
    return USAGE_EXIT_CODE


def say_error(message: str) -> None:
    """Write one line to stderr."""
    typer.echo("error: " + " ".join(message.split()), err=True)
