from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.storage.samples import random_game
from tests.web.stores import GAMES, add_run

from spiel_bot.storage.records import GameRecord
from spiel_bot.storage.store import Store
from spiel_bot.web.views.calibration import calibrate, newest_games


def game_with(number: int, values: list[float], result: float) -> GameRecord:
    count = len(values)
    return replace(
        random_game(number),
        events=np.zeros(2 * count, np.int32),
        players=np.array([-1, 0] * count, np.int8),
        policy_starts=np.zeros(count + 1, np.int32),
        policy_actions=np.zeros(0, np.int32),
        policy_weights=np.zeros(0, np.float32),
        root_values=np.array(values, np.float32),
        is_full_search=np.zeros(count, np.bool_),
        returns=np.array([result, -result], np.float32),
    )


def test_decisions_are_binned_by_what_was_expected() -> None:
    games = [game_with(7, [0.5, 0.5, -1.0], 1.0), game_with(8, [0.5, np.nan, 1.0], -1.0)]
    low, high = calibrate(games, (-1.0, 1.0), bins=4)
    assert (low.low, low.high, low.predicted, low.result) == (-1.0, -0.5, -1.0, 1.0)
    assert (high.low, high.high, high.decisions, high.games) == (0.5, 1.0, 4, 2)
    assert high.predicted == pytest.approx(0.625)


def test_the_result_is_the_mean_with_an_error_over_games() -> None:
    # Three decisions of a game that was won, one of a game that was lost.
    games = [game_with(0, [0.1] * 3, 1.0), game_with(1, [0.1], -1.0)]
    (found,) = calibrate(games, (-1.0, 1.0), bins=2)
    assert found.result == pytest.approx(0.5)
    assert (found.decisions, found.games) == (4, 2)
    # Deviations of the games add up to 3 * 0.5 and 1 * -1.5, over 4 decisions.
    assert found.error == pytest.approx(np.hypot(1.5, 1.5) / 4)
    assert found.examples == ((0, 1), (1, 1))


def test_positions_that_were_judged_say_nothing_of_how_their_game_ended() -> None:
    plain = game_with(0, [0.1, 0.2], 1.0)
    judged = replace(
        game_with(1, [0.1, np.nan], 1.0),
        policy_starts=np.array([0, 1, 1], np.int32),
        policy_actions=np.zeros(1, np.int32),
        policy_weights=np.ones(1, np.float32),
        is_full_search=np.array([True, False]),
    )
    (found,) = calibrate([plain, judged], (-1.0, 1.0), bins=2)
    assert (found.decisions, found.games) == (2, 1)


def test_nothing_searched_gives_no_bins() -> None:
    assert calibrate([], (-1.0, 1.0)) == []
    assert calibrate([game_with(0, [np.nan], 1.0)], (-1.0, 1.0)) == []


def test_the_newest_games_are_read(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        run = add_run(store)
        assert len(newest_games(store, run)) == 3 * GAMES
        assert [game.number for game in newest_games(store, run, most=2)] == [12, 13]
        assert {game.number for game in newest_games(store, run, iteration=1)} == set(range(GAMES))
