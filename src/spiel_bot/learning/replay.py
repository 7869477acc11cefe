"""Replay: the window of recent decisions that the learner draws its batches from."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import LearningError, SearchConfigError
from spiel_bot.games.base import Game, States
from spiel_bot.learning.chances import odds_of
from spiel_bot.learning.targets import Samples
from spiel_bot.networks.config import AuxiliaryHead


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayConfig:
    """How much is remembered. The sentence under a field is also its help text."""

    capacity: int = 100_000
    """Decisions of the window."""

    growth: float = 0.0
    """The window grows by this share of all decisions ever seen beyond the capacity."""

    max_reuse: int = 8
    """How often a decision may be drawn."""

    max_policy: int = 64
    """Actions of a policy that are kept, the heaviest first."""

    def __post_init__(self) -> None:
        """Refuse what cannot be a window.

        Raises:
            SearchConfigError: A value is outside its range.
        """
        for name in ("capacity", "max_reuse", "max_policy"):
            if getattr(self, name) < 1:
                raise SearchConfigError(f"{name}: expected at least 1, got {getattr(self, name)}")
        if not 0.0 <= self.growth <= 1.0:
            raise SearchConfigError(f"growth: expected 0 to 1, got {self.growth}")


class Batch(NamedTuple):
    """Decisions for one step of the learner, as arrays of the network's shapes."""

    observations: npt.NDArray[np.float32]  # [S, F]
    policies: npt.NDArray[np.float32]  # [S, A] all zero where the policy learns nothing
    is_legal: npt.NDArray[np.bool_]  # [S, A]
    values: npt.NDArray[np.float32]  # [S] for the mover
    auxiliary: Mapping[str, npt.NDArray[np.float32]] = MappingProxyType({})  # [S, ...] by head
    odds: npt.NDArray[np.float32] | None = None  # [S, 2] if chances of winning are learned: `Odds`


class Replay:
    """A window over decisions; the oldest make room for new ones.

    A position is kept as its record and observed when it is drawn: 50 bytes instead of 868, and
    another observation can be learned from the same games.
    """

    def __init__(
        self,
        game: Game,
        config: ReplayConfig,
        heads: Sequence[AuxiliaryHead] = (),
        *,
        has_odds: bool = False,
    ) -> None:
        self.game = game
        self._has_odds = has_odds
        self._heads = heads
        self.config = config
        self.seen = 0
        self._begin = 0
        self._end = 0
        self._game_sizes: deque[int] = deque()
        self._in_games = 0
        self._allocate(min(config.capacity, 4096))

    def _allocate(self, room: int) -> None:
        width = min(self.config.max_policy, self.game.spec.max_legal_actions)
        self._states: States = self.game.new_states(room)
        self._movers = np.empty(room, np.int8)
        self._values = np.empty(room, np.float32)
        self._actions = np.full((room, width), -1, np.int32)
        self._weights = np.zeros((room, width), np.float32)
        self._uses = np.zeros(room, np.int32)
        self._auxiliary = {
            head.name: np.empty((room, head.target_size), np.float32) for head in self._heads
        }

    def _arrays(self) -> list[npt.NDArray[Any]]:
        return [
            self._states,
            self._movers,
            self._values,
            self._actions,
            self._weights,
            self._uses,
            *self._auxiliary.values(),
        ]

    def __len__(self) -> int:
        """Return how many decisions are in the window."""
        return self._end - self._begin

    @property
    def window(self) -> int:
        """Decisions the window may hold by now."""
        beyond = max(0, self.seen - self.config.capacity)
        return self.config.capacity + int(self.config.growth * beyond)

    def add(self, samples: Samples) -> None:
        """Take decisions in; the oldest leave when the window is full."""
        count = len(samples.states)
        self.seen += count
        self._make_room(count)
        rows = slice(self._end, self._end + count)
        self._states[rows] = samples.states
        self._movers[rows] = samples.movers
        self._values[rows] = samples.values
        self._uses[rows] = 0
        for name, targets in self._auxiliary.items():
            targets[rows] = samples.auxiliary[name]
        self._actions[rows] = -1
        self._weights[rows] = 0.0
        for i in range(count):
            if len(samples.policy_actions[i]) == 0:
                continue
            actions, weights = self._heaviest(samples.policy_actions[i], samples.policy_weights[i])
            row = self._end + i
            self._actions[row, : len(actions)] = actions
            self._weights[row, : len(weights)] = weights
        self._end += count
        self._begin = max(self._begin, self._end - self.window)
        self._game_sizes.append(count)
        self._in_games += count
        while self._game_sizes and self._in_games - self._game_sizes[0] >= len(self):
            self._in_games -= self._game_sizes.popleft()

    def _heaviest(
        self, actions: npt.NDArray[np.int32], weights: npt.NDArray[np.float32]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        width = self._actions.shape[1]
        if len(actions) <= width:
            return actions, weights
        kept = np.sort(np.argsort(-weights, kind="stable")[:width])
        return actions[kept], weights[kept] / weights[kept].sum()

    def _make_room(self, count: int) -> None:
        """Move the window to the front of its arrays, or to larger ones, when the end is near."""
        if self._end + count <= len(self._states):
            return
        kept = [array[self._begin : self._end].copy() for array in self._arrays()]
        length = len(self)
        # Twice the window, so that moving is rare.
        self._allocate(max(len(self._states), 2 * (length + count)))
        for array, values in zip(self._arrays(), kept, strict=True):
            array[:length] = values
        self._begin, self._end = 0, length

    def draw(self, size: int, rng: np.random.Generator) -> Batch | None:
        """Draw decisions without replacement; None if too few may still be drawn."""
        rows = np.flatnonzero(self._uses[self._begin : self._end] < self.config.max_reuse)
        if len(rows) < size:
            return None
        chosen = self._begin + rng.choice(rows, size, replace=False)
        self._uses[chosen] += 1
        return self._batch(chosen)

    def _batch(self, rows: npt.NDArray[np.int64]) -> Batch:
        spec = self.game.spec
        size = len(rows)
        states = self._states[rows]
        observations = np.empty((size, spec.observation_size), np.float32)
        self.game.observe_many(states, self._movers[rows], observations)
        legal = np.empty((size, spec.max_legal_actions), np.int32)
        counts = np.empty(size, np.int32)
        self.game.legal_actions_many(states, legal, counts)
        is_legal = np.zeros((size, spec.num_actions), np.bool_)
        place = np.arange(legal.shape[1]) < counts[:, None]
        is_legal[np.nonzero(place)[0], legal[place]] = True
        policies = np.zeros((size, spec.num_actions), np.float32)
        actions = self._actions[rows]
        kept = actions >= 0
        policies[np.nonzero(kept)[0], actions[kept]] = self._weights[rows][kept]
        auxiliary = {name: targets[rows] for name, targets in self._auxiliary.items()}
        odds = None
        if self._has_odds:
            seen = odds_of(self.game, states, self._movers[rows])
            odds = np.stack(seen, axis=1).astype(np.float32)
        return Batch(observations, policies, is_legal, self._values[rows], auxiliary, odds)

    def recent_observations(self, count: int) -> npt.NDArray[np.float32] | None:
        """Return what the movers of the newest decisions saw, [S, F]; None without decisions."""
        if not len(self):
            return None
        rows = np.arange(max(self._begin, self._end - count), self._end)
        out = np.empty((len(rows), self.game.spec.observation_size), np.float32)
        self.game.observe_many(self._states[rows], self._movers[rows], out)
        return out

    def uses(self) -> npt.NDArray[np.int32]:
        """Return how often each decision of the window has been drawn, the oldest first."""
        return self._uses[self._begin : self._end].copy()

    @property
    def num_games(self) -> int:
        """Games that the decisions of the window belong to; the oldest perhaps in part."""
        return len(self._game_sizes)

    def restore(self, uses: npt.NDArray[np.int32], seen: int) -> None:
        """Become the window that `uses` and `seen` were taken from, its games added again.

        Where the window is smaller by now, because the settings have changed, it is the end of it.

        Raises:
            LearningError: There are fewer decisions than that window had.
        """
        self.seen = seen
        count = min(len(uses), self.window)
        if count > self._end:
            raise LearningError(
                f"expected {count} decisions of stored games, got {self._end}; some are missing"
            )
        self._begin = self._end - count
        self._uses[self._begin : self._end] = uses[-count:]
