from dataclasses import replace

import numpy as np
import pytest
from tests.search.exact import Exact, ExactEvaluator

from spiel_bot import TERMINAL, Game, load
from spiel_bot.arena.luck import Luck
from spiel_bot.arena.match import share_match
from spiel_bot.arena.result import MatchResult, error_of_mean
from spiel_bot.players.base import Recipe
from spiel_bot.players.searching import LookaheadPlayer
from spiel_bot.players.spec import prepare
from spiel_bot.players.trictrac import ExpertEvaluator
from spiel_bot.search.evaluator import Evaluator, HashEvaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig


class Knowing(ExactEvaluator):
    """Knows the value of every position, rolls included."""

    judges_rolls = True


def luck_match(game: Game, judge: Evaluator, pairs: int, player: str = "random") -> MatchResult:
    recipes = prepare(player, game), prepare("random", game)
    return share_match(game, recipes, pairs, 1, luck=Luck(game, judge, "judge"))


def test_the_mean_luck_of_all_outcomes_is_nothing() -> None:
    game = load("race")
    luck = Luck(game, HashEvaluator(game), "hash")
    states = game.new_states(21)
    outcomes = np.arange(21, dtype=np.int32)
    chances = np.array(
        [1 / 36 if high == low else 2 / 36 for high in range(6) for low in range(high + 1)]
    )
    assert luck.of_rolls(states, outcomes) @ chances == pytest.approx(0.0, abs=1e-6)
    assert np.abs(luck.of_rolls(states, outcomes)).max() > 0.1


def test_without_the_luck_only_skill_is_left() -> None:
    # Two perfect players and a judge who knows all: what the dice did explains every result.
    game = load("race", checkers=2)
    judge = Knowing(game)
    config = LookaheadConfig(plies=0)
    perfect = Recipe("perfect", lambda: LookaheadPlayer(game, judge, config))
    result = share_match(game, (perfect, perfect), 20, 1, luck=Luck(game, judge, "exact"))
    adjusted = result.adjusted_scores
    assert adjusted is not None
    # White is ahead at the start by this much, and each player is white once.
    np.testing.assert_allclose(adjusted, 0.5, atol=1e-6)
    start = Exact(game).value(game.new_game(seed=1))
    assert result.luck is not None
    np.testing.assert_allclose(result.returns[:, 0] - result.luck[:, 0], start, atol=1e-6)


def test_a_judge_who_knows_nothing_does_no_harm_on_average() -> None:
    game = load("race")
    result = luck_match(game, HashEvaluator(game), 400)
    adjusted = result.adjusted_scores
    assert adjusted is not None
    error = error_of_mean(adjusted - result.pair_scores)
    assert error is not None
    assert abs(float((adjusted - result.pair_scores).mean())) < 4 * error


class JudgeOfRolls(HashEvaluator):
    """Knows only positions after an action, like a network of values."""

    judges_rolls = True


def test_a_judge_of_rolls_is_asked_about_the_best_position_after_a_roll() -> None:
    game = load("race")
    judge = JudgeOfRolls(game)
    states = game.new_states(1)
    chances = np.empty((1, 21))
    assert game.chance_probabilities_many is not None
    game.chance_probabilities_many(states, chances)
    after = game.new_states(21)
    assert game.apply_chance_many is not None
    game.apply_chance_many(after, np.arange(21, dtype=np.int32))
    best = Lookahead(game, judge, LookaheadConfig(plies=0)).run(after).root_value
    luck = Luck(game, judge, "judge")
    found = [luck.of_rolls(states, np.array([roll], np.int32))[0] for roll in range(21)]
    np.testing.assert_allclose(found, best - chances[0] @ best, atol=1e-6)


def test_luck_counts_in_results_whatever_returns_the_judge_knows() -> None:
    game = load("race")
    stretched = replace(game, spec=replace(game.spec, return_range=(-3.0, 3.0)))
    states, outcomes = game.new_states(21), np.arange(21, dtype=np.int32)
    plain = Luck(game, HashEvaluator(game), "hash").of_rolls(states, outcomes)
    third = Luck(stretched, HashEvaluator(game), "hash").of_rolls(states, outcomes)
    np.testing.assert_allclose(third, plain / 3.0, atol=1e-6)


@pytest.mark.compiled
@pytest.mark.parametrize("marks", ["points 0-0; holes 3-8", "points 10-10; holes 11-11"])
def test_luck_knows_the_score(marks: str) -> None:
    game = load("trictrac", returns="margin")
    judge = JudgeOfRolls(game)
    checkers = "white 1*8 3 5 6 7*2 8 9, black 1*8 2 4 6*2 7 8 9"
    state = game.from_notation(f"{checkers}; white rolls; {marks}")
    outcomes, chances = zip(*state.chance_outcomes, strict=True)
    after = np.repeat(state.record.reshape(1), len(outcomes))
    assert game.apply_chance_many is not None
    game.apply_chance_many(after, np.array(outcomes, np.int32))
    best = np.empty(len(after))
    for place, child in enumerate(after):
        if child["player"] == TERMINAL:
            best[place] = 1.0  # white rolled, and marks first
        else:
            lookahead = Lookahead(game, judge, LookaheadConfig(plies=0, aim="win"))
            best[place] = lookahead.run(child.reshape(1)).root_value[0]
    assert ("11-11" in marks) == bool((after["player"] == TERMINAL).any())
    states = np.repeat(state.record.reshape(1), len(outcomes))
    found = Luck(game, judge, "judge").of_rolls(states, np.array(outcomes, np.int32))
    np.testing.assert_allclose(found, best - np.array(chances) @ best, atol=1e-6)


@pytest.mark.compiled
def test_a_judge_who_knows_the_game_makes_the_error_smaller() -> None:
    game = load("trictrac", holes_to_win=2)
    recipes = prepare("greedy", game), prepare("expert", game)
    luck = Luck(game, ExpertEvaluator(game), "expert")
    figures = share_match(game, recipes, 60, 1, luck=luck, threads=2).figures()
    assert figures["luck"]["by"] == "expert"
    assert figures["luck"]["win_rate_error"] < 0.9 * figures["win_rate_error"]
    difference = figures["luck"]["win_rate"] - figures["win_rate"]
    assert abs(difference) < 4 * figures["win_rate_error"]
