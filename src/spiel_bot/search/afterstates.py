"""After-states: all positions that the legal actions lead to, judged in one batch.

A network that judges rolls knows no policy: what it thinks of an action is what it thinks of the
position behind it, seen by who has acted.
"""

import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spiel_bot._jit import kernel
from spiel_bot.errors import BadRequestError, EvaluationError
from spiel_bot.games.base import (
    TERMINAL,
    WHITE,
    Actions,
    Floats,
    Game,
    Players,
    States,
)
from spiel_bot.games.joining import (
    apply_many,
    current_player_many,
    join_rules,
    observe_many,
    returns_many,
)
from spiel_bot.search.evaluator import Evaluation, Evaluator, StateEvaluator, expect_shapes
from spiel_bot.search.fan import close_ranks, keep_best
from spiel_bot.search.lookahead_config import Aim
from spiel_bot.search.memory import as_bytes
from spiel_bot.search.scout import NO_USE, Scout
from spiel_bot.search.tree import Bytes, Ints

SHARPNESS = 40.0
"""What a difference of 1 in value is worth in logits. A play that loses 0.05 of the range of
returns gets an eighth of the best one's prior."""

ILLEGAL = -1e9
"""Logit of an action that is not legal; a search never looks at it."""


class Fan(NamedTuple):
    """The T positions after the actions of M decisions; each owner's are neighbours."""

    owners: Ints  # [T] number of the decision
    actions: Actions  # [T] ascending for each owner
    actors: Players  # [T] who has acted
    players: Players  # [T] who acts next
    states: States  # [T]
    state_bytes: Bytes  # [T, S] the same memory
    returns: Floats  # [T, 2]
    observations: Floats  # [T, F] seen by the actor


def new_fan(game: Game, count: int) -> Fan:
    """Return room for so many positions."""
    states = np.empty(count, game.state_dtype)
    return Fan(
        owners=np.empty(count, np.int32),
        actions=np.empty(count, np.int32),
        actors=np.empty(count, np.int8),
        players=np.empty(count, np.int8),
        states=states,
        state_bytes=as_bytes(states),
        returns=np.empty((count, 2), np.float32),
        observations=np.empty((count, game.spec.observation_size), np.float32),
    )


class Spread(NamedTuple):
    """A fan with its values; memory that the next one uses again."""

    fan: Fan  # only its first `total` rows are in use
    total: int
    counts: Ints  # [M] actions of each decision
    values: npt.NDArray[np.float32]  # [T] for the actor


def results_of(game: Game, found: Spread) -> npt.NDArray[np.float32]:
    """Return the expected results [T], from -1 to 1 for the actor, that the values stand for."""
    signs = np.where(found.fan.actors[: found.total] == WHITE, 1.0, -1.0)
    chances = game.win_chances(found.fan.states[: found.total], signs * found.values)
    return (signs * (2.0 * chances - 1.0)).astype(np.float32)


class Spreader:
    """Spreads decisions of a game and judges what comes of them. Belongs to one thread."""

    def __init__(self, game: Game, evaluator: Evaluator, scout: Scout | None = None) -> None:
        """Prepare to ask an evaluator that judges rolls, only about what a scout leaves.

        Raises:
            BadRequestError: It does not.
        """
        if not evaluator.judges_rolls:
            raise BadRequestError(
                "expected a network that judges rolls, got one for decisions; "
                "it has a policy of its own"
            )
        self.game = game
        self._evaluator = evaluator
        self._fan_out = join_rules(fan_out, game)
        self._fan = new_fan(game, 0)
        self._scouting = None if scout is None else Spreader(scout.game, scout.evaluator)
        self._num_left = 0 if scout is None else scout.leaves
        self._pivotal = np.array(game.spec.pivotal_actions, np.int32)

    def spread(self, states: States, movers: Players) -> Spread:
        """Return the positions after the actions of decisions [M], with their values.

        Those are all legal actions, or those that the scout leaves.

        Raises:
            EvaluationError: The evaluator returned what is no evaluation.
        """
        most = self.game.spec.max_legal_actions
        legal, counts = np.empty((len(states), most), np.int32), np.empty(len(states), np.int32)
        self.game.legal_actions_many(states, legal, counts)
        if self._scouting is not None:
            self._leave_best(self._scouting.spread(states, movers), legal, counts)
        total = int(counts.sum())
        if total > len(self._fan.owners):
            self._fan = new_fan(self.game, total + total // 4)
        fan = self._fan
        self._fan_out(as_bytes(states), movers, legal, counts, total, fan)
        logits, values = self._evaluator.evaluate_batch(fan.observations[:total])
        expect_shapes(logits, values, (total, self.game.spec.num_actions))
        values = np.array(values, np.float32)
        settle(fan, values)
        is_finite = np.isfinite(values)
        if not is_finite.all():
            text = self.game.to_text(fan.states[int(is_finite.argmin())])
            raise EvaluationError(f"the evaluator gave numbers that are not finite for {text!r}")
        return Spread(fan, total, counts, values)

    def _leave_best(self, scouted: Spread, legal: Actions, counts: Actions) -> None:
        """Leave in `legal` [M, L] and `counts` [M] the actions that a scout finds best."""
        scores = np.empty(legal.shape)
        scores[np.arange(legal.shape[1]) < counts[:, None]] = scouted.values
        is_kept = np.empty(legal.shape, np.bool_)
        most = min(self._num_left, legal.shape[1])
        keep_best(scores, counts, most, legal, self._pivotal, is_kept)
        close_ranks(is_kept, legal, counts)


class AfterstateEvaluator(Evaluator):
    """Makes a network that judges rolls an evaluator of decisions, so that a tree can be searched.

    The value of a decision is that of its best action, and its policy the softmax of all values.
    What a scout does not leave has no share of the policy. Values are returns, or with the aim
    ``win`` the expected results that returns stand for (`Game.win_chances`).
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        scout: Scout | None = None,
        *,
        aim: Aim = "returns",
        sharpness: float = SHARPNESS,
    ) -> None:
        """Wrap an evaluator of the same game that judges rolls."""
        self._game = game
        self._aim = aim
        self._evaluator = evaluator
        self._scout = scout
        least, most = game.spec.return_range
        self._scale = 2.0 * sharpness / (2.0 if aim == "win" else most - least)
        self._own = threading.local()
        self._own.spreader = Spreader(game, evaluator, scout)

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        """Refuse: an observation does not tell which positions can be reached.

        Raises:
            BadRequestError: Always.
        """
        raise BadRequestError("after-states follow from a position, not from an observation")

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        """Return logits [M, A] and values [M] of decisions, for those who decide."""
        if not hasattr(self._own, "spreader"):
            self._own.spreader = Spreader(self._game, self._evaluator, self._scout)
        found: Spread = self._own.spreader.spread(states, players)
        if self._aim == "win":
            found = found._replace(values=results_of(self._game, found))
        logits = np.empty((len(states), self._game.spec.num_actions), np.float32)
        values = np.empty(len(states), np.float32)
        fold_policies(found.fan, found.counts, found.values, self._scale, logits, values)
        return logits, values


def for_decisions(
    game: Game, evaluator: Evaluator, scout: Scout | None = None, *, aim: Aim = "returns"
) -> Evaluator:
    """Return an evaluator that can be asked about decisions: the one given, if it can.

    A network that judges rolls cannot: it has seen positions after an action alone. One that sees
    the position itself, such as random games to the end, can be asked about both.

    Raises:
        BadRequestError: There is a scout, and no after-states for it to rank; or it is to aim at
            winning, and its values are not those of after-states.
    """
    if evaluator.judges_rolls and not isinstance(evaluator, StateEvaluator):
        return AfterstateEvaluator(game, evaluator, scout, aim=aim)
    if scout is not None:
        raise BadRequestError(NO_USE)
    if aim == "win":
        raise BadRequestError(
            "aim: expected returns where the model judges decisions, got win; leave it out"
        )
    return evaluator


@kernel
def fan_out(
    states: Bytes, movers: Players, legal: Actions, counts: Actions, total: int, fan: Fan
) -> None:
    """Make the positions after the legal actions given.

    Args:
        states: [M, S] decisions.
        movers: [M] who decides.
        legal: [M, L] legal actions.
        counts: [M] how many.
        total: Of all decisions.
        fan: Its first `total` rows are written.
    """
    owners, actions, actors, after = fan.owners, fan.actions, fan.actors, fan.state_bytes
    t = 0
    for m in range(counts.shape[0]):
        for i in range(counts[m]):
            owners[t] = m
            actions[t] = legal[m, i]
            actors[t] = movers[m]
            for byte in range(states.shape[1]):
                after[t, byte] = states[m, byte]
            t += 1
    apply_many(fan.states[:total], actions[:total])
    current_player_many(fan.states[:total], fan.players[:total])
    returns_many(fan.states[:total], fan.returns[:total])
    observe_many(fan.states[:total], actors[:total], fan.observations[:total])


@kernel
def settle(fan: Fan, values: npt.NDArray[np.float32]) -> None:
    """Give ended games their result for the actor: `values` [T] are changed there."""
    players, actors, returns = fan.players, fan.actors, fan.returns
    for t in range(values.shape[0]):
        if players[t] == TERMINAL:
            values[t] = returns[t, actors[t]]


@kernel
def fold_policies(
    fan: Fan,
    counts: Ints,
    values: npt.NDArray[np.float32],
    scale: float,
    out_logits: Floats,
    out_values: Floats,
) -> None:
    """Write logits [M, A] and the best value [M] of each decision.

    Args:
        fan: Actions of the decisions.
        counts: [M] how many.
        values: [T] of the positions behind them, for the actor.
        scale: Logits for a difference of 1 in value.
        out_logits: Written.
        out_values: Written.
    """
    actions = fan.actions
    t = 0
    for m in range(counts.shape[0]):
        for action in range(out_logits.shape[1]):
            out_logits[m, action] = ILLEGAL
        best = float(values[t])
        for i in range(counts[m]):
            best = max(best, float(values[t + i]))
        for i in range(counts[m]):
            out_logits[m, actions[t + i]] = scale * (float(values[t + i]) - best)
        out_values[m] = best
        t += counts[m]
