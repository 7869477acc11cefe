import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from tests.networks.nets import CONFIGS, observations, spec_of, trained

from spiel_bot import load
from spiel_bot.errors import BadRequestError, CheckpointError
from spiel_bot.games.base import Floats
from spiel_bot.networks.checkpoint import Checkpoint, write_checkpoint
from spiel_bot.networks.config import NetworkConfig, ValueHead
from spiel_bot.networks.graph import WEIGHT_LIMIT, round_weight, scale_of
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.network import from_checkpoint
from spiel_bot.networks.onnx_model import Precision, model_bytes
from spiel_bot.networks.ranges import with_ranges
from spiel_bot.networks.sample import random_observations
from spiel_bot.networks.sessions import new_session
from spiel_bot.networks.speed import bare_evals_per_s
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig


def int8(checkpoint: Checkpoint, seed: int = 1) -> bytes:
    header = checkpoint.header
    spec = spec_of(header.observation_shape)
    return model_bytes(with_ranges(checkpoint, observations(spec, 256, seed)), "int8")


@pytest.fixture
def evaluator() -> OnnxEvaluator:
    return OnnxEvaluator(int8(trained(CONFIGS["mlp"], spec_of())))


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("shape", [(3, 3, 3), (29, 24), (29, 4, 6)])
def test_the_float_model_says_what_torch_says(name: str, shape: tuple[int, ...]) -> None:
    spec = spec_of(shape)
    checkpoint = trained(CONFIGS[name], spec, seed=3)
    seen = observations(spec, 9)
    with torch.inference_mode():
        expected = from_checkpoint(checkpoint).eval()(torch.from_numpy(seen))
    model = model_bytes(checkpoint, "float", auxiliary=True)
    onnx.checker.check_model(model, full_check=True)
    session = new_session(model, "the model")
    names = ["logits", "value", *(f"auxiliary_{name}" for name in expected.auxiliary)]
    found = session.run(names, {"observations": seen})
    for one, other in zip(
        found, [expected.logits, expected.value, *expected.auxiliary.values()], strict=True
    ):
        assert one.shape == tuple(other.shape)
        np.testing.assert_allclose(one, other.numpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("precision", ["int8", "float"])
def test_a_network_that_judges_rolls_gives_values_and_no_policy(precision: Precision) -> None:
    spec = spec_of()
    made = trained(NetworkConfig(hidden_sizes=(24,), judges="rolls"), spec)
    seen = observations(spec, 6)
    with torch.inference_mode():
        expected = from_checkpoint(made).eval()(torch.from_numpy(seen)).value.numpy()
    model = model_bytes(with_ranges(made, observations(spec, 256, 1)), precision)
    evaluator = OnnxEvaluator(model)
    assert evaluator.judges_rolls
    for rows in (6, 2):
        logits, values = evaluator.evaluate_batch(seen[:rows])
        assert logits.shape == (rows, spec.num_actions)
        assert not logits.any()
        tolerance = 1e-5 if precision == "float" else 0.1
        np.testing.assert_allclose(values, expected[:rows], atol=tolerance)


@pytest.mark.parametrize("value_head", ["tanh", "categorical"])
def test_values_are_scaled_to_the_returns_of_the_game(value_head: ValueHead) -> None:
    spec = spec_of()
    config = NetworkConfig(hidden_sizes=(8,), value_head=value_head)
    made = trained(config, spec)
    checkpoint = Checkpoint(made.header.replace(return_range=(-3.0, 5.0)), made.arrays)
    seen = observations(spec, 6)
    with torch.inference_mode():
        expected = from_checkpoint(checkpoint).eval()(torch.from_numpy(seen)).value.numpy()
    _, values = OnnxEvaluator(model_bytes(checkpoint, "float")).evaluate_batch(seen)
    np.testing.assert_allclose(values, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("shape", [(3, 3, 3), (29, 24)])
def test_int8_is_near_float(name: str, shape: tuple[int, ...]) -> None:
    spec = spec_of(shape)
    checkpoint = trained(CONFIGS[name], spec, seed=3)
    seen = observations(spec, 128, seed=2)
    onnx.checker.check_model(int8(checkpoint), full_check=True)
    logits, values = OnnxEvaluator(int8(checkpoint)).evaluate_batch(seen)
    exact_logits, exact_values = OnnxEvaluator(model_bytes(checkpoint, "float")).evaluate_batch(
        seen
    )
    assert np.abs(logits - exact_logits).mean() < 0.08 * exact_logits.std()
    assert np.abs(values - exact_values).mean() < 0.05


@pytest.mark.parametrize("name", ["mlp", "resnet", "conv", "categorical"])
def test_in_int8_a_row_does_not_depend_on_its_neighbours(name: str) -> None:
    spec = spec_of()
    judge = OnnxEvaluator(int8(trained(CONFIGS[name], spec)))
    seen = observations(spec, 40)
    logits, values = judge.evaluate_batch(seen)
    for part in (slice(0, 1), slice(3, 20), slice(39, 40)):
        some_logits, some_values = judge.evaluate_batch(seen[part])
        np.testing.assert_array_equal(some_logits, logits[part])
        np.testing.assert_array_equal(some_values, values[part])


def test_neighbouring_weights_together_stay_within_the_limit() -> None:
    rng = np.random.default_rng(0)
    for shape in ((7, 5), (8, 5), (1, 3)):
        weight = rng.standard_normal(shape).astype(np.float32)
        rounded, scales = round_weight(weight, axis=1)
        np.testing.assert_allclose(rounded * scales, weight, atol=scales.max() / 2)
        sums = np.abs(rounded.astype(int))[0 : shape[0] // 2 * 2]
        assert (sums[0::2] + sums[1::2] <= WEIGHT_LIMIT + 1).all()
        assert np.abs(rounded.astype(int)).max() <= WEIGHT_LIMIT
    kernel = rng.standard_normal((4, 3, 2, 3)).astype(np.float32)
    rounded, _ = round_weight(kernel, axis=0)
    assert 2 * np.abs(rounded.astype(int)).max() <= WEIGHT_LIMIT + 1


def test_zero_is_exact_in_any_range() -> None:
    for low, high in ((0.0, 1.0), (-1.0, 3.0), (0.5, 2.0), (-2.0, -1.0), (0.0, 0.0)):
        scale, zero = scale_of((low, high))
        assert scale > 0
        assert 0 <= zero <= 255
        assert (0 - zero) * scale <= min(low, 0.0) + scale
        assert (255 - zero) * scale >= max(high, 0.0) - scale


def test_one_observation_is_evaluated_too(evaluator: OnnxEvaluator) -> None:
    seen = observations(spec_of(), 2)
    logits, values = evaluator.evaluate_batch(seen)
    one_logits, value = evaluator.evaluate(seen[1])
    np.testing.assert_array_equal(one_logits, logits[1])
    assert value == values[1]


def test_any_array_of_the_right_size_will_do(evaluator: OnnxEvaluator) -> None:
    seen = observations(spec_of(), 6)
    expected, _ = evaluator.evaluate_batch(seen)
    for other in (np.asfortranarray(seen), seen.astype(np.float64)[:, :], seen.repeat(2, 0)[::2]):
        logits, _ = evaluator.evaluate_batch(other)  # type: ignore[arg-type]
        np.testing.assert_array_equal(logits, expected)


def test_an_empty_batch_is_no_work(evaluator: OnnxEvaluator) -> None:
    logits, values = evaluator.evaluate_batch(np.empty((0, 27), np.float32))
    assert (logits.shape, values.shape) == ((0, 9), (0,))


@pytest.mark.parametrize("shape", [(27,), (2, 26), (1, 3, 9)])
def test_observations_of_another_size_are_one_line(
    evaluator: OnnxEvaluator, shape: tuple[int, ...]
) -> None:
    with pytest.raises(BadRequestError, match=r"expected observations \[B, 27\], got shape"):
        evaluator.evaluate_batch(np.zeros(shape, np.float32))


def test_a_checkpoint_is_played_in_either_precision(tmp_path: Path) -> None:
    game = load("tic_tac_toe")
    made = trained(CONFIGS["mlp"], game.spec)
    checkpoint = with_ranges(made, random_observations(game, 100, seed=1))
    write_checkpoint(tmp_path / "net", checkpoint)
    for precision in ("int8", "float"):
        judge = OnnxEvaluator.from_checkpoint(tmp_path / "net", precision).for_game(game)
        assert judge.precision == precision
        assert judge.header == checkpoint.header
    with pytest.raises(CheckpointError, match="net was trained for tic_tac_toe, expected pig"):
        judge.for_game(load("pig"))
    with pytest.raises(BadRequestError, match="expected precision int8 or float, got 'int4'"):
        OnnxEvaluator.from_checkpoint(tmp_path / "net", "int4")  # type: ignore[arg-type]


def test_a_model_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    made = trained(CONFIGS["mlp"], spec_of())
    path.write_bytes(int8(made))
    assert OnnxEvaluator.from_onnx(path).header.game == "tic_tac_toe"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match="is not an ONNX model that can run") as caught:
        OnnxEvaluator.from_onnx(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(CheckpointError, match="cannot read"):
        OnnxEvaluator.from_onnx(tmp_path / "none.onnx")


def test_a_foreign_model_is_refused() -> None:
    model = onnx.load_model_from_string(model_bytes(trained(CONFIGS["mlp"], spec_of()), "float"))
    del model.metadata_props[:]
    with pytest.raises(CheckpointError, match="ONNX model without a spiel_bot header"):
        OnnxEvaluator(model.SerializeToString())


def test_int8_needs_ranges() -> None:
    made = trained(CONFIGS["mlp"], spec_of())
    with pytest.raises(CheckpointError, match=r"int8 expects the ranges of 3 layers, .* has 0"):
        model_bytes(made, "int8")
    for sample in (np.zeros((0, 27), np.float32), np.zeros((4, 9), np.float32)):
        with pytest.raises(BadRequestError, match=r"expected a sample of observations \[S, 27\]"):
            with_ranges(made, sample)


def test_an_unknown_provider_is_one_line() -> None:
    model = int8(trained(CONFIGS["mlp"], spec_of()))
    with pytest.raises(BadRequestError, match="'Abacus' is not available here; expected one of"):
        OnnxEvaluator(model, providers=["Abacus"])


def test_a_new_network_takes_over(evaluator: OnnxEvaluator) -> None:
    seen = observations(spec_of(), 3)
    new = int8(trained(CONFIGS["resnet"], spec_of(), seed=9))
    evaluator.replace(new)
    expected, _ = OnnxEvaluator(new).evaluate_batch(seen)
    np.testing.assert_array_equal(evaluator.evaluate_batch(seen)[0], expected)
    other = model_bytes(trained(CONFIGS["mlp"], load("pig").spec), "float")
    with pytest.raises(CheckpointError, match="the new model was trained for pig, expected tic"):
        evaluator.replace(other)
    np.testing.assert_array_equal(evaluator.evaluate_batch(seen)[0], expected)


def test_threads_share_an_evaluator_while_it_is_replaced(evaluator: OnnxEvaluator) -> None:
    seen = observations(spec_of(), 16)
    models = [int8(trained(CONFIGS["mlp"], spec_of(), seed)) for seed in (0, 1)]
    allowed = [OnnxEvaluator(model).evaluate_batch(seen) for model in models]
    stop = threading.Event()

    def ask() -> list[tuple[Floats, Floats]]:
        said: list[tuple[Floats, Floats]] = []
        while not stop.is_set() and len(said) < 2000:
            said.append(evaluator.evaluate_batch(seen))
        return said

    with ThreadPoolExecutor(3) as pool:
        tasks = [pool.submit(ask) for _ in range(3)]
        for i in range(10):
            evaluator.replace(models[i % 2])
        stop.set()
        answers = [answer for task in tasks for answer in task.result()]
    for logits, values in answers:
        assert any((logits == a).all() and (values == b).all() for a, b in allowed)


def test_a_network_searches_a_game() -> None:
    game = load("tic_tac_toe")
    judge = OnnxEvaluator(int8(trained(CONFIGS["mlp"], game.spec))).for_game(game)
    search = Search(game, judge, MctsConfig(n_simulations=8))
    result = search.run(game.new_states(2), streams(0, Purpose.SEARCH, np.arange(2)))
    assert (result.visits.sum(axis=1) == 8).all()


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["trictrac", "pig", "race", "tic_tac_toe"])
def test_a_sample_comes_from_random_games(name: str) -> None:
    game = load(name)
    sample = random_observations(game, 200, seed=1)
    assert sample.shape == (200, game.spec.observation_size)
    assert len(np.unique(sample, axis=0)) > 10
    np.testing.assert_array_equal(sample, random_observations(game, 200, seed=1))


def test_the_speed_of_a_bare_network_is_measured(evaluator: OnnxEvaluator) -> None:
    seen = observations(spec_of(), 4)
    assert bare_evals_per_s(evaluator, seen, seconds=0.01, threads=2) > 0
    with pytest.raises(BadRequestError, match="batch: expected at least 1"):
        bare_evals_per_s(evaluator, seen[:0], seconds=0.01)
