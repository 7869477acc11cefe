"""A table: one game in progress, for whoever shows it - the page or a program elsewhere.

People play the sides that no player does: one side, or both on one screen. Threads may share a
table; each of its methods happens whole.
"""

import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from spiel_bot.analysis.decision import AnalysisConfig, Decision, analyse
from spiel_bot.analysis.game import GameAnalysis, analyse_game
from spiel_bot.analysis.judge import Judge
from spiel_bot.errors import IllegalActionError, TableError
from spiel_bot.games.base import CHANCE, Environment, Game
from spiel_bot.games.event_names import read_action
from spiel_bot.games.game_file import game_text
from spiel_bot.games.played import SIDES, Event, PlayedGame
from spiel_bot.games.trictrac.verdict import judge_play
from spiel_bot.players.base import Player
from spiel_bot.players.default import HUMAN
from spiel_bot.players.session import Session
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.web.happenings import Happening, happening_of, roller_of


class Table:
    """One game in progress."""

    def __init__(
        self, table_id: str, session: Session, *, visitor: str = "", level: int = 5
    ) -> None:
        self.id = table_id
        self.visitor = visitor
        self.level = level
        self.session = session
        self.happenings: list[Happening] = []
        """All that has happened, the oldest first."""

        self.lock = threading.RLock()
        self.touched = time.monotonic()
        for number, (state, event) in enumerate(session.played().replay()):
            self.happenings.append(happening_of(number, state, event))

    @property
    def state(self) -> Environment:
        """The position."""
        return self.session.state

    @property
    def game(self) -> Game:
        """What is played."""
        return self.session.state.game

    @property
    def humans(self) -> tuple[int, ...]:
        """Sides that people play."""
        return self.session.humans

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played."""
        return self.session.is_over

    @property
    def roller(self) -> int | None:
        """Whose roll is next; None where none is, or where it is nobody's own."""
        return None if self.is_over else roller_of(self.state)

    @property
    def waits_for_roll(self) -> bool:
        """Whether the dice are next."""
        return not self.is_over and self.state.current_player == CHANCE

    @property
    def waits_for_decision(self) -> bool:
        """Whether somebody has to decide, person or player."""
        return not self.is_over and self.state.current_player != CHANCE

    @property
    def waits_for_person(self) -> bool:
        """Whether a person has to decide, or to roll his own dice."""
        if self.is_over:
            return False
        if self.waits_for_roll:
            return self.roller in self.humans
        return self.state.current_player in self.humans

    @property
    def result(self) -> str:
        """How it ended: ``white``, ``black``, ``draw`` or ``unfinished``; resigning loses."""
        if self.session.resigned is not None:
            return SIDES[1 - self.session.resigned]
        if not self.state.is_terminal:
            return "unfinished"
        white = self.state.returns[0]
        return "draw" if white == 0 else SIDES[0 if white > 0 else 1]

    @property
    def can_undo(self) -> bool:
        """Whether a person has decided something that can be taken back."""
        return self.session.resigned is not None or any(
            not one.is_roll and one.side in self.humans for one in self.happenings
        )

    def roll(self) -> Happening:
        """Let the dice fall.

        Raises:
            TableError: It is not the time for it.
        """
        with self.lock:
            if not self.waits_for_roll:
                raise TableError(f"no roll is next; {self.what_is_next()}")
            before = self.state.clone()
            return self._happened(before, self.session.roll())

    def play(self, action: int | str) -> Happening:
        """Let the person who is to act play: a number of an action, or its text.

        Raises:
            TableError: No person is to act.
            IllegalActionError: It is not legal, and why; nothing has happened.
            NotationError: It is no action of the game.
        """
        with self.lock:
            if not self.waits_for_decision or not self.waits_for_person:
                raise TableError(f"no person is to act; {self.what_is_next()}")
            before = self.state.clone()
            number = read_action(before, action) if isinstance(action, str) else action
            return self._happened(before, self.session.act(number))

    def bot_acts(self) -> Happening:
        """Let the player who is to act do so, or roll his own dice; takes as long as he thinks.

        Raises:
            TableError: It is not his turn.
        """
        with self.lock:
            if self.is_over or self.waits_for_person or (self.waits_for_roll and not self.players):
                raise TableError(f"no player is to act; {self.what_is_next()}")
            if self.waits_for_roll:
                return self.roll()
            before = self.state.clone()
            return self._happened(before, self.session.player_acts())

    def bot_turn(self) -> list[Happening]:
        """Let players act and roll until a person is next, or the game is over."""
        with self.lock:
            found = [self.bot_acts()]
            while not self.is_over and not self.waits_for_person and len(self.humans) > 0:
                found.append(self.bot_acts())
            return found

    def undo(self) -> None:
        """Go back to the last decision of a person; the dice to come stay the same.

        Raises:
            TableError: There is nothing to take back.
        """
        with self.lock:
            if not self.session.undo():
                raise TableError("there is nothing to take back yet")
            del self.happenings[len(self.session.events) :]
            self.touch()

    def resign(self, side: int | None = None) -> int:
        """Give the game up for a person; return his side.

        Args:
            side: Who resigns; without, the person who is to act, or who plays.

        Raises:
            TableError: The game is over, or no person plays that side.
        """
        with self.lock:
            if self.is_over:
                raise TableError("the game is over already")
            if not self.humans:
                raise TableError("no person plays at this table, so nobody can resign")
            if side is not None and side not in self.humans:
                raise TableError(f"no person plays {SIDES[side]}")
            found = self.session.resign()
            if side is not None:
                self.session.resigned = found = side
            self.touch()
            return found

    def why_not(self, play: str, language: str = "en") -> str | None:
        """Return why a play is not legal here, None if it is.

        Raises:
            TableError: Nobody has to decide.
            NotationError: It is no play of the game.
        """
        with self.lock:
            if not self.waits_for_decision:
                raise TableError(f"nobody has to decide; {self.what_is_next()}")
            state = self.state.clone()
            self.touch()
        if state.game.spec.name == TRICTRAC and not play.strip().startswith("@"):
            dice = int(state.record["dice"][0]), int(state.record["dice"][1])
            reason: str | None = judge_play(state.record, dice, play, language)["reason"]
            return reason
        try:
            read_action(state, play)
        except IllegalActionError as error:
            return str(error)
        return None

    def hint(self, judge: Judge, config: AnalysisConfig | None = None) -> Decision:
        """Judge every action of the decision that is next.

        Raises:
            TableError: Nobody has to decide.
        """
        with self.lock:
            if not self.waits_for_decision:
                raise TableError(f"nobody has to decide; {self.what_is_next()}")
            state = self.state.clone()
            self.touch()
        return analyse(judge, state, config or AnalysisConfig(simulations=0))

    def review(self, judge: Judge) -> GameAnalysis:
        """Judge all that was decided and rolled so far."""
        with self.lock:
            played = self.session.played()
            self.touch()
        return analyse_game(judge, played)

    def text(self) -> str:
        """Return the game as the text of a game file."""
        with self.lock:
            return game_text(self.session.played())

    @property
    def players(self) -> Mapping[int, Player]:
        """Who plays the sides that no person does."""
        return self.session.players

    @property
    def names(self) -> tuple[str, str]:
        """Who sits at white and at black, as text."""
        return self.session.played().players

    def what_is_next(self) -> str:
        """Return what the table waits for, in a few words."""
        if self.is_over:
            return "the game is over"
        if self.waits_for_roll:
            side = self.roller
            return "a roll is next" if side is None else f"{SIDES[side]} is to roll"
        return f"{SIDES[self.state.current_player]} is to act"

    def touch(self) -> None:
        """Note that somebody is still here."""
        self.touched = time.monotonic()

    def _happened(self, before: Environment, event: Event) -> Happening:
        found = happening_of(len(self.happenings), before, event)
        self.happenings.append(found)
        self.touch()
        return found


def new_game(game: Game, name: str, seed: int | None = None, start: str = "") -> PlayedGame:
    """Return a game of which nothing was played yet.

    Args:
        game: What is played.
        name: As `load` takes it.
        seed: Of the dice; without, they come from the operating system.
        start: First position in the game's notation; empty for the usual one.
    """
    chosen = secrets.randbits(32) if seed is None else seed
    today = datetime.now(UTC).date().isoformat()
    return PlayedGame(game=game, name=name, seed=chosen, start=start, tags={"date": today})


def with_names(played: PlayedGame, players: Mapping[int, Player]) -> PlayedGame:
    """Return the game with the names of who sits where."""
    names = [players[side].name if side in players else HUMAN for side in (0, 1)]
    return replace(played, players=(names[0], names[1]))
