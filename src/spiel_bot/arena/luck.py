"""Luck: how much better than the mean a roll was, by any judge of positions.

A roll's luck has the mean 0 whatever the judge thinks, so taking it off a result leaves the result
right on average; the better the judge, the less of the dice remains in it.
"""

import numpy as np
import numpy.typing as npt

from spiel_bot.games.base import BLACK, CHANCE, TERMINAL, WHITE, Actions, Game, States
from spiel_bot.search.afterstates import for_decisions
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
        self._of_rolls = judge
        self._of_decisions = for_decisions(game, judge)

    def of_rolls(self, states: States, outcomes: Actions) -> npt.NDArray[np.float64]:
        """Return white's luck [B] where each position, a roll, had this outcome.

        From -2 to 2, like results of 1 and -1, whatever the returns that the judge was trained for.
        """
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
        values = 2.0 * game.win_chances(after, self._white_values(after))
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
        for judge, is_asked in (
            (self._of_decisions, players >= WHITE),
            (self._of_rolls, players == CHANCE),  # a roll after a roll, as white sees it
        ):
            rows = np.flatnonzero(is_asked)
            observers = np.where(players[rows] == BLACK, BLACK, WHITE).astype(np.int8)
            for start in range(0, len(rows), MAX_BATCH):
                part = slice(start, start + MAX_BATCH)
                seen = self._evaluate(judge, states[rows[part]], observers[part])
                values[rows[part]] = np.where(observers[part] == BLACK, -seen, seen)
        return values

    def _evaluate(
        self, judge: Evaluator, states: States, observers: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        if isinstance(judge, StateEvaluator):
            logits, values = judge.evaluate_states(states, observers)
        else:
            seen = np.empty((len(states), self._game.spec.observation_size), np.float32)
            self._game.observe_many(states, observers, seen)
            logits, values = judge.evaluate_batch(seen)
        expect_shapes(logits, values, (len(states), self._game.spec.num_actions))
        return values
