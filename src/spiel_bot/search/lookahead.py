"""Lookahead: the best plays compared by their exact expectation over all rolls, in big batches.

The way backgammon programs look ahead: no tree and no sampling. All candidates of a decision
are judged on the same rolls with their true weights, so luck does not hide what tells them apart.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, EvaluationError
from spiel_bot.games.base import Actions, Game, Players, States
from spiel_bot.games.constants import BLACK, CHANCE, NO_ACTION, TERMINAL, WHITE
from spiel_bot.search.distinct import find_distinct
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
from spiel_bot.search.finalists import Floats64, Mask, affordable, contested
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.search.memory import as_bytes
from spiel_bot.search.result import SearchResult, join, new_summary, priors_of
from spiel_bot.search.scout import NO_USE, Scout
from spiel_bot.search.tree import Ints

MAX_BATCH = 2_048
"""Positions shown to the evaluator at once. Bounds the memory of observations and logits, and keeps
them near the core: with 16,384 a lookahead took a tenth longer."""

GAMES_AT_ONCE = 32
"""Decisions looked into at once: two plies of one are tens of thousands of positions."""


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
        is_legal = np.arange(legal.shape[1]) < counts[:, None]
        for plies in range(1, self.config.plies + 1):
            if plies == 1:
                is_kept = self._candidates(legal, counts, scores, is_legal)
            else:
                is_kept = self._finalists(states, legal, counts, scores, found.visits > 0)
            owners, after = self._play(states, legal, counts, is_kept)
            judged, branches = self._judge(after, movers[owners], plies)
            values[is_kept], found.visits[is_kept] = judged, branches
            is_settled = ~is_kept.any(axis=1, keepdims=True)
            looked_into = np.where(is_kept, values * signs[:, None], -np.inf)
            scores = np.where(is_settled, scores, looked_into)
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

    def _candidates(
        self, legal: Actions, counts: Actions, scores: Floats64, is_legal: Mask
    ) -> Mask:
        """Return the actions [M, L] that the first ply is spent on."""
        is_open = is_legal
        if self._evaluator.judges_rolls:
            is_pivotal = np.isin(legal, self._pivotal)
            is_open = contested(scores, is_legal, self.config.window, is_pivotal)
        return is_open & self._keep(scores, counts, legal, self.config.candidates)

    def _finalists(
        self, states: States, legal: Actions, counts: Actions, scores: Floats64, is_candidate: Mask
    ) -> Mask:
        """Return the candidates [M, L] that the second ply is spent on."""
        config = self.config
        most = min(config.candidates, config.finalists)
        is_kept = is_candidate & self._keep(scores, counts, legal, most)
        is_kept = contested(scores, is_kept, config.contest)
        if config.budget:
            _, after = self._play(states, legal, counts, is_kept)
            work = np.zeros(legal.shape, np.int64)
            work[is_kept] = config.replies * self._positions_behind(after)
            is_kept = affordable(scores, is_kept, work, config.budget)
        return is_kept

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
        chances = np.empty((len(states), self.game.spec.num_chance_outcomes))
        owners, after, weights = self._roll(states, chances)
        values, _ = self._judge(after, actors[owners], plies - 1, is_rolled=True)
        means = np.empty(len(states))
        fold_mean(values, owners, weights, means)
        return means, np.count_nonzero(chances, axis=1).astype(np.int32)

    def _roll(self, states: States, chances: Floats64) -> tuple[Ints, States, Floats64]:
        """Return the owner of each outcome, the position after it and its chance.

        Args:
            states: [M] rolls.
            chances: [M, C] written: those of all outcomes.
        """
        game = self.game
        assert game.chance_probabilities_many is not None
        assert game.apply_chance_many is not None
        game.chance_probabilities_many(states, chances)
        total = np.count_nonzero(chances)
        owners, outcomes = np.empty(total, np.int32), np.empty(total, np.int32)
        weights = np.empty(total)
        fan_outcomes(chances, owners, outcomes, weights)
        after = self._copy(states, owners)
        game.apply_chance_many(after, outcomes)
        return owners, after, weights

    def _positions_behind(self, states: States) -> npt.NDArray[np.int64]:
        """Return about how many positions [M] a second ply judges behind each, a reply a roll.

        Each roll has one reply, behind which there are about as many rolls and replies as here.
        Where somebody decides first, there is one roll less.
        """
        found = np.zeros(len(states), np.int64)
        players = self._players(states)
        choices = np.flatnonzero(players >= WHITE)
        _, found[choices] = self._legal(states[choices])
        found[choices] *= max(self.game.spec.num_chance_outcomes, 1)
        rolls = np.flatnonzero(players == CHANCE)
        if not len(rolls):
            return found
        chances = np.empty((len(rolls), self.game.spec.num_chance_outcomes))
        owners, after, _ = self._roll(states[rolls], chances)
        _, counts = self._legal(after)
        if not self._evaluator.judges_rolls:
            counts = np.minimum(counts, 1)  # the decision itself is judged
        elif self._ranker is not None:
            counts = np.minimum(counts, self._scouted)
        np.add.at(found, rolls[owners], counts)
        found[rolls] *= np.count_nonzero(chances, axis=1)
        return found

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
        places: Ints | slice = EVERYWHERE
        asked, seen_by = states, observers
        if self._by_state is None:  # who sees the position itself may roll dice for each anew
            rows, places = find_distinct(states, observers)
            asked, seen_by = self._copy(states, rows), observers[rows]
        parts = [part[1] for part in self._parts(asked, seen_by)]
        values = np.concatenate(parts or [NO_VALUES])[places]
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


EVERYWHERE = slice(None)
NO_VALUES = np.empty(0, np.float32)
NO_LOGITS = np.empty((0, 0))
"""Not needed where actions are ranked by value."""
