"""The chance of winning that an expected margin stands for."""

import math

import numpy as np
import pytest

from spiel_bot import TERMINAL, Game, check_game, load
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import States

MARGIN = load("trictrac", returns="margin")
EQUITIES = np.linspace(-1.0, 1.0, 41)


def at_score(white: int, black: int, game: Game = MARGIN) -> States:
    """Return one position with so many holes, ready for `EQUITIES`."""
    states = game.new_states(len(EQUITIES))
    states["holes"] = (white, black)
    return states


def chance(white: int, black: int, equity: float, game: Game = MARGIN) -> float:
    """Return white's chance of winning with so many holes."""
    (found,) = game.win_chances(at_score(white, black, game)[:1], [equity])
    return float(found)


def test_results_are_chances_already() -> None:
    game = load("trictrac")
    found = game.win_chances(game.new_states(4), [-1.0, 0.0, 0.5, 1.1])
    assert found.tolist() == [0.0, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(("white", "black"), [(0, 0), (11, 11), (3, 9), (11, 0), (0, 11)])
def test_more_margin_is_more_chance_and_both_sides_add_up(white: int, black: int) -> None:
    found = MARGIN.win_chances(at_score(white, black), EQUITIES)
    assert (np.diff(found) > 0).all()
    assert found[0] < 0.001
    turned = MARGIN.win_chances(at_score(black, white), -EQUITIES)
    np.testing.assert_allclose(found + turned, 1.0, atol=1e-12)


def test_the_chance_is_the_one_of_the_formula() -> None:
    # 9 holes to 11: white needs 3 and black 1.
    power, start = 0.71 + 8.11 / 4, 4.68 * 2 / 16
    odds = (0.9 / 1.1) ** power * math.exp(start)
    assert chance(9, 11, -0.1) == pytest.approx(odds / (1 + odds))


def test_the_same_margin_means_more_when_fewer_holes_are_left() -> None:
    found = [chance(holes, holes, 0.1) for holes in (0, 4, 8, 10, 11)]
    assert found == sorted(found)
    assert found[0] < 0.56
    assert found[-1] > 0.70


def test_a_short_game_is_like_the_end_of_a_long_one() -> None:
    short = load("trictrac", returns="margin", holes_to_win=3)
    # A hole is four times as much of three holes as of twelve, and tanh is nearly straight here.
    assert chance(2, 2, 0.08, short) == pytest.approx(chance(11, 11, 0.02), abs=0.01)


def test_at_the_end_it_is_certain_who_has_won() -> None:
    over = MARGIN.new_states(3)
    over["player"] = TERMINAL
    over["holes"][:, :] = [[12, 11], [11, 12], [5, 5]]
    assert MARGIN.win_chances(over, [0.1, -0.1, 0.0]).tolist() == [1.0, 0.0, 0.5]


def test_one_equity_for_each_position_is_asked_for() -> None:
    for states, equities in ((MARGIN.new_states(3), [0.1]), (MARGIN.new_states(1), [0.1, 0.2])):
        with pytest.raises(BadRequestError, match="expected one equity for each of"):
            MARGIN.win_chances(states, equities)


def test_the_contract_is_kept() -> None:
    assert check_game(MARGIN, num_games=4, seed=1).num_positions > 100
