"""Evaluators: what a search asks of a position it has not seen, and three that need no network."""

from abc import ABC, abstractmethod
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import EvaluationError
from spiel_bot.games.base import Floats, Game, Players, States
from spiel_bot.rng import MASK, finish_hash
from spiel_bot.search.hashing import FNV_OFFSET, hash_row

Evaluation = tuple[Floats, Floats]
"""Logits [B, A] over all actions, and values [B] from the side of who looks."""


class Evaluator(ABC):
    """Gives a policy and a value to what a player sees. Must be safe to call from threads."""

    judges_rolls: bool = False
    """Whether its value also holds before a roll, seen by who has just acted."""

    @abstractmethod
    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        """Return logits [A] and the value for the observer of one observation [F]."""

    def evaluate_batch(self, observations: Floats) -> Evaluation:
        """Return logits [B, A] and values [B]; one by one unless a subclass knows better.

        The arrays may be used again by the next call of the same thread.
        """
        results = [self.evaluate(observation) for observation in observations]
        logits = np.array([row for row, _ in results], np.float32)
        return logits, np.array([value for _, value in results], np.float32)


@runtime_checkable
class StateEvaluator(Protocol):
    """What an evaluator adds that needs the position itself, not what a player sees of it."""

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        """Return logits [B, A] and values [B] of positions, each for the player given."""


def expect_shapes(logits: Floats, values: Floats, expected: tuple[int, int]) -> None:
    """Refuse what is no evaluation of so many positions with so many actions.

    Raises:
        EvaluationError: A shape is another.
    """
    if logits.shape != expected or values.shape != expected[:1]:
        raise EvaluationError(
            f"expected logits {expected} and values {expected[:1]} from the evaluator, "
            f"got {logits.shape} and {values.shape}"
        )


class UniformEvaluator(Evaluator):
    """Knows nothing: every action alike, every value 0."""

    def __init__(self, game: Game) -> None:
        self._num_actions = game.spec.num_actions
        self._zeros = np.zeros((0, self._num_actions), np.float32)

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        """Return zeros."""
        return np.zeros(self._num_actions, np.float32), 0.0

    def evaluate_batch(self, observations: Floats) -> Evaluation:
        """Return zeros; the logits are only read, so all calls share them."""
        count = len(observations)
        zeros = self._zeros
        if len(zeros) < count:
            zeros = self._zeros = np.zeros((count, self._num_actions), np.float32)
        return zeros[:count], np.zeros(count, np.float32)


class HashEvaluator(Evaluator):
    """Arbitrary but fixed numbers for each observation: for tests, which need no good player.

    Logits lie in [0, 4) and values in [-1, 1), both with steps that float32 holds exactly.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._num_actions = game.spec.num_actions
        self._seed = seed & MASK

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        """Return the numbers of one observation."""
        logits, values = self.evaluate_batch(np.atleast_2d(observation))
        return logits[0], float(values[0])

    def evaluate_batch(self, observations: Floats) -> Evaluation:
        """Return the numbers of each observation; they do not depend on its neighbours."""
        bits = np.ascontiguousarray(observations, np.float32).view(np.uint32)
        logits = np.empty((len(bits), self._num_actions), np.float32)
        values = np.empty(len(bits), np.float32)
        hash_many(bits, self._seed, logits, values)
        return logits, values


@kernel
def hash_many(
    bits: npt.NDArray[np.uint32], seed: int, out_logits: Floats, out_values: Floats
) -> None:
    """Write logits [B, A] and values [B] that follow from the bits [B, F] of each row alone."""
    for b in range(bits.shape[0]):
        mixed = hash_row(bits[b], FNV_OFFSET ^ seed)
        out_values[b] = (finish_hash(mixed) >> 8) / 8_388_608.0 - 1.0
        for action in range(out_logits.shape[1]):
            word = finish_hash((mixed + action + 1) & MASK)
            out_logits[b, action] = (word >> 8) / 4_194_304.0
