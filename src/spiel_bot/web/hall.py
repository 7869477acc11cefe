"""The hall: what all visitors of one server share - games in progress, players, cores."""

import asyncio
import os
import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import ParamSpec, TypeVar

from spiel_bot.errors import BadRequestError, BusyError, PlayerError, SpielBotError
from spiel_bot.games.base import WHITE, Game
from spiel_bot.games.catalogue import names
from spiel_bot.games.game_file_reader import parse_game
from spiel_bot.players.base import Player
from spiel_bot.players.default import FULL_LEVEL, HUMAN, at_level, player_before
from spiel_bot.storage.location import default_path
from spiel_bot.storage.store import Store
from spiel_bot.web.settings import LONGEST_FILE, ServeSettings
from spiel_bot.web.shelf import Shelf
from spiel_bot.web.table_list import TableList
from spiel_bot.web.tables import Table, new_game, with_names
from spiel_bot.web.training import Training

THINKERS = 32
"""Threads for what is slow; most of them wait for the store or for a process that starts."""

ACTORS = 2 * (os.cpu_count() or 1)
"""Threads for what is short. More only get in each other's way: fifty games at once were answered
faster by two or four threads than by sixty-four, on two cores."""

P = ParamSpec("P")
Result = TypeVar("Result")


class Hall:
    """One server's games, players and threads. Close it at the end."""

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self.store_path = settings.store_path or default_path()
        self.shelf = Shelf(settings)
        self.training = Training(self.store_path)
        self.tables = TableList(settings.bounds)
        self._thinkers = ThreadPoolExecutor(THINKERS, thread_name_prefix="think")
        self._actors = ThreadPoolExecutor(ACTORS, thread_name_prefix="act")
        self._store: Store | None = None
        self._store_lock = threading.Lock()
        self._waiting = 0
        self._most_waiting = settings.bounds.waiting

    async def think(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Do something slow beside the event loop: read the store, analyse, load a player.

        Raises:
            BusyError: Too many others wait already.
        """
        return await self._run(self._thinkers, lambda: work(*args, **kwargs))

    async def act(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Do something short at a table beside the event loop: a roll, a play, a move of the bot.

        Raises:
            BusyError: Too many others wait already.
        """
        return await self._run(self._actors, lambda: work(*args, **kwargs))

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        if self._waiting >= self._most_waiting:
            raise BusyError("too many requests wait for an answer; try again in some seconds")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, work)
        finally:
            self._waiting -= 1

    def new_table(
        self,
        name: str,
        *,
        humans: Collection[int] = (WHITE,),
        against: str | None = None,
        level: int = FULL_LEVEL,
        seed: int | None = None,
        start: str = "",
        visitor: str = "",
    ) -> Table:
        """Begin a game.

        Args:
            name: The game.
            humans: Sides that people play: one, both, or none.
            against: Who plays the other sides, as text; None for the best player at hand.
            level: How well, from 1 to 5.
            seed: Of dice and players; None for dice that nobody knows.
            start: First position in the game's notation; empty for the usual one.
            visitor: Who asks.

        Raises:
            SpielBotError: There is no such game or player, the position is none, or there are too
                many games already.
        """
        game = self.shelf.game(name)
        players = self._players(game, [s for s in (0, 1) if s not in humans], against, level)
        played = with_names(new_game(game, name, seed, start), players)
        return self.tables.open(played, players, visitor=visitor, seed=seed, level=level)

    def load_table(
        self,
        text: str,
        *,
        humans: Collection[int] | None = None,
        against: str | None = None,
        level: int = FULL_LEVEL,
        visitor: str = "",
    ) -> Table:
        """Go on with the game of a game file.

        Args:
            text: The game file.
            humans: Sides that people play; None for those of the file, or white.
            against: Who plays the other sides; None for whom the file names, or the best at hand.
            level: How well.
            visitor: Who asks.

        Raises:
            SpielBotError: The text is no game file or too long a one, there is no such player, or
                there are too many games already.
        """
        if len(text) > LONGEST_FILE:
            raise BadRequestError(f"expected a game file of at most {LONGEST_FILE} letters")
        played = replace(parse_game(text, games=names()), seed=None)
        if humans is None:
            people = [side for side in (0, 1) if played.players[side] == HUMAN]
            humans = people or [WHITE]
        sides = [side for side in (0, 1) if side not in humans]
        before = player_before(played.players[sides[0]]) if sides and against is None else ""
        try:
            players = self._players(played.game, sides, against or before or None, level)
        except SpielBotError:
            if not before:
                raise
            # Such as a model that this store does not have.
            players = self._players(played.game, sides, None, level)
        if not any(played.players):
            played = with_names(played, players)
        return self.tables.open(played, players, visitor=visitor, level=level)

    def _players(
        self, game: Game, sides: Collection[int], against: str | None, level: int
    ) -> dict[int, Player]:
        if not 1 <= level <= FULL_LEVEL:
            raise PlayerError(f"expected a level from 1 to {FULL_LEVEL}, got {level}")
        if not sides:
            return {}
        player = self.shelf.player(
            at_level(against or self.shelf.default_player(game), level), game
        )
        return dict.fromkeys(sides, player)

    def open_store(self) -> Store:
        """Open the run store, for a `with` statement.

        Raises:
            StoreError: There is none yet, or it cannot be opened.
        """
        return Store(self.store_path, create=False)

    def store(self) -> Store:
        """Return the run store, kept open for pages that look at it again and again.

        Raises:
            StoreError: There is none yet, or it cannot be opened.
        """
        with self._store_lock:
            if self._store is not None and not self._store.database.path.exists():
                self._store.close()
                self._store = None
            if self._store is None:
                self._store = self.open_store()
            return self._store

    def close(self) -> None:
        """End the threads; what runs is not waited for."""
        for threads in (self._thinkers, self._actors):
            threads.shutdown(wait=False, cancel_futures=True)
        with self._store_lock:
            if self._store is not None:
                self._store.close()
                self._store = None
