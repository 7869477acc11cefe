"""Returns told as chances of winning, and back."""

import dataclasses

import numpy as np
import pytest

from spiel_bot import Game, load
from spiel_bot.errors import SettingsError
from spiel_bot.games.base import Probabilities, States
from spiel_bot.learning.chances import (
    Odds,
    equities_of,
    expect_odds,
    odds_of,
    results_of,
)

MARGIN = load("trictrac", returns="margin")


def at_random_scores(count: int, seed: int) -> States:
    """Return first positions with holes marked."""
    states = MARGIN.new_states(count)
    states["holes"] = np.random.default_rng(seed).integers(0, 12, (count, 2))
    return states


@pytest.mark.parametrize("player", [0, 1])
def test_odds_tell_the_chances_of_the_game_for_either_side(player: int) -> None:
    states = at_random_scores(500, seed=1)
    white = np.random.default_rng(2).uniform(-0.99, 0.99, 500)
    expected = 2.0 * MARGIN.win_chances(states, white) - 1.0
    odds = odds_of(MARGIN, states, np.full(500, player, np.int8))
    sign = 1.0 if player == 0 else -1.0
    np.testing.assert_allclose(results_of(MARGIN, sign * white, odds), sign * expected, atol=1e-9)
    assert odds.slopes.max() > 4 * odds.slopes.min() > 0


def test_a_result_stands_for_the_return_it_came_from() -> None:
    states = at_random_scores(500, seed=3)
    equities = np.random.default_rng(4).uniform(-0.8, 0.8, 500)
    odds = odds_of(MARGIN, states, np.zeros(500, np.int8))
    results = results_of(MARGIN, equities, odds)
    np.testing.assert_allclose(equities_of(MARGIN, results, odds), equities, atol=1e-6)


@pytest.mark.parametrize("game", [load("trictrac"), load("race"), load("pig")])
def test_returns_that_are_results_stay_as_they_are(game: Game) -> None:
    odds = odds_of(game, game.new_states(3), np.array([0, 1, 0], np.int8))
    np.testing.assert_allclose(odds.slopes, 1.0)
    np.testing.assert_allclose(odds.shifts, 0.0, atol=1e-12)
    np.testing.assert_allclose(results_of(game, [-0.5, 0.0, 0.9], odds), [-0.5, 0.0, 0.9])


def test_what_a_correction_carries_too_far_is_nearly_won_or_lost() -> None:
    odds = Odds(np.array([1.0, 4.8, 1.0]), np.array([0.0, 0.1, 0.0]))
    low, high, unknown = equities_of(MARGIN, [-1.3, 1.2, np.nan], odds)
    assert -1.0 < low < -0.99
    assert 0.5 < high < 1.0
    assert np.isnan(unknown)


def test_the_ends_of_the_range_are_won_and_lost() -> None:
    odds = Odds(np.array([0.4, 4.8]), np.zeros(2))
    low, high = results_of(MARGIN, [-1.0, 1.0], odds)
    assert -1.0 <= low < -0.99
    assert 0.99 < high <= 1.0


def bent_chances(states: States, equities: Probabilities, out: Probabilities) -> None:
    out[:] = np.clip(0.5 + equities**3 / 2.0, 1e-9, 1.0 - 1e-9)


def test_chances_of_another_form_are_refused() -> None:
    expect_odds(MARGIN)
    expect_odds(load("pig"))
    with pytest.raises(SettingsError, match="judged_aim: the chances of trictrac are no power"):
        expect_odds(dataclasses.replace(MARGIN, win_chances_many=bent_chances))
