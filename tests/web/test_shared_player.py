import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.games.base import Actions, States
from spiel_bot.players.base import Recipe
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.rng import Purpose, Streams, streams
from spiel_bot.web.shared_player import MOST_AT_ONCE, SharedPlayer

GAME = load("tic_tac_toe")


class SlowPlayer(RandomPlayer):
    """Notes how many it was asked at once, and never answers two at the same time."""

    batches: list[int]
    busy: threading.Lock

    def choose(self, states: States, streams: Streams) -> Actions:
        assert self.busy.acquire(blocking=False)
        time.sleep(0.01)
        self.batches.append(len(states))
        found = super().choose(states, streams)
        self.busy.release()
        return found


def shared(batches: list[int], twins: int) -> SharedPlayer:
    def new() -> SlowPlayer:
        player = SlowPlayer(GAME)
        player.batches, player.busy = batches, threading.Lock()
        return player

    return SharedPlayer(Recipe("slow", new), twins)


@pytest.mark.parametrize("twins", [1, 2])
def test_many_who_ask_at_once_share_batches_and_get_their_own_answers(twins: int) -> None:
    batches: list[int] = []
    player = shared(batches, twins)
    alone = RandomPlayer(GAME)

    def ask(number: int) -> tuple[int, int]:
        own, twin = (streams(number, Purpose.PLAY, [0]) for _ in range(2))
        states = GAME.new_states(1)
        answers = int(player.choose(states, own)[0]), int(alone.choose(states, twin)[0])
        assert np.array_equal(own, twin)
        return answers

    with ThreadPoolExecutor(60) as threads:
        for given, expected in threads.map(ask, range(300)):
            assert given == expected
    assert sum(batches) == 300
    assert 1 < max(batches) <= MOST_AT_ONCE
    assert len(batches) < 300


def test_what_goes_wrong_is_told_to_all_who_asked_and_others_are_answered() -> None:
    class Broken(RandomPlayer):
        def choose(self, states: States, streams: Streams) -> Actions:
            raise ValueError("no idea")

    player = SharedPlayer(Recipe("broken", lambda: Broken(GAME)), 1)
    for _ in range(2):
        with pytest.raises(ValueError, match="no idea"):
            player.choose(GAME.new_states(1), streams(1, Purpose.PLAY, [0]))
