"""Games, players and judges, each loaded once and shared by all visitors."""

import threading

from spiel_bot.analysis.judge import Judge, default_judge, load_judge
from spiel_bot.errors import UnknownGameError
from spiel_bot.games.base import Game
from spiel_bot.games.catalogue import names
from spiel_bot.games.registry import load
from spiel_bot.players.base import Player
from spiel_bot.players.default import default_player
from spiel_bot.players.spec import prepare
from spiel_bot.web.allowed import expect_allowed_model, expect_allowed_player
from spiel_bot.web.kept import Kept
from spiel_bot.web.settings import ServeSettings
from spiel_bot.web.shared_player import SharedPlayer


class Shelf:
    """What games need to be played and judged. Every method may take a while: see `Hall.think`."""

    def __init__(self, settings: ServeSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._games: dict[str, Game] = {}
        self._players: Kept[Player] = Kept(settings.bounds.players)
        self._judges: Kept[Judge] = Kept(settings.bounds.players)
        self._defaults: Kept[str] = Kept(settings.bounds.players)

    def game(self, name: str) -> Game:
        """Return a game by its name; files and modules of a visitor's choice are never loaded.

        Raises:
            UnknownGameError: There is none of this name.
        """
        if name not in names():
            raise UnknownGameError(f"no game {name!r}; expected one of {', '.join(names())}")
        with self._lock:
            if name not in self._games:
                self._games[name] = load(name)
            return self._games[name]

    def player(self, text: str, game: Game) -> Player:
        """Return the player that a text names, shared by all games.

        Raises:
            SpielBotError: It names none, one that cannot play this game, or one that a visitor
                may not ask for.
        """
        expect_allowed_player(text, self._settings.bounds)
        return self._players.get(
            (text, repr(game)),
            lambda: SharedPlayer(prepare(text, game, store=self._settings.store_path)),
            lambda old, new: old.name == new.name,
        )

    def judge(self, model: str | None, game: Game) -> Judge:
        """Return who judges positions; None for the best judge at hand.

        Raises:
            SpielBotError: There is no such model, or a visitor may not ask for it.
        """
        store = self._settings.store_path
        if model is not None:
            expect_allowed_model(model)
        return self._judges.get(
            (model or "", repr(game)),
            lambda: (
                default_judge(game, store)
                if model is None
                else load_judge(model, game, store=store)
            ),
            lambda old, new: old.name == new.name,
        )

    def default_player(self, game: Game) -> str:
        """Return the text of the opponent where a visitor names none."""
        return self._defaults.get(
            ("", repr(game)),
            lambda: default_player(game, self._settings.store_path),
            lambda old, new: old == new,
        )
