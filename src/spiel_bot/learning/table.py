"""The games that a worker has in play, and the log of what has happened in them.

A game follows from the seed, its number and who plays: dice, search and exploration have a stream
each for every game. Everything is logged by kernels: Python would hold the GIL for as long as a
search takes.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import CHANCE, TERMINAL, Actions, Game, Players, Probabilities, States
from spiel_bot.games.joining import (
    apply_chance_many,
    chance_probabilities_many,
    current_player_many,
    join_rules,
)
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.rng import Purpose, Streams, streams
from spiel_bot.search.tree import Ints
from spiel_bot.storage.records import GameRecord

FIRST_ROOM = 256
"""Events of a game that there is room for at first."""

ROLLS_AT_ONCE = 64
"""Room that is made sure of before rolls are drawn; pig rolls again and again."""

Policy = tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]
"""Actions, and their weights, which add up to 1."""


class Log(NamedTuple):
    """What has happened so far in each game, at most P events."""

    events: Ints  # [B, P] actions and outcomes
    actors: Players  # [B, P] who acted, or CHANCE
    values: npt.NDArray[np.float32]  # [B, P] white's value at each decision, NaN where unknown
    is_full: npt.NDArray[np.bool_]  # [B, P] whether the decision got a whole search
    num_events: Ints  # [B]
    num_decisions: Ints  # [B]


def new_log(num_games: int, num_events: int) -> Log:
    """Return an empty log with room for so many events."""
    return Log(
        events=np.empty((num_games, num_events), np.int32),
        actors=np.empty((num_games, num_events), np.int8),
        values=np.empty((num_games, num_events), np.float32),
        is_full=np.empty((num_games, num_events), np.bool_),
        num_events=np.zeros(num_games, np.int32),
        num_decisions=np.zeros(num_games, np.int32),
    )


class Table:
    """Games in play, one row each, all waiting for a decision. Rows in use come first."""

    def __init__(self, game: Game, room: int, seed: int) -> None:
        """Prepare room for so many games."""
        self.game = game
        self.seed = seed
        self.count = 0
        self.states: States = game.new_states(room)
        self.players = np.empty(room, np.int8)
        self.numbers = np.empty(room, np.int64)
        self.dice: Streams = streams(seed, Purpose.DICE, range(room))
        self.search: Streams = streams(seed, Purpose.SEARCH, range(room))
        self.exploration: Streams = streams(seed, Purpose.EXPLORATION, range(room))
        self.policies: list[dict[int, Policy]] = [{} for _ in range(room)]  # by decision
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
        for rows, purpose in (
            (self.dice, Purpose.DICE),
            (self.search, Purpose.SEARCH),
            (self.exploration, Purpose.EXPLORATION),
        ):
            rows[new] = streams(self.seed, purpose, self.numbers[new])
        self.policies[new] = [{} for _ in range(self.count - first)]
        self.log.num_events[new] = 0
        self.log.num_decisions[new] = 0
        self.roll()

    def play(
        self,
        actions: Actions,
        values: npt.NDArray[np.float32],
        is_full: npt.NDArray[np.bool_],
    ) -> None:
        """Play an action [B] in each game, log it with what was thought of it, and roll."""
        self.make_room()
        log_decisions(self.log, self.players, actions, values, is_full)
        self.game.apply_many(self.states[: self.count], actions)
        self.roll()

    def roll(self) -> None:
        """Roll in every game until somebody decides or it is over."""
        count, is_done = self.count, False
        while not is_done:
            self.make_room()
            is_done = self._roll_many(
                self.states[:count],
                self.players[:count],
                self.dice,
                self._chances[:count],
                self._outcomes[:count],
                self.log,
            )

    def returns(self) -> npt.NDArray[np.float32]:
        """Return [B, 2] what each game has brought, NaN while it goes on."""
        returns = np.empty((self.count, 2), np.float32)
        self.game.returns_many(self.states[: self.count], returns)
        returns[self.players[: self.count] != TERMINAL] = np.nan
        return returns

    def finish(self, returns: npt.NDArray[np.float32]) -> list[GameRecord]:
        """Return the games with finite returns [B, 2], and close the ranks of the others."""
        is_over = np.isfinite(returns[:, 0])
        if not is_over.any():
            return []
        records = [self._record(row, returns[row]) for row in np.flatnonzero(is_over)]
        kept = np.flatnonzero(~is_over)
        self.count = len(kept)
        rows = slice(self.count)
        self.states[rows] = self.states[kept]
        for array in (
            self.players,
            self.numbers,
            self.dice,
            self.search,
            self.exploration,
            *self.log,
        ):
            array[rows] = array[kept]
        self.policies[rows] = [self.policies[row] for row in kept]
        return records

    def _record(self, row: np.intp, returns: npt.NDArray[np.float32]) -> GameRecord:
        log, policies = self.log, self.policies[row]
        events, decisions = int(log.num_events[row]), int(log.num_decisions[row])
        lengths = np.zeros(decisions + 1, np.int32)
        for decision, (actions, _) in policies.items():
            lengths[decision + 1] = len(actions)
        nothing: Policy = (np.empty(0, np.int32), np.empty(0, np.float32))
        whole = [nothing, *policies.values()]
        return GameRecord(
            number=int(self.numbers[row]),
            seed=self.seed,
            events=log.events[row, :events].copy(),
            players=log.actors[row, :events].copy(),
            policy_actions=np.concatenate([actions for actions, _ in whole]),
            policy_weights=np.concatenate([weights for _, weights in whole]),
            policy_starts=np.cumsum(lengths, dtype=np.int32),
            root_values=log.values[row, :decisions].copy(),
            is_full_search=log.is_full[row, :decisions].copy(),
            returns=returns.copy(),
        )

    def make_room(self) -> None:
        """Make the log longer when a game comes near its end."""
        old = self.log
        needed = int(old.num_events[: self.count].max(initial=0)) + ROLLS_AT_ONCE
        used = old.events.shape[1]
        if needed <= used:
            return
        self.log = new_log(len(old.events), 2 * needed)
        self.log.events[:, :used] = old.events
        self.log.actors[:, :used] = old.actors
        self.log.values[:, :used] = old.values
        self.log.is_full[:, :used] = old.is_full
        self.log.num_events[:] = old.num_events
        self.log.num_decisions[:] = old.num_decisions


@kernel
def roll_many(
    states: States,
    players: Players,
    dice: Streams,
    chances: Probabilities,
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
def log_decisions(
    log: Log,
    players: Players,
    actions: Actions,
    values: npt.NDArray[np.float32],
    is_full: npt.NDArray[np.bool_],
) -> None:
    """Append a decision to the log of each game.

    Args:
        log: Appended to.
        players: [B] who decides.
        actions: [B] what was chosen.
        values: [B] white's value, NaN where unknown.
        is_full: [B] whether the search was a whole one.
    """
    events, actors, num_events = log.events, log.actors, log.num_events
    log_values, log_full, num_decisions = log.values, log.is_full, log.num_decisions
    for b in range(actions.shape[0]):
        events[b, num_events[b]] = actions[b]
        actors[b, num_events[b]] = players[b]
        num_events[b] += 1
        log_values[b, num_decisions[b]] = values[b]
        log_full[b, num_decisions[b]] = is_full[b]
        num_decisions[b] += 1
