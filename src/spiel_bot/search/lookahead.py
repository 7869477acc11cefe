"""Lookahead: the best plays compared by their exact expectation over all rolls, in big batches.

The way backgammon programs look ahead: no tree and no sampling. All candidates of a decision
are judged on the same rolls with their true weights, so luck does not hide what tells them apart.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, EvaluationError, SearchConfigError
from spiel_bot.games.base import Actions, Game, Players, States
from spiel_bot.games.constants import BLACK, CHANCE, NO_ACTION, TERMINAL, WHITE
from spiel_bot.search.evaluator import Evaluation, Evaluator, StateEvaluator, expect_shapes
from spiel_bot.search.fan import (
    close_ranks,
    copy_owners,
    fan_actions,
    fan_outcomes,
    fold_best,
    fold_mean,
    keep_best,
)
from spiel_bot.search.memory import as_bytes
from spiel_bot.search.result import SearchResult, join, new_summary
from spiel_bot.search.scout import NO_USE, Scout
from spiel_bot.search.tree import Ints

Floats64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

MAX_BATCH = 2_048
"""Positions shown to the evaluator at once. Bounds the memory of observations and logits, and keeps
them near the core: with 16,384 a lookahead took a tenth longer."""

GAMES_AT_ONCE = 32
"""Decisions looked into at once: two plies of one are tens of thousands of positions."""

MAX_PLIES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LookaheadConfig:
    """How far a lookahead goes. The sentence under a field is also its help text."""

    plies: int = 1
    """Rolls looked ahead: 0 believes the evaluator, 1 and 2 take the mean over all rolls."""

    candidates: int = 4
    """Actions of the decision that are looked into; going or holding always is."""

    window: float = math.inf
    """Actions are not looked into that an evaluator of rolls finds worse than the best by more than
    this, nor the best if it is alone; going or holding always is."""

    finalists: int = 3
    """Of the candidates, those that the second ply is spent on: the best by the first."""

    replies: int = 2
    """Actions looked into at each later decision, with two plies."""

    aim: Literal["returns", "win"] = "returns"
    """What values are: expected returns, or the chance of winning as an expected result, from -1
    for lost to 1 for won. They differ where returns are margins (`Game.win_chances`)."""

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense.

        Raises:
            SearchConfigError: One of them does not.
        """
        if self.aim not in ("returns", "win"):
            raise SearchConfigError(f"aim: expected returns or win, got {self.aim!r}")
        if not self.window >= 0.0:
            raise SearchConfigError(f"window: expected 0 or more, got {self.window}")
        for name, least, most in (
            ("plies", 0, MAX_PLIES),
            ("candidates", 1, None),
            ("finalists", 1, None),
            ("replies", 1, None),
        ):
            value = getattr(self, name)
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not is_whole or value < least or (most is not None and value > most):
                bound = f"at least {least}" if most is None else f"{least} to {most}"
                raise SearchConfigError(f"{name}: expected {bound}, got {value!r}")


class Lookahead:
    """Looks ahead from a batch of decisions of one game.

    An evaluator that judges rolls (`Evaluator.judges_rolls`) ranks an action by the value of
    the position it leaves, and answers a roll by the best of its replies so judged. Any other
    ranks actions by its policy, and its value of a decision stands for the reply; it is asked
    about a roll only where one follows another at the end of the lookahead.

    A scout is asked about replies only; the actions of the decision itself are all judged. What it
    is asked does not count as an evaluation.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        config: LookaheadConfig | None = None,
        scout: Scout | None = None,
    ) -> None:
        """Prepare a lookahead; by default with the values of `LookaheadConfig` and no scout.

        Raises:
            BadRequestError: There is a scout for an evaluator that does not judge rolls.
        """
        self.game = game
        self.config = LookaheadConfig() if config is None else config
        self._evaluator = evaluator
        self._by_state = evaluator if isinstance(evaluator, StateEvaluator) else None
        self._pivotal = np.array(game.spec.pivotal_actions, np.int32)
        self._evaluations = 0
        self.scout = scout
        self._ranker, self._scouted = None, 0
        if scout is not None:
            if not evaluator.judges_rolls:
                raise BadRequestError(NO_USE)
            self._scouted = scout.leaves
            self._ranker = Lookahead(scout.game, scout.evaluator, LookaheadConfig(plies=0))

    def run(self, states: States) -> SearchResult:
        """Judge the actions of each decision [B].

        `visits` counts the branches an action was judged by; an action that was not looked into
        has none, and the value it was ranked by, or the position's own.

        Raises:
            BadRequestError: Somewhere nobody decides.
            EvaluationError: The evaluator returned what is no evaluation.
        """
        states = np.ascontiguousarray(states)
        movers = self._players(states)
        if (movers < WHITE).any():
            text = self.game.to_text(states[int((movers < WHITE).argmax())])
            raise BadRequestError(f"expected a position where somebody decides, got {text!r}")
        parts = [
            self._look(states[start : start + GAMES_AT_ONCE], movers[start : start + GAMES_AT_ONCE])
            for start in range(0, max(len(states), 1), GAMES_AT_ONCE)
        ]
        return join(parts)

    def judge(self, states: States, actors: Players) -> tuple[Floats64, int]:
        """Return white's value [M] of positions that `actors` have left, and how many were judged.

        Raises:
            EvaluationError: The evaluator returned what is no evaluation.
        """
        self._evaluations = 0
        values, _ = self._judge(np.ascontiguousarray(states), actors, self.config.plies)
        return values, self._evaluations

    def _look(self, states: States, movers: Players) -> SearchResult:
        self._evaluations = 0
        legal, counts = self._legal(states)
        signs = np.where(movers == WHITE, 1.0, -1.0)
        logits, own_values = self._evaluate(states, movers, legal, counts)
        own_values = self._aimed(states, own_values * signs)
        scores, values = self._rank(states, movers, legal, counts, logits)
        if values is None:
            values = np.repeat(own_values[:, None], legal.shape[1], axis=1)
        found = new_summary(len(states), legal.shape[1])
        is_open = self._in_window(scores, counts, legal)
        for plies in range(1, self.config.plies + 1):
            most = self.config.candidates
            if plies > 1:  # never others than the candidates, which alone have been looked into
                most = min(most, self.config.finalists)
            is_kept = is_open & self._keep(scores, counts, legal, most)
            owners, after = self._play(states, legal, counts, is_kept)
            judged, branches = self._judge(after, movers[owners], plies)
            values[is_kept], found.visits[is_kept] = judged, branches
            is_settled = ~is_kept.any(axis=1, keepdims=True)
            looked_into = np.where(is_kept, values * signs[:, None], -np.inf)
            scores = np.where(is_settled, scores, looked_into)
        is_legal = np.arange(legal.shape[1]) < counts[:, None]
        best = np.where(is_legal, scores, -np.inf).argmax(axis=1)
        rows = np.arange(len(states))
        found.policy[rows, best] = 1.0
        has_values = self.config.plies > 0 or self._evaluator.judges_rolls
        return SearchResult(
            actions=np.where(is_legal, legal, NO_ACTION).astype(np.int32),
            num_actions=counts,
            visits=found.visits,
            values=np.where(is_legal, values, 0.0),
            priors=priors_of(logits).astype(np.float32),
            policy=found.policy,
            root_value=values[rows, best] if has_values else own_values,
            action=legal[rows, best],
            principal_variation=legal[rows, best].reshape(-1, 1),
            simulations=found.visits.sum(axis=1).astype(np.int32),
            evaluations=self._evaluations,
        )

    def _rank(
        self,
        states: States,
        movers: Players,
        legal: Actions,
        counts: Actions,
        logits: Floats64,
    ) -> tuple[Floats64, Floats64 | None]:
        """Return scores [M, L] from the mover's side, and white's values where they are values."""
        if not self._evaluator.judges_rolls:
            return logits, None
        is_legal = np.arange(legal.shape[1]) < counts[:, None]
        owners, after = self._play(states, legal, counts, is_legal)
        judged, _ = self._judge(after, movers[owners], 0)
        values = np.zeros(legal.shape)
        values[is_legal] = judged
        return np.where(movers == WHITE, 1.0, -1.0)[:, None] * values, values

    def _in_window(self, scores: Floats64, counts: Actions, legal: Actions) -> Mask:
        """Return the actions [M, L] near the best by their scores; none where the best is alone."""
        is_legal: Mask = np.arange(legal.shape[1]) < counts[:, None]
        if not self._evaluator.judges_rolls or math.isinf(self.config.window):
            return is_legal
        best = np.where(is_legal, scores, -np.inf).max(axis=1, keepdims=True)
        is_pivotal = np.isin(legal, self._pivotal)
        is_near: Mask = is_legal & ((scores >= best - self.config.window) | is_pivotal)
        has_choice: Mask = is_near.sum(axis=1, keepdims=True) > 1
        return is_near & has_choice

    def _keep(self, scores: Floats64, counts: Actions, legal: Actions, most: int) -> Mask:
        is_kept = np.empty(legal.shape, np.bool_)
        keep_best(scores, counts, min(most, legal.shape[1]), legal, self._pivotal, is_kept)
        return is_kept

    def _judge(
        self, states: States, actors: Players, plies: int, *, is_rolled: bool = False
    ) -> tuple[Floats64, Ints]:
        """Return white's value of positions that `actors` have left, and branches of each.

        Args:
            states: [M] positions of any kind.
            actors: [M] who acted last; a roll is seen by him, and by an evaluator that judges
                rolls also the decision that ends the lookahead.
            plies: Plies left; a roll, or a decision without a roll before it, takes one.
            is_rolled: Whether the ply of a decision here was taken by the roll before it.
        """
        players = self._players(states)
        values = np.empty(len(states))
        branches = np.ones(len(states), np.int32)
        over = players == TERMINAL
        if over.any():
            returns = np.empty((int(over.sum()), 2), np.float32)
            self.game.returns_many(states[over], returns)
            values[over] = self._aimed(states[over], returns[:, WHITE])
        rolls = players == CHANCE
        if rolls.any():
            if plies <= 0:
                values[rolls] = self._white_values(states[rolls], actors[rolls])
            else:
                values[rolls], branches[rolls] = self._expect(states[rolls], actors[rolls], plies)
        decisions = players >= WHITE
        if decisions.any():
            left = plies if is_rolled else plies - 1
            if left < 0 and self._evaluator.judges_rolls:  # an action's position like any other
                values[decisions] = self._white_values(states[decisions], actors[decisions])
            else:
                values[decisions] = self._decide(states[decisions], players[decisions], left)
        return values, branches

    def _expect(self, states: States, actors: Players, plies: int) -> tuple[Floats64, Ints]:
        """Return the exact mean over all outcomes of rolls, and how many outcomes each has."""
        game = self.game
        assert game.chance_probabilities_many is not None
        assert game.apply_chance_many is not None
        chances = np.empty((len(states), game.spec.num_chance_outcomes))
        game.chance_probabilities_many(states, chances)
        counts = np.count_nonzero(chances, axis=1)
        total = int(counts.sum())
        owners, outcomes = np.empty(total, np.int32), np.empty(total, np.int32)
        weights = np.empty(total)
        fan_outcomes(chances, owners, outcomes, weights)
        after = self._copy(states, owners)
        game.apply_chance_many(after, outcomes)
        values, _ = self._judge(after, actors[owners], plies - 1, is_rolled=True)
        means = np.empty(len(states))
        fold_mean(values, owners, weights, means)
        return means, counts.astype(np.int32)

    def _decide(self, states: States, movers: Players, plies: int) -> Floats64:
        """Return white's value of decisions: the evaluator's, or that of the best reply."""
        if plies < 0 or (plies == 0 and not self._evaluator.judges_rolls):
            return self._white_values(states, movers)
        legal, counts = self._legal(states)
        if self._ranker is not None:
            scores, _ = self._ranker._rank(states, movers, legal, counts, NO_LOGITS)
            close_ranks(self._keep(scores, counts, legal, self._scouted), legal, counts)
        is_kept: Mask = np.arange(legal.shape[1]) < counts[:, None]
        if plies > 0:
            logits = NO_LOGITS
            if not self._evaluator.judges_rolls:
                logits, _ = self._evaluate(states, movers, legal, counts)
            scores, _ = self._rank(states, movers, legal, counts, logits)
            is_kept = self._keep(scores, counts, legal, self.config.replies)
        owners, after = self._play(states, legal, counts, is_kept)
        values, _ = self._judge(after, movers[owners], plies)
        best = np.empty(len(states))
        fold_best(values, owners, np.where(movers == WHITE, 1.0, -1.0), best)
        return best

    def _play(
        self, states: States, legal: Actions, counts: Actions, is_kept: Mask
    ) -> tuple[Ints, States]:
        """Return the positions after the actions that are kept, and the owner of each."""
        total = int(is_kept.sum())
        owners, actions = np.empty(total, np.int32), np.empty(total, np.int32)
        fan_actions(legal, counts, is_kept, owners, actions)
        after = self._copy(states, owners)
        self.game.apply_many(after, actions)
        return owners, after

    def _copy(self, states: States, owners: Ints) -> States:
        out = np.empty(len(owners), self.game.state_dtype)
        copy_owners(as_bytes(states), owners, as_bytes(out))
        return out

    def _players(self, states: States) -> Players:
        players = np.empty(len(states), np.int8)
        self.game.current_player_many(states, players)
        return players

    def _legal(self, states: States) -> tuple[Actions, Actions]:
        legal = np.zeros((len(states), self.game.spec.max_legal_actions), np.int32)
        counts = np.empty(len(states), np.int32)
        self.game.legal_actions_many(states, legal, counts)
        return legal, counts

    def _white_values(self, states: States, observers: Players) -> Floats64:
        """Return white's value of positions as their observers judge them."""
        values = np.concatenate([part[1] for part in self._parts(states, observers)] or [NO_VALUES])
        self._expect_finite(states, np.isfinite(values))
        return self._aimed(states, np.where(observers == BLACK, -values, values))

    def _aimed(self, states: States, white: npt.ArrayLike) -> Floats64:
        """Return white's value of positions where he expects such returns."""
        if self.config.aim == "returns":
            return np.asarray(white, np.float64)
        return 2.0 * self.game.win_chances(states, white) - 1.0

    def _evaluate(
        self, states: States, movers: Players, legal: Actions, counts: Actions
    ) -> tuple[Floats64, Floats64]:
        """Return logits [M, L] of legal actions, -inf after the last, and the movers' values."""
        logits = np.full(legal.shape, -np.inf)
        values = np.empty(len(states))
        start = 0
        for all_logits, some_values in self._parts(states, movers):
            rows = slice(start, start + len(some_values))
            logits[rows] = np.take_along_axis(all_logits, legal[rows], axis=1)
            values[rows] = some_values
            start = rows.stop
        is_legal = np.arange(legal.shape[1]) < counts[:, None]
        self._expect_finite(states, np.isfinite(values))
        self._expect_finite(states, (np.isfinite(logits) | ~is_legal).all(axis=1))
        return np.where(is_legal, logits, -np.inf), values

    def _parts(self, states: States, observers: Players) -> Iterator[Evaluation]:
        """Ask the evaluator in parts of a bounded size; each is used before the next is asked."""
        game = self.game
        for start in range(0, len(states), MAX_BATCH):
            part = states[start : start + MAX_BATCH]
            seen_by = observers[start : start + MAX_BATCH]
            if self._by_state is not None:
                logits, values = self._by_state.evaluate_states(part, seen_by)
            else:
                seen = np.empty((len(part), game.spec.observation_size), np.float32)
                game.observe_many(part, seen_by, seen)
                logits, values = self._evaluator.evaluate_batch(seen)
            expect_shapes(logits, values, (len(part), game.spec.num_actions))
            self._evaluations += len(part)
            yield logits, values.copy()  # its arrays may be used again by the next call

    def _expect_finite(self, states: States, is_finite: Mask) -> None:
        if not is_finite.all():
            text = self.game.to_text(states[int(is_finite.argmin())])
            raise EvaluationError(f"the evaluator gave numbers that are not finite for {text!r}")


NO_VALUES = np.empty(0, np.float32)
NO_LOGITS = np.empty((0, 0))
"""Not needed where actions are ranked by value."""


def priors_of(logits: Floats64) -> Floats64:
    """Return the softmax of the logits [M, L] of legal actions; 0 where there is none."""
    most = logits.max(axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp(logits - most)
    policy: Floats64 = weights / weights.sum(axis=1, keepdims=True)
    return policy
