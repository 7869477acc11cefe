"""Stored games as files: one game file each in a zip, or one line of JSON each."""

import io
import json
import zipfile
from collections.abc import Iterator
from itertools import islice

from spiel_bot.analysis.stored_game import details, file_text
from spiel_bot.games.base import Game
from spiel_bot.storage.games import StoredGame
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store
from spiel_bot.web.views.endings import Endings
from spiel_bot.web.views.game_filter import GameFilter, games_with_lead

MOST_EXPORTED = 1_000


def games_zip(
    store: Store, run: Run, game: Game | None, wanted: GameFilter, endings: Endings
) -> bytes:
    """Return a zip of game files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for stored, record in exported(store, run, game, wanted, endings):
            archive.writestr(file_name(run, stored), file_text(run, stored, record)[0])
    return content.getvalue()


def games_jsonl(
    store: Store, run: Run, game: Game | None, wanted: GameFilter, endings: Endings
) -> bytes:
    """Return a line of JSON for each game, as `spiel-bot runs games --number N --json` has it."""
    lines = [
        json.dumps(details(run, stored, record))
        for stored, record in exported(store, run, game, wanted, endings)
    ]
    return "".join(line + "\n" for line in lines).encode()


def file_name(run: Run, stored: StoredGame) -> str:
    """Return the name of a game's file; a run's name may hold signs that a path must not."""
    safe = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in run.name)
    return f"{safe}-{stored.number}.game"


def exported(
    store: Store, run: Run, game: Game | None, wanted: GameFilter, endings: Endings
) -> Iterator[tuple[StoredGame, GameRecord]]:
    """Yield the games of a filter; shards are read once while their games come in a row."""
    shards = {shard.id: shard for shard in store.games.shards(run.id)}
    records: dict[int, list[GameRecord]] = {}
    games = games_with_lead(store, run, game, wanted, endings)
    for stored, _ in islice(games, MOST_EXPORTED):
        if stored.shard_id not in records:
            if len(records) >= 16:
                records.clear()
            records[stored.shard_id] = store.games.read_shard(shards[stored.shard_id])
        yield stored, records[stored.shard_id][stored.place]
