"""Which stored games a visitor wants to see; it travels in the address of the page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple
from urllib.parse import urlencode

from spiel_bot.analysis.stored_game import RESULTS
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Game
from spiel_bot.storage.games import StoredGame
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store
from spiel_bot.web.views.endings import Endings

PAGE = 25
GAMES_AT_ONCE = 500
MOST_LOOKED_AT = 5_000
"""Games whose end is looked at for one page of a filter by lead."""

KINDS = {"self-play": True, "match": False}
"""Whether the players of a kind of game have no names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """What is wanted of a run; None wants nothing in particular."""

    run: str = "latest"
    iteration: int | None = None
    result: str | None = None
    """white, black or draw."""

    kind: str | None = None
    """self-play, or match: games between named players."""

    min_plies: int | None = None
    max_plies: int | None = None
    lead: int | None = None
    """Least lead of the winner at the end, such as holes in trictrac."""

    page: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "GameFilter":
        """Return the filter of an address.

        Raises:
            BadRequestError: A value means nothing.
        """
        found: dict[str, Any] = {}
        for field in fields(cls):
            text = query.get(field.name, "").strip()
            if not text:
                continue
            if field.name == "run":
                found["run"] = text
            elif field.name in ("result", "kind"):
                found[field.name] = _one_of(field.name, text)
            else:
                found[field.name] = _number(field.name, text)
        return cls(**found)

    def query(self, **changes: Any) -> str:
        """Return the filter as the part of an address behind the question mark."""
        values = {field.name: getattr(self, field.name) for field in fields(self)} | changes
        shown = {key: value for key, value in values.items() if value not in (None, "")}
        if shown.get("page") == 1:
            del shown["page"]
        return urlencode(shown)

    def wanted(self) -> dict[str, Any]:
        """Return what the store can look for by itself."""
        results = {name: number for number, name in RESULTS.items()}
        return {
            "iteration": self.iteration,
            "result": None if self.result is None else results[self.result],
            "is_self_play": None if self.kind is None else KINDS[self.kind],
            "min_plies": self.min_plies or 0,
            "max_plies": self.max_plies,
        }


def _one_of(name: str, text: str) -> str:
    known = tuple(KINDS) if name == "kind" else tuple(RESULTS.values())
    if text not in known:
        raise BadRequestError(f"{name}: expected one of {', '.join(known)}, got {text[:50]!r}")
    return text


def _number(name: str, text: str) -> int:
    least = 1 if name == "page" else 0
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < least:
        raise BadRequestError(f"{name}: expected a whole number from {least} on, got {text[:50]!r}")
    return int(text)


class GamePage(NamedTuple):
    """Games that are shown together."""

    games: list[StoredGame]
    scores: list[str]
    """Of each game; empty where the game has none."""

    total: int | None
    """Games that fit the filter; None where they were not all counted."""

    looked_at: int
    """Games whose end was looked at to find them; 0 if the store could tell."""

    has_more: bool


def find_page(
    store: Store, run: Run, game: Game | None, wanted: GameFilter, endings: Endings
) -> GamePage:
    """Return one page of games.

    Args:
        store: Where they are.
        run: The run of the filter.
        game: Its game, to see how games ended; None if it cannot be loaded here.
        wanted: The filter.
        endings: What is known of the ends of games already.
    """
    first = (wanted.page - 1) * PAGE
    shards = {shard.id: shard for shard in store.games.shards(run.id)}
    if wanted.lead is None or game is None:
        total = store.games.count(run.id, **wanted.wanted())
        games = store.games.find(run.id, **wanted.wanted(), limit=PAGE, offset=first)
        looked_at, has_more = 0, first + len(games) < total
        found_total: int | None = total
    else:
        found, looked_at, is_all = _page_with_lead(store, run, game, wanted, endings)
        games = found[first : first + PAGE]
        has_more = len(found) > first + PAGE
        found_total = len(found) if is_all else None
    scores = [""] * len(games)
    if game is not None:
        scores = [endings.scores(store, game, shards[one.shard_id])[one.place] for one in games]
    return GamePage(games, scores, found_total, looked_at, has_more)


def _page_with_lead(
    store: Store, run: Run, game: Game, wanted: GameFilter, endings: Endings
) -> tuple[list[StoredGame], int, bool]:
    """Return games up to the end of the page, how many were looked at, and whether all were."""
    found: list[StoredGame] = []
    looked_at = 0
    for one, looked_at in games_with_lead(store, run, game, wanted, endings):
        found.append(one)
        if len(found) > wanted.page * PAGE:
            return found, looked_at, False
    total = store.games.count(run.id, **wanted.wanted())
    return found, min(total, MOST_LOOKED_AT), total <= MOST_LOOKED_AT


def games_with_lead(
    store: Store, run: Run, game: Game | None, wanted: GameFilter, endings: Endings
) -> Iterator[tuple[StoredGame, int]]:
    """Walk through the games of a filter, the newest first, with how many were looked at so far.

    Without a lead in the filter, or a game to measure it by, all games count. With one, only the
    newest `MOST_LOOKED_AT` are looked at.
    """
    if wanted.lead is None or game is None:
        yield from ((one, 0) for one in each_game(store, run, wanted))
        return
    shards = {shard.id: shard for shard in store.games.shards(run.id)}
    for place, one in enumerate(each_game(store, run, wanted)):
        if place >= MOST_LOOKED_AT:
            return
        lead = endings.leads(store, game, shards[one.shard_id])[one.place]
        if abs(lead) >= wanted.lead:
            yield one, place + 1


def each_game(store: Store, run: Run, wanted: GameFilter) -> Iterator[StoredGame]:
    """Walk through the games that the store finds for a filter, the newest first."""
    offset = 0
    while True:
        part = store.games.find(run.id, **wanted.wanted(), limit=GAMES_AT_ONCE, offset=offset)
        yield from part
        offset += len(part)
        if len(part) < GAMES_AT_ONCE:
            return
