"""What a run begins with: another model, or the mean of several."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.cluster.beginning import start_weights
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.errors import SpielBotError
from spiel_bot.learning.own_play import own_observations
from spiel_bot.learning.td import TdConfig
from spiel_bot.networks.checkpoint import Checkpoint, parse_checkpoint, write_checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.initial import initial_checkpoint
from spiel_bot.networks.onnx_model import model_bytes

PIG = load("pig")
NETWORK = NetworkConfig(judges="rolls", hidden_sizes=(8,))


def written(path: Path, seed: int, silent: int = 0, game: str = "pig") -> Checkpoint:
    """Write a network some of whose units never speak, and return it."""
    made = initial_checkpoint(NETWORK, load(game).spec, seed)
    made.arrays["heads.value.weight"] *= 10.0
    made.arrays["trunk.layers.0.bias"][:] = 1.0
    made.arrays["trunk.layers.0.bias"][:silent] = -100.0
    write_checkpoint(path, made)
    return made


def begun(start: str, *sizes: int) -> Checkpoint:
    network = dataclasses.replace(NETWORK, hidden_sizes=sizes)
    config = TrainConfig(game="pig", algorithm="td", start=start, td=TdConfig(network=network))
    return parse_checkpoint(start_weights(PIG, config)[1], "what was begun with")


def said(checkpoint: Checkpoint, seen: np.ndarray) -> np.ndarray:
    scores: np.ndarray = np.arctanh(
        OnnxEvaluator(model_bytes(checkpoint, "float")).evaluate_batch(seen)[1]
    )
    return scores


@pytest.mark.parametrize("width", [11, 16, 20])
def test_the_mean_needs_no_units_that_never_speak(tmp_path: Path, width: int) -> None:
    one = written(tmp_path / "one.safetensors", 1, silent=3)
    two = written(tmp_path / "two.safetensors", 2, silent=2)
    mean = begun(f"{tmp_path}/one.safetensors + {tmp_path}/two.safetensors", width)
    assert mean.header.network.hidden_sizes == (width,)
    assert mean.header.ranges
    seen = own_observations(PIG, one, 8, 1)
    assert len(seen) > 50
    expected = (said(one, seen) + said(two, seen)) / 2
    assert np.abs(said(one, seen) - expected).max() > 0.01
    np.testing.assert_allclose(said(mean, seen), expected, atol=1e-5)


def test_what_cannot_be_begun_with_is_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one.safetensors", tmp_path / "two.safetensors"
    written(one, 1)
    written(two, 2, game="race")
    for start, message in (
        (f"{one}+{two}", "race"),  # the second of them is looked at too
        (f"{two}+{one}", "race"),
        (f"{one}+", "expected a model on both sides of +"),
        (f"{one}+x.onnx", "an .onnx file has no weights"),
        (f"{tmp_path}/none.safetensors", "cannot read"),
        (f"{one}+{one}", "16 units of the first layer"),
    ):
        with pytest.raises(SpielBotError) as caught:
            begun(start, 15)
        assert message in str(caught.value)


def test_the_name_of_a_file_may_have_a_plus(tmp_path: Path) -> None:
    folder = tmp_path / "a+b"
    folder.mkdir()
    alone = written(folder / "c+d.safetensors", 1)
    arrays = begun(f"{folder}/c+d.safetensors", 8).arrays
    for name, array in alone.arrays.items():
        np.testing.assert_array_equal(arrays[name], array)
