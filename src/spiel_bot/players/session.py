"""A game in progress between people and players: what happened, and how to take it back."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from spiel_bot.games.base import CHANCE, Environment
from spiel_bot.games.played import Event, PlayedGame
from spiel_bot.players.base import Player
from spiel_bot.rng import Purpose, Streams, streams


class Snapshot(NamedTuple):
    """The game before a decision of a person."""

    num_events: int
    state: Environment
    choices: Streams


class Session:
    """One game; sides without a player are played by people."""

    def __init__(self, played: PlayedGame, players: Mapping[int, Player], seed: int) -> None:
        """Begin, or go on with a game.

        Args:
            played: The game so far. If it has events or no seed, the dice come from `seed`.
            players: Who plays the sides that no person does.
            seed: Of the players' choices, and of the dice of a game that goes on.
        """
        self._start = played
        self.players = players
        self.events = list(played.events)
        self.resigned = played.resigned
        self._choices = streams(seed, Purpose.PLAY, [0])
        self._snapshots: list[Snapshot] = []
        self.state = played.first()
        if played.events or played.seed is None:
            self._catch_up(seed)

    def _catch_up(self, seed: int) -> None:
        for done, (state, event) in enumerate(self._start.replay()):
            if event.player in self.humans:
                self._snapshots.append(
                    Snapshot(done, self._fresh(state, seed), self._choices.copy())
                )
        self.state = self._fresh(self._start.last(), seed)

    def _fresh(self, state: Environment, seed: int) -> Environment:
        return state.game.from_notation(state.notation, seed)

    @property
    def humans(self) -> tuple[int, ...]:
        """Sides that people play."""
        return tuple(side for side in (0, 1) if side not in self.players)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played."""
        return self.resigned is not None or self.state.is_terminal

    def roll(self) -> Event:
        """Let the dice fall."""
        event = Event(CHANCE, self.state.apply_chance())
        self.events.append(event)
        return event

    def player_acts(self) -> Event:
        """Let the player whose turn it is act."""
        side = self.state.current_player
        record = self.state.record.reshape(1)
        action = int(self.players[side].choose(record, self._choices)[0])
        self.state.apply(action)
        self.events.append(Event(side, action))
        return self.events[-1]

    def act(self, action: int) -> Event:
        """Let a person act.

        Raises:
            IllegalActionError: The action is not legal; nothing has happened.
        """
        before = Snapshot(len(self.events), self.state.clone(), self._choices.copy())
        event = Event(self.state.current_player, action)
        self.state.apply(action)
        self._snapshots.append(before)
        self.events.append(event)
        return event

    def undo(self) -> bool:
        """Go back to the last decision of a person, with the same dice to come; tell if it went."""
        if self.resigned is not None:
            self.resigned = None
            return True
        if not self._snapshots:
            return False
        last = self._snapshots.pop()
        del self.events[last.num_events :]
        self.state, self._choices = last.state, last.choices.copy()
        return True

    def resign(self) -> int:
        """Give the game up for the person who is to act, or who plays; return the side."""
        current = self.state.current_player
        self.resigned = current if current in self.humans else self.humans[0]
        return self.resigned

    def played(self) -> PlayedGame:
        """Return the game so far, to be saved."""
        return replace(self._start, events=tuple(self.events), resigned=self.resigned)
