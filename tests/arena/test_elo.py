import math

import numpy as np
import pytest

from spiel_bot.arena.elo import elo_of_scores


def test_an_even_match_is_worth_nothing() -> None:
    estimate = elo_of_scores(np.array([0.0, 1.0] * 50))
    assert estimate.elo == pytest.approx(0.0)
    assert estimate.superiority == pytest.approx(0.5)


def test_three_of_four_points_are_191_elo() -> None:
    estimate = elo_of_scores(np.full(100_000, 0.75))
    assert estimate.elo == pytest.approx(400 * math.log10(3), abs=0.01)
    assert estimate.superiority == pytest.approx(1.0)


def test_the_error_is_that_of_many_matches() -> None:
    rng = np.random.default_rng(1)
    matches = rng.choice([0.0, 0.5, 1.0], (400, 200), p=[0.2, 0.4, 0.4])
    estimates = [elo_of_scores(scores) for scores in matches]
    spread = float(np.std([estimate.elo for estimate in estimates]))
    assert np.mean([estimate.error for estimate in estimates]) == pytest.approx(spread, rel=0.1)


def test_a_match_without_a_loss_is_finite() -> None:
    estimate = elo_of_scores(np.ones(10))
    assert 300 < estimate.elo < 700
    assert math.isfinite(estimate.error)
