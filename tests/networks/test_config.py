from typing import Any

import pytest
from tests.networks.nets import CONFIGS

from spiel_bot import load
from spiel_bot.errors import NetworkConfigError
from spiel_bot.networks.config import NEXT_HOLE, NEXT_POINTS, AuxiliaryHead, NetworkConfig


def test_the_defaults_are_those_of_the_project() -> None:
    assert NetworkConfig().hidden_sizes == (512, 256)
    resnet = NetworkConfig(architecture="resnet")
    assert (resnet.width, resnet.blocks) == (512, 4)
    assert (NEXT_HOLE.size, NEXT_POINTS.kind) == (5, "numbers")


@pytest.mark.parametrize("name", CONFIGS)
def test_a_configuration_survives_json(name: str) -> None:
    assert NetworkConfig.from_dict(CONFIGS[name].as_dict()) == CONFIGS[name]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"architecture": "transformer"}, "architecture 'transformer' is unknown; expected one"),
        ({"value_head": "linear"}, "value_head 'linear' is unknown; expected one of tanh, cat"),
        ({"hidden_sizes": []}, "hidden_sizes: expected one or more numbers"),
        ({"hidden_sizes": [512, 0]}, "hidden_sizes: expected one or more numbers"),
        ({"hidden_sizes": 512}, "hidden_sizes: expected one or more numbers"),
        ({"width": 0}, "width: expected from 1"),
        ({"width": True}, "width: expected from 1"),
        ({"blocks": 2.0}, "blocks: expected from 1"),
        ({"channels": 10**9}, "channels: expected from 1 to 65536"),
        ({"kernel_size": 4}, "kernel_size: expected an odd number"),
        ({"value_bins": 1}, "value_bins: expected from 2"),
        ({"auxiliary": "next_hole"}, "auxiliary: expected a tuple of AuxiliaryHead"),
        ({"auxiliary": [{"name": "x"}]}, "expected name, size and kind"),
        ({"auxiliary": [NEXT_HOLE, NEXT_HOLE]}, "expected name, size and kind"),
        ({"auxiliary": (NEXT_HOLE, NEXT_HOLE)}, "auxiliary: expected each name once"),
        ({"hidden_size": (3,)}, "network option 'hidden_size' is unknown; did you mean hidden_s"),
        ({"zzz": 1}, "network option 'zzz' is unknown; expected one of architecture"),
    ],
)
def test_a_mistake_is_one_clear_line(values: dict[str, Any], message: str) -> None:
    with pytest.raises(NetworkConfigError) as caught:
        NetworkConfig.from_dict(values)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (("Next Hole", 4, "classes"), "expected a name of lower case letters"),
        (("next_hole", 1, "classes"), "expected a size from 2"),
        (("next_points", 0, "numbers"), "expected a size from 1"),
        (("next_points", 3, "regression"), "expected kind classes or numbers"),
    ],
)
def test_a_head_that_cannot_be_is_refused(head: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises(NetworkConfigError, match=message):
        AuxiliaryHead(*head)


def test_a_conv_wants_a_board() -> None:
    config = NetworkConfig(architecture="conv")
    config.expect_fits(load("tic_tac_toe").spec)
    with pytest.raises(NetworkConfigError, match=r"2 or 3 dimensions .* got shape \(4,\) of pig"):
        config.expect_fits(load("pig").spec)
