"""Evaluators that watch, that favour, and that fail."""

import numpy as np

from spiel_bot.games.base import Floats, Game, Players, States
from spiel_bot.search.evaluator import Evaluation, Evaluator, HashEvaluator


class Spy(Evaluator):
    """Passes on what another says, and notes how many and whose decisions were asked about."""

    def __init__(self, inner: HashEvaluator) -> None:
        self.inner = inner
        self.batches: list[int] = []
        self.players: set[int] = set()

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        return self.inner.evaluate(observation)

    def evaluate_batch(self, observations: Floats) -> Evaluation:
        self.batches.append(len(observations))
        return self.inner.evaluate_batch(observations)


class StateSpy(Spy):
    """Looks at the positions themselves."""

    def __init__(self, game: Game) -> None:
        super().__init__(HashEvaluator(game))
        self.game = game

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        who = np.empty(len(states), np.int8)
        self.game.current_player_many(states, who)
        assert (who == players).all()
        self.players |= set(who.tolist())
        out = np.empty((len(states), self.game.spec.observation_size), np.float32)
        self.game.observe_many(states, players, out)
        return self.evaluate_batch(out)


class Constant(Evaluator):
    """One value for whoever decides; one action may be favoured."""

    def __init__(self, game: Game, value: float, favourite: int | None = None) -> None:
        self.logits = np.zeros(game.spec.num_actions, np.float32)
        if favourite is not None:
            self.logits[favourite] = 20.0
        self.value = value

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        return self.logits, self.value


class Broken(Evaluator):
    """Makes one mistake after some good calls."""

    def __init__(self, game: Game, fault: str, good_calls: int = 0) -> None:
        self.inner = HashEvaluator(game)
        self.game = game
        self.fault = fault
        self.good_calls = good_calls

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        return self.inner.evaluate(observation)

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        observations = np.empty((len(states), self.game.spec.observation_size), np.float32)
        self.game.observe_many(states, players, observations)
        logits, values = self.inner.evaluate_batch(observations)
        legal = np.empty((len(states), self.game.spec.max_legal_actions), np.int32)
        counts = np.empty(len(states), np.int32)
        self.game.legal_actions_many(states, legal, counts)
        self.good_calls -= 1
        if self.good_calls >= 0:
            return logits, values
        match self.fault:
            case "logits":
                return logits[:, 1:], values
            case "values":
                return logits, values[:, None]
            case "nan value":
                values[-1] = np.nan
            case "nan logit":
                logits[-1, legal[-1, counts[-1] - 1]] = np.nan
            case "infinite logit":
                logits[-1, legal[-1, 0]] = np.inf
            case "nan where illegal":
                for row in range(len(states)):
                    is_illegal = np.ones(self.game.spec.num_actions, np.bool_)
                    is_illegal[legal[row, : counts[row]]] = False
                    logits[row, is_illegal] = np.nan
            case "nan once":
                values[-1] = np.nan
                self.good_calls = 10**9
        return logits, values
