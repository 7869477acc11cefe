import numpy as np
import pytest
from tests.search.trees import batch_of, game_of, position

from spiel_bot.errors import BadRequestError
from spiel_bot.search.evaluator import StateEvaluator
from spiel_bot.search.rollout import RolloutEvaluator


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
def test_a_rollout_does_not_depend_on_the_positions_beside_it(name: str) -> None:
    states = batch_of(position(name, 0), position(name, 1), position(name, 0))
    players = np.array([position(name, i).current_player for i in (0, 1, 0)], np.int8)
    evaluator = RolloutEvaluator(game_of(name), rollouts=3, seed=1)
    logits, values = evaluator.evaluate_states(states, players)
    assert not logits.any()
    assert values[0] == values[2]
    for row in range(3):
        _, alone = evaluator.evaluate_states(states[row : row + 1], players[row : row + 1])
        assert alone[0] == values[row]
        assert values[row] * 3 == pytest.approx(round(float(values[row]) * 3))


def test_the_value_of_a_rollout_is_that_of_the_player_given() -> None:
    state = game_of("tic_tac_toe").from_notation("XOX/OXX/.OO X")  # one cell left: X wins with it
    state_bytes = batch_of(state, state)
    evaluator = RolloutEvaluator(state.game)
    _, values = evaluator.evaluate_states(state_bytes, np.array([0, 1], np.int8))
    assert values.tolist() == [1.0, -1.0]
    assert (state_bytes == batch_of(state, state)).all()


@pytest.mark.compiled
def test_many_rollouts_approach_the_mean_of_random_play() -> None:
    # Two cells left, O to move: one of them wins for O, the other leaves X the winning cell.
    state = game_of("tic_tac_toe").from_notation("XOX/XO./O.X O")
    evaluator = RolloutEvaluator(state.game, rollouts=4000, seed=2)
    _, values = evaluator.evaluate_states(batch_of(state), np.array([1], np.int8))
    outcomes = []
    for action in state.legal_actions:
        after = state.clone()
        after.apply(action)
        if not after.is_terminal:
            after.apply(after.legal_actions[0])
        outcomes.append(after.returns[1])
    assert len(set(outcomes)) == 2
    assert values[0] == pytest.approx(np.mean(outcomes), abs=4 / 4000**0.5)


def test_another_seed_rolls_other_dice() -> None:
    state = position("pig")
    players = np.zeros(1, np.int8)
    values = {
        float(
            RolloutEvaluator(state.game, rollouts=1, seed=seed).evaluate_states(
                batch_of(state), players
            )[1][0]
        )
        for seed in range(12)
    }
    assert values == {-1.0, 1.0}


def test_rollouts_need_positions_and_at_least_one_game() -> None:
    game = game_of("pig")
    assert isinstance(RolloutEvaluator(game), StateEvaluator)
    with pytest.raises(BadRequestError, match="rollouts need the position itself"):
        RolloutEvaluator(game).evaluate(position("pig").observation())
    with pytest.raises(BadRequestError, match="expected at least 1 for rollouts, got 0"):
        RolloutEvaluator(game, rollouts=0)
