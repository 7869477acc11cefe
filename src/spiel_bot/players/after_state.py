"""A player without search: the action whose position its judge likes best."""

import numpy as np
import numpy.typing as npt

from spiel_bot.games.base import TERMINAL, Actions, Game, Players, States
from spiel_bot.rng import Streams
from spiel_bot.search.evaluator import StateEvaluator

MAX_BATCH = 16_384
"""Positions shown to the judge at once."""


class AfterStatePlayer:
    """Plays every action in mind, and takes the first of those that are judged best.

    What `LookaheadPlayer` does with no plies, for judges of positions that need no observation and
    have no policy: a whole batch in one go.
    """

    def __init__(self, game: Game, judge: StateEvaluator, *, name: str) -> None:
        """Prepare a player; the judge must also judge rolls, seen by who has just acted."""
        self.name = name
        self._game = game
        self._judge = judge

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return the best action in each position; nothing is drawn."""
        game, count = self._game, len(states)
        legal = np.empty((count, game.spec.max_legal_actions), np.int32)
        counts = np.empty(count, np.int32)
        movers = np.empty(count, np.int8)
        game.legal_actions_many(states, legal, counts)
        game.current_player_many(states, movers)
        chosen = legal[:, 0].copy()
        rows = np.flatnonzero(counts > 1)  # where there is a choice
        if len(rows) == 0:
            return chosen
        legal, counts = legal[rows], counts[rows]
        owners = np.repeat(np.arange(len(rows)), counts)
        actions = legal[np.arange(legal.shape[1]) < counts[:, None]]
        after = states[rows[owners]]
        game.apply_many(after, actions)
        values = self._values(after, movers[rows[owners]])
        best = np.maximum.reduceat(values, np.cumsum(counts) - counts)
        candidates = np.flatnonzero(values == best[owners])
        _, first = np.unique(owners[candidates], return_index=True)
        chosen[rows] = actions[candidates[first]]
        return chosen

    def _values(self, states: States, movers: Players) -> npt.NDArray[np.float32]:
        """Return what positions are worth to those who have just acted."""
        players = np.empty(len(states), np.int8)
        self._game.current_player_many(states, players)
        values = np.empty(len(states), np.float32)
        over = players == TERMINAL
        if over.any():
            returns = np.empty((int(over.sum()), 2), np.float32)
            self._game.returns_many(states[over], returns)
            values[over] = returns[np.arange(len(returns)), movers[over]]
        rows = np.flatnonzero(~over)
        for start in range(0, len(rows), MAX_BATCH):
            part = rows[start : start + MAX_BATCH]
            values[part] = self._judge.evaluate_states(states[part], movers[part])[1]
        return values
