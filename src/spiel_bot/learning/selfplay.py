"""Self-play: many games in lock-step, each searched at every decision and recorded whole.

What happens in a game follows from the seed, its number and the evaluator, not from the games
beside it: dice, search and exploration have a stream each for every game.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import SearchConfigError
from spiel_bot.games.base import CHANCE, NO_ACTION, TERMINAL, WHITE, Game, States
from spiel_bot.games.sampling import draw_outcomes_many
from spiel_bot.rng import Purpose, Streams, streams, uniform
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.result import SearchResult, choose_by_visits
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


@dataclass(slots=True)
class GameLog:
    """What has happened so far in one game."""

    number: int
    start: str
    events: list[int] = field(default_factory=list)
    players: list[int] = field(default_factory=list)
    policies: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]] = field(
        default_factory=list
    )
    root_values: list[float] = field(default_factory=list)
    is_full: list[bool] = field(default_factory=list)

    def to_record(self, seed: int, returns: npt.NDArray[np.float32]) -> GameRecord:
        """Return the whole game, ended with these returns."""
        lengths = [len(actions) for actions, _ in self.policies]
        no_actions, no_weights = np.empty(0, np.int32), np.empty(0, np.float32)
        return GameRecord(
            number=self.number,
            seed=seed,
            start=self.start,
            events=np.array(self.events, np.int32),
            players=np.array(self.players, np.int8),
            policy_actions=np.concatenate([no_actions, *(pair[0] for pair in self.policies)]),
            policy_weights=np.concatenate([no_weights, *(pair[1] for pair in self.policies)]),
            policy_starts=np.cumsum([0, *lengths], dtype=np.int32),
            root_values=np.array(self.root_values, np.float32),
            is_full_search=np.array(self.is_full, np.bool_),
            returns=returns.copy(),
        )


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
        table = Table(self.game, self.seed)
        while not should_stop():
            table.fill(numbers, self.config.games_at_once)
            if not len(table.states):
                return
            actions = self._choose(table)
            self.decisions += len(actions)
            returns = table.advance(actions)
            self._give_up(table, returns)
            is_over = np.isfinite(returns[:, WHITE])
            for row in np.flatnonzero(is_over):
                on_game(table.logs[row].to_record(self.seed, returns[row]))
            table.keep(~is_over)

    def _choose(self, table: "Table") -> npt.NDArray[np.int32]:
        """Return an action for each game, and log what was found on the way."""
        legal, counts = table.legal_actions()
        actions = legal[:, 0].copy()
        is_free = counts > 1
        for row in np.flatnonzero(~is_free):
            table.logs[row].policies.append(NO_POLICY)
            table.logs[row].root_values.append(math.nan)
            table.logs[row].is_full.append(False)
        is_full = np.zeros(len(actions), np.bool_)
        for row in np.flatnonzero(is_free):
            is_full[row] = uniform(table.exploration[row]) < self.config.full_share
        for search, chosen in ((self._full, is_free & is_full), (self._cheap, is_free & ~is_full)):
            if chosen.any():
                actions[chosen] = self._search(search, table, chosen)
        return actions

    def _search(
        self, search: Search, table: "Table", chosen: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int32]:
        """Search some of the games; return their actions."""
        rows = np.flatnonzero(chosen)
        row_streams = table.search[rows]
        result = search.run(table.states[rows], row_streams)
        table.search[rows] = row_streams
        self.evaluations += result.evaluations
        actions = result.action.copy()
        is_full = search is self._full
        for i, row in enumerate(rows):
            log = table.logs[row]
            log.root_values.append(float(result.root_value[i]))
            log.is_full.append(is_full)
            log.policies.append(sparse_policy(result, i) if is_full else NO_POLICY)
            if is_full and self.config.search.selection == "puct":
                actions[i] = self._draw(result, i, log, table, row)
        return actions

    def _draw(
        self, result: SearchResult, i: int, log: GameLog, table: "Table", row: np.intp
    ) -> int:
        """Draw an action by visits, with the temperature of this stage of the game."""
        config = self.config
        is_early = len(log.root_values) <= config.temperature_decisions
        place = choose_by_visits(
            result.visits[i],
            result.values[i],
            int(result.num_actions[i]),
            1.0 if table.players[row] == WHITE else -1.0,
            float(config.search.temperature if is_early else config.final_temperature),
            table.exploration[row],
            np.empty(result.visits.shape[1]),
        )
        return int(result.actions[i, place])

    def _give_up(self, table: "Table", returns: npt.NDArray[np.float32]) -> None:
        """End games whose mover saw no hope at his last decision: the other side wins."""
        if self.config.resign_below is None:
            return
        least, most = self.game.spec.return_range
        for row in np.flatnonzero(~np.isfinite(returns[:, WHITE])):
            log = table.logs[row]
            value = log.root_values[-1]
            mover = next(player for player in reversed(log.players) if player != CHANCE)
            if (value if mover == WHITE else -value) < self.config.resign_below:
                returns[row] = (least, most) if mover == WHITE else (most, least)


NO_POLICY = (np.empty(0, np.int32), np.empty(0, np.float32))


def sparse_policy(
    result: SearchResult, row: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Return the actions that count in the policy to learn from, and their weights, sum 1."""
    count = int(result.num_actions[row])
    weights = result.policy[row, :count]
    kept = weights >= SMALLEST_WEIGHT
    weights = weights[kept]
    return result.actions[row, :count][kept], (weights / weights.sum()).astype(np.float32)


class Table:
    """The games in play, one row each, all waiting for a decision."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.states: States = game.new_states(0)
        self.players = np.empty(0, np.int8)
        self.dice: Streams = streams(seed, Purpose.DICE, [])
        self.search: Streams = streams(seed, Purpose.SEARCH, [])
        self.exploration: Streams = streams(seed, Purpose.EXPLORATION, [])
        self.logs: list[GameLog] = []

    def fill(self, numbers: Iterator[int], most: int) -> None:
        """Begin new games until there are `most`, or no more numbers."""
        new: list[int] = []
        while len(self.logs) + len(new) < most:
            number = next(numbers, None)
            if number is None:
                break
            new.append(number)
        if not new:
            return
        self.states = np.concatenate([self.states, self.game.new_states(len(new))])
        for name, purpose in (
            ("dice", Purpose.DICE),
            ("search", Purpose.SEARCH),
            ("exploration", Purpose.EXPLORATION),
        ):
            rows = streams(self.seed, purpose, new)
            setattr(self, name, np.concatenate([getattr(self, name), rows]))
        self.logs += [GameLog(number, start="") for number in new]
        self._roll()

    def legal_actions(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return the legal actions [B, L] of each game, and how many."""
        legal = np.empty((len(self.states), self.game.spec.max_legal_actions), np.int32)
        counts = np.empty(len(self.states), np.int32)
        self.game.legal_actions_many(self.states, legal, counts)
        return legal, counts

    def advance(self, actions: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """Play an action in each game and roll; return [B, 2] returns, NaN while it goes on."""
        for log, action, player in zip(self.logs, actions, self.players, strict=True):
            log.events.append(int(action))
            log.players.append(int(player))
        self.game.apply_many(self.states, actions)
        self._roll()
        returns = np.empty((len(self.states), 2), np.float32)
        self.game.returns_many(self.states, returns)
        returns[self.players != TERMINAL] = np.nan
        return returns

    def keep(self, is_kept: npt.NDArray[np.bool_]) -> None:
        """Drop the rows of games that are over."""
        if is_kept.all():
            return
        self.states, self.players = self.states[is_kept], self.players[is_kept]
        self.dice, self.search = self.dice[is_kept], self.search[is_kept]
        self.exploration = self.exploration[is_kept]
        self.logs = [log for log, kept in zip(self.logs, is_kept, strict=True) if kept]

    def _roll(self) -> None:
        """Roll in every game until somebody decides or it is over."""
        game = self.game
        self.players = np.empty(len(self.states), np.int8)
        game.current_player_many(self.states, self.players)
        while (self.players == CHANCE).any():
            assert game.chance_probabilities_many is not None
            assert game.apply_chance_many is not None
            chances = np.empty((len(self.states), game.spec.num_chance_outcomes))
            outcomes = np.empty(len(self.states), np.int32)
            game.chance_probabilities_many(self.states, chances)
            draw_outcomes_many(self.dice, chances, outcomes)
            for row in np.flatnonzero(outcomes != NO_ACTION):
                self.logs[row].events.append(int(outcomes[row]))
                self.logs[row].players.append(CHANCE)
            game.apply_chance_many(self.states, outcomes)
            game.current_player_many(self.states, self.players)
