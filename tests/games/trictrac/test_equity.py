import numpy as np
import pytest

from spiel_bot.games.trictrac.equity import (
    GAINS,
    hole_worth_table,
    match_table,
    race_table,
)
from spiel_bot.games.trictrac.marks import tally


def test_the_points_of_a_roll_are_a_distribution() -> None:
    assert sum(GAINS.values()) == pytest.approx(1.0)


def test_points_are_worth_more_the_more_there_are_and_the_more_so_in_bredouille() -> None:
    race = race_table()
    assert (np.diff(race[:, 0, 1]) > 0).all()
    assert (np.diff(race[0, :, 2]) < 0).all()
    assert (race[1:, 0, 1] > race[1:, 0, 0]).all()
    assert race[0, 0, 0] < 0.0  # to roll first is an advantage


def test_the_race_agrees_with_games_played_out() -> None:
    rng = np.random.default_rng(3)
    gains, shares = np.array(list(GAINS)), np.array(list(GAINS.values()))
    differences = []
    for _ in range(1500):
        # 8 points against 0, in bredouille, the other rolls; long enough to forget the start.
        points, run, lead, side = [8, 0], 0, 0, 1
        for gain in rng.choice(gains, 120, p=shares):
            if gain:
                rest, run, won = tally(points[side], run, side, int(gain))
                points[side] = rest
                if won:
                    points[1 - side] = 0
                    lead += won if side == 0 else -won
            side = 1 - side
        differences.append(lead)
    # What is left of the tempo at the end is the same from any start.
    expected = race_table()[4, 0, 1] - race_table()[0, 0, 0] * 0.5
    error = np.std(differences) / np.sqrt(len(differences))
    assert abs(np.mean(differences) - expected) < 4 * error + 0.15


def test_a_match_is_even_from_even_holes_and_each_hole_helps() -> None:
    match = match_table()
    np.testing.assert_allclose(match[1:, 1:], -match[1:, 1:].T, atol=1e-12)
    assert (np.diff(match[1:, 1:], axis=0) < 0).all()
    assert match[1, 1] == 0.0
    assert (match[0, 1:] == 1.0).all()
    assert (hole_worth_table()[1:, 1:] > 0).all()
