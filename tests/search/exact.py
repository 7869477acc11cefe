"""Exact values of pig and race for the search's positions, and an evaluator that knows them."""

from functools import cache

import numpy as np
from tests.reference.exact_pig import ExactPig
from tests.reference.exact_race import ExactRace

from spiel_bot import CHANCE, Environment, Game
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Floats, Players, States
from spiel_bot.search.evaluator import Evaluation, Evaluator


@cache
def solved_race(checkers: int) -> ExactRace:
    return ExactRace(checkers)


@cache
def solved_pig(target: int) -> ExactPig:
    return ExactPig(target)


class Exact:
    """White's values of positions of pig or race, with best play of both sides."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[str, float] = {}

    def value(self, state: Environment) -> float:
        """Return white's value of any position."""
        if state.is_terminal:
            return state.returns[0]
        text = state.notation
        if text not in self._known:
            self._known[text] = self._look_up(state)
        return self._known[text]

    def of_actions(self, state: Environment) -> list[float]:
        """Return white's value of each legal action of a decision."""
        values = []
        for action in state.legal_actions:
            after = state.clone()
            after.apply(action)
            values.append(self.value(after))
        return values

    def _look_up(self, state: Environment) -> float:
        if state.current_player != CHANCE:
            best = max if state.current_player == 0 else min
            return best(self.of_actions(state))
        record = state.record
        mover = int(record["mover"])
        sign = 1 if mover == 0 else -1
        if self.game.spec.name == "pig":
            own, other = int(record["banked"][mover]), int(record["banked"][1 - mover])
            solved = solved_pig(self.game.spec.options["target"])
            return sign * (2 * solved.to_roll(own, other, int(record["total"])) - 1)
        own_side, other_side = (
            tuple(f for f in range(6, 0, -1) for _ in range(int(record["checkers"][side][f])))
            for side in (mover, 1 - mover)
        )
        return sign * solved_race(self.game.spec.options["checkers"]).values[own_side, other_side]


class ExactEvaluator(Evaluator):
    """Knows the value of every decision, but prefers no action."""

    def __init__(self, game: Game) -> None:
        self.exact = Exact(game)

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        raise BadRequestError("only positions are known")

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        game = self.exact.game
        white = [self.exact.value(Environment(game, np.array([row]), 0)) for row in states]
        values = np.where(players == 0, white, np.negative(white)).astype(np.float32)
        return np.zeros((len(states), game.spec.num_actions), np.float32), values
