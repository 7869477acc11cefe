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
    luckless_returns,
    sparring_sides,
)
from spiel_bot.learning.learner import Learner, LearnerConfig
from spiel_bot.learning.replay import Batch
from spiel_bot.learning.targets import replay
from spiel_bot.learning.td import Td, TdConfig
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


class WinJudge(RollJudge):
    """Its returns count as the results that they stand for."""


def thought_of(judge: RollJudge, state: Environment, actor: int) -> float:
    """Return white's value of a position that somebody has left, as the judge sees it."""
    if state.is_terminal:
        white = float(state.returns[0])
    else:
        value = judge.evaluate(state.observation(actor).ravel())[1]
        white = value if actor == 0 else -value
    return result(state, white) if isinstance(judge, WinJudge) else white


def result(state: Environment, white: float) -> float:
    """Return the expected result that white's return stands for."""
    game = state.game
    return 2.0 * float(game.win_chances(state.record.reshape(1), [white])[0]) - 1.0


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


def corrected(judge: RollJudge, game: Game, record: GameRecord, lambda_: float) -> list[float]:
    """Return white's corrected value at each decision, forwards and slowly; NaN at the end."""
    means, own, is_best = [], [], []
    state = game.new_game(seed=0)
    for event, player in zip(record.events.tolist(), record.players.tolist(), strict=True):
        if player == CHANCE:
            state.apply_outcome(event)
            continue
        best = best_reply(judge, state)
        state.apply(event)
        own.append(thought_of(judge, state, player))
        is_best.append(own[-1] == best)
        means.append(np.nan if state.is_terminal else mean_over_rolls(judge, state, player))
    values = []
    for first in range(len(means)):
        value, weight = means[first], lambda_
        for later in range(first + 1, len(means)):
            if np.isnan(means[later]) or not is_best[later]:
                break
            value += weight * (means[later] - own[later])
            weight *= lambda_
        values.append(value)
    return values


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
@pytest.mark.parametrize("lambda_", [0.5, 1.0])
def test_what_is_found_later_corrects_a_judged_position(name: str, lambda_: float) -> None:
    game = load(name)
    records = played(game, [0, 1, 2], judged_share=1.0, judged_lambda=lambda_, random_share=0.2)
    for record in records:
        check_record(record)
        actions = record.events[record.players != CHANCE]
        np.testing.assert_array_equal(actions[record.is_full_search], record.policy_actions)
        expected = corrected(RollJudge(game), game, record, lambda_)
        np.testing.assert_allclose(record.root_values, expected, atol=1e-5)


@pytest.mark.compiled
@pytest.mark.parametrize("lambda_", [0.0, 0.7])
def test_to_win_means_and_corrections_are_of_results(lambda_: float) -> None:
    game = load("trictrac", returns="margin", holes_to_win=2, max_plies=80)
    changes: dict[str, object] = {"judged_share": 1.0, "judged_temperature": 1e-9}
    (record,) = played(game, [0], 1, judged_aim="win", judged_lambda=lambda_, **changes)
    check_record(record)
    positions = replay(game, record)[1:][record.players != CHANCE]
    found = [
        result(game.from_notation(game.to_text(state)), float(value))
        for state, value in zip(positions, record.root_values, strict=True)
        if np.isfinite(value)
    ]
    expected = np.array(corrected(WinJudge(game), game, record, lambda_))
    expected = np.clip(expected[np.isfinite(expected)], -1.0, 1.0)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    (other,) = played(game, [0], 1, judged_lambda=lambda_, **changes)
    assert record.root_values[:5].tolist() != other.root_values[:5].tolist()


def test_where_returns_are_results_the_aim_changes_nothing() -> None:
    game = load("race")
    changes: dict[str, object] = {"judged_share": 1.0, "judged_lambda": 0.8, "random_share": 0.2}
    for left, right in zip(
        played(game, [0, 1], 1, **changes),
        played(game, [0, 1], 1, judged_aim="win", **changes),
        strict=True,
    ):
        np.testing.assert_array_equal(left.events, right.events)
        within = np.clip(left.root_values, -1.0, 1.0)
        np.testing.assert_allclose(right.root_values, within, atol=1e-5)


def test_with_lambda_1_a_position_is_worth_the_result_less_the_luck_to_come() -> None:
    rng = np.random.default_rng(1)
    own, luck = rng.normal(size=9), rng.normal(size=9)
    result = own[-1]  # the last action ends the game, and nothing is judged there
    means = np.append(own[1:] - luck[1:], np.nan).astype(np.float32)  # luck: v(t+1) - m(t)
    found = luckless_returns(means, own, np.ones(9, np.bool_), 1.0)
    for t in range(8):
        assert found[t] == pytest.approx(result - luck[t + 1 :].sum(), abs=1e-5)
    assert np.isnan(found[-1])


def test_what_follows_a_worse_action_or_a_gap_corrects_nothing() -> None:
    means, own = np.array([0.1, 0.6, 0.9], np.float32), np.array([0.0, 0.4, 0.8])
    best = np.array([True, True, True])
    whole = luckless_returns(means, own, best, 1.0)
    np.testing.assert_allclose(whole, [0.4, 0.7, 0.9], atol=1e-6)
    worse = luckless_returns(means, own, np.array([True, False, True]), 1.0)
    np.testing.assert_allclose(worse, [0.1, 0.7, 0.9], atol=1e-6)
    not_judged = np.array([0.1, np.nan, 0.9], np.float32)
    gap = luckless_returns(not_judged, own, best, 1.0)
    np.testing.assert_allclose(gap, [0.1, np.nan, 0.9], atol=1e-6)
    np.testing.assert_array_equal(luckless_returns(means, own, best, 0.0), means)


def test_a_game_that_was_dropped_and_begun_again_is_judged_as_if_new() -> None:
    game = load("race")
    config = AfterstatePlayConfig(games_at_once=2, judged_share=1.0, judged_lambda=0.9)
    worker = JudgedPlay(game, RollJudge(game), config, seed=1)
    rounds = iter([False] * 3 + [True])
    worker.play(iter([0, 1]), lambda record: pytest.fail("too early"), lambda: next(rounds))
    again: list[GameRecord] = []
    worker.play(iter([0, 1]), again.append)
    fresh = played(game, [0, 1], judged_share=1.0, judged_lambda=0.9)
    for left, right in zip(sorted(again, key=lambda one: one.number), fresh, strict=True):
        np.testing.assert_array_equal(left.root_values, right.root_values)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lambda_", [0.0, 0.9])
def test_a_game_depends_on_its_number_alone(name: str, lambda_: float) -> None:
    game = load(name)
    numbers = [3, 4, 5, 6, 7]
    changes: dict[str, object] = {"random_share": 0.1, "sparring": "random", "judged_share": 0.05}
    changes["judged_lambda"] = lambda_
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
        {"judged_lambda": 1.5, "judged_share": 1.0},
        {"judged_lambda": 0.5},
        {"judged_aim": "win"},
        {"judged_aim": "lose", "judged_share": 1.0},
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


def test_a_value_in_bins_cannot_learn_chances() -> None:
    network = NetworkConfig(judges="rolls", value_head="categorical")
    with pytest.raises(SettingsError, match=r"network\.value_head: expected tanh"):
        TdConfig(network=network, selfplay=AfterstatePlayConfig(judged_share=0.1, judged_aim="win"))


def bent_chances(states: np.ndarray, equities: np.ndarray, out: np.ndarray) -> None:
    out[:] = np.clip(0.5 + equities**3 / 2.0, 1e-9, 1.0 - 1e-9)


@pytest.mark.compiled
@pytest.mark.parametrize("aim", ["returns", "win"])
def test_td_learns_chances_if_it_aims_to_win(aim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("trictrac", returns="margin", observation="raw36", holes_to_win=3)
    config = TdConfig(
        network=NetworkConfig(judges="rolls", hidden_sizes=(8,)),
        selfplay=AfterstatePlayConfig(judged_share=1.0, judged_aim=aim),  # type: ignore[arg-type]
        learner=LearnerConfig(batch_size=16),
    )
    algorithm = Td(game, config, seed=1, total_steps=1)
    algorithm.receive(played(game, [0], 1, judged_share=1.0, judged_aim=aim))
    batches: list[Batch] = []

    def keep(self: Learner, batch: Batch) -> dict[str, float]:
        batches.append(batch)
        return {}

    monkeypatch.setattr(Learner, "learn", keep)
    algorithm.learn(1, lambda: False)
    if aim == "returns":
        assert batches[0].odds is None
        return
    assert batches[0].odds is not None
    assert (batches[0].odds[:, 0] != 1.0).all()
    bent = dataclasses.replace(game, win_chances_many=bent_chances)
    with pytest.raises(SettingsError, match="are no power of the odds"):
        Td(bent, config, seed=1, total_steps=1)


def test_heads_that_would_learn_nothing_are_refused() -> None:
    network = NetworkConfig(judges="rolls", auxiliary=("next_hole",))
    with pytest.raises(SettingsError, match="judged do not teach it"):
        TdConfig(network=network, selfplay=AfterstatePlayConfig(judged_share=0.1))
