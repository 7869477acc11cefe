"""spiel-bot play: a game at the terminal, against any player or another person."""

import importlib
import itertools
import secrets
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spiel_bot.cli.arguments import GameOptions, StorePath, complete_game, expect_at_least
from spiel_bot.cli.arguments import load_game as game_of
from spiel_bot.errors import BadRequestError
from spiel_bot.players.words import Language, Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from spiel_bot.cli.table.loop import Table
    from spiel_bot.cli.table.narrator import Narrator
    from spiel_bot.games.base import Game
    from spiel_bot.games.played import PlayedGame
    from spiel_bot.players.base import Player
    from spiel_bot.players.session import Session

HUMAN = "human"
LEVEL_NAMES = {"beginner": 1, "easy": 2, "medium": 3, "strong": 4, "full": 5}


class Side(StrEnum):
    """Where the person sits."""

    WHITE = "white"
    BLACK = "black"


def play(
    against: Annotated[
        str | None,
        typer.Option(
            help="The opponent, such as expert, bot, search:RUN,simulations=64, or human for two "
            "people at one table; without it, the shipped bot, or the best there is for the game.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str, typer.Option("--game", help="The game.", autocompletion=complete_game)
    ] = "trictrac",
    language: Annotated[Language, typer.Option(help="Language of the table.")] = Language.EN,
    level: Annotated[
        str,
        typer.Option(
            help="Strength: beginner, easy, medium, strong or full, or 1 to 5. 50, 30, 15, 5 and "
            "0 % of the opponent's moves are random."
        ),
    ] = "full",
    side: Annotated[
        Side | None,
        typer.Option(help="Where you sit: white, or as in the saved game.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same dice.", show_default=False)
    ] = None,
    load: Annotated[
        Path | None, typer.Option(help="Go on with a game file.", show_default=False)
    ] = None,
    store_path: StorePath = None,
    option: GameOptions = None,
) -> None:
    """Play at the terminal; help at the prompt says what can be typed."""
    from rich.console import Console

    from spiel_bot.analysis.judge import default_judge
    from spiel_bot.cli.table.loop import Table
    from spiel_bot.cli.table.narrator import Narrator
    from spiel_bot.players.default import player_before
    from spiel_bot.players.session import Session

    if seed is not None:
        expect_at_least(0, seed=seed)
    chosen_level = level_of(level)
    words = Words(language)
    console = Console(highlight=False)
    played = begin(name, option, load, seed)
    own_side = list(Side).index(side) if side else int(played.players[1] == HUMAN)
    before = player_before(played.players[1 - own_side])
    text, note = opponent_text(against or before, played.game, store_path, words)
    players = seats(text, chosen_level, own_side, played.game, store_path)
    if not any(played.players):
        played = with_names(played, players)
    session = Session(played, players, secrets.randbits(64) if seed is None else seed)
    narrator = Narrator(console, words)
    greet(narrator, session, note, chosen_level if players else 5)
    table = Table(session, narrator, asker(console), lambda: default_judge(played.game, store_path))
    try:
        table.run()
    except (EOFError, KeyboardInterrupt):
        console.print()
    leave(table, narrator, load)


def level_of(text: str) -> int:
    """Return the number of a level.

    Raises:
        BadRequestError: There is none of this name.
    """
    number = LEVEL_NAMES.get(text.lower()) or (int(text) if text in "12345" and text else 0)
    if not 1 <= number <= len(LEVEL_NAMES):
        known = ", ".join(LEVEL_NAMES)
        raise BadRequestError(f"--level: expected {known}, or 1 to 5, got {text!r}")
    return number


def begin(name: str, option: list[str] | None, load: Path | None, seed: int | None) -> "PlayedGame":
    """Return the game to be played: a new one, or a saved one.

    Raises:
        SpielBotError: There is no such game, or the file cannot be read.
    """
    from dataclasses import replace
    from datetime import UTC, datetime

    from spiel_bot.games.game_file_reader import read_game_file
    from spiel_bot.games.played import PlayedGame

    if load is not None:
        if option:
            raise BadRequestError("a saved game has its own options; leave yours out")
        return replace(read_game_file(load), seed=None)
    today = datetime.now(UTC).date().isoformat()
    chosen = secrets.randbits(32) if seed is None else seed
    return PlayedGame(game=game_of(name, option), name=name, seed=chosen, tags={"date": today})


def opponent_text(against: str, game: "Game", store: Path | None, words: Words) -> tuple[str, str]:
    """Return the opponent as text, and what to say of it; by default the best at hand."""
    from spiel_bot.players.default import BOT, default_player

    if against:
        return against, ""
    found = default_player(game, store)
    return found, "" if found == BOT else words("no_model", player=found)


def seats(
    text: str, level: int, own_side: int, game: "Game", store: Path | None
) -> "dict[int, Player]":
    """Return who plays the sides that no person does.

    Raises:
        SpielBotError: The text names no player, or one that cannot play this game.
    """
    from spiel_bot.players.default import at_level
    from spiel_bot.players.spec import new_player

    if text == HUMAN:
        return {}
    return {1 - own_side: new_player(at_level(text, level), game, store=store)}


def with_names(played: "PlayedGame", players: "dict[int, Player]") -> "PlayedGame":
    """Return the game with the names of who sits where."""
    from dataclasses import replace

    names = [players[side].name if side in players else HUMAN for side in (0, 1)]
    return replace(played, players=(names[0], names[1]))


def asker(console: "Console") -> "Callable[[str], str]":
    """Return how a line is read: with history at a terminal, and repeated where it is piped."""
    if sys.stdin.isatty():
        with suppress(ImportError):  # not on every system
            importlib.import_module("readline")  # gives input() its history
        return input

    def ask(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        console.print(f"{prompt}{line.rstrip()}", markup=False, soft_wrap=True)
        return line

    return ask


def greet(narrator: "Narrator", session: "Session", note: str, level: int) -> None:
    """Say who plays."""
    from spiel_bot.players.mixed import LEVELS

    played, words = session.played(), narrator.words
    names = [
        words("you") if session.humans == (side,) else player or "?"
        for side, player in enumerate(played.players)
    ]
    white, black = names
    game = played.game.spec.name
    narrator.say(words("welcome", game=game, white=white, black=black), style="bold")
    if note:
        narrator.say(note)
    if LEVELS[level] > 0:
        narrator.say(words("level", level=level, share=LEVELS[level]))
    if played.events:
        narrator.say(words("resumed", count=len(played.events)))


def leave(table: "Table", narrator: "Narrator", loaded: Path | None) -> None:
    """Keep an unfinished game, and say goodbye."""
    from spiel_bot.cli.table.loop import save
    from spiel_bot.storage.location import default_path

    words, session = narrator.words, table.session
    if session.events and not session.is_over:
        path = unfinished_path(default_path().parent, loaded)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            save(session, path)
        except OSError as error:
            narrator.say(words("failed", reason=f"{path}: {error.strerror or error}"))
        else:
            narrator.say(words("kept", path=path), wrap=False)
    narrator.say(words("bye"))


def unfinished_path(folder: Path, loaded: Path | None) -> Path:
    """Return where to keep a game: over the kept game it went on from, else under a new name."""
    for number in itertools.count(1):
        path = folder / ("unfinished_game.txt" if number == 1 else f"unfinished_game_{number}.txt")
        if not path.exists() or (loaded is not None and loaded.resolve() == path.resolve()):
            break
    return path
