"""What a run begins with: another model, or the mean of several."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.cluster.beginning import start_weights
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.errors import CheckpointError, SpielBotError
from spiel_bot.learning.own_play import own_observations
from spiel_bot.learning.td import TdConfig
from spiel_bot.networks.checkpoint import Checkpoint, parse_checkpoint, write_checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.growth import with_wider_inputs
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.initial import initial_checkpoint
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.networks.sample import random_observations

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


def test_a_mean_without_room_for_all_that_speak_is_begun_with_all_the_same(tmp_path: Path) -> None:
    written(tmp_path / "one.safetensors", 1)
    assert begun(f"{tmp_path}/one.safetensors+{tmp_path}/one.safetensors", 15).arrays[
        "trunk.layers.0.bias"
    ].shape == (15,)


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


def test_a_network_may_see_more_than_before(tmp_path: Path) -> None:
    short, long = (load("trictrac", observation=name) for name in ("td204", "td217"))
    for name, seed in (("one", 1), ("two", 2)):
        write_checkpoint(
            tmp_path / f"{name}.safetensors", initial_checkpoint(NETWORK, short.spec, seed)
        )
    files = [str(tmp_path / f"{name}.safetensors") for name in ("one", "two")]
    wide = dataclasses.replace(NETWORK, hidden_sizes=(16,))
    config = TrainConfig(
        game="trictrac",
        algorithm="td",
        options={"observation": "td217"},
        start="+".join(files),
        td=TdConfig(network=wide),
    )
    weights = start_weights(long, config)[1]
    mean = parse_checkpoint(weights, "what was begun with")
    mean.header.expect_fits(long)
    assert mean.header.ranges
    seen = random_observations(long, 50)
    ones = [parse_checkpoint(Path(path).read_bytes(), path) for path in files]
    expected = sum(said(one, np.ascontiguousarray(seen[:, :204])) for one in ones) / 2
    np.testing.assert_allclose(said(mean, seen), expected, atol=1e-5)


@pytest.mark.parametrize("other", ["td227", "planes"])
def test_what_saw_more_or_something_else_cannot_be_begun_with(tmp_path: Path, other: str) -> None:
    path = tmp_path / "other.safetensors"
    write_checkpoint(path, initial_checkpoint(NETWORK, load("trictrac", observation=other).spec, 1))
    game = load("trictrac", observation="td204")
    config = TrainConfig(
        game="trictrac", algorithm="td", start=str(path), td=TdConfig(network=NETWORK)
    )
    with pytest.raises(CheckpointError, match=f"with observation={other}, expected td204"):
        start_weights(game, config)


def test_the_version_of_the_shorter_observation_counts() -> None:
    short, long = (load("trictrac", observation=name) for name in ("td204", "td217"))
    made = initial_checkpoint(NETWORK, short.spec, 1)
    wider = with_wider_inputs(made, long.spec)
    assert wider.header.observation_shape == (217,)
    assert wider.header.options["observation"] == "td217"
    old = Checkpoint(made.header.replace(observation_version=7), made.arrays)
    assert with_wider_inputs(old, long.spec) is old
    assert with_wider_inputs(made, short.spec) is made
