"""After-states: every legal action's position, judged from the side of who acted."""

import numpy as np
import pytest
from tests.search.spies import Constant
from tests.search.trees import POSITIONS, batch_of, game_of, position, streams_of

from spiel_bot import TERMINAL, Environment, Game, load
from spiel_bot.errors import BadRequestError, EvaluationError
from spiel_bot.games.base import WHITE, Floats, Players, States
from spiel_bot.games.random_play import walk_random_game
from spiel_bot.players.trictrac import by_outcome
from spiel_bot.search.afterstates import ILLEGAL, AfterstateEvaluator, Spreader, for_decisions
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import Evaluation, HashEvaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.search.rollout import RolloutEvaluator
from spiel_bot.search.scout import Scout

GAMES = ["tic_tac_toe", "pig", "race", pytest.param("trictrac", marks=pytest.mark.compiled)]


class RollJudge(HashEvaluator):
    """Arbitrary values that hold before a roll too."""

    judges_rolls = True


class Nonsense(RollJudge):
    def evaluate_batch(self, observations: Floats) -> Evaluation:
        logits, values = super().evaluate_batch(observations)
        values[-1] = np.nan
        return logits, values


def decisions(name: str) -> list[Environment]:
    """Return the positions of a game where somebody decides."""
    states = [position(name, index) for index in range(len(POSITIONS[name]))]
    return [state for state in states if state.current_player >= 0]


def one_by_one(game: Game, judge: RollJudge, state: np.void) -> dict[int, float]:
    """Return the value of each legal action for its mover, position by position."""
    values = {}
    environment = game.from_notation(game.to_text(state))
    mover = environment.current_player
    for action in environment.legal_actions:
        after = game.from_notation(game.to_text(state))
        after.apply(action)
        if after.current_player == TERMINAL:
            values[action] = after.returns[mover]
        else:
            values[action] = judge.evaluate(after.observation(mover).ravel())[1]
    return values


@pytest.mark.parametrize("name", GAMES)
def test_a_fan_has_every_action_and_the_value_of_its_position(name: str) -> None:
    game = game_of(name)
    judge = RollJudge(game, seed=3)
    states = batch_of(*decisions(name))
    movers = np.empty(len(states), np.int8)
    game.current_player_many(states, movers)
    found = Spreader(game, judge).spread(states, movers)
    fan = found.fan
    for m, state in enumerate(states):
        rows = np.flatnonzero(fan.owners[: found.total] == m)
        expected = one_by_one(game, judge, state)
        assert fan.actions[rows].tolist() == list(expected)
        np.testing.assert_allclose(found.values[rows], list(expected.values()), atol=1e-6)


@pytest.mark.parametrize("name", GAMES)
def test_the_policy_follows_the_values_and_the_value_is_the_best(name: str) -> None:
    game = game_of(name)
    judge = RollJudge(game)
    states = batch_of(*decisions(name))
    movers = np.empty(len(states), np.int8)
    game.current_player_many(states, movers)
    logits, values = AfterstateEvaluator(game, judge, sharpness=5.0).evaluate_states(states, movers)
    least, most = game.spec.return_range
    for m, state in enumerate(states):
        expected = one_by_one(game, judge, state)
        best = max(expected.values())
        assert values[m] == pytest.approx(best, abs=1e-6)
        for action, value in expected.items():
            assert logits[m, action] == pytest.approx(
                10.0 * (value - best) / (most - least), abs=1e-4
            )
        assert (np.delete(logits[m], list(expected)) == ILLEGAL).all()


def test_a_win_in_one_is_worth_its_return() -> None:
    state = game_of("tic_tac_toe").from_notation("XX./OO./... X")
    evaluator = AfterstateEvaluator(state.game, RollJudge(state.game))
    _, values = evaluator.evaluate_states(batch_of(state), np.zeros(1, np.int8))
    assert values[0] == 1.0


@pytest.mark.parametrize("name", GAMES)
def test_a_scout_leaves_its_best_actions_and_the_pivotal_ones(name: str) -> None:
    game = game_of(name)
    judge, quick = RollJudge(game, seed=3), RollJudge(game, seed=4)
    states = batch_of(*decisions(name))
    movers = np.empty(len(states), np.int8)
    game.current_player_many(states, movers)
    found = Spreader(game, judge, Scout(game, quick, leaves=2)).spread(states, movers)
    for m, state in enumerate(states):
        rows = np.flatnonzero(found.fan.owners[: found.total] == m)
        by_scout, by_judge = one_by_one(game, quick, state), one_by_one(game, judge, state)
        always = [action for action in by_scout if action in game.spec.pivotal_actions]
        others = [action for action in by_scout if action not in always]
        left = sorted(always + sorted(others, key=lambda action: -by_scout[action])[:2])
        assert found.fan.actions[rows].tolist() == left
        expected = [by_judge[action] for action in left]
        np.testing.assert_allclose(found.values[rows], expected, atol=1e-6)


def test_below_the_root_a_tree_has_only_what_a_scout_leaves() -> None:
    state = decisions("race")[0]
    game, judge = state.game, RollJudge(state.game, seed=3)
    config = MctsConfig(n_simulations=200).without_exploration()

    def searched(leaves: int | None) -> Search:
        scout = None if leaves is None else Scout(game, RollJudge(game, seed=4), leaves)
        search = Search(game, judge, config, scout)
        search.run(batch_of(state), streams_of(1, 1))
        return search

    def with_prior(search: Search) -> tuple[int, list[int]]:
        """Return how many actions of the root, and of later decisions, are worth a look."""
        tree = search.forest.tree
        counts = []
        for node in tree.nodes[0, : tree.num_nodes[0]]:
            if node["player"] >= 0 and node["num_edges"] > 0:
                first = int(node["first_edge"])
                priors = tree.edges["prior"][0, first : first + node["num_edges"]]
                counts.append(int((priors > 0).sum()))
        return counts[0], counts[1:]

    root, later = with_prior(searched(None))
    assert root > 2
    assert max(later) > 1
    assert with_prior(searched(game.spec.max_legal_actions)) == (root, later)
    scouted_root, scouted_later = with_prior(searched(1))
    assert scouted_root == root
    assert set(scouted_later) == {1}


def test_a_tree_below_a_scout_is_not_searched_on() -> None:
    state = decisions("race")[0]
    game, config = state.game, MctsConfig(n_simulations=200).without_exploration()
    search = Search(game, RollJudge(game), config, Scout(game, RollJudge(game, seed=4), leaves=1))
    search.run(batch_of(state), streams_of(1, 1))
    again = search.run(batch_of(state), streams_of(1, 1), reuse=True)
    fresh = Search(game, RollJudge(game), config, search.scout)
    np.testing.assert_array_equal(again.visits, fresh.run(batch_of(state), streams_of(1, 1)).visits)


def test_a_judge_that_is_asked_about_decisions_has_no_use_for_a_scout() -> None:
    game = game_of("race")
    scout = Scout(game, RollJudge(game))
    for judge in (HashEvaluator(game), RolloutEvaluator(game)):
        with pytest.raises(BadRequestError, match="leave the scout out"):
            Search(game, judge, scout=scout)


@pytest.mark.parametrize("name", ["tic_tac_toe", "race"])
def test_a_tree_can_be_searched_with_it(name: str) -> None:
    state = decisions(name)[0]
    evaluator = AfterstateEvaluator(state.game, RollJudge(state.game))
    config = MctsConfig(n_simulations=16, selection="gumbel").without_exploration()
    result = Search(state.game, evaluator, config).run(batch_of(state), streams_of(1, 1))
    assert result.visits.sum() == 16
    assert result.action[0] in state.legal_actions


def test_a_search_asks_a_judge_of_rolls_about_after_states() -> None:
    state = decisions("race")[0]
    judge = RollJudge(state.game)
    config = MctsConfig(n_simulations=16).without_exploration()
    results = [
        Search(state.game, evaluator, config).run(batch_of(state), streams_of(1, 1))
        for evaluator in (judge, AfterstateEvaluator(state.game, judge))
    ]
    np.testing.assert_array_equal(results[0].visits, results[1].visits)
    np.testing.assert_array_equal(results[0].values, results[1].values)
    assert np.ptp(results[0].priors[0, : results[0].num_actions[0]]) > 0.1


def test_an_evaluator_that_can_judge_decisions_is_left_as_it_is() -> None:
    game = game_of("race")
    for evaluator in (HashEvaluator(game), RolloutEvaluator(game)):
        assert for_decisions(game, evaluator) is evaluator


@pytest.mark.parametrize("name", GAMES)
def test_it_ranks_as_a_lookahead_without_plies_does(name: str) -> None:
    for state in decisions(name):
        judge = RollJudge(state.game)
        logits, values = AfterstateEvaluator(state.game, judge).evaluate_states(
            batch_of(state), np.array([state.current_player], np.int8)
        )
        result = Lookahead(state.game, judge, LookaheadConfig(plies=0)).run(batch_of(state))
        assert result.action[0] == logits[0].argmax()
        sign = 1.0 if state.current_player == 0 else -1.0
        assert sign * result.root_value[0] == pytest.approx(values[0], abs=1e-6)


def test_a_network_for_decisions_is_refused() -> None:
    game = game_of("race")
    with pytest.raises(BadRequestError, match="expected a network that judges rolls"):
        AfterstateEvaluator(game, Constant(game, 0.0))


def test_numbers_that_are_not_finite_are_refused_with_the_position() -> None:
    state = decisions("race")[0]
    with pytest.raises(EvaluationError, match="not finite for 'white"):
        Spreader(state.game, Nonsense(state.game)).spread(
            batch_of(state), np.array([state.current_player], np.int8)
        )


def test_an_observation_alone_is_refused() -> None:
    game = game_of("race")
    evaluator = AfterstateEvaluator(game, RollJudge(game))
    with pytest.raises(BadRequestError, match="follow from a position"):
        evaluator.evaluate(np.zeros(game.spec.observation_size, np.float32))


def margins(**options: object) -> tuple[Game, States, Players]:
    """Return trictrac by margins, and decisions of its random games with who decides."""
    game = load("trictrac", returns="margin", **options)
    found = [
        state.record.copy()
        for seed in range(4)
        for state, _ in walk_random_game(game, seed)
        if state.current_player >= 0
    ]
    states = np.array(found[-64:])
    movers = np.empty(len(states), np.int8)
    game.current_player_many(states, movers)
    return game, states, movers


@pytest.mark.compiled
def test_who_aims_at_winning_turns_margins_into_the_results_they_stand_for() -> None:
    game, states, movers = margins()
    judge = RollJudge(game)
    evaluator = AfterstateEvaluator(game, judge, aim="win", sharpness=5.0)
    logits, values = evaluator.evaluate_states(states, movers)
    seen = Lookahead(game, judge, LookaheadConfig(plies=0, aim="win")).run(states)
    signs = np.where(movers == WHITE, 1.0, -1.0)
    np.testing.assert_allclose(values, signs * seen.root_value, atol=1e-6)
    for m in range(len(states)):
        count = seen.num_actions[m]
        below = signs[m] * seen.values[m, :count] - values[m]
        np.testing.assert_allclose(logits[m, seen.actions[m, :count]], 5.0 * below, atol=1e-4)


class Even(RollJudge):
    """Thinks that all positions are equal."""

    def evaluate_batch(self, observations: Floats) -> Evaluation:
        logits, values = super().evaluate_batch(observations)
        return logits, np.zeros_like(values)


@pytest.mark.compiled
def test_a_tree_that_aims_at_winning_ends_in_wins_and_losses() -> None:
    game, states, _ = margins(holes_to_win=1)
    config = MctsConfig(n_simulations=64).without_exploration()

    def found(*, to_win: bool) -> set[float]:
        """Return the values that were found below the roots."""
        values: list[float] = []
        searched, seen = (by_outcome(game), game) if to_win else (game, None)
        search = Search(searched, Even(game), config, seen=seen)
        search.run(states, streams_of(1, len(states)), watcher=lambda *of: values.extend(of[3]))
        return {abs(value) for value in values}

    assert found(to_win=True) == {0.0, 1.0}
    margins_found = found(to_win=False)
    assert len(margins_found) > 2
    assert 1.0 not in margins_found


def test_a_tree_that_aims_at_winning_needs_wins_and_the_same_positions() -> None:
    game = load("trictrac", returns="margin")
    with pytest.raises(BadRequestError, match="expected trictrac with returns that are wins"):
        Search(game, RollJudge(game), seen=game)
    with pytest.raises(BadRequestError, match="expected the positions of pig, got those of tric"):
        Search(game_of("pig"), RollJudge(game), seen=game)


def test_a_judge_of_decisions_cannot_aim_at_winning() -> None:
    game = game_of("tic_tac_toe")
    with pytest.raises(BadRequestError, match="expected returns where the model judges decisions"):
        Search(game, HashEvaluator(game), seen=game)
