"""The kernel that passes over zeros says what ONNX Runtime says of the same model."""

import dataclasses
from collections.abc import Callable

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from tests.networks.nets import observations, spec_of, trained

from spiel_bot.games.base import Floats
from spiel_bot.networks.config import Judges, NetworkConfig
from spiel_bot.networks.graph import OBSERVATIONS
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import Precision, model_bytes
from spiel_bot.networks.perceptron import Perceptron
from spiel_bot.networks.ranges import with_ranges
from spiel_bot.networks.sessions import new_session

SIZES = [(7,), (24, 5), (9, 16, 3)]
NUM_FEATURES = int(np.prod(spec_of().observation_shape))


def model_of(sizes: tuple[int, ...], seed: int = 1) -> bytes:
    network = NetworkConfig(hidden_sizes=sizes, judges="rolls")
    return model_bytes(trained(network, spec_of(), seed=seed), "float")


def sparse(count: int, seed: int) -> Floats:
    """Return observations of which most numbers are 0, some rows whole, and some below 0."""
    rng = np.random.default_rng(seed)
    seen = observations(spec_of(), count, seed)
    seen *= rng.random(seen.shape) < rng.choice([0.0, 0.1, 0.5, 1.0], (count, 1))
    seen *= rng.choice([-1.0, 1.0], seen.shape)
    return seen


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("seed", [1, 2])
def test_it_says_what_onnx_runtime_says(sizes: tuple[int, ...], seed: int) -> None:
    model, seen = model_of(sizes, seed), sparse(40, seed)
    perceptron = Perceptron.from_onnx(model, NUM_FEATURES)
    assert perceptron is not None
    (expected,) = new_session(model, "the model").run(["value"], {OBSERVATIONS: seen})
    np.testing.assert_allclose(perceptron.values(seen), expected, atol=1e-6)


@pytest.mark.parametrize("return_range", [(-1.0, 1.0), (-3.0, 5.0), (0.0, 2.0)])
def test_values_are_scaled_to_the_returns_of_the_game(return_range: tuple[float, float]) -> None:
    spec = dataclasses.replace(spec_of(), return_range=return_range)
    network = NetworkConfig(hidden_sizes=(24, 5), judges="rolls")
    model, seen = model_bytes(trained(network, spec), "float"), sparse(20, 5)
    perceptron = Perceptron.from_onnx(model, NUM_FEATURES)
    assert perceptron is not None
    (expected,) = new_session(model, "the model").run(["value"], {OBSERVATIONS: seen})
    np.testing.assert_allclose(perceptron.values(seen), expected, atol=1e-5)
    assert np.ptp(expected) > 0.0


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    evaluator, seen = OnnxEvaluator(model_of((24, 5))), sparse(33, 3)
    _, together = evaluator.evaluate_batch(seen)
    alone = [evaluator.evaluate(row)[1] for row in seen]
    assert together.tolist() == alone


def test_what_is_no_number_is_passed_on() -> None:
    seen = sparse(3, 4)
    seen[1, 0] = np.nan
    _, values = OnnxEvaluator(model_of((24, 5))).evaluate_batch(seen)
    assert np.isnan(values).tolist() == [False, True, False]


def transpose(model: onnx.ModelProto) -> None:
    layer, weight = model.graph.node[0], model.graph.initializer[0]
    layer.attribute.append(onnx.helper.make_attribute("transB", 1))
    weight.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weight).T.copy(), weight.name))


def double(model: onnx.ModelProto) -> None:
    model.graph.node[0].attribute.append(onnx.helper.make_attribute("alpha", 2.0))


def share_bias(model: onnx.ModelProto) -> None:
    bias = model.graph.initializer[1]
    bias.CopyFrom(numpy_helper.from_array(np.ones(1, np.float32), bias.name))


def drop_bias(model: onnx.ModelProto) -> None:
    del model.graph.node[0].input[2]


def skip_layer(model: onnx.ModelProto) -> None:
    """Let the second layer read what the first one says before its ReLU."""
    model.graph.node[2].input[0] = model.graph.node[0].output[0]


def rename(model: onnx.ModelProto) -> None:
    """Let the value be what the last node but one says."""
    before, last = model.graph.node[-2:]
    before.output[0] = last.input[0] = "value"
    last.output[0] = "other"


def poison(model: onnx.ModelProto) -> None:
    weight = model.graph.initializer[0]
    array = numpy_helper.to_array(weight).copy()
    array[0] = np.nan
    weight.CopyFrom(numpy_helper.from_array(array, weight.name))


@pytest.mark.parametrize(
    "change",
    [transpose, double, share_bias, drop_bias, skip_layer, rename, poison],
    ids=lambda f: f.__name__,
)
def test_a_model_written_otherwise_is_left_to_onnx_runtime(
    change: Callable[[onnx.ModelProto], None],
) -> None:
    model = onnx.load_from_string(model_of((24, 5)))
    change(model)
    content, seen = model.SerializeToString(), sparse(9, 6)
    assert Perceptron.from_onnx(content, NUM_FEATURES) is None
    (expected,) = new_session(content, "the model").run(["value"], {OBSERVATIONS: seen})
    np.testing.assert_array_equal(OnnxEvaluator(content).evaluate_batch(seen)[1], expected)


def test_what_no_layer_reads_is_not_looked_at() -> None:
    model = onnx.load_from_string(model_of((24, 5)))
    damaged = numpy_helper.from_array(np.ones(3, np.float32), "unused")
    damaged.raw_data = damaged.raw_data[:4]
    model.graph.initializer.append(damaged)
    assert Perceptron.from_onnx(model.SerializeToString(), NUM_FEATURES) is not None


def test_weights_for_more_than_is_seen_are_not_read() -> None:
    assert Perceptron.from_onnx(model_of((24, 5)), NUM_FEATURES - 1) is None


def test_numbers_may_be_stored_one_by_one() -> None:
    model = onnx.load_from_string(model_of((24, 5)))
    stored = model.graph.initializer[1]
    numbers = numpy_helper.to_array(stored).tolist()
    stored.ClearField("raw_data")
    stored.float_data.extend(numbers)
    content, seen = model.SerializeToString(), sparse(9, 7)
    found = Perceptron.from_onnx(content, NUM_FEATURES)
    assert found is not None
    (expected,) = new_session(content, "the model").run(["value"], {OBSERVATIONS: seen})
    np.testing.assert_allclose(found.values(seen), expected, atol=1e-6)


@pytest.mark.parametrize(("judges", "precision"), [("rolls", "int8"), ("decisions", "float")])
def test_other_models_are_left_to_onnx_runtime(judges: Judges, precision: Precision) -> None:
    spec = spec_of()
    made = trained(NetworkConfig(hidden_sizes=(24,), judges=judges), spec)
    made = with_ranges(made, observations(spec, 64, 1))
    assert Perceptron.from_onnx(model_bytes(made, precision), NUM_FEATURES) is None
