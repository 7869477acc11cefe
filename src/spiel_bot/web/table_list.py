"""All tables of a server: bounded in number, for all and for each visitor; idle ones go."""

import secrets
import threading
import time
from collections.abc import Mapping

from spiel_bot.errors import BusyError, UnknownTableError
from spiel_bot.games.played import PlayedGame
from spiel_bot.players.base import Player
from spiel_bot.players.session import Session
from spiel_bot.web.settings import Bounds
from spiel_bot.web.tables import Table

ID_BYTES = 12
"""So many random bytes name a table: nobody finds another visitor's game by guessing."""


class TableList:
    """The games in progress; any thread may ask."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._lock = threading.Lock()
        self._tables: dict[str, Table] = {}

    def open(
        self,
        played: PlayedGame,
        players: Mapping[int, Player],
        *,
        visitor: str = "",
        seed: int | None = None,
        level: int = 5,
    ) -> Table:
        """Begin a game, or go on with one.

        Args:
            played: The game so far.
            players: Who plays the sides that no person does.
            visitor: Who asks for it.
            seed: Of the players' choices, and of the dice of a game that goes on.
            level: Strength of the players, to be shown.

        Raises:
            BusyError: There are as many games as the server takes, or the visitor may have.
        """
        chosen = secrets.randbits(64) if seed is None else seed
        session = Session(played, players, chosen)
        table = Table(secrets.token_urlsafe(ID_BYTES), session, visitor=visitor, level=level)
        with self._lock:
            self._make_room(visitor)
            self._tables[table.id] = table
        return table

    def find(self, table_id: str) -> Table:
        """Return a table.

        Raises:
            UnknownTableError: There is none of this name, or not any more.
        """
        with self._lock:
            self._forget_idle()
            table = self._tables.get(table_id)
        if table is None:
            raise UnknownTableError(
                "there is no such game in progress; it may have been idle for too long"
            )
        table.touch()
        return table

    def close(self, table_id: str) -> None:
        """Forget a game.

        Raises:
            UnknownTableError: There is none of this name.
        """
        self.find(table_id)
        with self._lock:
            self._tables.pop(table_id, None)

    def __len__(self) -> int:
        return len(self._tables)

    def _make_room(self, visitor: str) -> None:
        self._forget_idle()
        own = [table for table in self._tables.values() if table.visitor == visitor]
        if len(own) >= self._bounds.tables_per_visitor:
            self._forget_finished(own, f"you have {len(own)} games in progress, the most allowed")
        elif len(self._tables) >= self._bounds.tables:
            everything = list(self._tables.values())
            self._forget_finished(everything, "the server has as many games as it takes")

    def _forget_finished(self, tables: list[Table], reason: str) -> None:
        """Drop the finished game that was left longest ago."""
        finished = [table for table in tables if table.is_over]
        if not finished:
            raise BusyError(f"{reason}; finish or delete one, or try again later")
        oldest = min(finished, key=lambda table: table.touched)
        del self._tables[oldest.id]

    def _forget_idle(self) -> None:
        long_ago = time.monotonic() - self._bounds.idle_seconds
        idle = [key for key, table in self._tables.items() if table.touched < long_ago]
        for key in idle:
            del self._tables[key]
