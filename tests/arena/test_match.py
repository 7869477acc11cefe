import numpy as np
import pytest

from spiel_bot import Game, load
from spiel_bot.arena import match
from spiel_bot.arena.match import play_match
from spiel_bot.arena.sprt import Sprt
from spiel_bot.errors import BadRequestError, IllegalActionError
from spiel_bot.games.base import Actions, States
from spiel_bot.players.base import Recipe
from spiel_bot.players.searching import LookaheadPlayer, SearchPlayer
from spiel_bot.players.spec import prepare
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.rng import Streams
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.lookahead_config import LookaheadConfig
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


@pytest.mark.parametrize("sprt", [None, Sprt(-100, 100)])
def test_threads_change_nothing(sprt: Sprt | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "PAIRS_AT_ONCE", 8)
    game = load("pig", target=20)
    recipes = prepare("search:rollout,simulations=2", game), prepare("random", game)
    results = [
        match.share_match(game, recipes, 60, seed=3, threads=threads, sprt=sprt)
        for threads in (1, 3)
    ]
    assert results[0].figures() == results[1].figures()
    np.testing.assert_array_equal(results[0].returns, results[1].returns)


def test_a_sequential_test_stops_a_match_that_is_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "PAIRS_AT_ONCE", 8)
    game = load("tic_tac_toe")
    recipes = prepare("search:rollout,simulations=20", game), prepare("random", game)
    result = match.share_match(game, recipes, 400, seed=1, sprt=Sprt(-10, 10))
    assert result.games < 400
    assert result.figures()["sprt"]["accepted"] == "H1"
    with pytest.raises(BadRequestError, match="at least 1 thread"):
        match.share_match(game, recipes, 4, seed=1, threads=0)


def test_a_failure_in_a_thread_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "PAIRS_AT_ONCE", 1)
    game = load("tic_tac_toe")

    class Cheat(FirstPlayer):
        def choose(self, states: States, streams: Streams) -> Actions:
            return np.zeros(len(states), np.int32)

    cheat = Recipe("cheat", lambda: Cheat(game))
    with pytest.raises(IllegalActionError):
        match.share_match(game, (cheat, cheat), 50, seed=1, threads=2)


def test_holes_are_counted_where_a_game_has_them() -> None:
    trictrac = load("trictrac", holes_to_win=1, max_plies=400)
    with_holes = play_match(trictrac, RandomPlayer(trictrac), RandomPlayer(trictrac), 3, seed=1)
    assert with_holes.margin == pytest.approx(float(with_holes.leads.mean()))
    assert set(with_holes.leads.ravel().tolist()) <= {-1.0, 0.0, 1.0}
    np.testing.assert_array_equal(with_holes.leads, with_holes.returns)
    game = load("tic_tac_toe")
    assert play_match(game, FirstPlayer(game), FirstPlayer(game), 1, seed=1).margin is None


def test_pairs_are_counted_by_their_points() -> None:
    game = load("race")
    result = play_match(game, FirstPlayer(game), RandomPlayer(game), 30, seed=1)
    counts = result.pair_counts
    assert sum(counts) == 30
    assert counts[1] == counts[3] == 0  # a race has no draws
    assert (counts[2] + 2 * counts[4]) / 60 == pytest.approx(result.win_rate)
