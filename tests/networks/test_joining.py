import dataclasses

import numpy as np
import pytest
from tests.networks.test_growth import SMALL, SPEC, learned, said

from spiel_bot.errors import CheckpointError
from spiel_bot.games.base import Floats
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.joining import expect_joinable, joined, narrowed


def network(sizes: tuple[int, ...], seed: int) -> Checkpoint:
    made = learned(dataclasses.replace(SMALL, hidden_sizes=sizes))
    rng = np.random.default_rng(seed)
    for name, array in made.arrays.items():
        made.arrays[name] = rng.permutation(array.ravel()).reshape(array.shape)
    return made


def seen() -> Floats:
    return np.random.default_rng(3).random((200, SPEC.observation_size), np.float32)


def before_tanh(checkpoint: Checkpoint) -> Floats:
    scores: Floats = np.arctanh(said(checkpoint))
    return scores


@pytest.mark.parametrize("sizes", [[(12,), (9,)], [(12, 8), (5, 6), (7, 7)]])
def test_a_joined_network_says_the_mean(sizes: list[tuple[int, ...]]) -> None:
    parts = [network(one, seed) for seed, one in enumerate(sizes)]
    whole = joined(parts)
    whole.expect_whole("the whole")
    assert whole.header.network.hidden_sizes == tuple(map(sum, zip(*sizes, strict=True)))
    apart = [before_tanh(part) for part in parts]
    assert np.abs(apart[0] - apart[1]).max() > 0.05
    np.testing.assert_allclose(before_tanh(whole), np.mean(apart, axis=0), atol=2e-5)


def test_one_alone_stays_as_it_is() -> None:
    alone = network((12, 8), 1)
    assert joined([alone]) is alone


@pytest.mark.parametrize("sizes", [(12,), (12, 8)])
def test_without_its_silent_units_a_network_says_the_same(sizes: tuple[int, ...]) -> None:
    whole = network(sizes, 1)
    silent = [0, 3, 4, 11]
    whole.arrays["trunk.layers.0.bias"][silent] = -100.0
    less = narrowed(whole, 8, seen())
    less.expect_whole("less")
    assert less.header.network.hidden_sizes == (8, *sizes[1:])
    np.testing.assert_allclose(said(less), said(whole), atol=1e-6)


@pytest.mark.parametrize("sizes", [(12,), (12, 8)])
def test_units_without_room_leave_what_they_say_on_average(sizes: tuple[int, ...]) -> None:
    whole, above = network(sizes, 1), "trunk.layers.1" if len(sizes) > 1 else "heads.value"
    whole.arrays["trunk.layers.0.bias"][:] = 3.0  # all speak, about every position
    less = narrowed(whole, 9, seen())
    less.expect_whole("less")

    def heard(checkpoint: Checkpoint) -> Floats:
        """Return what the layer above makes of each position, before its units are rectified."""
        arrays = checkpoint.arrays
        spoken = seen() @ arrays["trunk.layers.0.weight"].T + arrays["trunk.layers.0.bias"]
        assert (spoken > 0.0).all()
        together: Floats = spoken @ arrays[f"{above}.weight"].T + arrays[f"{above}.bias"]
        return together

    apart = heard(less) - heard(whole)
    assert np.abs(apart).max() > 1e-3
    np.testing.assert_allclose(apart.mean(axis=0), 0.0, atol=1e-5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hidden_sizes": (12,)}, "as many layers each, got 2 and 1"),
        ({"judges": "decisions"}, "expected judges rolls, got decisions"),
        ({"architecture": "resnet"}, "expected architecture mlp, got resnet"),
        ({"value_head": "categorical"}, "expected value_head tanh, got categorical"),
    ],
)
def test_what_cannot_be_joined_is_refused(changes: dict[str, object], message: str) -> None:
    other: NetworkConfig = dataclasses.replace(SMALL, **changes)  # type: ignore[arg-type]
    for pair in ((SMALL, other), (other, SMALL)):
        with pytest.raises(CheckpointError, match="a and b cannot be joined: expected"):
            expect_joinable(*pair, "a and b")
    with pytest.raises(CheckpointError, match=message):
        expect_joinable(SMALL, other, "a and b")
