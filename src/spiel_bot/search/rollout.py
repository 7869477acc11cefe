"""The rollout evaluator: random play to the end, the oldest way to judge a position."""

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import TERMINAL, WHITE, Floats, Game, Players, States
from spiel_bot.games.sampling import choose_actions_many, draw_outcomes_many
from spiel_bot.rng import MASK, STREAM_WORDS, Streams, finish_hash
from spiel_bot.search.evaluator import Evaluation, Evaluator
from spiel_bot.search.hashing import FNV_OFFSET, hash_row
from spiel_bot.search.memory import as_bytes
from spiel_bot.search.tree import Bytes


class RolloutEvaluator(Evaluator):
    """Every action alike; the value is the mean result of random games from the position.

    The dice of these games follow from the position and the seed, so a position has one value,
    whatever stands beside it in a batch.
    """

    judges_rolls = True

    def __init__(self, game: Game, *, rollouts: int = 8, seed: int = 0) -> None:
        if rollouts < 1:
            raise BadRequestError(f"expected at least 1 for rollouts, got {rollouts}")
        self._game = game
        self._rollouts = rollouts
        self._seed = seed & MASK

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        """Refuse: what a player sees may not be all that a game to the end needs.

        Raises:
            BadRequestError: Always.
        """
        raise BadRequestError("rollouts need the position itself; use evaluate_states()")

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        """Return zeros [B, A], and for each player the mean return of games from his position."""
        game, count = self._game, len(states)
        copies = np.repeat(states, self._rollouts)
        white = self._play(copies).reshape(count, self._rollouts).mean(axis=1)
        values = np.where(players == WHITE, white, -white).astype(np.float32)
        return np.zeros((count, game.spec.num_actions), np.float32), values

    def _play(self, states: States) -> npt.NDArray[np.float32]:
        """Play all positions to the end at random, in place; return white's returns."""
        game, total = self._game, len(states)
        choices = np.empty((total, STREAM_WORDS), np.int64)
        seed_by_state(as_bytes(states), self._seed, self._rollouts, choices)
        results = np.empty(total, np.float32)
        rows = np.arange(total)
        legal = np.empty((total, game.spec.max_legal_actions), np.int32)
        counts = np.empty(total, np.int32)
        chosen = np.empty(total, np.int32)
        chances = np.empty((total, game.spec.num_chance_outcomes))
        players = np.empty(total, np.int8)
        returns = np.empty((total, 2), np.float32)
        while True:
            n = len(states)
            game.current_player_many(states, players[:n])
            is_over = players[:n] == TERMINAL
            if is_over.any():
                game.returns_many(states, returns[:n])
                results[rows[is_over]] = returns[:n, WHITE][is_over]
                states, choices, rows = states[~is_over], choices[~is_over], rows[~is_over]
                n = len(states)
            if n == 0:
                return results
            game.legal_actions_many(states, legal[:n], counts[:n])
            choose_actions_many(choices, legal[:n], counts[:n], chosen[:n])
            game.apply_many(states, chosen[:n])
            if game.chance_probabilities_many is not None and game.apply_chance_many is not None:
                game.chance_probabilities_many(states, chances[:n])
                draw_outcomes_many(choices, chances[:n], chosen[:n])
                game.apply_chance_many(states, chosen[:n])


@kernel
def seed_by_state(states: Bytes, seed: int, rollouts: int, out: Streams) -> None:
    """Fill a stream for each position [M, S] from its bytes, the seed and its number of rollout."""
    for m in range(states.shape[0]):
        mixed = hash_row(states[m], ((FNV_OFFSET ^ seed) + m % rollouts) & MASK)
        for word in range(out.shape[1]):
            out[m, word] = finish_hash((mixed + word + 1) & MASK)
