"""Luck: how much better than the mean a roll was, by any judge of positions.

A roll's luck has the mean 0 whatever the judge thinks, so taking it off a result leaves the result
right on average; the better the judge, the less of the dice remains in it.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot.games.base import BLACK, TERMINAL, WHITE, Actions, Game, States
from spiel_bot.search.evaluator import Evaluator, StateEvaluator, expect_shapes
from spiel_bot.search.fan import copy_owners, fan_outcomes, fold_mean
from spiel_bot.search.memory import as_bytes

MAX_BATCH = 8192
"""Positions shown to the judge at once."""


class Luck:
    """Measures the luck of rolls. Threads may share it."""

    def __init__(self, game: Game, judge: Evaluator, name: str) -> None:
        """Prepare; `game` is the game as the judge sees it."""
        self.name = name
        self._game = game
        self._judge = judge

    def of_rolls(self, states: States, outcomes: Actions) -> npt.NDArray[np.float64]:
        """Return white's luck [B] where each position, a roll, had this outcome."""
        game = self._game
        assert game.chance_probabilities_many is not None
        assert game.apply_chance_many is not None
        chances = np.empty((len(states), game.spec.num_chance_outcomes))
        game.chance_probabilities_many(states, chances)
        total = int(np.count_nonzero(chances))
        owners, fanned = np.empty(total, np.int32), np.empty(total, np.int32)
        weights = np.empty(total)
        fan_outcomes(chances, owners, fanned, weights)
        after = np.empty(total, game.state_dtype)
        copy_owners(as_bytes(np.ascontiguousarray(states)), owners, as_bytes(after))
        game.apply_chance_many(after, fanned)
        values = self._white_values(after)
        means = np.empty(len(states))
        fold_mean(values, owners, weights, means)
        came: npt.NDArray[np.float64] = values[fanned == outcomes[owners]]
        return came - means

    def _white_values(self, states: States) -> npt.NDArray[np.float64]:
        game = self._game
        players = np.empty(len(states), np.int8)
        game.current_player_many(states, players)
        values = np.empty(len(states))
        over = players == TERMINAL
        if over.any():
            returns = np.empty((int(over.sum()), 2), np.float32)
            game.returns_many(states[over], returns)
            values[over] = returns[:, WHITE]
        rows = np.flatnonzero(~over)
        # A roll after a roll is judged as white sees it.
        observers = np.where(players[rows] == BLACK, BLACK, WHITE).astype(np.int8)
        for start in range(0, len(rows), MAX_BATCH):
            part = slice(start, start + MAX_BATCH)
            seen = self._evaluate(states[rows[part]], observers[part])
            values[rows[part]] = np.where(observers[part] == BLACK, -seen, seen)
        return values

    def _evaluate(self, states: States, observers: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        if isinstance(self._judge, StateEvaluator):
            logits, values = self._judge.evaluate_states(states, observers)
        else:
            seen = np.empty((len(states), self._game.spec.observation_size), np.float32)
            self._game.observe_many(states, observers, seen)
            logits, values = self._judge.evaluate_batch(seen)
        expect_shapes(logits, values, (len(states), self._game.spec.num_actions))
        return values
