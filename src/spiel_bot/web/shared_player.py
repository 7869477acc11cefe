"""One player for many games: those who ask at the same time are answered in one batch.

A batch of twenty positions takes far less than twenty searches, so a server with many games in
progress is as quick as its cores allow, and nobody waits for his own turn in a queue of searches.
"""

import os
import queue
import threading
from dataclasses import dataclass, field

import numpy as np

from spiel_bot.games.base import Actions, States
from spiel_bot.players.base import Player, Recipe
from spiel_bot.rng import Streams

MOST_AT_ONCE = 32
"""Positions of one batch; more would keep the first of them waiting for the last."""


@dataclass(slots=True)
class Question:
    """What one game asks, and the answer."""

    states: States
    streams: Streams
    actions: Actions | None = None
    error: BaseException | None = None
    answered: threading.Event = field(default_factory=threading.Event)


class SharedPlayer:
    """A player that any number of threads may ask.

    Nobody is employed to answer: whoever asks and finds a twin of the player free answers all who
    wait by then.
    """

    def __init__(self, recipe: Recipe, twins: int | None = None) -> None:
        """Make the player, once for each core; its network is shared."""
        self.name = recipe.name
        self._twins: queue.LifoQueue[Player] = queue.LifoQueue()
        for _ in range(twins or os.cpu_count() or 1):
            self._twins.put(recipe.new())
        self._lock = threading.Lock()
        self._questions: list[Question] = []

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return an action [B] for each position; `streams` [B, 4] advance."""
        own = Question(states, streams)
        with self._lock:
            self._questions.append(own)
        while not own.answered.is_set():
            twin = self._twins.get()
            try:
                if not own.answered.is_set():
                    self._answer(twin)
            finally:
                self._twins.put(twin)
        if own.error is not None:
            raise own.error
        assert own.actions is not None
        return own.actions

    def _answer(self, twin: Player) -> None:
        """Answer the oldest questions together."""
        with self._lock:
            taken, count = 0, 0
            while taken < len(self._questions):
                count += len(self._questions[taken].states)
                if taken and count > MOST_AT_ONCE:
                    break
                taken += 1
            asked, self._questions = self._questions[:taken], self._questions[taken:]
        try:
            streams = np.concatenate([one.streams for one in asked])
            actions = twin.choose(np.concatenate([one.states for one in asked]), streams)
            start = 0
            for one in asked:
                end = start + len(one.states)
                one.streams[:] = streams[start:end]
                one.actions = actions[start:end]
                start = end
        except BaseException as error:
            for one in asked:
                one.error = error
            raise
        finally:
            for one in asked:
                one.answered.set()
