import dataclasses
import json
from typing import Any

import pytest
from tests.networks.nets import CONFIGS

from spiel_bot import load
from spiel_bot.errors import NetworkConfigError
from spiel_bot.networks.config import AuxiliaryHead, NetworkConfig, head_of
from spiel_bot.settings import field_helps, from_plain, to_plain


def test_the_defaults_are_those_of_the_project() -> None:
    assert NetworkConfig().hidden_sizes == (512, 256)
    resnet = NetworkConfig(architecture="resnet")
    assert (resnet.width, resnet.blocks) == (512, 4)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_configuration_survives_json(name: str) -> None:
    plain = json.loads(json.dumps(to_plain(CONFIGS[name])))
    assert from_plain(NetworkConfig(), plain) == CONFIGS[name]


def test_every_option_has_a_help_text() -> None:
    names = {field.name for field in dataclasses.fields(NetworkConfig)}
    assert field_helps(NetworkConfig).keys() == names


def test_heads_are_named_or_described() -> None:
    assert head_of("next_hole") == AuxiliaryHead("next_hole", 5, "classes")
    assert head_of("corner:2:classes") == AuxiliaryHead("corner", 2, "classes")
    config = NetworkConfig(auxiliary=("next_points", "corner:2:classes"))
    assert [head.size for head in config.heads] == [6, 2]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"architecture": "transformer"}, "architecture 'transformer' is unknown; expected one"),
        ({"value_head": "linear"}, "value_head 'linear' is unknown; expected one of tanh, cat"),
        ({"hidden_sizes": ()}, "hidden_sizes: expected one or more numbers"),
        ({"hidden_sizes": (512, 0)}, "hidden_sizes: expected one or more numbers"),
        ({"hidden_sizes": 512}, "hidden_sizes: expected one or more numbers"),
        ({"width": 0}, "width: expected from 1"),
        ({"width": True}, "width: expected from 1"),
        ({"blocks": 2.0}, "blocks: expected from 1"),
        ({"channels": 10**9}, "channels: expected from 1 to 65536"),
        ({"kernel_size": 4}, "kernel_size: expected an odd number"),
        ({"value_bins": 1}, "value_bins: expected from 2"),
        ({"auxiliary": "next_hole"}, "auxiliary: expected a tuple of texts"),
        ({"auxiliary": ("next_hoole",)}, "auxiliary head 'next_hoole': expected next_hole, next_"),
        ({"auxiliary": ("x:99999999:classes",)}, "or name:size:kind such as corner:2:classes"),
        ({"auxiliary": (7,)}, "or name:size:kind such as corner:2:classes"),
        ({"auxiliary": ("next_hole", "next_hole:4:classes")}, "auxiliary: expected each name once"),
    ],
)
def test_a_mistake_is_one_clear_line(values: dict[str, Any], message: str) -> None:
    with pytest.raises(NetworkConfigError) as caught:
        NetworkConfig(**values)
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
