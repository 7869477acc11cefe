from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from tests.networks.nets import CONFIGS, observations, spec_of, trained

from spiel_bot import load
from spiel_bot.errors import CheckpointError, NetworkConfigError
from spiel_bot.networks.config import NetworkConfig, ValueHead
from spiel_bot.networks.network import Network, PolicyValueNet, build, from_checkpoint
from spiel_bot.networks.torch_speed import torch_evals_per_s


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("shape", [(3, 3, 3), (4, 6)])
def test_shapes_are_known_without_torch(name: str, shape: tuple[int, ...]) -> None:
    network = build(CONFIGS[name], spec_of(shape), seed=1)
    found = {key: tuple(tensor.shape) for key, tensor in network.state_dict().items()}
    assert found == network.header.shapes()


@pytest.mark.parametrize("name", CONFIGS)
def test_a_network_gives_a_policy_a_value_and_the_rest(name: str) -> None:
    config, spec = CONFIGS[name], spec_of()
    network = build(config, spec, seed=1)
    said = network(torch.from_numpy(observations(spec, 5)))
    assert said.logits.shape == (5, spec.num_actions)
    assert said.value.shape == (5,)
    assert said.value.abs().max() < 1
    assert (said.value_logits is not None) == (config.value_head == "categorical")
    assert {key: tensor.shape[1] for key, tensor in said.auxiliary.items()} == {
        head.name: head.size for head in config.heads
    }


def test_values_lie_in_the_range_of_returns() -> None:
    spec = spec_of()
    for value_head in get_args(ValueHead):
        config = NetworkConfig(hidden_sizes=(8,), value_head=value_head)
        checkpoint = trained(config, spec)
        checkpoint.arrays["heads.value.bias"][-1] = 50.0
        header = checkpoint.header.replace(return_range=(-3.0, 5.0))
        network = from_checkpoint(type(checkpoint)(header, checkpoint.arrays)).eval()
        value = network(torch.from_numpy(observations(spec, 3))).value
        np.testing.assert_allclose(value.detach().numpy(), 5.0, atol=1e-4)


def test_every_weight_learns() -> None:
    spec = spec_of()
    network = build(CONFIGS["all"], spec, seed=1).train()
    said = network(torch.from_numpy(observations(spec, 8)))
    total = said.logits.square().sum() + said.value.square().sum()
    for extra in said.auxiliary.values():
        total = total + extra.square().sum()
    total.backward()
    assert all(weight.grad is not None for weight in network.parameters())


def test_building_follows_the_seed_and_leaves_torchs_random_numbers_alone() -> None:
    before = torch.get_rng_state()
    one, two = (build(CONFIGS["resnet"], spec_of(), seed=3).state_dict() for _ in range(2))
    assert torch.equal(before, torch.get_rng_state())
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_network_is_saved_and_loaded(tmp_path: Path) -> None:
    game = load("tic_tac_toe")
    network: PolicyValueNet = from_checkpoint(trained(CONFIGS["all"], game.spec)).eval()
    network.save(tmp_path / "net", step=5, sample=observations(game.spec, 16))
    loaded = Network.load(tmp_path / "net", game).eval()
    assert loaded.header.step == 5
    assert len(loaded.header.ranges) > 0
    seen = torch.from_numpy(observations(game.spec, 4))
    assert torch.equal(network.forward(seen).value, loaded.forward(seen).value)
    with pytest.raises(CheckpointError, match="was trained for tic_tac_toe, expected pig"):
        Network.load(tmp_path / "net", load("pig"))


def test_weights_of_another_architecture_are_refused() -> None:
    network = build(CONFIGS["mlp"], spec_of(), seed=1)
    with pytest.raises(CheckpointError, match="architecture resnet, expected mlp"):
        network.load_arrays(trained(CONFIGS["resnet"], spec_of()))


def test_a_checkpoint_does_not_change_when_learning_goes_on() -> None:
    network = build(CONFIGS["mlp"], spec_of(), seed=1)
    checkpoint = network.checkpoint()
    with torch.no_grad():
        network.heads.value.weight.fill_(9.0)
    assert checkpoint.arrays["heads.value.weight"].max() < 9.0


def test_a_network_that_judges_rolls_has_a_value_alone() -> None:
    config = NetworkConfig(hidden_sizes=(8,), judges="rolls", auxiliary=("next_points",))
    said = build(config, spec_of(), seed=1)(torch.from_numpy(observations(spec_of(), 5)))
    assert said.logits is None
    assert said.value.shape == (5,)
    assert said.auxiliary["next_points"].shape == (5, 6)
    with pytest.raises(CheckpointError, match="judges rolls, expected decisions"):
        build(NetworkConfig(hidden_sizes=(8,)), spec_of(), seed=1).load_arrays(
            trained(NetworkConfig(hidden_sizes=(8,), judges="rolls"), spec_of())
        )


def test_a_game_without_a_board_gets_no_conv() -> None:
    with pytest.raises(NetworkConfigError, match="2 or 3 dimensions"):
        build(CONFIGS["conv"], load("pig").spec, seed=1)


def test_the_speed_of_bare_torch_is_measured() -> None:
    spec = spec_of()
    network = build(CONFIGS["mlp"], spec, seed=1)
    assert torch_evals_per_s(network, observations(spec, 4), seconds=0.01, threads=2) > 0
