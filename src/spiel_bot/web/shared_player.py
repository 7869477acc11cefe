"""One player for many games: those who ask at the same time are answered in one batch.

A batch of twenty positions takes far less than twenty searches, so a server with many games in
progress is as quick as its cores allow, and nobody waits in a queue of single searches.
"""

import os
import threading
from dataclasses import dataclass, field

import numpy as np

from spiel_bot.games.base import Actions, States
from spiel_bot.players.base import Player, Recipe
from spiel_bot.rng import Streams

MOST_AT_ONCE = 32
"""Positions of one batch; more would keep the first of them waiting for the last."""


@dataclass(slots=True, eq=False)
class Question:
    """What one game asks, and the answer."""

    states: States
    streams: Streams
    actions: Actions | None = None
    error: BaseException | None = None
    woken: threading.Event = field(default_factory=threading.Event)
    """Set once there is an answer, or once it is this one's turn to find answers."""

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer, be it an error."""
        return self.actions is not None or self.error is not None


class SharedPlayer:
    """A player that any number of threads may ask.

    Nobody is employed to answer: whoever asks while a twin of the player is free answers all who
    wait by then, and then wakes the next who waits.
    """

    def __init__(self, recipe: Recipe, twins: int | None = None) -> None:
        """Make the player, once for each core; its network is shared."""
        self.name = recipe.name
        self._free: list[Player] = [recipe.new() for _ in range(twins or os.cpu_count() or 1)]
        self._lock = threading.Lock()
        self._waiting: list[Question] = []

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return an action [B] for each position; `streams` [B, 4] advance."""
        own = Question(states, streams)
        with self._lock:
            self._waiting.append(own)
            twin, asked = self._begin()
        while not own.is_answered:
            if twin is None:
                own.woken.wait()
                own.woken.clear()
                with self._lock:
                    twin, asked = (None, []) if own.is_answered else self._begin()
            else:
                answer(twin, asked)
                self._end(twin, asked)
                twin = None
        if own.error is not None:
            raise own.error
        assert own.actions is not None
        return own.actions

    def _begin(self) -> tuple[Player | None, list[Question]]:
        """Return a free twin and the oldest questions, none if there are no such."""
        if not self._free or not self._waiting:
            return None, []
        count = 0
        for taken, question in enumerate(self._waiting):
            count += len(question.states)
            if taken and count > MOST_AT_ONCE:
                break
        else:
            taken = len(self._waiting)
        asked, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return self._free.pop(), asked

    def _end(self, twin: Player, asked: list[Question]) -> None:
        """Give the twin back and wake those who were answered, and the next who waits."""
        with self._lock:
            self._free.append(twin)
            following = self._waiting[:1]
        for question in (*following, *asked):
            question.woken.set()


def answer(twin: Player, asked: list[Question]) -> None:
    """Answer questions together; what goes wrong is told to all who asked."""
    try:
        streams = np.concatenate([one.streams for one in asked])
        actions = twin.choose(np.concatenate([one.states for one in asked]), streams)
    except BaseException as error:
        for one in asked:
            one.error = error
        return
    start = 0
    for one in asked:
        end = start + len(one.states)
        one.streams[:] = streams[start:end]
        one.actions = actions[start:end]
        start = end
