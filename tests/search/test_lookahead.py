import math
import re

import numpy as np
import pytest
from tests.reference.slow_lookahead import SlowLookahead

from spiel_bot import CHANCE, Environment, Game, load
from spiel_bot.errors import BadRequestError, EvaluationError, SearchConfigError
from spiel_bot.games.base import Floats, Players, States
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.rng import Purpose, below, stream
from spiel_bot.search import lookahead
from spiel_bot.search.evaluator import Evaluation, HashEvaluator
from spiel_bot.search.finalists import affordable
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.search.rollout import RolloutEvaluator
from spiel_bot.search.scout import Scout


class HashJudgingRolls(HashEvaluator):
    judges_rolls = True


def decisions(game: Game, count: int, seed: int = 5) -> list[Environment]:
    """Return decisions from games with random moves."""
    found: list[Environment] = []
    number = 0
    while len(found) < count:
        state = game.new_game(seed, number=number)
        choices = stream(seed, Purpose.PLAY, game=number)
        for _ in range(1 + below(choices, 30)):
            if state.is_terminal:
                break
            if state.current_player == CHANCE:
                state.apply_chance()
            else:
                legal = state.legal_actions
                state.apply(legal[below(choices, len(legal))])
        if state.current_player >= 0:
            found.append(state)
        number += 1
    return found


def records(states: list[Environment]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    return np.array([state.record for state in states])


@pytest.mark.parametrize("judge", [HashEvaluator, HashJudgingRolls])
@pytest.mark.parametrize(
    ("name", "plies", "count"),
    [
        ("tic_tac_toe", 1, 4),
        ("tic_tac_toe", 2, 4),
        ("pig", 1, 8),
        ("pig", 2, 8),
        ("race", 1, 4),
        ("race", 2, 2),
        pytest.param("trictrac", 1, 6, marks=pytest.mark.compiled),
        pytest.param("trictrac", 2, 1, marks=[pytest.mark.compiled, pytest.mark.slow]),
    ],
)
def test_values_equal_those_of_the_slow_lookahead(
    judge: type[HashEvaluator], name: str, plies: int, count: int
) -> None:
    game = load(name)
    evaluator = judge(game, seed=1)
    slow = SlowLookahead(evaluator, 3, 2, game.spec.pivotal_actions)
    config = LookaheadConfig(plies=plies, candidates=3, finalists=2, replies=2)
    compare(decisions(game, count), Lookahead(game, evaluator, config), slow)


@pytest.mark.parametrize(
    ("name", "plies", "count"),
    [
        ("tic_tac_toe", 2, 4),
        ("race", 1, 4),
        ("race", 2, 2),
        pytest.param("trictrac", 1, 6, marks=pytest.mark.compiled),
        pytest.param("trictrac", 2, 1, marks=[pytest.mark.compiled, pytest.mark.slow]),
    ],
)
def test_with_a_scout_values_equal_those_of_the_slow_lookahead(
    name: str, plies: int, count: int
) -> None:
    game = load(name)
    evaluator, scout = HashJudgingRolls(game, seed=1), HashJudgingRolls(game, seed=2)
    slow = SlowLookahead(evaluator, 3, 2, game.spec.pivotal_actions, scout, scouted=3)
    config = LookaheadConfig(plies=plies, candidates=3, finalists=2, replies=2)
    fast = Lookahead(game, evaluator, config, Scout(game, scout, leaves=3))
    compare(decisions(game, count), fast, slow)


@pytest.mark.compiled
@pytest.mark.parametrize("judge", [HashEvaluator, HashJudgingRolls])
@pytest.mark.parametrize("marks", ["points 0-0; holes 3-8", "points 10-10; holes 11-11"])
def test_who_plays_to_win_compares_chances(judge: type[HashEvaluator], marks: str) -> None:
    game = load("trictrac", returns="margin")
    evaluator, quick = judge(game, seed=1), HashJudgingRolls(game, seed=2)
    states = decisions_with(game, 6, marks)
    assert any_ends(states) == ("11-11" in marks)
    scout = Scout(game, quick, leaves=3) if evaluator.judges_rolls else None
    slow = SlowLookahead(
        evaluator,
        3,
        2,
        game.spec.pivotal_actions,
        None if scout is None else quick,
        scouted=3,
        plays_to_win=True,
    )
    config = LookaheadConfig(candidates=3, finalists=2, replies=2, aim="win")
    compare(states, Lookahead(game, evaluator, config, scout), slow)
    plain = Lookahead(game, evaluator, LookaheadConfig(candidates=3), scout)
    winning = Lookahead(game, evaluator, config, scout)
    assert not np.allclose(plain.run(records(states)).values, winning.run(records(states)).values)


def decisions_with(game: Game, count: int, marks: str) -> list[Environment]:
    """Return decisions of trictrac with other marks, of both sides."""
    texts = [state.notation.replace(" or goes", "") for state in decisions(game, count)]
    new = f"{marks}; run none; flag lost"
    found = [
        game.from_notation(re.sub(r"points .*; flag \w+", new, text), seed=0) for text in texts
    ]
    assert {state.current_player for state in found} == {0, 1}
    return found


def any_ends(states: list[Environment]) -> bool:
    """Tell whether some action and the roll after it end a game."""
    for state in states:
        for action in state.legal_actions:
            after = state.clone()
            after.apply(action)
            for outcome, _ in after.chance_outcomes:
                child = after.clone()
                child.apply_outcome(outcome)
                if child.is_terminal:
                    return True
    return False


@pytest.mark.compiled
def test_who_plays_to_win_says_so_of_the_position_itself() -> None:
    game = load("trictrac", returns="margin")
    evaluator = HashEvaluator(game, seed=1)
    states = decisions_with(game, 6, "points 0-0; holes 10-11")
    found = Lookahead(game, evaluator, LookaheadConfig(plies=0, aim="win")).run(records(states))
    for state, value in zip(states, found.root_value, strict=True):
        _, own = evaluator.evaluate(state.observation(state.current_player).ravel())
        white = own if state.current_player == 0 else -own
        (chance,) = game.win_chances(state.record.reshape(1), [white])
        assert value == pytest.approx(2 * chance - 1, abs=1e-6)


def test_more_actions_than_there_are_may_be_asked_for() -> None:
    game = load("race")
    evaluator, states = HashJudgingRolls(game, seed=1), records(decisions(game, 3))
    config = LookaheadConfig(candidates=10**12)
    kind = Scout(game, HashJudgingRolls(game), leaves=10**12)
    found = Lookahead(game, evaluator, config, kind).run(states)
    alone = Lookahead(game, evaluator, LookaheadConfig(candidates=99)).run(states)
    np.testing.assert_array_equal(found.values, alone.values)


def test_where_returns_are_results_playing_to_win_changes_nothing() -> None:
    game = load("race")
    evaluator, states = HashJudgingRolls(game, seed=1), records(decisions(game, 10))
    found = [
        Lookahead(game, evaluator, LookaheadConfig(aim=aim)).run(states)
        for aim in ("returns", "win")
    ]
    np.testing.assert_allclose(found[0].values, found[1].values, atol=1e-12)


def test_a_scout_that_leaves_everything_changes_nothing() -> None:
    game = load("race")
    evaluator = HashJudgingRolls(game, seed=1)
    states = records(decisions(game, 20))
    config, judge = LookaheadConfig(), HashJudgingRolls(game)
    alone = Lookahead(game, evaluator, config).run(states)
    kind = Scout(game, judge, leaves=game.spec.max_legal_actions)
    scouted = Lookahead(game, evaluator, config, kind).run(states)
    assert np.array_equal(scouted.values, alone.values)
    few = Lookahead(game, evaluator, config, Scout(game, judge, leaves=1)).run(states)
    assert few.evaluations < alone.evaluations
    assert not np.array_equal(few.values, alone.values)


def test_a_scout_that_judges_decisions_is_refused() -> None:
    game = load("race")
    with pytest.raises(BadRequestError, match="expected a scout that judges rolls"):
        Scout(game, HashEvaluator(game))
    for leaves in (0, 2.5, True):
        with pytest.raises(SearchConfigError, match=f"scouted: expected at least 1, got {leaves}"):
            Scout(game, HashJudgingRolls(game), leaves=leaves)  # type: ignore[arg-type]
    with pytest.raises(BadRequestError, match="leave the scout out"):
        Lookahead(game, HashEvaluator(game), scout=Scout(game, HashJudgingRolls(game)))


def test_the_second_ply_is_spent_on_candidates_alone() -> None:
    game = load("race")
    evaluator = HashJudgingRolls(game, seed=1)
    slow = SlowLookahead(evaluator, 1, 2, game.spec.pivotal_actions, finalists=3)
    config = LookaheadConfig(plies=2, candidates=1, finalists=3, replies=2)
    compare(decisions(game, 3), Lookahead(game, evaluator, config), slow)


@pytest.mark.parametrize("plies", [1, 2])
def test_what_is_far_below_the_best_is_not_looked_into(plies: int) -> None:
    game = load("race")
    evaluator = HashJudgingRolls(game, seed=1)
    states = decisions(game, 40)
    whole, few = (
        Lookahead(game, evaluator, LookaheadConfig(plies=plies, candidates=3, window=window))
        for window in (math.inf, 0.3)
    )
    ranked = Lookahead(game, evaluator, LookaheadConfig(plies=0)).run(records(states))
    all_values, values = whole.run(records(states)), few.run(records(states))
    assert values.evaluations < all_values.evaluations
    kinds = set()
    for row, state in enumerate(states):
        sign = 1 if state.current_player == 0 else -1
        count = ranked.num_actions[row]
        scores = sign * ranked.values[row, :count]
        near = np.flatnonzero(scores >= scores.max() - 0.3)
        looked_into = np.flatnonzero(values.visits[row])
        kinds.add(len(near) > 1)
        if len(near) == 1:  # settled: the best by the evaluator, and its value
            assert not len(looked_into)
            assert values.action[row] == ranked.action[row]
            assert values.root_value[row] == pytest.approx(ranked.root_value[row])
            continue
        best = near[np.argsort(-scores[near], kind="stable")][:3]
        assert sorted(best) == looked_into.tolist()
        if plies == 1:
            np.testing.assert_allclose(
                values.values[row, looked_into], all_values.values[row, looked_into]
            )
        assert values.action[row] in values.actions[row, looked_into]
    assert kinds == {True, False}


def test_the_second_ply_is_spent_where_the_first_leaves_a_contest() -> None:
    game = load("race")
    evaluator = HashJudgingRolls(game, seed=1)
    states = records(decisions(game, 40))
    once, always, contested = (
        Lookahead(game, evaluator, LookaheadConfig(plies=plies, candidates=3, contest=contest)).run(
            states
        )
        for plies, contest in ((1, math.inf), (2, math.inf), (2, 0.02))
    )
    assert once.evaluations < contested.evaluations < always.evaluations
    players = np.empty(len(states), np.int8)
    game.current_player_many(states, players)
    signs = np.where(players == 0, 1, -1)
    kinds = set()
    for row, sign in enumerate(signs):
        looked_into = once.visits[row] > 0
        scores = np.where(looked_into, sign * once.values[row], -np.inf)
        near = scores >= scores.max() - 0.02
        kinds.add(int(near.sum()))
        if near.sum() == 1:
            assert contested.action[row] == once.action[row]
            np.testing.assert_array_equal(contested.values[row], once.values[row])
            continue
        np.testing.assert_allclose(contested.values[row, near], always.values[row, near])
        np.testing.assert_array_equal(contested.values[row, ~near], once.values[row, ~near])
        best = np.flatnonzero(near)[(sign * always.values[row, near]).argmax()]
        assert contested.action[row] == once.actions[row, best]
    assert kinds == {1, 2, 3}


def test_a_budget_bounds_the_second_ply_of_each_decision_alone() -> None:
    game = load("race")
    evaluator = HashJudgingRolls(game, seed=1)
    states = records(decisions(game, 40))
    once, always, bounded = (
        Lookahead(
            game, evaluator, LookaheadConfig(plies=plies, candidates=3, replies=1, budget=budget)
        )
        for plies, budget in ((1, 0), (2, 0), (2, 2_500))
    )
    one_ply, two_plies, found = once.run(states), always.run(states), bounded.run(states)
    assert one_ply.evaluations < found.evaluations < two_plies.evaluations
    kinds = set()
    for row in range(len(states)):
        alone = bounded.run(states[row : row + 1])
        assert alone.action[0] == found.action[row]
        is_deep = found.values[row] != one_ply.values[row]
        kinds.add(int(is_deep.sum()))
        np.testing.assert_allclose(found.values[row, is_deep], two_plies.values[row, is_deep])
        if not is_deep.any():
            assert found.action[row] == one_ply.action[row]
        # What was judged is not much more than what was expected.
        ranked = once.run(states[row : row + 1]).evaluations
        assert alone.evaluations - ranked <= 2 * 2_500
    assert kinds >= {0, 2}


def test_what_fits_a_budget_is_taken_from_the_best_on() -> None:
    scores = np.array([[0.1, 0.3, 0.2, 0.9], [0.3, 0.2, 0.1, 0.9], [0.1, 0.2, 0.3, 0.9]])
    is_kept = np.array([[True, True, True, False]] * 3)
    work = np.array([[5, 4, 3, 0], [9, 4, 4, 0], [1, 1, 1, 0]])
    fits = affordable(scores, is_kept, work, 8)
    expected = [[False, True, True, False], [False] * 4, [True, True, True, False]]
    assert fits.tolist() == expected
    alone = np.array([[False, True, False, False]] * 3)
    assert affordable(scores, alone, work, 8).tolist() == alone.tolist()


@pytest.mark.parametrize("name", ["race", "tic_tac_toe"])
def test_a_budget_that_is_not_reached_changes_nothing(name: str) -> None:
    game = load(name)
    states = records(decisions(game, 20))
    free, bounded = (
        Lookahead(game, HashJudgingRolls(game), LookaheadConfig(plies=2, budget=budget)).run(states)
        for budget in (0, 10**9)
    )
    np.testing.assert_array_equal(free.values, bounded.values)
    np.testing.assert_array_equal(free.action, bounded.action)


@pytest.mark.parametrize("name", ["race", "tic_tac_toe", "pig"])
def test_a_budget_that_buys_nothing_leaves_one_ply(name: str) -> None:
    """Also where an action leads to a decision instead of a roll."""
    game = load(name)
    states = records(decisions(game, 20))
    for row in range(len(states)):
        once, bounded = (
            Lookahead(game, HashJudgingRolls(game), config).run(states[row : row + 1])
            for config in (LookaheadConfig(plies=1), LookaheadConfig(plies=2, budget=1))
        )
        if once.num_actions[0] > 1:
            assert bounded.evaluations == once.evaluations
            np.testing.assert_array_equal(bounded.values, once.values)


def test_a_budget_knows_who_judges() -> None:
    game = load("race")
    states = records(decisions(game, 30))
    deeper = []
    for kind in (HashJudgingRolls, HashEvaluator):  # the second judges one decision after each roll
        once, bounded = (
            Lookahead(game, kind(game), LookaheadConfig(plies=plies, replies=1, budget=budget))
            for plies, budget in ((1, 0), (2, 300))
        )
        rows = [states[row : row + 1] for row in range(len(states))]
        deeper.append(sum(bounded.run(row).evaluations > once.run(row).evaluations for row in rows))
    assert 0 < deeper[0] < deeper[1]


def test_one_finalist_is_no_contest() -> None:
    game = load("race")
    states = records(decisions(game, 30))
    config = LookaheadConfig(plies=2, candidates=3, finalists=1, contest=0.5)
    once = LookaheadConfig(plies=1, candidates=3)
    found, expected = (
        Lookahead(game, HashJudgingRolls(game), one).run(states) for one in (config, once)
    )
    assert found.evaluations == expected.evaluations


def test_equal_positions_are_judged_once_unless_the_judge_sees_them() -> None:
    game = load("race")
    state = records(decisions(game, 1))
    asked: list[int] = []

    class Counting(HashJudgingRolls):
        def evaluate_batch(self, observations: Floats) -> Evaluation:
            asked.append(len(observations))
            return super().evaluate_batch(observations)

    class Seeing(HashJudgingRolls):
        def evaluate_states(self, states: States, players: Players) -> Evaluation:
            asked.append(len(states))
            seen = np.empty((len(states), game.spec.observation_size), np.float32)
            game.observe_many(states, players, seen)
            return self.evaluate_batch(seen)

    results, counts = [], []
    for judge in (Counting(game), Seeing(game)):
        asked.clear()
        result = Lookahead(game, judge, LookaheadConfig(plies=0)).run(np.repeat(state, 5))
        results.append(result.values)
        counts.append(sum(asked) - 5)  # the decisions themselves are asked one by one
    np.testing.assert_array_equal(results[0], results[1])
    assert counts[1] == 5 * counts[0]


def compare(states: list[Environment], fast: Lookahead, slow: SlowLookahead) -> None:
    """Assert that both find the same values in each position."""
    plies = fast.config.plies
    result = fast.run(records(states))
    for row, state in enumerate(states):
        expected, last = slow.values(state, plies)
        looked_into = result.visits[row] > 0
        found = dict(
            zip(
                result.actions[row, looked_into].tolist(),
                result.values[row, looked_into].tolist(),
                strict=True,
            )
        )
        assert found == pytest.approx(expected, abs=1e-6)
        best = (max if state.current_player == 0 else min)(expected[action] for action in last)
        assert result.root_value[row] == pytest.approx(best, abs=1e-6)
        assert expected[int(result.action[row])] == pytest.approx(best, abs=1e-6)


def test_without_plies_the_evaluator_is_believed() -> None:
    game = load("race")
    states = decisions(game, 20)
    by_policy = HashEvaluator(game)
    result = Lookahead(game, by_policy, LookaheadConfig(plies=0)).run(records(states))
    for row, state in enumerate(states):
        logits, value = by_policy.evaluate(state.observation().reshape(-1))
        assert result.action[row] == max(state.legal_actions, key=lambda a: logits[a])
        sign = 1 if state.current_player == 0 else -1
        assert result.root_value[row] == pytest.approx(sign * value)
    by_value = HashJudgingRolls(game)
    slow = SlowLookahead(by_value, 99, 2)
    result = Lookahead(game, by_value, LookaheadConfig(plies=0)).run(records(states))
    for row, state in enumerate(states):
        expected, _ = slow.values(state, 0)
        count = result.num_actions[row]
        assert result.values[row, :count].tolist() == pytest.approx(list(expected.values()))


@pytest.mark.compiled
def test_going_and_holding_are_always_both_looked_into() -> None:
    game = load("trictrac")
    states = [state for state in decisions(game, 200) if GO_ACTION in state.legal_actions]
    assert states
    config = LookaheadConfig(candidates=1)
    result = Lookahead(game, HashEvaluator(game), config).run(records(states))
    for row, state in enumerate(states):
        looked_into = result.actions[row, result.visits[row] > 0]
        assert GO_ACTION in looked_into
        assert len(looked_into) == min(2, len(state.legal_actions))


def test_rows_of_a_batch_do_not_influence_each_other() -> None:
    game = load("race")
    states = records(decisions(game, 70))
    ahead = Lookahead(game, HashEvaluator(game))
    together = ahead.run(states)
    for row in range(0, 70, 7):
        alone = ahead.run(states[row : row + 1])
        assert np.array_equal(alone.values[0], together.values[row])
        assert alone.action[0] == together.action[row]


def test_rollouts_see_a_win_in_one() -> None:
    game = load("tic_tac_toe")
    state = game.new_game()
    for cell in (0, 3, 1, 4):
        state.apply(cell)
    evaluator = RolloutEvaluator(game, rollouts=20)
    result = Lookahead(game, evaluator, LookaheadConfig(candidates=9)).run(records([state]))
    assert result.action[0] == 2
    assert result.root_value[0] == 1.0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("plies", 3),
        ("plies", -1),
        ("candidates", 0),
        ("finalists", 0),
        ("replies", 1.5),
        ("aim", "lose"),
        ("window", -0.1),
        ("window", float("nan")),
    ],
)
def test_numbers_that_make_no_sense_are_refused(field: str, value: object) -> None:
    with pytest.raises(SearchConfigError, match=f"{field}: expected"):
        LookaheadConfig(**{field: value})  # type: ignore[arg-type]


def test_a_position_without_a_decision_is_refused() -> None:
    game = load("pig")
    with pytest.raises(BadRequestError, match="somebody decides"):
        Lookahead(game, HashEvaluator(game)).run(game.new_states(1))


def test_an_evaluator_that_is_not_finite_is_named() -> None:
    game = load("tic_tac_toe")

    class Broken(HashEvaluator):
        def evaluate_batch(self, observations: Floats) -> Evaluation:
            logits, values = super().evaluate_batch(observations)
            return logits, values * np.nan

    with pytest.raises(EvaluationError, match="not finite"):
        Lookahead(game, Broken(game)).run(game.new_states(1))

    class Narrow(HashEvaluator):
        def evaluate_batch(self, observations: Floats) -> Evaluation:
            logits, values = super().evaluate_batch(observations)
            return logits[:, 1:], values

    with pytest.raises(EvaluationError, match="expected logits"):
        Lookahead(game, Narrow(game)).run(game.new_states(1))


def test_big_batches_are_asked_in_parts_that_may_share_their_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = load("race")
    states = records(decisions(game, 5))

    class Sharing(HashEvaluator):
        """Gives the same arrays each time."""

        logits = np.empty((64, game.spec.num_actions), np.float32)
        values = np.empty(64, np.float32)

        def evaluate_batch(self, observations: Floats) -> Evaluation:
            count = len(observations)
            assert count <= 64
            self.logits[:count], self.values[:count] = super().evaluate_batch(observations)
            return self.logits[:count], self.values[:count]

    config = LookaheadConfig(plies=2, candidates=2)
    whole = Lookahead(game, HashEvaluator(game), config).run(states)
    monkeypatch.setattr(lookahead, "MAX_BATCH", 64)
    parts = Lookahead(game, Sharing(game), config).run(states)
    np.testing.assert_array_equal(whole.values, parts.values)
    np.testing.assert_array_equal(whole.priors, parts.priors)


def test_no_positions_give_no_results() -> None:
    game = load("race")
    result = Lookahead(game, HashEvaluator(game)).run(game.new_states(0))
    assert result.action.shape == (0,)
    assert result.evaluations == 0


def test_logits_that_are_not_finite_are_named() -> None:
    game = load("tic_tac_toe")

    class Broken(HashEvaluator):
        def evaluate_batch(self, observations: Floats) -> Evaluation:
            logits, values = super().evaluate_batch(observations)
            return logits * np.nan, values

    with pytest.raises(EvaluationError, match="not finite"):
        Lookahead(game, Broken(game)).run(game.new_states(1))
