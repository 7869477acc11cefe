"""spiel-bot bench env: what an environment does for a learner, each kernel by itself."""

import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spiel_bot.games.base import Game, States

ROUNDS = 25  # short ones, so that what else the machine does meets all works alike
NUM_STATES = 2048
"""Positions of a batch; the observations of one stay in a processor's cache."""

WARM_UP_TURNS = 40


def bench_env(seconds: float, threads: int) -> dict[str, Any]:
    """Observations by name, legal actions and whole steps of trictrac a second, on one thread."""
    from spiel_bot.games.registry import load
    from spiel_bot.games.trictrac.observations.catalogue import DEFAULT, OBSERVATIONS

    game = load("trictrac")
    states = decisions(game)
    observed = {
        name: observe_speed(load("trictrac", observation=name), states, seconds)
        for name in OBSERVATIONS
    }
    plays, legal = legal_speeds(game, states, seconds)
    return {
        "observe_per_s": observed[DEFAULT],
        "legal_per_s": legal,
        "plays_per_s": plays,
        "step_per_s": step_speed(game, seconds),
        "observe_per_s_by_name": observed,
    }


def rates(works: list[Callable[[], None]], size: int, seconds: float) -> list[int]:
    """Return how many items of a batch each work does a second: the median of several rounds.

    Works that are to be compared take turns, so that noise of the machine meets all of them.
    """
    repeats = 1
    for work in works:
        work()  # compiles
    while True:
        elapsed = [measure(work, repeats) for work in works]
        if min(elapsed) * ROUNDS >= seconds:
            break
        repeats *= 2
    times = [elapsed]
    while len(times) < ROUNDS:
        times.append([measure(work, repeats) for work in works])
    return [
        round(size * repeats / statistics.median(column)) for column in zip(*times, strict=True)
    ]


def measure(work: Callable[[], None], repeats: int) -> float:
    """Return the seconds that a work takes so many times."""
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    return time.perf_counter() - start


def decisions(game: "Game") -> "States":
    """Return decisions from the middle of random games."""
    import numpy as np

    from spiel_bot.games.base import WHITE

    found: list[States] = []
    seed = 0
    while sum(len(states) for states in found) < NUM_STATES:
        table = StepTable(game, NUM_STATES, seed)
        for _ in range(WARM_UP_TURNS):
            table.step()
        found.append(table.states[table.states["player"] >= WHITE])
        seed += 1
    return np.concatenate(found)[:NUM_STATES]


def observe_speed(game: "Game", states: "States", seconds: float) -> int:
    """Return positions a second, each seen by its mover."""
    import numpy as np

    out = np.empty((len(states), game.spec.observation_size), np.float32)
    players = states["mover"].copy()
    (rate,) = rates([lambda: game.observe_many(states, players, out)], len(states), seconds)
    return rate


def legal_speeds(game: "Game", states: "States", seconds: float) -> tuple[int, int]:
    """Return positions a second: their plays alone, and their legal actions with numbers."""
    import numpy as np

    from spiel_bot.games.trictrac.moves import legal_plays_many

    out = np.empty((len(states), game.spec.max_legal_actions), np.int32)
    counts = np.empty(len(states), np.int32)
    plays, legal = rates(
        [
            lambda: legal_plays_many(states, out, counts),
            lambda: game.legal_actions_many(states, out, counts),
        ],
        len(states),
        seconds,
    )
    return plays, legal


def step_speed(game: "Game", seconds: float) -> int:
    """Return whole steps a second: legal actions, choice, play, roll and observation."""
    table = StepTable(game, NUM_STATES, seed=1)
    (rate,) = rates([table.step], NUM_STATES, seconds)
    return rate


class StepTable:
    """Games that are played at random and begin anew when they are over."""

    def __init__(self, game: "Game", num_games: int, seed: int) -> None:
        import numpy as np

        from spiel_bot.rng import Purpose, streams

        spec = game.spec
        self.game = game
        self.states = game.new_states(num_games)
        self.dice = streams(seed, Purpose.DICE, np.arange(num_games))
        self.choices = streams(seed, Purpose.PLAY, np.arange(num_games))
        self.players = np.empty(num_games, np.int8)
        self.legal = np.empty((num_games, spec.max_legal_actions), np.int32)
        self.counts = np.empty(num_games, np.int32)
        self.chosen = np.empty(num_games, np.int32)
        self.chances = np.empty((num_games, spec.num_chance_outcomes))
        self.seen = np.empty((num_games, spec.observation_size), np.float32)

    def step(self) -> None:
        """Play one turn in every game, and observe the position after it."""
        from spiel_bot.games.base import TERMINAL
        from spiel_bot.games.sampling import choose_actions_many, draw_outcomes_many

        game = self.game
        assert game.chance_probabilities_many is not None
        assert game.apply_chance_many is not None
        game.legal_actions_many(self.states, self.legal, self.counts)
        choose_actions_many(self.choices, self.legal, self.counts, self.chosen)
        game.apply_many(self.states, self.chosen)
        game.chance_probabilities_many(self.states, self.chances)
        draw_outcomes_many(self.dice, self.chances, self.chosen)
        game.apply_chance_many(self.states, self.chosen)
        game.current_player_many(self.states, self.players)
        game.observe_many(self.states, self.states["mover"].copy(), self.seen)
        self.states[self.players == TERMINAL] = game.initial_state
