import numpy as np
import pytest
from tests.learning.small import config, played

from spiel_bot import load
from spiel_bot.errors import LearningError, SearchConfigError
from spiel_bot.learning.replay import Replay, ReplayConfig
from spiel_bot.learning.targets import Samples, TargetConfig, samples_of

GAME = load("race")


@pytest.fixture(scope="module")
def games() -> list[Samples]:
    records = played(GAME, list(range(12)), config(full_share=1.0))
    return [samples_of(GAME, record, TargetConfig()) for record in records]


def filled(games: list[Samples], **settings: float) -> Replay:
    replay = Replay(GAME, ReplayConfig(**settings))  # type: ignore[arg-type]
    for samples in games:
        replay.add(samples)
    return replay


def test_the_oldest_decisions_leave_a_full_window(games: list[Samples]) -> None:
    replay = filled(games, capacity=50)
    assert len(replay) == 50
    total = sum(len(samples.states) for samples in games)
    assert replay.seen == total > 60
    newest = np.concatenate([samples.states for samples in games])[-50:]
    batch = replay.draw(50, np.random.default_rng(1))
    assert batch is not None
    seen = np.empty((50, GAME.spec.observation_size), np.float32)
    players = np.empty(50, np.int8)
    GAME.current_player_many(newest, players)
    GAME.observe_many(newest, players, seen)
    # Without replacement: a batch of the whole window is the whole window, in another order.
    assert sorted(map(bytes, batch.observations)) == sorted(map(bytes, seen))


def test_a_window_may_grow_with_the_games(games: list[Samples]) -> None:
    replay = filled(games, capacity=50, growth=0.5)
    assert len(replay) == 50 + int(0.5 * (replay.seen - 50))


def test_a_decision_is_drawn_no_more_often_than_allowed(games: list[Samples]) -> None:
    replay = filled(games, capacity=40, max_reuse=3)
    rng = np.random.default_rng(1)
    drawn = 0
    while replay.draw(8, rng) is not None:
        drawn += 8
    assert 40 * 3 - 8 * 3 < drawn <= 40 * 3
    assert replay.uses().max() == 3


def test_batches_hold_policies_over_legal_actions(games: list[Samples]) -> None:
    batch = filled(games).draw(64, np.random.default_rng(2))
    assert batch is not None
    sums = batch.policies.sum(axis=1)
    assert set(np.round(sums, 5)) <= {0.0, 1.0}
    assert (batch.policies[~batch.is_legal] == 0).all()
    assert batch.is_legal.any(axis=1).all()
    assert set(batch.values.tolist()) == {-1.0, 1.0}


def test_only_the_heaviest_actions_of_a_policy_are_kept(games: list[Samples]) -> None:
    whole, cut = filled(games), filled(games, max_policy=1)
    assert whole.config.max_policy > 1
    batch = cut.draw(64, np.random.default_rng(2))
    other = whole.draw(64, np.random.default_rng(2))
    assert batch is not None
    assert other is not None
    has_policy = other.policies.sum(axis=1) > 0
    np.testing.assert_array_equal(
        batch.policies.argmax(axis=1)[has_policy], other.policies.argmax(axis=1)[has_policy]
    )
    assert set(batch.policies[has_policy].max(axis=1)) == {1.0}


def test_a_window_is_restored_from_its_last_games(games: list[Samples]) -> None:
    replay = filled(games, capacity=40)
    rng = np.random.default_rng(3)
    for _ in range(5):
        replay.draw(16, rng)
    again = filled(games[len(games) - replay.num_games :], capacity=40)
    again.restore(replay.uses(), replay.seen)
    assert again.seen == replay.seen
    for seed in range(4):
        left = replay.draw(20, np.random.default_rng(seed))
        right = again.draw(20, np.random.default_rng(seed))
        assert left is not None
        assert right is not None
        for one, other in zip(left, right, strict=True):
            np.testing.assert_array_equal(one, other)


def test_missing_games_are_named(games: list[Samples]) -> None:
    with pytest.raises(LearningError, match="expected 500 decisions of stored games"):
        filled(games[:1]).restore(np.zeros(500, np.int32), 500)


def test_what_was_seen_last_can_be_observed(games: list[Samples]) -> None:
    assert Replay(GAME, ReplayConfig()).recent_observations(5) is None
    found = filled(games).recent_observations(5)
    assert found is not None
    assert found.shape == (5, GAME.spec.observation_size)


@pytest.mark.parametrize("changes", [{"capacity": 0}, {"max_reuse": 0}, {"growth": 2.0}])
def test_impossible_windows_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(SearchConfigError, match="expected"):
        ReplayConfig(**changes)  # type: ignore[arg-type]
