import dataclasses

import numpy as np
import pytest
from tests.learning.small import SEARCH, config, played

from spiel_bot import CHANCE, load
from spiel_bot.errors import SearchConfigError
from spiel_bot.learning.selfplay import SelfPlay, SelfPlayConfig
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.storage.records import GameRecord, check_record

PUCT = MctsConfig(n_simulations=6, eval_batch_size=1)
GAMES = ["tic_tac_toe", "pig", "race", pytest.param("trictrac", marks=pytest.mark.compiled)]


def assert_same(left: GameRecord, right: GameRecord) -> None:
    for field in dataclasses.fields(GameRecord):
        np.testing.assert_array_equal(getattr(left, field.name), getattr(right, field.name))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("search", [SEARCH, PUCT])
def test_a_game_depends_on_its_number_alone(name: str, search: MctsConfig) -> None:
    game = load(name)
    numbers = [3, 4, 5, 6, 7]
    together = played(game, numbers, config(search=search))
    few_at_once = played(game, numbers[::-1], config(search=search, games_at_once=2))
    assert [record.number for record in together] == numbers
    for left, right in zip(together, few_at_once, strict=True):
        assert_same(left, right)
    other_seed = played(game, numbers[:1], config(search=search), seed=2)[0]
    assert other_seed.events.tolist() != together[0].events.tolist()


@pytest.mark.parametrize("name", GAMES)
def test_a_record_can_be_replayed_to_its_returns(name: str) -> None:
    game = load(name)
    for record in played(game, [0, 1], config(full_share=0.5)):
        check_record(record)
        state = game.new_game(seed=0)
        for event, player in zip(record.events, record.players, strict=True):
            assert state.current_player == player
            if player == CHANCE:
                state.apply_outcome(int(event))
            else:
                state.apply(int(event))
        assert state.is_terminal
        assert state.returns == tuple(record.returns)


def test_only_full_searches_give_a_policy_and_forced_actions_are_not_searched() -> None:
    game = load("race")
    records = played(game, list(range(24)), config(full_share=0.5))
    full = cheap = forced = 0
    for record in records:
        starts = record.policy_starts
        for d in range(record.num_decisions):
            weights = record.policy_weights[starts[d] : starts[d + 1]]
            is_forced = np.isnan(record.root_values[d])
            assert (len(weights) > 0) == bool(record.is_full_search[d])
            assert len(weights) == 0 or weights.sum() == pytest.approx(1.0)
            full += bool(record.is_full_search[d])
            forced += bool(is_forced)
            cheap += not (record.is_full_search[d] or is_forced)
    assert min(full, cheap, forced) > 10
    assert 0.3 < full / (full + cheap) < 0.7


def test_the_first_decisions_of_puct_are_drawn_and_later_ones_are_not() -> None:
    game = load("tic_tac_toe")
    search = PUCT.replace(n_simulations=30, dirichlet_eps=0.0)
    drawn = config(search=search, full_share=1.0, temperature_decisions=99)
    fixed = dataclasses.replace(drawn, temperature_decisions=0)
    openings = {int(record.events[0]) for record in played(game, list(range(12)), drawn)}
    assert len(openings) > 1
    assert len({tuple(record.events) for record in played(game, list(range(6)), fixed)}) == 1


def test_a_hopeless_mover_may_give_up() -> None:
    game = load("tic_tac_toe")
    whole = played(game, list(range(6)), config())
    short = played(game, list(range(6)), config(resign_below=-0.01))
    assert sum(r.num_plies for r in short) < sum(r.num_plies for r in whole)
    assert all(abs(record.returns[0]) == 1.0 for record in short if record.num_plies < 5)


def test_a_worker_stops_when_asked() -> None:
    game = load("race")
    records: list[GameRecord] = []
    worker = SelfPlay(game, HashEvaluator(game), config(), seed=1)
    worker.play(iter(range(100)), records.append, lambda: len(records) >= 2)
    assert 2 <= len(records) <= 6
    assert worker.evaluations > 0


@pytest.mark.parametrize(
    "changes",
    [
        {"games_at_once": 0},
        {"cheap_simulations": 0},
        {"full_share": 1.5},
        {"final_temperature": -1.0},
        {"resign_below": 0.5},
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(SearchConfigError, match="expected"):
        SelfPlayConfig(**changes)  # type: ignore[arg-type]
