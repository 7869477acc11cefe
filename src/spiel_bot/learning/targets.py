"""Targets: what a recorded game teaches at each of its decisions.

The one place where results and search values become numbers to learn, and where they are turned
to the side of who decides.
"""

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import SearchConfigError
from spiel_bot.games.base import CHANCE, WHITE, Game, States
from spiel_bot.storage.records import GameRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetConfig:
    """What values are learned. The sentence under a field is also its help text."""

    lambda_: float = 1.0
    """1 learns the result of the game; less mixes in what later searches thought, decision by
    decision; 0 learns the value of the next search alone."""

    def __post_init__(self) -> None:
        """Refuse a mix that is none.

        Raises:
            SearchConfigError: `lambda_` is not in [0, 1].
        """
        if not 0.0 <= self.lambda_ <= 1.0:
            raise SearchConfigError(f"lambda: expected 0 to 1, got {self.lambda_}")


class Samples(NamedTuple):
    """Decisions to learn from, S of them."""

    states: States  # [S]
    movers: npt.NDArray[np.int8]  # [S]
    values: npt.NDArray[np.float32]  # [S] for the mover
    policy_actions: list[npt.NDArray[np.int32]]  # S, empty where the policy learns nothing
    policy_weights: list[npt.NDArray[np.float32]]  # S, of the same lengths; each adds up to 1
    plies: npt.NDArray[np.int32]  # [S] where in the game, so that a board can be found again
    game: int  # number of the game


def samples_of(game: Game, record: GameRecord, config: TargetConfig) -> Samples:
    """Replay a game and return its decisions with what they teach."""
    states, plies = replay(game, record)
    movers = record.players[plies]
    white = lambda_returns(record.root_values, float(record.returns[WHITE]), config.lambda_)
    bounds = list(itertools.pairwise(record.policy_starts))
    return Samples(
        states=states,
        movers=movers,
        values=np.where(movers == WHITE, white, -white).astype(np.float32),
        policy_actions=[record.policy_actions[a:b] for a, b in bounds],
        policy_weights=[record.policy_weights[a:b] for a, b in bounds],
        plies=plies,
        game=record.number,
    )


def replay(game: Game, record: GameRecord) -> tuple[States, npt.NDArray[np.int32]]:
    """Return the positions of all decisions of a game, and the plies at which they stand."""
    state = game.new_states(1)
    if record.start:
        state[0] = game.from_text(record.start)
    plies = np.flatnonzero(record.players != CHANCE).astype(np.int32)
    states = game.new_states(len(plies))
    place = 0
    event = np.empty(1, np.int32)
    for number, player in zip(record.events, record.players, strict=True):
        event[0] = number
        if player == CHANCE:
            assert game.apply_chance_many is not None
            game.apply_chance_many(state, event)
        else:
            states[place] = state[0]
            place += 1
            game.apply_many(state, event)
    return states, plies


def lambda_returns(
    root_values: npt.NDArray[np.float32], result: float, lambda_: float
) -> npt.NDArray[np.float64]:
    """Return white's target at each decision: G(t) = (1 - lambda) v(t+1) + lambda G(t+1).

    The last decision has the result. Where a decision was forced and not searched (NaN) the mix
    passes it by.

    >>> lambda_returns(np.array([0.0, 0.5], np.float32), 1.0, 0.5).tolist()
    [0.75, 1.0]
    """
    targets = np.empty(len(root_values))
    following = result
    for t in range(len(root_values) - 1, -1, -1):
        targets[t] = following
        if np.isfinite(root_values[t]):
            following = (1.0 - lambda_) * float(root_values[t]) + lambda_ * following
    return targets
