import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.games.base import States
from spiel_bot.games.random_play import walk_random_game
from spiel_bot.players.searching import SearchPlayer
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig, Selection
from spiel_bot.search.evaluator import HashEvaluator


def decisions(count: int) -> States:
    """Return positions where somebody decides, of a game without dice."""
    game = load("tic_tac_toe")
    found = []
    for seed in range(count):
        for state, _ in walk_random_game(game, seed):
            if state.legal_actions:
                found.append(state.record.copy())
    return np.array(found[:count])


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_a_player_never_explores_whatever_its_configuration_says(selection: Selection) -> None:
    game, states = load("tic_tac_toe"), decisions(40)
    noisy = MctsConfig(
        n_simulations=8,
        selection=selection,
        dirichlet_eps=1.0,
        dirichlet_alpha=0.1,
        gumbel_scale=20.0,
        temperature=5.0,
    )
    seeds = range(4)
    numbers = np.arange(len(states))
    player = SearchPlayer(game, HashEvaluator(game), noisy)
    played = {
        tuple(player.choose(states, streams(seed, Purpose.PLAY, numbers)).tolist())
        for seed in seeds
    }
    assert len(played) == 1
    explored = {
        tuple(
            Search(game, HashEvaluator(game), noisy)
            .run(states, streams(seed, Purpose.PLAY, numbers))
            .action.tolist()
        )
        for seed in seeds
    }
    assert len(explored) > 1  # the same settings do explore in self-play
