"""Matches and ratings: who met whom, how it ended, and what that says about strength."""

import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spiel_bot.errors import RecordError
from spiel_bot.storage.database import Database
from spiel_bot.storage.documents import from_json, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match, counted for the first player."""

    game: str
    first: str
    """Player as text; `second` is the other."""

    second: str
    wins: int
    losses: int
    draws: int
    seed: int
    run_id: int | None = None
    """Run it belongs to, if any."""

    iteration: int | None = None
    margin: float | None = None
    """Mean margin of a game, in the game's own measure."""

    elo: float | None = None
    """Elo difference."""

    elo_error: float | None = None
    distinct_games: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    """Anything else that JSON can hold."""

    id: int = 0
    """Given by the store."""

    created: float = 0.0
    """Given by the store."""

    @property
    def games(self) -> int:
        """Games of the match."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """How strong a player is, within a game."""

    id: int
    run_id: int | None
    iteration: int | None
    game: str
    player: str
    elo: float
    error: float
    games: int
    created: float


MATCH_COLUMNS = (
    "game",
    "first",
    "second",
    "games",
    "wins",
    "losses",
    "draws",
    "seed",
    "run_id",
    "iteration",
    "margin",
    "elo",
    "elo_error",
    "distinct_games",
    "details",
    "created",
)


class Matches:
    """The matches of all runs, and those that belong to none."""

    def __init__(self, database: Database) -> None:
        """Work on this database."""
        self.database = database

    def add(self, match: Match) -> Match:
        """Store a match and return it with its number and time.

        Raises:
            RecordError: There is no such run.
        """
        match = replace(match, created=time.time())
        values = {column: getattr(match, column) for column in MATCH_COLUMNS}
        values["seed"] = str(match.seed)
        values["details"] = to_json("details", match.details)
        places = ", ".join(f":{column}" for column in MATCH_COLUMNS)
        try:
            number = self.database.write(
                f"INSERT INTO matches ({', '.join(MATCH_COLUMNS)}) VALUES ({places})", values
            )
        except sqlite3.IntegrityError as error:
            raise RecordError(f"the match does not fit run {match.run_id}: {error}") from None
        return replace(match, id=number)

    def all(
        self, run: int | None = None, *, player: str | None = None, limit: int = 1000
    ) -> list[Match]:
        """Return matches, the newest first: of a run, of a player, or all."""
        rows = self.database.read(
            "SELECT * FROM matches WHERE (:run IS NULL OR run_id = :run)"
            " AND (:player IS NULL OR :player IN (first, second)) ORDER BY id DESC LIMIT :limit",
            {"run": run, "player": player, "limit": limit},
        )
        return [_match_of(row) for row in rows]


class Ratings:
    """Ratings over time; a new one does not replace the old."""

    def __init__(self, database: Database) -> None:
        """Work on this database."""
        self.database = database

    def add_many(
        self,
        game: str,
        rated: Sequence[tuple[str, float, float, int]],
        *,
        run: int | None = None,
        iteration: int | None = None,
    ) -> None:
        """Store the outcome of one calculation together.

        Args:
            game: Name of the game.
            rated: Player, Elo, error and number of games of each.
            run: Run it belongs to, if any.
            iteration: Iteration of that run.

        Raises:
            RecordError: A number is not one, or there is no such run.
        """
        now = time.time()
        try:
            self.database.write_many(
                "INSERT INTO ratings (run_id, iteration, game, player, elo, error, games, created)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(run, iteration, game, *row, now) for row in rated],
            )
        except sqlite3.IntegrityError as error:
            raise RecordError(f"the ratings do not fit run {run}: {error}") from None

    def newest(self, game: str, *, run: int | None = None) -> list[Rating]:
        """Return the newest rating of each player, the strongest first."""
        rows = self.database.read(
            "SELECT * FROM ratings WHERE id IN (SELECT MAX(id) FROM ratings WHERE game = :game"
            " AND (:run IS NULL OR run_id = :run) GROUP BY player) ORDER BY elo DESC",
            {"game": game, "run": run},
        )
        return [Rating(**row) for row in rows]

    def history(self, game: str, player: str) -> list[Rating]:
        """Return all ratings of a player, the oldest first."""
        rows = self.database.read(
            "SELECT * FROM ratings WHERE game = ? AND player = ? ORDER BY id", (game, player)
        )
        return [Rating(**row) for row in rows]


def _match_of(row: sqlite3.Row) -> Match:
    values = dict(row) | {"details": from_json(row["details"]), "seed": int(row["seed"])}
    del values["games"]
    return Match(**values)
