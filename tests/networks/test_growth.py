import dataclasses

import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.errors import CheckpointError
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.growth import grown
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.initial import initial_checkpoint
from spiel_bot.networks.onnx_model import model_bytes

SMALL = NetworkConfig(judges="rolls", hidden_sizes=(12, 8))
SPEC = load("race").spec


def learned(config: NetworkConfig) -> Checkpoint:
    """Return a network with a voice: its first weights, made larger, and biases that are not 0."""
    checkpoint = initial_checkpoint(config, SPEC, 1)
    rng = np.random.default_rng(2)
    for name, array in checkpoint.arrays.items():
        noise = rng.standard_normal(array.shape) * (0.3 if "heads" in name else 0.1)
        checkpoint.arrays[name] = (array + noise).astype(np.float32)
    return checkpoint


def said(checkpoint: Checkpoint) -> np.ndarray:
    rng = np.random.default_rng(3)
    seen = rng.random((200, SPEC.observation_size), np.float32)
    return OnnxEvaluator(model_bytes(checkpoint, "float")).evaluate_batch(seen)[1]


@pytest.mark.parametrize("sizes", [(12, 8), (20, 8), (12, 9), (20, 16), (12, 8, 40), (16, 30, 51)])
@pytest.mark.parametrize("value_head", ["tanh", "categorical"])
def test_a_grown_network_says_the_same(sizes: tuple[int, ...], value_head: str) -> None:
    changes = {"value_head": value_head, "value_bins": 15}
    small = learned(dataclasses.replace(SMALL, **changes))  # type: ignore[arg-type]
    large = grown(small, dataclasses.replace(small.header.network, hidden_sizes=sizes), 5, "it")
    large.expect_whole("it")
    before = said(small)
    assert before.std() > 0.02
    np.testing.assert_allclose(said(large), before, atol=2e-5)


def test_two_layers_more_still_say_the_same() -> None:
    small = learned(SMALL)
    large = grown(small, dataclasses.replace(SMALL, hidden_sizes=(12, 8, 6, 5)), 5, "it")
    np.testing.assert_allclose(said(large), said(small), atol=2e-5)


def test_what_is_new_is_random_and_follows_from_the_seed() -> None:
    small = learned(SMALL)
    wide = dataclasses.replace(SMALL, hidden_sizes=(20, 8))
    first, again, other = (grown(small, wide, seed, "it").arrays for seed in (5, 5, 6))
    name = "trunk.layers.0.weight"
    np.testing.assert_array_equal(first[name], again[name])
    assert (first[name][12:] != other[name][12:]).all()
    # The old units do not listen to the new ones yet; the new ones are there to be learned with.
    assert not first["trunk.layers.1.weight"][:, 12:].any()


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden_sizes": (11, 8)},
        {"hidden_sizes": (12,)},
        {"hidden_sizes": (12, 8, 1)},
        {"judges": "decisions"},
        {"architecture": "resnet"},
        {"value_head": "categorical"},
    ],
)
def test_what_has_no_room_for_it_is_refused(changes: dict[str, object]) -> None:
    wanted = dataclasses.replace(SMALL, **changes)  # type: ignore[arg-type]
    with pytest.raises(CheckpointError, match="it cannot grow into"):
        grown(learned(SMALL), wanted, 5, "it")
