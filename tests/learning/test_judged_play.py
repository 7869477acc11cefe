import dataclasses

import numpy as np
import pytest
from tests.learning.test_afterstate_play import GAMES, RollJudge

from spiel_bot import CHANCE, TERMINAL, Environment, Game, load
from spiel_bot.errors import PlayerError, SearchConfigError, SettingsError
from spiel_bot.learning.afterstate_play import AfterstatePlay, AfterstatePlayConfig
from spiel_bot.learning.judged_play import (
    JudgedPlay,
    judged_samples,
    sparring_sides,
)
from spiel_bot.learning.targets import replay
from spiel_bot.learning.td import TdConfig
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.storage.records import GameRecord, check_record


def played(game: Game, numbers: list[int], seed: int = 1, **changes: object) -> list[GameRecord]:
    """Return the games of these numbers, in their order."""
    settings: dict[str, object] = {"games_at_once": 4, "judged_share": 0.3} | changes
    config = AfterstatePlayConfig(**settings)  # type: ignore[arg-type]
    records: list[GameRecord] = []
    worker = JudgedPlay(game, RollJudge(game), config, seed=seed)
    worker.play(iter(numbers), records.append)
    return sorted(records, key=lambda record: record.number)


def thought_of(judge: RollJudge, state: Environment, actor: int) -> float:
    """Return white's value of a position that somebody has left, as the judge sees it."""
    if state.is_terminal:
        return float(state.returns[0])
    value = judge.evaluate(state.observation(actor).ravel())[1]
    return value if actor == 0 else -value


def best_reply(judge: RollJudge, state: Environment) -> float:
    """Return white's value of a decision: that of the best position behind it."""
    player = state.current_player
    values = []
    for action in state.legal_actions:
        after = state.clone()
        after.apply(action)
        values.append(thought_of(judge, after, player))
    return max(values) if player == 0 else min(values)


def mean_over_rolls(judge: RollJudge, state: Environment, actor: int) -> float:
    """Return the exact mean over the next roll, by the friendly form of the game; the slow twin."""
    if state.current_player != CHANCE:
        return best_reply(judge, state)
    total = 0.0
    for outcome, chance in state.chance_outcomes:
        after = state.clone()
        after.apply_outcome(outcome)
        if after.current_player >= 0:
            total += chance * best_reply(judge, after)
        else:
            total += chance * thought_of(judge, after, actor)
    return total


@pytest.mark.parametrize("name", GAMES)
def test_values_are_exact_means_over_the_next_roll(name: str) -> None:
    game = load(name)
    judge = RollJudge(game)
    judged = 0
    for record in played(game, [0, 1, 2], judged_share=0.05 if name == "trictrac" else 0.5):
        check_record(record)
        samples = judged_samples(game, record)
        assert len(samples.states) == record.is_full_search.sum()
        for state, mover, value in zip(samples.states, samples.movers, samples.values, strict=True):
            expected = mean_over_rolls(judge, game.from_notation(game.to_text(state)), int(mover))
            assert value == pytest.approx(expected if mover == 0 else -expected, abs=1e-5)
            judged += 1
    assert judged > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_game_depends_on_its_number_alone(name: str) -> None:
    game = load(name)
    numbers = [3, 4, 5, 6, 7]
    changes: dict[str, object] = {"random_share": 0.1, "sparring": "random", "judged_share": 0.05}
    together = played(game, numbers, 1, **changes)
    few_at_once = played(game, numbers[::-1], 1, **changes, games_at_once=2)
    for left, right in zip(together, few_at_once, strict=True):
        for field in dataclasses.fields(GameRecord):
            np.testing.assert_array_equal(getattr(left, field.name), getattr(right, field.name))


def test_what_is_asked_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("race")
    asked = 0
    evaluate = RollJudge.evaluate_batch

    def counting(self: RollJudge, observations: np.ndarray) -> object:
        nonlocal asked
        asked += len(observations)
        return evaluate(self, observations)

    monkeypatch.setattr(RollJudge, "evaluate_batch", counting)
    config = AfterstatePlayConfig(judged_share=0.5)
    worker = JudgedPlay(game, RollJudge(game), config, seed=1)
    worker.play(iter(range(4)), lambda record: None)
    assert worker.evaluations == asked > 0


def test_judging_changes_no_play() -> None:
    game = load("race")
    plain: list[GameRecord] = []
    worker = AfterstatePlay(game, RollJudge(game), AfterstatePlayConfig(), seed=1)
    worker.play(iter(range(8)), plain.append)
    plain.sort(key=lambda record: record.number)
    for left, right in zip(plain, played(game, list(range(8))), strict=True):
        np.testing.assert_array_equal(left.events, right.events)
        assert not left.is_judged
        assert right.is_judged


def test_actions_that_were_not_played_are_judged_too() -> None:
    game = load("race")
    records = played(game, list(range(40)), judged_share=1.0, judged_temperature=0.5)
    agree = []
    for record in records:
        actions = record.events[record.players != CHANCE][record.is_full_search]
        agree += (actions == record.policy_actions).tolist()
    assert 0.2 < np.mean(agree) < 0.9
    cold = played(game, list(range(40)), judged_share=1.0, judged_temperature=1e-9)
    for record in cold:
        actions = record.events[record.players != CHANCE][record.is_full_search]
        np.testing.assert_array_equal(actions, record.policy_actions)


def test_a_game_in_which_nothing_was_drawn_teaches_nothing() -> None:
    game = load("race")
    (record,) = played(game, [0], judged_share=1e-9)
    assert record.is_judged
    assert len(judged_samples(game, record).states) == 0


def test_a_game_that_is_over_is_not_judged() -> None:
    game = load("race")
    records = played(game, list(range(5)), judged_share=1.0)
    for record in records:
        samples = judged_samples(game, record)
        players = np.empty(len(samples.states), np.int8)
        game.current_player_many(samples.states, players)
        assert (players != TERMINAL).all()
    assert any(not record.is_full_search.all() for record in records)


def test_the_sparring_partner_plays_its_side_of_its_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = load("race")
    asked = []

    def last(self: RandomPlayer, states: np.ndarray, own: np.ndarray) -> np.ndarray:
        legal = np.empty((len(states), game.spec.max_legal_actions), np.int32)
        counts = np.empty(len(states), np.int32)
        game.legal_actions_many(states, legal, counts)
        players = np.empty(len(states), np.int8)
        game.current_player_many(states, players)
        asked.extend(players.tolist())
        return legal[np.arange(len(states)), counts - 1]

    monkeypatch.setattr(RandomPlayer, "choose", last)
    numbers = list(range(10))
    sides = sparring_sides(np.array(numbers), 0.4)
    assert sorted(sides.tolist()) == [-1] * 6 + [0, 0, 1, 1]
    records = played(game, numbers, sparring="random", sparring_share=0.4)
    expected = 0
    for record, side in zip(records, sides, strict=True):
        positions = replay(game, record)
        for ply in np.flatnonzero(record.players == side) if side >= 0 else []:
            expected += 1
            state = game.from_notation(game.to_text(positions[ply]))
            assert record.events[ply] == state.legal_actions[-1]
    assert len(asked) == expected > 10


@pytest.mark.parametrize(
    "changes",
    [
        {"judged_share": 1.5},
        {"judged_temperature": 0.0},
        {"judged_temperature": float("nan")},
        {"sparring_share": -0.1},
        {"sparring": "random", "judged_share": 0.0},
        {"sparring_share": 0.0, "sparring": "random", "judged_share": 0.1},
        {"judged_share": 0.1, "plies": 1},
    ],
)
def test_what_cannot_be_played_with_is_refused(changes: dict[str, float]) -> None:
    with pytest.raises(SearchConfigError, match=next(iter(changes))):
        AfterstatePlayConfig(**changes)  # type: ignore[arg-type]


def test_an_unknown_sparring_partner_is_refused() -> None:
    with pytest.raises(PlayerError, match="unknown player 'nobody'"):
        played(load("race"), [0], sparring="nobody")


def test_heads_that_would_learn_nothing_are_refused() -> None:
    network = NetworkConfig(judges="rolls", auxiliary=("next_hole",))
    with pytest.raises(SettingsError, match="judged do not teach it"):
        TdConfig(network=network, selfplay=AfterstatePlayConfig(judged_share=0.1))
