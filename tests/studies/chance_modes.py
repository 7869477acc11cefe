"""Which chance mode is right after how many evaluations? The study behind decision 0009.

Run: python -m tests.studies.chance_modes

Positions of race and pig, whose exact values are known, are searched with an evaluator that
knows the exact value but for an error of its own, as a trained network would. Shown for each
mode: evaluations a decision, the error of the root's value, and what the chosen action gives
away against the best one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from tests.search.exact import Exact

from spiel_bot import Environment, Game, load
from spiel_bot.games.base import CHANCE, Floats, Players, States
from spiel_bot.rng import Purpose, below, stream, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig
from spiel_bot.search.evaluator import Evaluation, Evaluator

NUM_POSITIONS = 100
BUDGETS: dict[Chance, tuple[int, ...]] = {
    "sample": (8, 32, 128, 512),
    "leaf": (8, 32, 128, 512),
    "quota": (8, 32, 128, 512),
    "expect": (2, 8, 32),
}
ERRORS = (0.0, 0.2)

WhiteValue = Callable[[Environment], float]


@dataclass
class NearlyExact(Evaluator):
    """The exact value and a normal error that belongs to the position; every action alike."""

    game: Game
    value: WhiteValue
    error: float
    known: dict[bytes, float] = field(default_factory=dict)

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        raise NotImplementedError

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        white = np.array([self._white(state) for state in states])
        values = np.where(players == 0, white, -white).astype(np.float32)
        return np.zeros((len(states), self.game.spec.num_actions), np.float32), values

    def _white(self, record: np.void) -> float:
        key = record.tobytes()
        if key not in self.known:
            state = self.game.from_notation(self.game.to_text(record), seed=0)
            rng = np.random.default_rng(list(key))
            self.known[key] = self.value(state) + self.error * rng.standard_normal()
        return self.known[key]


def decisions(game: Game, count: int) -> list[Environment]:
    """Return decisions with a real choice, from games with random moves."""
    found: list[Environment] = []
    number = 0
    while len(found) < count:
        state = game.new_game(seed=1, number=number)
        choices = stream(1, Purpose.PLAY, game=number)
        for _ in range(2 + below(choices, 12)):
            if state.is_terminal:
                break
            if state.current_player == CHANCE:
                state.apply_chance()
            else:
                legal = state.legal_actions
                state.apply(legal[below(choices, len(legal))])
        if len(state.legal_actions) > 1:
            found.append(state)
        number += 1
    return found


def study(game: Game, title: str) -> None:
    """Print the table of one game."""
    value = Exact(game).value
    positions = decisions(game, NUM_POSITIONS)
    states = np.array([state.record for state in positions])
    truth = np.array([value(state) for state in positions])
    signs = np.array([1.0 if state.current_player == 0 else -1.0 for state in positions])
    for error in ERRORS:
        print(f"\n{title}, error of the evaluator {error}")  # noqa: T201
        print("| chance | simulations | evaluations | error of the value | given away |")  # noqa: T201
        print("|---|---|---|---|---|")  # noqa: T201
        evaluator = NearlyExact(game, value, error)
        for mode, budgets in BUDGETS.items():
            for simulations in budgets:
                row = measure(
                    game, evaluator, mode, simulations, positions, states, truth, signs, value
                )
                print(f"| {mode} | {simulations} | {row[0]:.0f} | {row[1]:.3f} | {row[2]:.4f} |")  # noqa: T201


def measure(
    game: Game,
    evaluator: Evaluator,
    mode: Chance,
    simulations: int,
    positions: list[Environment],
    states: States,
    truth: npt.NDArray[np.float64],
    signs: npt.NDArray[np.float64],
    value: WhiteValue,
) -> tuple[float, float, float]:
    """Return evaluations a decision, error of the root's value, and what the choice gives away."""
    config = MctsConfig(n_simulations=simulations, chance=mode, eval_batch_size=1)
    search = Search(game, evaluator, config.without_exploration())
    result = search.run(states, streams(3, Purpose.SEARCH, np.arange(len(states))))
    lost = []
    for state, action, best, sign in zip(positions, result.action, truth, signs, strict=True):
        child = state.clone()
        child.apply(int(action))
        lost.append(sign * (best - value(child)))
    error = float(np.sqrt(np.mean((result.root_value - truth) ** 2)))
    return result.evaluations / len(states), error, float(np.mean(lost))


def main() -> None:
    """Print all tables."""
    study(load("race"), "Race with three checkers")
    study(load("pig", target=20), "Pig to 20")


if __name__ == "__main__":
    main()
