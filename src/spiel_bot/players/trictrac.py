"""What the two hand-written players of trictrac think of a position."""

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, PlayerError
from spiel_bot.games.base import Floats, Game, Players, States
from spiel_bot.games.trictrac.equity import hole_worth_table, match_table, race_table
from spiel_bot.games.trictrac.judgement import judge_many
from spiel_bot.games.trictrac.outlook import expect_points_many
from spiel_bot.games.trictrac.structure import NAMES
from spiel_bot.search.evaluator import Evaluation, Evaluator

TRICTRAC = "trictrac"

POINTS_SCALE = 24.0
"""Points that make greedy nearly sure of itself; only the order of its values matters."""

WEIGHTS = {
    "corner": 0.25,
    "corner_alone": 0.1,
    "corner_chance": 0.15,
    "field_7": 0.06,
    "field_8": 0.06,
    "field_9": 0.06,
    "field_10": 0.08,
    "field_11": 0.08,
    "big_near": 0.6,
    "big_close": 0.0,
    "big_full": 1.2,
    "big_life": 0.6,
    "useful": 0.1,
    "spare_time": 0.1,
    "trapped": -0.8,
    "small_near": 0.1,
    "small_full": 0.2,
    "small_life": 0.2,
    "return_near": 0.1,
    "return_full": 0.2,
    "held_small": 0.02,
    "half_small": -0.01,
    "half_big": -0.01,
    "half_far": -0.02,
    "builders": 0.0,
    "stack": -0.1,
    "heavy": -0.05,
    "corner_pile": -0.05,
    "past": 0.0,
    "new_setting": 0.05,
}


class TrictracJudge(Evaluator):
    """Judges positions of trictrac, rolls included; every action alike."""

    judges_rolls = True

    def __init__(self, game: Game, name: str) -> None:
        """Prepare a judge.

        Raises:
            PlayerError: The game is not trictrac.
        """
        if game.spec.name != TRICTRAC:
            raise PlayerError(
                f"player {name} knows only trictrac, not {game.spec.name}; choose another player"
            )
        self._zeros = np.zeros((1, game.spec.num_actions), np.float32)

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        """Refuse: what a player sees is not the position.

        Raises:
            BadRequestError: Always.
        """
        raise BadRequestError("this evaluator needs the position itself; use evaluate_states()")

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        """Return zeros [B, A], and what each position is worth to its player."""
        values = np.empty(len(states), np.float32)
        self.judge(np.ascontiguousarray(states), np.ascontiguousarray(players), values)
        logits = np.broadcast_to(self._zeros, (len(states), self._zeros.shape[1]))
        return logits, values

    def judge(self, states: States, players: Players, out: Floats) -> None:
        """Write the values [B]."""
        raise NotImplementedError


class GreedyEvaluator(TrictracJudge):
    """The points to expect from both sides' next rolls; a new setting promises none."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, "greedy")

    def judge(self, states: States, players: Players, out: Floats) -> None:
        """Write the values [B]."""
        expect_points_many(states, players, out)
        np.tanh(out / POINTS_SCALE, out=out)


class ExpertEvaluator(TrictracJudge):
    """The judgement of `judgement.py`."""

    def __init__(self, game: Game, weights: npt.NDArray[np.float64] | None = None) -> None:
        super().__init__(game, "expert")
        self._weights = np.array([WEIGHTS[name] for name in NAMES]) if weights is None else weights

    def judge(self, states: States, players: Players, out: Floats) -> None:
        """Write the values [B]."""
        judge_many(
            states, players, self._weights, race_table(), match_table(), hole_worth_table(), out
        )
