"""A second algorithm, to show that the loop knows only the protocol: it learns by a script."""

from collections.abc import Callable, Iterator

import numpy as np

from spiel_bot.errors import LearningError
from spiel_bot.games.base import Actions, States
from spiel_bot.games.pig import HOLD, ROLL
from spiel_bot.learning.algorithm import Arrays
from spiel_bot.rng import Streams
from spiel_bot.storage.records import GameRecord


def empty_game(number: int) -> GameRecord:
    return GameRecord(
        number=number,
        seed=0,
        events=np.zeros(1, np.int32),
        players=np.zeros(1, np.int8),
        policy_starts=np.zeros(2, np.int32),
        policy_actions=np.zeros(0, np.int32),
        policy_weights=np.zeros(0, np.float32),
        root_values=np.zeros(1, np.float32),
        is_full_search=np.zeros(1, np.bool_),
        returns=np.array([1.0, -1.0], np.float32),
    )


class ScriptedWorker:
    """Its games are empty; `before_game` may wait or fail."""

    def __init__(self, before_game: Callable[[int], None]) -> None:
        self.evaluations = 0
        self._before_game = before_game

    def play(
        self,
        numbers: Iterator[int],
        on_game: Callable[[GameRecord], None],
        should_stop: Callable[[], bool],
    ) -> None:
        for number in numbers:
            self._before_game(number)
            if should_stop():
                return
            self.evaluations += 1
            on_game(empty_game(number))


class PigPlayer:
    """Holds at a number of points of his turn: 20 is good, 2 is not."""

    def __init__(self, limit: int, name: str) -> None:
        self.name = name
        self._limit = limit

    def choose(self, states: States, streams: Streams) -> Actions:
        return np.where(states["total"] >= self._limit, HOLD, ROLL).astype(np.int32)


class Scripted:
    """Network number n holds at `limits[n]`; `bad_lesson` is where the loss is not finite."""

    def __init__(
        self,
        limits: list[int] | None = None,
        bad_lesson: int | None = None,
        before_game: Callable[[int], None] = lambda number: None,
    ) -> None:
        self.step = 0
        self.received: list[int] = []
        self.models: dict[int, int] = {}  # which network played each game
        self._limits = limits or [20] * 100
        self._bad_lesson = bad_lesson
        self._before_game = before_game

    def begin_with(self, weights: bytes) -> None:
        raise AssertionError("no run of a script has a start")

    def weights(self) -> bytes:
        return b"%d" % self.step

    def model(self, weights: bytes) -> bytes:
        return weights

    def worker(self, model: bytes, seed: int) -> ScriptedWorker:
        def before_game(number: int) -> None:
            self.models[number] = int(model)
            self._before_game(number)

        return ScriptedWorker(before_game)

    def player(self, model: bytes, name: str) -> PigPlayer:
        return PigPlayer(self._limits[int(model)], name)

    def receive(self, records: list[GameRecord]) -> None:
        self.received += [record.number for record in records]

    def learn(self, steps: int, should_stop: Callable[[], bool]) -> dict[str, float]:
        if self.step + 1 == self._bad_lesson:
            raise LearningError("the loss became nan")
        self.step += 1
        return {"step": float(self.step)}

    def state(self) -> Arrays:
        return {"games": np.array(0), "step": np.array(self.step)}

    def restore(self, arrays: Arrays, records: list[GameRecord]) -> None:
        self.step = int(arrays["step"])
