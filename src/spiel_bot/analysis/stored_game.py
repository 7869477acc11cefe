"""A game of the run store as one that can be replayed, shown and written to a file."""

import json
from typing import Any

from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import Game
from spiel_bot.games.game_file import game_text, plain_game_text
from spiel_bot.games.played import Event, PlayedGame
from spiel_bot.games.registry import load
from spiel_bot.storage.games import StoredGame
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.runs import Run

RESULTS = {1: "white", 0: "draw", -1: "black"}


def game_of(run: Run) -> Game:
    """Return the game that a run learns.

    Raises:
        SpielBotError: It cannot be loaded here.
    """
    return load(run.game, **run.game_options)


def played_game(run: Run, stored: StoredGame, record: GameRecord) -> PlayedGame:
    """Return a stored game as one that can be replayed.

    Raises:
        SpielBotError: The game cannot be loaded.
    """
    return PlayedGame(
        game=game_of(run),
        name=run.game,
        players=(stored.players, stored.players),
        seed=stored.seed,
        start=record.start,
        events=events_of(record),
        score=stored.score,
        tags=tags_of(run, stored),
    )


def events_of(record: GameRecord) -> tuple[Event, ...]:
    """Return the events of a record."""
    pairs = zip(record.players.tolist(), record.events.tolist(), strict=True)
    return tuple(Event(player, event) for player, event in pairs)


def tags_of(run: Run, stored: StoredGame) -> dict[str, str]:
    """Return where a game comes from."""
    return {
        "run": run.name,
        "iteration": str(stored.iteration),
        "number": str(stored.number),
        "returns": f"white {stored.white_return:+g}, black {stored.black_return:+g}",
    }


def file_text(run: Run, stored: StoredGame, record: GameRecord) -> tuple[str, str]:
    """Return a game as the text of a game file, and why its events are numbers if they are."""
    try:
        return game_text(played_game(run, stored, record)), ""
    except SpielBotError as error:  # the rules are others now, or the game is not here
        return plain_text(run, stored, record), f"events as numbers only: {error}"


def plain_text(run: Run, stored: StoredGame, record: GameRecord) -> str:
    """Return a game file with events as numbers, which needs no rules."""
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


def facts(game: StoredGame) -> dict[str, Any]:
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


def details(run: Run, stored: StoredGame, record: GameRecord) -> dict[str, Any]:
    """Return a whole game for JSON; without names where its events cannot be replayed."""
    try:
        names = event_names(played_game(run, stored, record))
    except SpielBotError:
        names = []
    return facts(stored) | {
        "game": run.game,
        "options": run.game_options,
        "start": record.start,
        "players_to_act": record.players.tolist(),
        "events": record.events.tolist(),
        "names": names,
    }


def event_names(played: PlayedGame) -> list[str]:
    """Replay a game and return each event in the game's own words.

    Raises:
        SpielBotError: The rules are others now.
    """
    return [
        state.outcome_name(event.number) if event.player < 0 else state.action_name(event.number)
        for state, event in played.replay()
    ]
