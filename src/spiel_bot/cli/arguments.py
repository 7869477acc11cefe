"""Arguments that several commands share: a game with its options, a run store and its runs."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spiel_bot.errors import BadRequestError, GameOptionError

if TYPE_CHECKING:
    from spiel_bot.games.base import Game
    from spiel_bot.storage.store import Store


def complete_game(incomplete: str) -> list[str]:
    """Return the names a shell may complete."""
    from spiel_bot.games.catalogue import names

    return [name for name in names() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=complete_game,
        help="A name from 'spiel-bot games', module:attribute, or path/to/file.py:attribute.",
    ),
]

GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="Option of the game, such as target=50."
    ),
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]

StorePath = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="PATH",
        envvar="SPIEL_BOT_STORE",
        show_default=False,
        help="Folder of the run store; without it, your own.",
    ),
]

RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="Name or number of a run, or the word latest.")
]


def open_store(path: Path | None) -> "Store":
    """Open a store that is there; a command that only looks makes none.

    Raises:
        StoreError: There is none, or it cannot be opened.
    """
    from spiel_bot.storage.store import Store

    return Store(path, create=False)


def expect_at_least(least: float, **numbers: float) -> None:
    """Refuse an argument that is too small, before any work begins.

    Raises:
        BadRequestError: A number is below `least`.
    """
    for name, value in numbers.items():
        if not value >= least:
            raise BadRequestError(f"--{name}: expected at least {least}, got {value}")


def load_game(name: str, settings: list[str] | None = None) -> "Game":
    """Load a game as the command line names it.

    Modules in the current directory are found too, after the installed ones.
    """
    from spiel_bot.games.registry import load

    find_modules_here()
    return load(name, **dict(map(parse_setting, settings or [])))


def find_modules_here() -> None:
    """Let games of modules in the current directory be found, after the installed ones."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)


def parse_setting(setting: str) -> tuple[str, Any]:
    """Split ``key=value``; numbers, true and false become Python values, the rest is text.

    Raises:
        GameOptionError: There is no key or no equals sign.
    """
    key, separator, value = setting.partition("=")
    if not key or not separator:
        raise GameOptionError(f"expected an option as key=value, got {setting!r}")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value
