"""Self-play without a tree: each action leads to the position that the network likes best.

A network only learns about positions that it sees. One that it thinks too little of it does not
play for, and never learns better; so a share of actions may be drawn from those that are nearly as
good.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import SearchConfigError
from spiel_bot.games.base import WHITE, Actions, Game
from spiel_bot.learning.table import Table
from spiel_bot.rng import Stream, Streams, below, uniform
from spiel_bot.search.afterstates import Fan, Spread, Spreader
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import Aim, LookaheadConfig
from spiel_bot.search.tree import Ints
from spiel_bot.storage.records import GameRecord

Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterstatePlayConfig:
    """How games are played to learn from. The sentence under a field is also its help text."""

    games_at_once: int = 256
    """Games a worker plays in lock-step; their positions share the calls of the network."""

    random_share: float = 0.0
    """Share of actions that are drawn at random instead of taking the best."""

    temperature: float = 0.0
    """How far below the best those that are drawn may be: an action that is worse by so much is
    drawn 2.7 times as rarely; 0 draws all alike."""

    plies: int = 0
    """Rolls looked ahead: 0 believes the network, 1 takes the mean over all rolls of the best
    positions behind them, which asks the network about twenty times as much."""

    judged_share: float = 0.0
    """Share of decisions at which one position is judged by the exact mean over the next roll; if
    it is above 0, the network learns from those alone, and not from how games went on."""

    judged_temperature: float = 0.04
    """How far below the best the actions may be whose positions are judged, as for temperature.
    With a judged_lambda the position that is played is judged instead."""

    judged_lambda: float = 0.0
    """How much of what is found later in the game, luck off, a judged position learns too: so much
    of it at the next decision, the square of it at the one after that. Above 0 the position that
    is played is judged; use it with a judged_share of 1, because a gap ends it."""

    judged_aim: Aim = "returns"
    """What judged positions are worth: expected returns, or the chance of winning, told as the
    return that stands for it. They differ where returns are margins; errors then count by what
    they cost, which is most near the end of a game."""

    sparring: str = ""
    """Player who takes one side in some games, such as expert, so that its positions are learned
    too; needs a judged_share, because how such games go on says little of good play."""

    sparring_share: float = 0.3
    """Share of games with that player, if there is one."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played with.

        Raises:
            SearchConfigError: A value is outside its range.
        """
        if self.games_at_once < 1:
            raise SearchConfigError(f"games_at_once: expected at least 1, got {self.games_at_once}")
        if not 0.0 <= self.random_share <= 1.0:
            raise SearchConfigError(f"random_share: expected 0 to 1, got {self.random_share}")
        if not 0.0 <= self.temperature < math.inf:
            raise SearchConfigError(f"temperature: expected 0 or more, got {self.temperature}")
        if self.temperature and not self.random_share:
            raise SearchConfigError(
                "temperature: with a random_share of 0 nothing is drawn; expected 0, "
                f"got {self.temperature}"
            )
        self._expect_judging()
        LookaheadConfig(plies=self.plies)  # refuses what no lookahead can do
        if self.plies and self.random_share:
            raise SearchConfigError(
                f"random_share: with {self.plies} plies expected 0, got {self.random_share}"
            )
        if self.plies and self.judged_share:
            raise SearchConfigError(
                f"judged_share: with {self.plies} plies expected 0, got {self.judged_share}"
            )

    def _expect_judging(self) -> None:
        """Refuse what no position can be judged with.

        Raises:
            SearchConfigError: A value is outside its range, or does not go with another.
        """
        for name in ("judged_share", "judged_lambda", "sparring_share"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise SearchConfigError(f"{name}: expected 0 to 1, got {getattr(self, name)}")
        if not 0.0 < self.judged_temperature < math.inf:
            raise SearchConfigError(
                f"judged_temperature: expected above 0, got {self.judged_temperature}"
            )
        if self.judged_lambda and not self.judged_share:
            raise SearchConfigError(
                "judged_lambda: with a judged_share of 0 nothing is judged; expected 0, "
                f"got {self.judged_lambda}"
            )
        if self.judged_aim not in ("returns", "win"):
            raise SearchConfigError(f"judged_aim: expected returns or win, got {self.judged_aim!r}")
        if self.judged_aim == "win" and not self.judged_share:
            raise SearchConfigError(
                "judged_aim: how games went on is learned as returns; expected a judged_share "
                "above 0 with win, got 0"
            )
        if self.sparring and not self.judged_share:
            raise SearchConfigError(
                "sparring: how games against another player go on says little of good play; "
                "expected a judged_share above 0, got 0"
            )
        if self.sparring and not self.sparring_share:
            raise SearchConfigError("sparring_share: expected above 0 with a partner, got 0")


class AfterstatePlay:
    """One worker: plays the games whose numbers it is given."""

    def __init__(
        self, game: Game, evaluator: Evaluator, config: AfterstatePlayConfig, *, seed: int
    ) -> None:
        """Prepare a worker. Workers with the same seed play the same game by the same number.

        Raises:
            BadRequestError: The evaluator does not judge rolls.
        """
        self.game = game
        self.config = config
        self.seed = seed
        self.evaluations = 0
        self.decisions = 0
        self._spreader = Spreader(game, evaluator)
        self._lookahead = Lookahead(game, evaluator, LookaheadConfig(plies=config.plies))

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
            count = table.count
            if count == 0:
                return
            actions, values, is_judged = self._choose(table, count)
            self.decisions += count
            table.play(actions, values, is_judged)
            for record in table.finish(table.returns()):
                on_game(self._finished(record))

    def _finished(self, record: GameRecord) -> GameRecord:
        """Return a game as it is to be learned from."""
        return record

    def _choose(self, table: Table, count: int) -> tuple[Actions, Numbers, Flags]:
        """Return an action for each game [B], white's value, and what is learned from that alone.

        Here values are of the positions behind the actions, and how the game goes on is learned.
        """
        if self.config.plies:
            actions, values = self._look_ahead(table, count)
        else:
            found = self._spread(table, count)
            actions, values = self._take_best(found, table)
        return actions, values, np.zeros(count, np.bool_)

    def _spread(self, table: Table, count: int) -> Spread:
        """Return the positions after the legal actions of each game, judged by the network."""
        found = self._spreader.spread(table.states[:count], table.players[:count])
        self.evaluations += found.total
        return found

    def _take_best(self, found: Spread, table: Table) -> tuple[Actions, Numbers]:
        """Return the best action of each game and white's value of the position behind it."""
        count = len(found.counts)
        actions, values = np.empty(count, np.int32), np.empty(count, np.float32)
        take_best(
            found.fan,
            found.counts,
            found.values,
            self.config.random_share,
            self.config.temperature,
            table.exploration,
            actions,
            values,
        )
        return actions, values

    def _look_ahead(self, table: Table, count: int) -> tuple[Actions, Numbers]:
        """Return the same as the mean over all rolls sees it."""
        found = self._lookahead.run(table.states[:count])
        self.evaluations += found.evaluations
        return found.action.astype(np.int32), found.root_value.astype(np.float32)


@kernel
def drawn(values: npt.NDArray[np.float32], temperature: float, stream: Stream) -> int:
    """Return the place of an action that was drawn by its value [L]; see `take_best`."""
    if temperature == 0.0:
        return below(stream, len(values))
    most = values.max()
    total = 0.0
    for value in values:
        total += math.exp((value - most) / temperature)
    left = uniform(stream) * total
    for place in range(len(values)):
        left -= math.exp((values[place] - most) / temperature)
        if left < 0.0:
            return place
    return int(values.argmax())  # the sum was rounded


@kernel
def take_best(
    fan: Fan,
    counts: Ints,
    values: npt.NDArray[np.float32],
    random_share: float,
    temperature: float,
    exploration: Streams,
    out_actions: Actions,
    out_values: npt.NDArray[np.float32],
) -> None:
    """Choose the best position of each decision's fan, of equals the first.

    Args:
        fan: Of all decisions.
        counts: [B] actions of each.
        values: [T] for the actor.
        random_share: How often an action is drawn at random instead.
        temperature: Difference in value that makes an action e times as rare; 0: all alike.
        exploration: [B, 4] advanced where there is a choice and a share.
        out_actions: [B] written: what leads there.
        out_values: [B] written: white's value of that position.
    """
    actions, actors = fan.actions, fan.actors
    first = 0
    for b in range(counts.shape[0]):
        count = int(counts[b])
        best = first
        for t in range(first, first + count):
            if values[t] > values[best]:
                best = t
        if random_share > 0.0 and count > 1 and uniform(exploration[b]) < random_share:
            best = first + drawn(values[first : first + count], temperature, exploration[b])
        out_actions[b] = actions[best]
        out_values[b] = values[best] if actors[best] == WHITE else -values[best]
        first += count
