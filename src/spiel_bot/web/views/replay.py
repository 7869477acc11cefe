"""A stored game to be walked through: positions, what happened, and what the search thought."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spiel_bot.analysis.stored_game import played_game
from spiel_bot.games.base import CHANCE, Environment, Game, States
from spiel_bot.games.played import Event, PlayedGame
from spiel_bot.storage.games import StoredGame
from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.runs import Run
from spiel_bot.web.happenings import Happening, happening_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An action of a decision as the stored search weighed it."""

    action: int
    name: str
    weight: float
    """Share of the policy, 0 to 1."""

    is_played: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What the search thought of a decision when the game was played."""

    value: float | None
    """White's value; None where nothing was searched: a forced play."""

    win_chance: float | None
    """White's chance to win that it stands for."""

    is_full: bool
    """Whether the search was a full one."""

    is_judged: bool
    """Whether single positions were judged in this game: the value is that of the one candidate,
    which may not have been played, and None where no position was drawn."""

    candidates: tuple[Candidate, ...]
    """The heaviest first; empty where no policy was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """One event of a game."""

    number: int
    """Events before it."""

    player: int
    """0, 1 or `CHANCE`."""

    event: int
    name: str


class Replay:
    """A game with all its positions; position p is the one before event p."""

    def __init__(self, run: Run, stored: StoredGame, record: GameRecord) -> None:
        """Play the game through once.

        Raises:
            SpielBotError: The game cannot be loaded, or its rules are others now.
        """
        self.stored = stored
        self.record = record
        self.played: PlayedGame = played_game(run, stored, record)
        self.game: Game = self.played.game
        self.plies: list[Ply] = []
        positions = []
        for number, (state, event) in enumerate(self.played.replay()):
            positions.append(state.record)
            is_roll = event.player == CHANCE
            name = state.outcome_name if is_roll else state.action_name
            self.plies.append(
                Ply(
                    number=number,
                    player=event.player,
                    event=event.number,
                    name=name(event.number),
                )
            )
        positions.append(self.played.last().record)
        self._positions: States = np.array(positions, self.game.state_dtype)
        self._decisions = np.cumsum(record.players != CHANCE) - 1

    def __len__(self) -> int:
        """Number of events."""
        return len(self.plies)

    def position(self, ply: int) -> Environment:
        """Return the position before an event, or the last one."""
        return Environment(self.game, self._positions[ply : ply + 1].copy(), 0)

    def opinion(self, ply: int) -> Opinion | None:
        """Return what was thought of the decision before an event; None where nobody decided."""
        if ply >= len(self) or self.plies[ply].player == CHANCE:
            return None
        record, decision = self.record, int(self._decisions[ply])
        first, last = record.policy_starts[decision : decision + 2]
        played = self.canonical(ply, self.plies[ply].event)
        state = self.position(ply)
        entries = zip(
            record.policy_actions[first:last].tolist(),
            record.policy_weights[first:last].tolist(),
            strict=True,
        )
        found = [
            Candidate(
                action=action,
                name=state.action_name(action),
                weight=weight,
                is_played=self.canonical(ply, action) == played,
            )
            for action, weight in entries
        ]
        value = float(record.root_values[decision])
        is_known = math.isfinite(value)
        return Opinion(
            value=value if is_known else None,
            win_chance=self._chances(np.array([decision]))[0] if is_known else None,
            is_full=bool(record.is_full_search[decision]),
            is_judged=record.is_judged,
            candidates=tuple(sorted(found, key=lambda one: -one.weight)),
        )

    def happening(self, ply: int) -> Happening:
        """Return an event with all there is to say of it."""
        one = self.plies[ply]
        return happening_of(ply, self.position(ply), Event(one.player, one.event))

    def chances(self) -> list[tuple[int, float]]:
        """Return ply and white's chance to win of each searched decision, and how it ended.

        A value of a play that was not made does not count.
        """
        plies = np.flatnonzero(self.record.players != CHANCE)
        known = np.isfinite(self.record.root_values)
        if self.record.is_judged:
            for decision in np.flatnonzero(known):
                opinion = self.opinion(int(plies[decision]))
                known[decision] = opinion is not None and opinion.candidates[0].is_played
        chances = self._chances(np.flatnonzero(known))
        found = list(zip(plies[known].tolist(), chances, strict=True))
        return [*found, (len(self), (self.record.result + 1) / 2)]

    def _chances(self, decisions: npt.NDArray[np.int64]) -> list[float]:
        """Return white's chance to win by the values of decisions that have one.

        A value is that of the decision, or of the position behind the play that was judged.
        """
        record = self.record
        states = self._positions[np.flatnonzero(record.players != CHANCE)[decisions]]
        if record.is_judged:
            judged = record.policy_actions[record.policy_starts[decisions]]
            self.game.apply_many(states, judged.astype(np.int32))
        chances = self.game.win_chances(states, record.root_values[decisions])
        return [float(chance) for chance in chances]

    def next_decision(self, ply: int, step: int = 1) -> int:
        """Return the next ply after (or with -1 before) this one where somebody decides."""
        ply += step
        while 0 < ply < len(self) and self.plies[ply].player == CHANCE:
            ply += step
        return min(max(ply, 0), len(self))

    def canonical(self, ply: int, action: int) -> int:
        """Return the listed name of an action that may have been stored by another one."""
        named = self.game.canonical_action
        if named is None:
            return action
        found = int(named(self._positions[ply], action))
        return action if found < 0 else found
