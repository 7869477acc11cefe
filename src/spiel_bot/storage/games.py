"""Games: shards written whole, one row for each game, and both read by other processes."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spiel_bot.errors import RecordError, StoreCorruptError, UnknownRunError
from spiel_bot.storage.file_table import FILE_COLUMNS, FileTable, StoredFile
from spiel_bot.storage.files import drafted
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.shards import pack, unpack

SHARDS = f"SELECT shards.*, {FILE_COLUMNS} FROM shards JOIN files ON files.id = shards.file_id"
GAMES = (
    "SELECT games.*, shards.players, shards.checkpoint_id"
    " FROM games JOIN shards ON shards.id = games.shard_id"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A file of games."""

    id: int
    run_id: int
    iteration: int
    players: str
    checkpoint_id: int | None
    num_games: int
    num_decisions: int
    created: float
    file: StoredFile


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """What is known of a game without opening its shard."""

    run_id: int
    number: int
    iteration: int
    seed: int
    players: str
    """Who played, as text; the same for all games of a shard."""

    checkpoint_id: int | None
    """Model that played, where it is one of the store's."""

    plies: int
    result: int
    """1 if white won, -1 if black did, else 0."""

    white_return: float
    black_return: float
    score: str
    """Final score in the game's own words."""

    shard_id: int
    place: int
    """In the shard, from 0."""


class Games:
    """Shards and games of all runs."""

    def __init__(self, files: FileTable) -> None:
        """Work on this database and its files."""
        self.files = files
        self.database = files.database

    def add(
        self,
        run: int,
        records: Sequence[GameRecord],
        *,
        iteration: int,
        players: str = "",
        checkpoint: int | None = None,
        scores: Sequence[str] | None = None,
    ) -> Shard:
        """Store games as one shard; others see all of them or none.

        Args:
            run: Number of the run.
            records: Games whose numbers the run does not have yet.
            iteration: Iteration they belong to.
            players: Who played, for people.
            checkpoint: Model that played.
            scores: Final score of each game in the game's own words.

        Raises:
            RecordError: A record has not the form of one, or its number is taken.
        """
        texts = scores or [""] * len(records)
        if len(texts) != len(records):
            raise RecordError(
                f"expected {len(records)} scores, one for each game; got {len(texts)}"
            )
        num_decisions = sum(record.num_decisions for record in records)
        with drafted(self.files.root, pack(records)) as draft, self.database.transaction():
            try:
                file = self.files.add(draft, run, "games", f"{iteration:06d}.safetensors")
                shard = self.database.write(
                    "INSERT INTO shards (run_id, iteration, players, checkpoint_id, num_games,"
                    " num_decisions, created, file_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        run,
                        iteration,
                        players,
                        checkpoint,
                        len(records),
                        num_decisions,
                        time.time(),
                        file,
                    ),
                )
                self.database.write_many(
                    "INSERT INTO games (run_id, number, iteration, seed, plies, result,"
                    " white_return, black_return, score, shard_id, place)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (
                            run,
                            int(record.number),
                            iteration,
                            str(record.seed),
                            record.num_plies,
                            record.result,
                            *record.returns.tolist(),
                            text,
                            shard,
                            place,
                        )
                        for place, (record, text) in enumerate(zip(records, texts, strict=True))
                    ],
                )
            except sqlite3.IntegrityError as error:
                raise RecordError(
                    f"{len(records)} games from number {records[0].number} on do not fit run "
                    f"{run}: a number is taken, or run or checkpoint is gone ({error})"
                ) from None
            return self._shards("WHERE shards.id = ?", (shard,))[0]

    def next_number(self, run: int) -> int:
        """Return the number after the highest game of a run; 0 if it has none."""
        row = self.database.read(
            "SELECT COALESCE(MAX(number) + 1, 0) FROM games WHERE run_id = ?", (run,)
        )
        return int(row[0][0])

    def shards(self, run: int, *, after: int = 0) -> list[Shard]:
        """Return a run's shards, oldest first; only those later than shard `after`."""
        return self._shards(
            "WHERE shards.run_id = ? AND shards.id > ? ORDER BY shards.id", (run, after)
        )

    def newest_shards(self, run: int, num_decisions: int) -> list[Shard]:
        """Return, oldest first, the newest shards that hold so many decisions together."""
        found: list[Shard] = []
        for shard in reversed(self.shards(run)):
            if num_decisions <= 0:
                break
            found.insert(0, shard)
            num_decisions -= shard.num_decisions
        return found

    def read_shard(self, shard: Shard) -> list[GameRecord]:
        """Return the games of a shard.

        Raises:
            StoreCorruptError: The file is missing, cut short or altered.
        """
        records = unpack(self.files.read(shard.file))
        if len(records) != shard.num_games:
            raise StoreCorruptError(
                f"{self.files.root / shard.file.path} holds {len(records)} games, "
                f"expected {shard.num_games}"
            )
        return records

    def find(
        self,
        run: int,
        *,
        iteration: int | None = None,
        result: int | None = None,
        players: str | None = None,
        is_self_play: bool | None = None,
        min_plies: int = 0,
        max_plies: int | None = None,
        newest_first: bool = True,
        limit: int = 100,
        offset: int = 0,
    ) -> list[StoredGame]:
        """Return a page of a run's games.

        Args:
            run: Number of the run.
            iteration: Only games of this one.
            result: Only games with this result, 1, 0 or -1.
            players: Only games whose players' text holds this one.
            is_self_play: Only games without named players, or only games with.
            min_plies: Only games of so many plies at least.
            max_plies: Only games of so many plies at most.
            newest_first: Highest numbers first.
            limit: Most games to return.
            offset: Games to leave out before.
        """
        where, values = _filter(run, iteration, result, players, is_self_play, min_plies, max_plies)
        order = "DESC" if newest_first else "ASC"
        rows = self.database.read(
            f"{GAMES} {where} ORDER BY games.number {order} LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        return [_game_of(row) for row in rows]

    def count(
        self,
        run: int,
        *,
        iteration: int | None = None,
        result: int | None = None,
        players: str | None = None,
        is_self_play: bool | None = None,
        min_plies: int = 0,
        max_plies: int | None = None,
    ) -> int:
        """Return how many games `find` would return without a limit."""
        where, values = _filter(run, iteration, result, players, is_self_play, min_plies, max_plies)
        if len(values) == 1:  # all games of the run: quick for a million
            row = self.database.read(
                "SELECT COALESCE(SUM(num_games), 0) FROM shards WHERE run_id = ?", (run,)
            )
            return int(row[0][0])
        row = self.database.read(
            f"SELECT COUNT(*) FROM games JOIN shards ON shards.id = games.shard_id {where}", values
        )
        return int(row[0][0])

    def get(self, run: int, number: int) -> StoredGame:
        """Return the row of one game.

        Raises:
            UnknownRunError: The run has no such game.
        """
        row = self.database.read_one(
            f"{GAMES} WHERE games.run_id = ? AND games.number = ?", (run, number)
        )
        if row is None:
            last = self.next_number(run) - 1
            known = f"its games go up to {last}" if last >= 0 else "it has no games yet"
            raise UnknownRunError(f"run {run} has no game {number}; {known}")
        return _game_of(row)

    def read(self, run: int, number: int) -> GameRecord:
        """Return one game as it was stored."""
        game = self.get(run, number)
        (shard,) = self._shards("WHERE shards.id = ?", (game.shard_id,))
        return self.read_shard(shard)[game.place]

    def _shards(self, rest: str, values: tuple[Any, ...]) -> list[Shard]:
        return [_shard_of(row) for row in self.database.read(f"{SHARDS} {rest}", values)]


def _filter(
    run: int,
    iteration: int | None,
    result: int | None,
    players: str | None,
    is_self_play: bool | None,
    min_plies: int,
    max_plies: int | None,
) -> tuple[str, tuple[Any, ...]]:
    wanted: dict[str, Any] = {"games.run_id = ?": run}
    if iteration is not None:
        wanted["games.iteration = ?"] = iteration
    if result is not None:
        wanted["games.result = ?"] = result
    if players is not None:
        wanted["INSTR(shards.players, ?) > 0"] = players
    if is_self_play is not None:
        wanted["(shards.players = '') = ?"] = is_self_play
    if min_plies > 0:
        wanted["games.plies >= ?"] = min_plies
    if max_plies is not None:
        wanted["games.plies <= ?"] = max_plies
    return "WHERE " + " AND ".join(wanted), tuple(wanted.values())


def _shard_of(row: sqlite3.Row) -> Shard:
    return Shard(
        id=row["id"],
        run_id=row["run_id"],
        iteration=row["iteration"],
        players=row["players"],
        checkpoint_id=row["checkpoint_id"],
        num_games=row["num_games"],
        num_decisions=row["num_decisions"],
        created=row["created"],
        file=StoredFile.of(row),
    )


def _game_of(row: sqlite3.Row) -> StoredGame:
    values = dict(row)
    values["seed"] = int(values["seed"])
    return StoredGame(**values)
