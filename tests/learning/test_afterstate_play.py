import dataclasses

import numpy as np
import pytest

from spiel_bot import CHANCE, Game, load
from spiel_bot.errors import SearchConfigError
from spiel_bot.learning import table
from spiel_bot.learning.afterstate_play import AfterstatePlay, AfterstatePlayConfig, drawn
from spiel_bot.learning.targets import replay
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.storage.records import GameRecord, check_record

GAMES = ["tic_tac_toe", "pig", "race", pytest.param("trictrac", marks=pytest.mark.compiled)]


class RollJudge(HashEvaluator):
    judges_rolls = True


def played(game: Game, numbers: list[int], seed: int = 1, **changes: object) -> list[GameRecord]:
    """Return the games of these numbers, in their order."""
    config = AfterstatePlayConfig(**({"games_at_once": 4} | changes))  # type: ignore[arg-type]
    records: list[GameRecord] = []
    worker = AfterstatePlay(game, RollJudge(game), config, seed=seed)
    worker.play(iter(numbers), records.append)
    assert worker.decisions == sum(record.num_decisions for record in records)
    return sorted(records, key=lambda record: record.number)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("share", "temperature"), [(0.0, 0.0), (0.3, 0.0), (0.3, 0.1)])
def test_a_game_depends_on_its_number_alone(name: str, share: float, temperature: float) -> None:
    game = load(name)
    numbers = [3, 4, 5, 6, 7]
    changes: dict[str, object] = {"random_share": share, "temperature": temperature}
    together = played(game, numbers, 1, **changes)
    few_at_once = played(game, numbers[::-1], 1, **changes, games_at_once=2)
    assert [record.number for record in together] == numbers
    for left, right in zip(together, few_at_once, strict=True):
        for field in dataclasses.fields(GameRecord):
            np.testing.assert_array_equal(getattr(left, field.name), getattr(right, field.name))


@pytest.mark.parametrize("name", GAMES)
def test_each_decision_takes_the_position_that_is_best_for_who_decides(name: str) -> None:
    game = load(name)
    judge = RollJudge(game)
    for record in played(game, [0, 1]):
        check_record(record)
        state = game.new_game(seed=0)
        decisions = 0
        for event, player in zip(record.events, record.players, strict=True):
            assert state.current_player == player
            if player == CHANCE:
                state.apply_outcome(int(event))
                continue
            values = {}
            for action in state.legal_actions:
                after = game.from_notation(game.to_text(state.record))
                after.apply(action)
                value = judge.evaluate(after.observation(player).ravel())[1]
                if after.is_terminal:
                    value = after.returns[player]
                values[action] = value if player == 0 else -value
            sign = 1 if player == 0 else -1
            assert values[int(event)] == pytest.approx(
                sign * max(sign * value for value in values.values()), abs=1e-6
            )
            assert record.root_values[decisions] == pytest.approx(values[int(event)], abs=1e-6)
            decisions += 1
            state.apply(int(event))
        assert state.is_terminal
        assert decisions == record.num_decisions
        assert state.returns == tuple(record.returns)


def test_a_share_of_actions_is_random() -> None:
    game = load("race")
    best = played(game, list(range(20)))
    mixed = played(game, list(range(20)), random_share=1.0)
    assert any(
        left.events.tolist() != right.events.tolist()
        for left, right in zip(best, mixed, strict=True)
    )


@pytest.mark.parametrize("temperature", [0.0, 0.02, 0.5])
def test_an_action_is_drawn_by_how_good_it_is(temperature: float) -> None:
    values = np.array([0.1, 0.13, -0.9, 0.13, 0.11], np.float32)
    stream = streams(5, Purpose.EXPLORATION, [0])[0]
    number = 20_000
    counts = np.bincount([drawn(values, temperature, stream) for _ in range(number)], minlength=5)
    weights = np.exp(values.astype(float) / temperature) if temperature else np.ones(5)
    expected = number * weights / weights.sum()
    # Four standard errors of each count; at the low temperature the bad one never comes.
    assert (np.abs(counts - expected) <= 4 * np.sqrt(expected) + 1e-9).all()


def test_cold_draws_take_the_best() -> None:
    game = load("race")
    best = played(game, list(range(20)))
    cold = played(game, list(range(20)), random_share=1.0, temperature=1e-9)
    for left, right in zip(best, cold, strict=True):
        np.testing.assert_array_equal(left.root_values, right.root_values)


@pytest.mark.parametrize("name", ["pig", "race"])
def test_looking_ahead_takes_what_a_lookahead_finds(name: str) -> None:
    game = load(name)
    lookahead = Lookahead(game, RollJudge(game), LookaheadConfig(plies=1))
    for record in played(game, [0, 1], plies=1):
        decision = 0
        for position, event, player in zip(
            replay(game, record), record.events, record.players, strict=False
        ):
            if player == CHANCE:
                continue
            found = lookahead.run(position.reshape(1))
            assert event == found.action[0]
            assert record.root_values[decision] == pytest.approx(found.root_value[0])
            decision += 1
        assert decision == record.num_decisions


def test_a_log_grows_with_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("pig")
    roomy = played(game, [0, 1, 2], random_share=0.9)
    monkeypatch.setattr(table, "FIRST_ROOM", table.ROLLS_AT_ONCE + 2)
    grown = played(game, [0, 1, 2], random_share=0.9)
    for left, right in zip(roomy, grown, strict=True):
        assert left.num_plies > table.FIRST_ROOM
        np.testing.assert_array_equal(left.events, right.events)
        np.testing.assert_array_equal(left.root_values, right.root_values)


def test_it_stops_when_asked() -> None:
    game = load("race")
    records: list[GameRecord] = []
    worker = AfterstatePlay(game, RollJudge(game), AfterstatePlayConfig(), seed=1)
    worker.play(iter(range(10)), records.append, lambda: worker.decisions > 0)
    assert records == []


@pytest.mark.parametrize(
    "changes",
    [
        {"games_at_once": 0},
        {"random_share": 1.5},
        {"plies": 3},
        {"random_share": 0.1, "plies": 1},
        {"temperature": -0.1, "random_share": 0.1},
        {"temperature": float("nan"), "random_share": 0.1},
        {"temperature": float("inf"), "random_share": 0.1},
        {"temperature": 0.1},
    ],
)
def test_what_cannot_be_played_with_is_refused(changes: dict[str, float]) -> None:
    with pytest.raises(SearchConfigError, match=next(iter(changes))):
        AfterstatePlayConfig(**changes)  # type: ignore[arg-type]
