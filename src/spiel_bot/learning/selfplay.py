"""Self-play: many games in lock-step, each searched at every decision and recorded whole."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import SearchConfigError
from spiel_bot.games.base import WHITE, Game
from spiel_bot.learning.table import Table
from spiel_bot.rng import Streams, uniform
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.result import SearchResult, choose_by_visits
from spiel_bot.search.tree import Ints
from spiel_bot.storage.records import GameRecord

SMALLEST_WEIGHT = 1e-3
"""Actions with less of the policy to learn from are not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayConfig:
    """How games are played to learn from. The sentence under a field is also its help text."""

    games_at_once: int = 512
    """Games a worker plays in lock-step; their leaves share the calls of the network, of which the
    quarter with whole searches comes in a batch of its own."""

    search: MctsConfig = field(
        default_factory=lambda: MctsConfig(
            n_simulations=32, selection="gumbel", eval_batch_size=1, memory_limit_mb=None
        )
    )
    """How a decision is searched."""

    full_share: float = 0.25
    """Share of decisions that get the whole search; the policy learns from these alone."""

    cheap_simulations: int = 8
    """Simulations of the other decisions, which are played without exploration."""

    temperature_decisions: int = 20
    """Decisions of a game played with the temperature of the search; PUCT only."""

    final_temperature: float = 0.0
    """Temperature after those."""

    resign_below: float | None = None
    """Give up when the value for the mover is below this; none to play every game to its end."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played with.

        Raises:
            SearchConfigError: A value is outside its range.
        """
        for name in ("games_at_once", "cheap_simulations"):
            if getattr(self, name) < 1:
                raise SearchConfigError(f"{name}: expected at least 1, got {getattr(self, name)}")
        if not 0.0 <= self.full_share <= 1.0:
            raise SearchConfigError(f"full_share: expected 0 to 1, got {self.full_share}")
        if self.temperature_decisions < 0 or self.final_temperature < 0:
            raise SearchConfigError("temperatures and their decisions: expected 0 or more")
        if self.resign_below is not None and not -1.0 <= self.resign_below < 0.0:
            raise SearchConfigError(
                f"resign_below: expected none or a value in [-1, 0), got {self.resign_below}"
            )

    @property
    def cheap_search(self) -> MctsConfig:
        """How the decisions are searched that the policy does not learn from."""
        simulations = min(self.cheap_simulations, self.search.n_simulations)
        return self.search.without_exploration().replace(n_simulations=simulations)


class SelfPlay:
    """One worker: plays the games whose numbers it is given."""

    def __init__(
        self, game: Game, evaluator: Evaluator, config: SelfPlayConfig, *, seed: int
    ) -> None:
        """Prepare a worker. Workers with the same seed play the same game by the same number."""
        self.game = game
        self.config = config
        self.seed = seed
        self.evaluations = 0
        self.decisions = 0
        self._full = Search(game, evaluator, config.search)
        self._cheap = Search(game, evaluator, config.cheap_search)

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
        table = Table(self.game, self.config.games_at_once, self.seed)
        while not should_stop():
            table.fill(numbers)
            if table.count == 0:
                return
            actions, values, is_full = self._choose(table)
            self.decisions += len(actions)
            movers = table.players[: table.count].copy()
            table.play(actions, values, is_full)
            returns = table.returns()
            self._give_up(movers, values, returns)
            for record in table.finish(returns):
                on_game(record)

    def _choose(
        self, table: Table
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Return an action [B] for each game, white's value of it, and whose search was whole."""
        states = table.states[: table.count]
        legal = np.empty((len(states), self.game.spec.max_legal_actions), np.int32)
        counts = np.empty(len(states), np.int32)
        self.game.legal_actions_many(states, legal, counts)
        actions, values = legal[:, 0].copy(), np.full(len(states), np.nan, np.float32)
        is_full = np.empty(len(states), np.bool_)
        draw_full(table.exploration, counts, self.config.full_share, is_full)
        for search, chosen in (
            (self._full, is_full),
            (self._cheap, (counts > 1) & ~is_full),
        ):
            rows = np.flatnonzero(chosen)
            if len(rows):
                result = self._search(search, table, rows)
                actions[rows], values[rows] = result.action, result.root_value
                if search is self._full:
                    self._keep_policies(table, rows, result)
                    if self.config.search.selection == "puct":
                        actions[rows] = self._draw(table, rows, result)
        return actions, values, is_full

    def _search(self, search: Search, table: Table, rows: npt.NDArray[np.intp]) -> SearchResult:
        """Search some of the games."""
        row_streams = table.search[rows]
        result = search.run(table.states[rows], row_streams)
        table.search[rows] = row_streams
        self.evaluations += result.evaluations
        return result

    def _keep_policies(
        self, table: Table, rows: npt.NDArray[np.intp], result: SearchResult
    ) -> None:
        """Log the policies to learn from."""
        actions = np.empty(result.actions.shape, np.int32)
        weights = np.empty(result.actions.shape, np.float32)
        counts = np.empty(len(rows), np.int32)
        sparse_policies(result.actions, result.num_actions, result.policy, actions, weights, counts)
        for i, row in enumerate(rows):
            decision, count = int(table.log.num_decisions[row]), counts[i]
            policy = actions[i, :count].copy(), weights[i, :count].copy()
            table.policies[row][decision] = policy

    def _draw(
        self, table: Table, rows: npt.NDArray[np.intp], result: SearchResult
    ) -> npt.NDArray[np.int32]:
        """Draw actions by visits, with the temperature of this stage of the game."""
        config = self.config
        actions = np.empty(len(rows), np.int32)
        scratch = np.empty(result.visits.shape[1])
        for i, row in enumerate(rows):
            is_early = table.log.num_decisions[row] < config.temperature_decisions
            place = choose_by_visits(
                result.visits[i],
                result.values[i],
                int(result.num_actions[i]),
                1.0 if table.players[row] == WHITE else -1.0,
                float(config.search.temperature if is_early else config.final_temperature),
                table.exploration[row],
                scratch,
            )
            actions[i] = result.actions[i, place]
        return actions

    def _give_up(
        self,
        movers: npt.NDArray[np.int8],
        values: npt.NDArray[np.float32],
        returns: npt.NDArray[np.float32],
    ) -> None:
        """End games whose mover saw no hope at this decision: the other side wins."""
        if self.config.resign_below is None:
            return
        least, most = self.game.spec.return_range
        hopes = np.where(movers == WHITE, values, -values)
        for row in np.flatnonzero(np.isnan(returns[:, WHITE])):
            if hopes[row] < self.config.resign_below:
                returns[row] = (least, most) if movers[row] == WHITE else (most, least)


@kernel
def draw_full(exploration: Streams, counts: Ints, share: float, out: npt.NDArray[np.bool_]) -> None:
    """Draw which decisions [B] get the whole search; one without a choice gets none.

    Args:
        exploration: [B, 4] advanced where there is a choice.
        counts: [B] legal actions.
        share: How many.
        out: [B] written.
    """
    for b in range(out.shape[0]):
        out[b] = counts[b] > 1 and uniform(exploration[b]) < share


@kernel
def sparse_policies(
    actions: Ints,
    num_actions: Ints,
    policy: npt.NDArray[np.float64],
    out_actions: Ints,
    out_weights: npt.NDArray[np.float32],
    out_counts: Ints,
) -> None:
    """Keep the actions that count in policies to learn from; their weights add up to 1.

    Args:
        actions: [B, L] legal actions.
        num_actions: [B] how many.
        policy: [B, L] their weights.
        out_actions: [B, L] written.
        out_weights: [B, L] written.
        out_counts: [B] written: how many are kept.
    """
    for b in range(num_actions.shape[0]):
        count = 0
        total = 0.0
        for i in range(num_actions[b]):
            if policy[b, i] >= SMALLEST_WEIGHT:
                out_actions[b, count] = actions[b, i]
                total += policy[b, i]
                count += 1
        count = 0
        for i in range(num_actions[b]):
            if policy[b, i] >= SMALLEST_WEIGHT:
                out_weights[b, count] = policy[b, i] / total
                count += 1
        out_counts[b] = count
