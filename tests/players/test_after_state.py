import numpy as np

from spiel_bot import load
from spiel_bot.games.base import Players, States
from spiel_bot.players.after_state import AfterStatePlayer
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.evaluator import Evaluation

GAME = load("tic_tac_toe")


class Indifferent:
    """Finds every position even."""

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        return np.zeros((len(states), 9), np.float32), np.zeros(len(states), np.float32)


def position(*actions: int) -> States:
    state = GAME.new_game(seed=0)
    for action in actions:
        state.apply(action)
    return state.record.reshape(1).copy()


def test_the_end_of_a_game_counts_as_what_it_brings() -> None:
    # White wins at 2, black at 5; in the last position nothing is left but 8.
    states = np.concatenate(
        [position(0, 3, 1, 4), position(0, 3, 1, 4, 8), position(0, 1, 2, 4, 3, 5, 7, 6)]
    )
    player = AfterStatePlayer(GAME, Indifferent(), name="indifferent")
    assert player.choose(states, streams(1, Purpose.PLAY, range(3))).tolist() == [2, 5, 8]
    assert player.choose(states[2:], streams(1, Purpose.PLAY, [0])).tolist() == [8]


def test_of_equal_actions_the_first_is_taken() -> None:
    player = AfterStatePlayer(GAME, Indifferent(), name="indifferent")
    chosen = player.choose(GAME.new_states(3), streams(1, Purpose.PLAY, range(3)))
    assert chosen.tolist() == [0, 0, 0]
