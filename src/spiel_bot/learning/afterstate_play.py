"""Self-play without a tree: each action leads to the position that the network likes best.

As in `selfplay.py` a game follows from the seed, its number and the evaluator alone. Everything is
logged by kernels: a decision costs microseconds, and Python would cost more.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import SearchConfigError
from spiel_bot.games.base import CHANCE, TERMINAL, WHITE, Actions, Game, Players, States
from spiel_bot.games.joining import (
    apply_chance_many,
    chance_probabilities_many,
    current_player_many,
    join_rules,
)
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.rng import Purpose, Streams, below, streams, uniform
from spiel_bot.search.afterstates import Fan, Spreader
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.memory import as_bytes
from spiel_bot.search.tree import Bytes, Ints
from spiel_bot.storage.records import GameRecord

FIRST_ROOM = 256
"""Events of a game that there is room for at first."""

ROLLS_AT_ONCE = 64
"""Room that is made sure of before rolls are drawn; pig rolls again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterstatePlayConfig:
    """How games are played to learn from. The sentence under a field is also its help text."""

    games_at_once: int = 256
    """Games a worker plays in lock-step; their positions share the calls of the network."""

    random_share: float = 0.0
    """Share of actions that are drawn at random; the dice explore already."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played with.

        Raises:
            SearchConfigError: A value is outside its range.
        """
        if self.games_at_once < 1:
            raise SearchConfigError(f"games_at_once: expected at least 1, got {self.games_at_once}")
        if not 0.0 <= self.random_share <= 1.0:
            raise SearchConfigError(f"random_share: expected 0 to 1, got {self.random_share}")


class AfterstatePlay:
    """One worker: plays the games whose numbers it is given."""

    def __init__(
        self, game: Game, evaluator: Evaluator, config: AfterstatePlayConfig, *, seed: int
    ) -> None:
        """Prepare a worker. Workers with the same seed play the same game by the same number.

        Raises:
            BadRequestError: The evaluator does not judge rolls.
        """
        self.game = game
        self.config = config
        self.seed = seed
        self.evaluations = 0
        self.decisions = 0
        self._spreader = Spreader(game, evaluator)

    def play(
        self,
        numbers: Iterator[int],
        on_game: Callable[[GameRecord], None],
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Play until the numbers are used up, or until asked to stop.

        Args:
            numbers: Games to play; may be shared by threads.
            on_game: Called with each game when it is over.
            should_stop: Asked once a round; games under way are then dropped.
        """
        table = Rows(self.game, self.config.games_at_once, self.seed)
        while not should_stop():
            table.fill(numbers)
            if table.count == 0:
                return
            found = self._spreader.spread(table.states[: table.count], table.players[: table.count])
            self.evaluations += found.total
            self.decisions += table.count
            table.take(found.fan, found.counts, found.values, self.config.random_share)
            for record in table.finished():
                on_game(record)


class Log(NamedTuple):
    """What has happened so far in each game, at most P events."""

    events: Ints  # [B, P] actions and outcomes
    actors: Players  # [B, P] who acted, or CHANCE
    values: npt.NDArray[np.float32]  # [B, P] white's value of the position after each decision
    num_events: Ints  # [B]
    num_decisions: Ints  # [B]


def new_log(num_games: int, num_events: int) -> Log:
    """Return an empty log with room for so many events."""
    return Log(
        events=np.empty((num_games, num_events), np.int32),
        actors=np.empty((num_games, num_events), np.int8),
        values=np.empty((num_games, num_events), np.float32),
        num_events=np.zeros(num_games, np.int32),
        num_decisions=np.zeros(num_games, np.int32),
    )


class Rows:
    """The games in play, one row each, all waiting for a decision. Rows in use come first."""

    def __init__(self, game: Game, room: int, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.count = 0
        self.states: States = game.new_states(room)
        self.players = np.empty(room, np.int8)
        self.numbers = np.empty(room, np.int64)
        self.dice: Streams = streams(seed, Purpose.DICE, range(room))
        self.exploration: Streams = streams(seed, Purpose.EXPLORATION, range(room))
        self.log = new_log(room, FIRST_ROOM)
        self._chances = np.empty((room, game.spec.num_chance_outcomes))
        self._outcomes = np.empty(room, np.int32)
        self._roll_many = join_rules(roll_many, game)

    def fill(self, numbers: Iterator[int]) -> None:
        """Begin new games in the free rows, while there are numbers."""
        first = self.count
        while self.count < len(self.states):
            number = next(numbers, None)
            if number is None:
                break
            self.numbers[self.count] = number
            self.count += 1
        if self.count == first:
            return
        new = slice(first, self.count)
        self.states[new] = self.game.initial_state
        self.dice[new] = streams(self.seed, Purpose.DICE, self.numbers[new])
        self.exploration[new] = streams(self.seed, Purpose.EXPLORATION, self.numbers[new])
        self.log.num_events[new] = 0
        self.log.num_decisions[new] = 0
        self._roll()

    def take(
        self, fan: Fan, counts: Ints, values: npt.NDArray[np.float32], random_share: float
    ) -> None:
        """Play in each game the action with the best value, and roll."""
        self._make_room()
        take_best(
            fan,
            counts,
            values,
            random_share,
            self.exploration,
            as_bytes(self.states),
            self.log,
        )
        self._roll()

    def finished(self) -> list[GameRecord]:
        """Return the games that are over, and close the ranks of the others."""
        count = self.count
        is_over = self.players[:count] == TERMINAL
        if not is_over.any():
            return []
        returns = np.empty((count, 2), np.float32)
        self.game.returns_many(self.states[:count], returns)
        records = [self._record(row, returns[row]) for row in np.flatnonzero(is_over)]
        kept = np.flatnonzero(~is_over)
        self.count = len(kept)
        for array in (self.players, self.numbers, self.dice, self.exploration, *self.log):
            array[: self.count] = array[kept]
        self.states[: self.count] = self.states[kept]
        return records

    def _record(self, row: np.intp, returns: npt.NDArray[np.float32]) -> GameRecord:
        log = self.log
        events, decisions = int(log.num_events[row]), int(log.num_decisions[row])
        return GameRecord(
            number=int(self.numbers[row]),
            seed=self.seed,
            events=log.events[row, :events].copy(),
            players=log.actors[row, :events].copy(),
            policy_actions=np.empty(0, np.int32),
            policy_weights=np.empty(0, np.float32),
            policy_starts=np.zeros(decisions + 1, np.int32),
            root_values=log.values[row, :decisions].copy(),
            is_full_search=np.zeros(decisions, np.bool_),
            returns=returns.copy(),
        )

    def _roll(self) -> None:
        """Roll in every game until somebody decides or it is over."""
        while True:
            self._make_room()
            is_done = self._roll_many(
                self.states[: self.count],
                self.players[: self.count],
                self.dice,
                self._chances[: self.count],
                self._outcomes[: self.count],
                self.log,
            )
            if is_done:
                return

    def _make_room(self) -> None:
        """Make the logs longer when a game comes near their end."""
        old = self.log
        needed = int(old.num_events[: self.count].max(initial=0)) + ROLLS_AT_ONCE
        if needed <= old.events.shape[1]:
            return
        used = old.events.shape[1]
        self.log = new_log(len(old.events), 2 * needed)
        self.log.events[:, :used] = old.events
        self.log.actors[:, :used] = old.actors
        self.log.values[:, :used] = old.values
        self.log.num_events[:] = old.num_events
        self.log.num_decisions[:] = old.num_decisions


@kernel
def roll_many(
    states: States,
    players: Players,
    dice: Streams,
    chances: npt.NDArray[np.float64],
    outcomes: Actions,
    log: Log,
) -> bool:
    """Roll in every game until somebody decides or it is over, or until the log is full.

    Args:
        states: [B] changed in place.
        players: [B] written: who acts.
        dice: [B, 4] advanced.
        chances: [B, C] overwritten.
        outcomes: [B] overwritten.
        log: Appended to.

    Returns:
        Whether no more roll is due.
    """
    events, actors, num_events = log.events, log.actors, log.num_events
    for _ in range(ROLLS_AT_ONCE):
        current_player_many(states, players)
        rolls = 0
        for b in range(players.shape[0]):
            if players[b] == CHANCE:
                rolls += 1
        if rolls == 0:
            return True
        chance_probabilities_many(states, chances)
        draw_outcomes_many(dice, chances, outcomes)
        for b in range(players.shape[0]):
            if players[b] == CHANCE:
                events[b, num_events[b]] = outcomes[b]
                actors[b, num_events[b]] = CHANCE
                num_events[b] += 1
        apply_chance_many(states, outcomes)
    return False


@kernel
def take_best(
    fan: Fan,
    counts: Ints,
    values: npt.NDArray[np.float32],
    random_share: float,
    exploration: Streams,
    states: Bytes,
    log: Log,
) -> None:
    """Take the best position of each decision's fan, of equals the first, and log it.

    Args:
        fan: Of all decisions.
        counts: [B] actions of each.
        values: [T] for the actor.
        random_share: How often an action is drawn at random instead.
        exploration: [B, 4] advanced where there is a choice and a share.
        states: [B, S] become the positions taken.
        log: Appended to.
    """
    after, actions, who = fan.state_bytes, fan.actions, fan.actors
    events, actors, num_events = log.events, log.actors, log.num_events
    white_values, num_decisions = log.values, log.num_decisions
    first = 0
    for b in range(counts.shape[0]):
        count = int(counts[b])
        best = first
        for t in range(first, first + count):
            if values[t] > values[best]:
                best = t
        if random_share > 0.0 and count > 1 and uniform(exploration[b]) < random_share:
            best = first + below(exploration[b], count)
        for byte in range(states.shape[1]):
            states[b, byte] = after[best, byte]
        events[b, num_events[b]] = actions[best]
        actors[b, num_events[b]] = who[best]
        num_events[b] += 1
        value = float(values[best])
        white_values[b, num_decisions[b]] = value if who[best] == WHITE else -value
        num_decisions[b] += 1
        first += count
