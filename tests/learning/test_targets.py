import dataclasses

import numpy as np
import pytest
from tests.learning.small import config, played

from spiel_bot import TERMINAL, load
from spiel_bot.errors import SearchConfigError
from spiel_bot.learning.targets import TargetConfig, lambda_returns, replay, samples_of


def test_lambda_one_is_the_result_and_zero_the_next_search() -> None:
    values = np.array([0.1, 0.2, -0.4], np.float32)
    assert lambda_returns(values, -1.0, 1.0).tolist() == [-1.0, -1.0, -1.0]
    assert lambda_returns(values, -1.0, 0.0) == pytest.approx([0.2, -0.4, -1.0])


def test_the_mix_is_that_of_td_lambda() -> None:
    values = np.array([0.1, 0.2, -0.4], np.float32)
    last = 1.0
    middle = 0.3 * -0.4 + 0.7 * last
    first = 0.3 * 0.2 + 0.7 * middle
    assert lambda_returns(values, 1.0, 0.7) == pytest.approx([first, middle, last])


def test_decisions_that_were_not_searched_are_passed_by() -> None:
    values = np.array([0.1, np.nan, -0.4], np.float32)
    found = lambda_returns(values, 1.0, 0.5)
    assert found[0] == found[1] == pytest.approx(0.5 * -0.4 + 0.5 * 1.0)


@pytest.mark.parametrize("name", ["pig", "race"])
def test_samples_are_seen_by_who_decides(name: str) -> None:
    game = load(name)
    record = played(game, [0], config(full_share=1.0))[0]
    samples = samples_of(game, record, TargetConfig())
    players = np.empty(len(samples.states), np.int8)
    game.current_player_many(samples.states, players)
    np.testing.assert_array_equal(players, samples.movers)
    for mover, value in zip(samples.movers, samples.values, strict=True):
        assert value == record.returns[mover]
    assert [len(a) for a in samples.policy_actions] == np.diff(record.policy_starts).tolist()
    assert samples.plies.tolist() == np.flatnonzero(record.players >= 0).tolist()


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
def test_samples_of_after_states_are_seen_by_who_has_acted(name: str) -> None:
    game = load(name)
    record = played(game, [1], config())[0]
    whole = replay(game, record)
    decisions = samples_of(game, record, TargetConfig(lambda_=0.4))
    rolls = samples_of(game, record, TargetConfig(lambda_=0.4), judges="rolls")
    count = len(rolls.states)
    np.testing.assert_array_equal(rolls.states, whole[decisions.plies[:count] + 1])
    np.testing.assert_array_equal(rolls.movers, decisions.movers[:count])
    np.testing.assert_array_equal(rolls.values, decisions.values[:count])
    assert len(rolls.policy_actions) == count
    players = np.empty(count, np.int8)
    game.current_player_many(rolls.states, players)
    assert (players != TERMINAL).all()
    # Only the end of the game is left out, where the last event is a decision.
    assert count == len(decisions.states) - (record.players[-1] >= 0)


def test_a_game_may_begin_at_a_position_of_its_own() -> None:
    game = load("tic_tac_toe")
    record = played(game, [0], config())[0]
    whole = replay(game, record)
    start = game.to_text(whole[2])
    rest = dataclasses.replace(
        record, start=start, events=record.events[2:], players=record.players[2:]
    )
    np.testing.assert_array_equal(replay(game, rest), whole[2:])


def test_a_mix_outside_zero_and_one_is_refused() -> None:
    with pytest.raises(SearchConfigError, match="lambda: expected 0 to 1, got"):
        TargetConfig(lambda_=1.5)
