"""Self-play whose positions are judged exactly: by the mean over the next roll, best replies.

How a game went on is a noisy teacher: most of it is dice. And it only teaches about the positions
that were played for, while what was passed over may be better than the network thinks. Here, at
some decisions, one of the better actions is drawn, played or not, and the position behind it is
worth what the network makes of all rolls and replies after it. That is right whoever
plays the game, so other players may sit in: they lead to positions that the network would not.

One roll ahead a network sees few of its own errors: most last for many rolls. With
`judged_lambda` the position that is played is judged, and what the network finds to correct at the
positions after it counts too, without the luck of the rolls between (`luckless_returns`).

With `judged_aim` win all of this is reckoned in chances of winning, and what is recorded are the
returns that stand for them (`chances`).
"""

import dataclasses
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.games.base import CHANCE, TERMINAL, WHITE, Actions, Game
from spiel_bot.learning.afterstate_play import (
    AfterstatePlay,
    AfterstatePlayConfig,
    Flags,
    Numbers,
    drawn,
)
from spiel_bot.learning.chances import Odds, equities_of, odds_of
from spiel_bot.learning.table import Table
from spiel_bot.learning.targets import Samples, replay
from spiel_bot.players.spec import new_player
from spiel_bot.rng import Streams, uniform
from spiel_bot.search.afterstates import Fan, Spread, results_of
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.search.tree import Ints
from spiel_bot.storage.records import GameRecord

NOT_JUDGED = -1
NO_ACTIONS: npt.NDArray[np.int32] = np.empty(0, np.int32)
NO_WEIGHTS: npt.NDArray[np.float32] = np.empty(0, np.float32)
NO_SIDE = -1
"""Where nobody spars."""


class Step(NamedTuple):
    """What the network thought of an action when it was played."""

    value: float  # white's, of the position behind it: a return, or a result if it plays to win
    is_best: bool  # whether it found no other better
    slope: float  # white's odds there, if it plays to win
    shift: float


class JudgedPlay(AfterstatePlay):
    """One worker. Its records hold, as policy and value, the action judged and white's value."""

    def __init__(
        self, game: Game, evaluator: Evaluator, config: AfterstatePlayConfig, *, seed: int
    ) -> None:
        """Prepare a worker. Workers with the same seed play the same game by the same number.

        Raises:
            SpielBotError: The evaluator does not judge rolls, or there is no such sparring partner.
        """
        super().__init__(game, evaluator, config, seed=seed)
        self._is_to_win = config.judged_aim == "win"
        self._judge = Lookahead(game, evaluator, LookaheadConfig(plies=1, aim=config.judged_aim))
        self._sparring = new_player(config.sparring, game) if config.sparring else None
        self._courses: dict[int, list[Step]] = {}

    def _choose(self, table: Table, count: int) -> tuple[Actions, Numbers, Flags]:
        """Return an action for each game [B], white's value and whether a position was judged."""
        found = self._spread(table, count)
        if self._is_to_win:
            found = found._replace(values=results_of(self.game, found))
        actions, _ = self._take_best(found, table)
        self._spar(table, actions)
        places = np.empty(count, np.int64)
        draw_judged(
            found.counts,
            found.values,
            self.config.judged_share,
            self.config.judged_temperature,
            table.exploration,
            places,
        )
        if self.config.judged_lambda:
            self._follow(found, table, actions, places)
        values, is_judged = self._judged(found, places)
        for row in np.flatnonzero(is_judged):
            policy = found.fan.actions[places[row]].reshape(1), np.ones(1, np.float32)
            table.policies[row][int(table.log.num_decisions[row])] = policy
        return actions, values, is_judged

    def _odds(self, found: Spread, places: npt.NDArray[np.int64]) -> Odds:
        """Return white's odds [S] in positions of a fan; those that are over have none."""
        odds = Odds(np.ones(len(places)), np.zeros(len(places)))
        rows = np.flatnonzero(found.fan.players[places] != TERMINAL)
        if self._is_to_win and len(rows):
            states = found.fan.states[places[rows]]
            seen = odds_of(self.game, states, np.full(len(rows), WHITE, np.int8))
            odds.slopes[rows], odds.shifts[rows] = seen
        return odds

    def _follow(
        self, found: Spread, table: Table, actions: Actions, places: npt.NDArray[np.int64]
    ) -> None:
        """Note what is played, and let `places` [B] be those where a position is judged."""
        played, is_best = np.empty(len(actions), np.int64), np.empty(len(actions), np.bool_)
        find_played(found.fan, found.counts, found.values, actions, played, is_best)
        places[:] = np.where(places == NOT_JUDGED, NOT_JUDGED, played)
        own = found.values[played]
        white = np.where(found.fan.actors[played] == WHITE, own, -own)
        odds = self._odds(found, played)
        for row, number in enumerate(table.numbers[: len(actions)].tolist()):
            if table.log.num_decisions[row] == 0:  # begun now, or again after it was dropped
                self._courses[number] = []
            self._courses[number].append(
                Step(
                    float(white[row]),
                    bool(is_best[row]),
                    float(odds.slopes[row]),
                    float(odds.shifts[row]),
                )
            )

    def _finished(self, record: GameRecord) -> GameRecord:
        """Return a game with what is learned from it, once it is known how it went on."""
        if not self.config.judged_lambda:
            return record
        own, is_best, *odds = map(np.array, zip(*self._courses.pop(record.number), strict=True))
        values = luckless_returns(record.root_values, own, is_best, self.config.judged_lambda)
        if self._is_to_win:
            values = equities_of(self.game, values, Odds(*odds)).astype(np.float32)
        return dataclasses.replace(record, root_values=values)

    def _judged(self, found: Spread, places: npt.NDArray[np.int64]) -> tuple[Numbers, Flags]:
        """Return white's exact value [B] of the position drawn in each game, NaN without one.

        It is a return, unless it is still to be corrected: then it is what is aimed at.
        """
        fan = found.fan
        values = np.full(len(places), np.nan, np.float32)
        rows = np.flatnonzero(places != NOT_JUDGED)
        rows = rows[fan.players[places[rows]] != TERMINAL]  # the result is known
        if len(rows):
            chosen = places[rows]
            white, asked = self._judge.judge(fan.states[chosen], fan.actors[chosen])
            if self._is_to_win and not self.config.judged_lambda:
                white = equities_of(self.game, white, self._odds(found, chosen))
            values[rows] = white
            self.evaluations += asked
        return values, np.isfinite(values)

    def _spar(self, table: Table, actions: Actions) -> None:
        """Let the sparring partner choose where it is its turn: `actions` [B] are changed there."""
        if self._sparring is None:
            return
        count = len(actions)
        sides = sparring_sides(table.numbers[:count], self.config.sparring_share)
        rows = np.flatnonzero(table.players[:count] == sides)
        if len(rows):
            own = np.ascontiguousarray(table.search[rows])
            actions[rows] = self._sparring.choose(np.ascontiguousarray(table.states[rows]), own)
            table.search[rows] = own


def sparring_sides(numbers: npt.NDArray[np.int64], share: float) -> npt.NDArray[np.int8]:
    """Return the side [B] of the sparring partner in games of these numbers, or NO_SIDE.

    It follows from the number alone: that share of all games, the sides by turns.

    >>> sparring_sides(np.arange(6), 0.5).tolist()
    [-1, 0, -1, 1, -1, 0]
    """
    before = np.floor(numbers * share)
    sits = np.floor((numbers + 1) * share) > before
    return np.where(sits, before % 2, NO_SIDE).astype(np.int8)


@kernel
def draw_judged(
    counts: Ints,
    values: Numbers,
    share: float,
    temperature: float,
    exploration: Streams,
    out: npt.NDArray[np.int64],
) -> None:
    """Draw the action whose position is judged, at some decisions.

    Args:
        counts: [B] actions of each decision.
        values: [T] of the positions behind them, for the actor.
        share: Of decisions.
        temperature: Difference in value that makes an action e times as rare.
        exploration: [B, 4] advanced.
        out: [B] written: its place among all actions, or NOT_JUDGED.
    """
    first = 0
    for b in range(counts.shape[0]):
        count = int(counts[b])
        out[b] = NOT_JUDGED
        if uniform(exploration[b]) < share:
            out[b] = first + drawn(values[first : first + count], temperature, exploration[b])
        first += count


@kernel
def find_played(
    fan: Fan,
    counts: Ints,
    values: Numbers,
    actions: Actions,
    out_places: npt.NDArray[np.int64],
    out_is_best: Flags,
) -> None:
    """Find the actions that are played among all.

    Args:
        fan: Of all decisions.
        counts: [B] actions of each decision.
        values: [T] of the positions behind them, for the actor.
        actions: [B] what is played.
        out_places: [B] written: where it stands.
        out_is_best: [B] written: whether no other has a higher value.
    """
    known = fan.actions
    first = 0
    for b in range(counts.shape[0]):
        last = first + int(counts[b])
        most = values[first]
        out_places[b] = first
        for t in range(first, last):
            if known[t] == actions[b]:
                out_places[b] = t
            most = max(most, values[t])
        out_is_best[b] = values[out_places[b]] == most
        first = last


def luckless_returns(
    means: Numbers, own: npt.NDArray[np.float64], is_best: Flags, lambda_: float
) -> Numbers:
    """Return what the positions of a game are worth, corrected by what was found later.

    G(t) = m(t) + lambda (G(t+1) - v(t+1)), where v is the network's value of the position that
    was played and m the mean over its next roll. A roll's luck is v(t+1) - m(t), which has the mean
    0 and no part in G. With lambda 1 and best play, G is the result less the luck of all rolls to
    come. What follows a worse action, or one that was not judged, says nothing of best play.

    Args:
        means: [D] white's m, NaN where nothing was judged; those stay.
        own: [D] white's v.
        is_best: [D] whether the action was the network's best.
        lambda_: From 0, the means themselves, to 1.

    >>> means, own = np.array([0.125, 0.625], np.float32), np.array([0.0, 0.375])
    >>> luckless_returns(means, own, np.array([True, True]), lambda_=0.5)
    array([0.25 , 0.625], dtype=float32)
    """
    targets = means.copy()
    found_later = 0.0
    for t in range(len(means) - 1, -1, -1):
        is_judged = bool(np.isfinite(means[t]))
        if is_judged:
            targets[t] = means[t] + lambda_ * found_later
        found_later = float(targets[t]) - float(own[t]) if is_judged and is_best[t] else 0.0
    return targets


def judged_samples(game: Game, record: GameRecord) -> Samples:
    """Return the positions of a game that were judged, with their values."""
    plies = np.flatnonzero(record.players != CHANCE).astype(np.int32)[record.is_full_search]
    states, movers = replay(game, record)[plies], record.players[plies]  # before the action judged
    game.apply_many(states, record.policy_actions)
    white = record.root_values[record.is_full_search]
    return Samples(
        states=states,
        movers=movers,
        values=np.where(movers == WHITE, white, -white).astype(np.float32),
        policy_actions=[NO_ACTIONS] * len(plies),
        policy_weights=[NO_WEIGHTS] * len(plies),
        plies=plies,
        game=record.number,
    )
