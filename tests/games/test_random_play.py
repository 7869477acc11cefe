import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.errors import BadRequestError, SeedError
from spiel_bot.games import random_play
from spiel_bot.games.catalogue import OWN_GAMES
from spiel_bot.games.random_play import play_random_games, walk_random_game
from spiel_bot.games.sampling import draw_outcome


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few dozen games enough to fill a batch several times."""
    monkeypatch.setattr(random_play, "BATCH_SIZE", 16)
    monkeypatch.setattr(random_play, "GAMES_PER_TASK", 25)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_the_same_seed_gives_the_same_games_for_any_number_of_threads(name: str) -> None:
    game = load(name)
    one = play_random_games(game, 61, seed=4)
    for threads in (2, 3):
        many = play_random_games(game, 61, seed=4, threads=threads)
        assert np.array_equal(one.returns, many.returns)
        assert np.array_equal(one.turns, many.turns)
        assert np.array_equal(one.plies, many.plies)
    other = play_random_games(game, 61, seed=5)
    assert not np.array_equal(one.returns, other.returns)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_game_walked_alone_is_the_game_of_the_batch(name: str) -> None:
    game = load(name)
    games = play_random_games(game, 60, seed=9)
    for number in (0, 17, 59):
        plies = list(walk_random_game(game, 9, number))
        last = plies[-1][0]
        assert last.is_terminal
        assert last.returns == tuple(games.returns[number])
        assert len(plies) == games.plies[number]
        assert sum(ply.player >= 0 for _, ply in plies) == games.turns[number]


def test_every_finished_game_is_reported_once() -> None:
    finished: list[int] = []
    play_random_games(load("pig", target=10), 77, seed=1, threads=2, on_finished=finished.append)
    assert sum(finished) == 77


def test_results_by_side_are_the_known_ones() -> None:
    # All games of tic-tac-toe with random moves: X wins 58.49 %, O 28.81 %, 12.70 % are drawn.
    white = play_random_games(load("tic_tac_toe"), 4_000, seed=2).returns[:, 0]
    shares = [(white == value).mean() for value in (1.0, -1.0, 0.0)]
    assert shares == pytest.approx([0.5849, 0.2881, 0.1270], abs=0.025)


@pytest.mark.parametrize(("num_games", "threads"), [(0, 1), (-3, 1), (1, 0)])
def test_counts_below_one_are_refused(num_games: int, threads: int) -> None:
    with pytest.raises(BadRequestError, match="expected at least 1"):
        play_random_games(load("pig"), num_games, seed=0, threads=threads)


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    with pytest.raises(SeedError):
        play_random_games(load("pig"), 100, seed=-1, threads=2)


@pytest.mark.parametrize(
    ("point", "outcome"), [(0.0, 1), (0.24, 1), (0.25, 3), (0.999999, 3), (1.0, 3)]
)
def test_an_outcome_is_drawn_by_its_probability(point: float, outcome: int) -> None:
    probabilities = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    assert draw_outcome(probabilities, point) == outcome


def test_rounding_never_draws_an_impossible_outcome() -> None:
    probabilities = np.array([0.1] * 10 + [0.0])  # adds up to a hair less than one
    assert draw_outcome(probabilities, 0.9999999999999999) == 9
