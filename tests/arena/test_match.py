import numpy as np
import pytest

from spiel_bot import Game, load
from spiel_bot.arena.match import play_match
from spiel_bot.errors import BadRequestError, IllegalActionError
from spiel_bot.games.base import Actions, States
from spiel_bot.players.searching import LookaheadPlayer, SearchPlayer
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.rng import Streams
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.lookahead import LookaheadConfig
from spiel_bot.search.rollout import RolloutEvaluator


class FirstPlayer:
    """Takes the first legal action."""

    name = "first"

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, states: States, streams: Streams) -> Actions:
        legal = np.empty((len(states), self.game.spec.max_legal_actions), np.int32)
        self.game.legal_actions_many(states, legal, np.empty(len(states), np.int32))
        return legal[:, 0].copy()


def test_the_same_player_in_both_seats_wins_one_game_of_each_pair() -> None:
    game = load("race")
    result = play_match(game, FirstPlayer(game), FirstPlayer(game), 40, seed=1)
    assert result.games == 80
    assert result.wins == result.losses == 40
    assert (result.returns[:, 0] == -result.returns[:, 1]).all()
    assert result.distinct_games == 40  # both games of a pair are the same
    assert result.elo.elo == pytest.approx(0.0)


def test_deterministic_players_without_dice_play_one_game() -> None:
    game = load("tic_tac_toe")
    result = play_match(game, FirstPlayer(game), FirstPlayer(game), 10, seed=1)
    assert result.distinct_games == 1


def test_the_same_seed_gives_the_same_match_and_every_game_is_reported() -> None:
    game = load("pig", target=20)
    finished: list[int] = []
    matches = [
        play_match(
            game, RandomPlayer(game), FirstPlayer(game), 30, seed=2, on_finished=finished.append
        )
        for _ in range(2)
    ]
    np.testing.assert_array_equal(matches[0].returns, matches[1].returns)
    assert sum(finished) == 120
    assert matches[0].players == ("random", "first")
    assert matches[0].average_plies > 2


@pytest.mark.compiled
def test_search_and_lookahead_beat_random_play() -> None:
    game = load("race")
    judge = RolloutEvaluator(game, rollouts=4)
    search = SearchPlayer(game, judge, MctsConfig(n_simulations=32, eval_batch_size=1))
    ahead = LookaheadPlayer(game, judge, LookaheadConfig(plies=1))
    for player in (search, ahead):
        result = play_match(game, player, RandomPlayer(game), 60, seed=3)
        assert result.win_rate > 0.5
        assert result.wins + result.losses + result.draws == 120


def test_a_match_needs_a_pair_and_legal_actions() -> None:
    game = load("tic_tac_toe")

    class Cheat(FirstPlayer):
        name = "cheat"

        def choose(self, states: States, streams: Streams) -> Actions:
            return np.zeros(len(states), np.int32)

    with pytest.raises(BadRequestError, match="at least 1 pair"):
        play_match(game, FirstPlayer(game), FirstPlayer(game), 0, seed=1)
    with pytest.raises(IllegalActionError, match="player cheat chose action 0"):
        play_match(game, FirstPlayer(game), Cheat(game), 1, seed=1)
