"""What the two hand-written players of trictrac think of a position."""

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, PlayerError
from spiel_bot.games.base import Floats, Game, Players, States
from spiel_bot.games.registry import load
from spiel_bot.games.trictrac.equity import hole_worth_table, match_table, race_table
from spiel_bot.games.trictrac.judgement import judge_many
from spiel_bot.games.trictrac.outlook import expect_points_many
from spiel_bot.games.trictrac.structure import NAMES
from spiel_bot.search.evaluator import Evaluation, Evaluator

TRICTRAC = "trictrac"

POINTS_SCALE = 24.0
"""Points that make greedy nearly sure of itself; only the order of its values matters."""

# Found by matches of the expert against itself on paired dice; docs/players.md says how.
WEIGHTS = {
    "corner": 0.474,
    "corner_alone": 0.094,
    "corner_chance": 0.177,
    "field_7": -0.006,
    "field_8": 0.097,
    "field_9": 0.119,
    "field_10": 0.148,
    "field_11": 0.091,
    "big_near": 2.466,
    "big_close": 0.5,
    "big_full": 1.145,
    "big_life": 0.46,
    "useful": 0.182,
    "spare_time": 0.25,
    "trapped": -0.757,
    "small_near": 0.084,
    "small_full": 0.236,
    "small_life": 0.152,
    "return_near": 0.03,
    "return_full": 0.292,
    "held_small": 0.18,
    "half_small": 0.13,
    "half_big": 0.029,
    "half_far": -0.046,
    "builders": 0.092,
    "stack": -0.177,
    "heavy": -0.076,
    "corner_pile": -0.059,
    "past": -0.013,
    "new_setting": 0.034,
}


def by_outcome(game: Game) -> Game:
    """Return the game as a judge sees it whose values are results: not margins, if it is trictrac.

    >>> by_outcome(load("trictrac", returns="margin")).spec.options["returns"]
    'outcome'
    """
    if game.spec.name != TRICTRAC or game.win_chances_many is None:
        return game
    return load(TRICTRAC, **{**game.spec.options, "returns": "outcome"})


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
