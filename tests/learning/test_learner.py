import math

import numpy as np
import pytest
import torch
from tests.learning.small import config, played

from spiel_bot import load
from spiel_bot.errors import LearningError, SettingsError
from spiel_bot.learning.chances import odds_of, results_of
from spiel_bot.learning.learner import Learner, LearnerConfig, device_of
from spiel_bot.learning.losses import Targets, calibration_error, policy_loss, result, value_loss
from spiel_bot.learning.replay import Batch, Replay, ReplayConfig
from spiel_bot.learning.targets import TargetConfig, samples_of
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.heads import Outputs
from spiel_bot.networks.network import build

GAME = load("race")
SMALL = NetworkConfig(hidden_sizes=(16,))


@pytest.fixture(scope="module")
def replay() -> Replay:
    found = Replay(GAME, ReplayConfig(max_reuse=1000))
    for record in played(GAME, list(range(16)), config(full_share=0.7)):
        found.add(samples_of(GAME, record, TargetConfig()))
    return found


def batch(replay: Replay, seed: int, size: int = 48) -> Batch:
    found = replay.draw(size, np.random.default_rng(seed))
    assert found is not None
    return found


def learner(network: NetworkConfig = SMALL, **settings: object) -> Learner:
    given = {"learning_rate": 0.01} | settings
    return Learner(build(network, GAME.spec, 1), LearnerConfig(**given), 100)  # type: ignore[arg-type]


def test_the_policy_loss_is_a_masked_cross_entropy() -> None:
    logits = torch.tensor([[0.0, 1.0, 5.0], [1.0, 1.0, 1.0]])
    targets = Targets(
        observations=torch.zeros(2, 1),
        policies=torch.tensor([[0.25, 0.75, 0.0], [0.0, 0.0, 0.0]]),  # the second learns nothing
        is_legal=torch.tensor([[True, True, False], [True, True, True]]),
        values=torch.zeros(2),
    )
    outputs = Outputs(logits, torch.zeros(2), None, {})
    cross_entropy, entropy, kl = (float(x) for x in policy_loss(outputs, targets))
    total = 1 + math.e
    p = (1 / total, math.e / total)
    assert cross_entropy == pytest.approx(-0.25 * math.log(p[0]) - 0.75 * math.log(p[1]))
    assert entropy == pytest.approx(-sum(x * math.log(x) for x in p))
    assert kl == pytest.approx(
        cross_entropy + 0.25 * math.log(0.25) + 0.75 * math.log(0.75), abs=1e-6
    )


def test_a_categorical_target_is_shared_by_its_neighbours() -> None:
    bins = torch.linspace(-1, 1, 5)
    logits = torch.tensor([[0.3, -0.2, 0.1, 0.0, 0.5]])
    outputs = Outputs(torch.zeros(1, 1), torch.zeros(1), logits, {})
    log_p = torch.log_softmax(logits, 1)[0]
    found = float(value_loss(outputs, torch.tensor([0.1]), bins))
    assert found == pytest.approx(float(-(0.8 * log_p[2] + 0.2 * log_p[3])), abs=1e-6)
    top = float(value_loss(outputs, torch.tensor([1.0]), bins))
    assert top == pytest.approx(float(-log_p[4]), abs=1e-6)


def test_returns_are_compared_by_the_results_they_stand_for() -> None:
    game = load("trictrac", returns="margin")
    states = game.new_states(3)
    states["holes"] = [(0, 0), (11, 11), (3, 9)]
    odds = odds_of(game, states, np.array([0, 1, 1], np.int8))
    returns = torch.tensor([0.1, 0.1, -0.2], requires_grad=True)
    packed = torch.tensor(np.stack(odds, axis=1), dtype=torch.float32)
    found = result(returns, packed, 0.0, 1.0)
    expected = results_of(game, [0.1, 0.1, -0.2], odds)
    np.testing.assert_allclose(found.detach().numpy(), expected, atol=1e-6)
    found.sum().backward()  # type: ignore[no-untyped-call]
    assert returns.grad is not None
    assert returns.grad[1] > 3 * returns.grad[0] > 0
    ends = result(torch.tensor([-1.0, 1.0]), packed[:2], 0.0, 1.0)
    assert torch.isfinite(ends).all()


def test_a_batch_with_odds_is_learned_by_results() -> None:
    game = load("race")
    found = Replay(game, ReplayConfig(max_reuse=1000), has_odds=True)
    for record in played(game, list(range(16)), config(full_share=0.7)):
        found.add(samples_of(game, record, TargetConfig(lambda_=0.5)))
    plain = batch(found, 1)
    assert plain.odds is not None
    odds = np.array([[1.0, 0.0]], np.float32)
    np.testing.assert_allclose(plain.odds, np.repeat(odds, len(plain.values), axis=0), atol=1e-6)
    # Returns of a race are results: what is learned stays the same.
    first, second = learner(), learner()
    same = first.learn(plain)["value_loss"]
    assert second.learn(plain._replace(odds=None))["value_loss"] == pytest.approx(same, abs=1e-5)
    steep = plain._replace(odds=plain.odds * np.array([4.0, 0.0], np.float32))
    assert learner().learn(steep)["value_loss"] != pytest.approx(same, abs=1e-3)


def test_calibration_compares_groups_of_like_predictions() -> None:
    predicted = torch.linspace(-0.9, 0.9, 100)
    assert calibration_error(predicted, predicted) == pytest.approx(0.0, abs=1e-6)
    assert calibration_error(predicted, predicted + 0.1) == pytest.approx(0.1, abs=1e-5)


@pytest.mark.parametrize(
    "network",
    [SMALL, NetworkConfig(architecture="resnet", width=16, blocks=1, value_head="categorical")],
)
def test_the_loss_falls_on_a_fixed_sample_set(replay: Replay, network: NetworkConfig) -> None:
    student = learner(network, ema=0.0)
    fixed = batch(replay, 1)
    losses = [student.learn(fixed)["loss"] for _ in range(60)]
    assert losses[-1] < 0.8 * losses[0]
    assert student.step == 60


def test_a_restored_learner_takes_the_same_next_step(replay: Replay) -> None:
    one, other = learner(), learner()
    for seed in range(3):
        one.learn(batch(replay, seed))
    other.restore(one.state())
    assert one.learn(batch(replay, 9)) == other.learn(batch(replay, 9))
    for name, array in one.state().items():
        np.testing.assert_array_equal(array, other.state()[name])


def test_the_averaged_weights_play_and_the_newest_learn(replay: Replay) -> None:
    student = learner(ema=0.9)
    for seed in range(5):
        student.learn(batch(replay, seed))
    before = student.state()
    sample = replay.recent_observations(32)
    assert sample is not None
    arrays = student.checkpoint(sample).arrays
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, before[f"average/{name}"])
    for name, array in student.state().items():
        np.testing.assert_array_equal(array, before[name])
    assert any((before[f"network/{name}"] != arrays[name]).any() for name in arrays)


def test_a_loss_that_is_not_finite_changes_nothing(replay: Replay) -> None:
    student = learner()
    before = student.state()
    broken = batch(replay, 1)._replace(values=np.full(48, np.nan, np.float32))
    with pytest.raises(LearningError, match="the loss became nan at step 0"):
        student.learn(broken)
    for name, array in student.state().items():
        np.testing.assert_array_equal(array, before[name])


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [("constant", [1, 1, 1]), ("step", [1, 0.1, 0.01]), ("cosine", [1, 0.505, 0.01])],
)
def test_the_rate_follows_its_schedule(schedule: str, rates: list[float]) -> None:
    student = learner(schedule=schedule)
    for step, rate in zip((0, 50, 100), rates, strict=True):
        student.step = step
        assert student.rate == pytest.approx(0.01 * rate)


def test_a_state_of_another_network_is_refused() -> None:
    other = learner(NetworkConfig(hidden_sizes=(8,)))
    with pytest.raises(LearningError, match="another shape"):
        learner().restore(other.state())


@pytest.mark.parametrize(
    "changes",
    [
        {"batch_size": 1},
        {"learning_rate": 0.0},
        {"weight_decay": -1.0},
        {"ema": 1.0},
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match="expected"):
        LearnerConfig(**changes)  # type: ignore[arg-type]


def test_a_device_that_is_not_there_is_named() -> None:
    assert str(device_of("cpu")) == "cpu"
    with pytest.raises(SettingsError, match="'nonsense' is not available here"):
        device_of("nonsense")
