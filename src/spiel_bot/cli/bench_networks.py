"""spiel-bot bench networks: evaluations a second, without game or tree."""

from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from spiel_bot.networks.config import Architecture

BATCHES = (1, 16, 256)


def bench_networks(seconds: float, threads: int) -> dict[str, Any]:
    """Evaluate positions of trictrac on one thread: int8, float and, where it is there, torch."""
    architectures: tuple[Architecture, ...] = ("mlp", "resnet")
    return {
        f"{architecture}_{batch}": figures
        for architecture in architectures
        for batch, figures in speeds(architecture, seconds).items()
    }


def speeds(architecture: "Architecture", seconds: float) -> dict[int, dict[str, Any]]:
    """Return the figures of an architecture for each size of batch."""
    from spiel_bot.games.registry import load
    from spiel_bot.networks.config import NetworkConfig
    from spiel_bot.networks.inference import OnnxEvaluator
    from spiel_bot.networks.initial import initial_checkpoint
    from spiel_bot.networks.onnx_model import Precision, model_bytes
    from spiel_bot.networks.ranges import with_ranges
    from spiel_bot.networks.sample import random_observations
    from spiel_bot.networks.speed import Work, compared

    game = load("trictrac")
    sample = random_observations(game)
    config = NetworkConfig(architecture=architecture)
    checkpoint = with_ranges(initial_checkpoint(config, game.spec, seed=0), sample)
    found: dict[int, dict[str, Any]] = {}
    for batch in BATCHES:
        seen = sample[:batch].copy()
        works: dict[str, Work] = {}
        for precision in get_args(Precision):
            evaluator = OnnxEvaluator(model_bytes(checkpoint, precision))
            works[precision] = partial(evaluator.evaluate_batch, seen)
        if find_spec("torch") is not None:
            from spiel_bot.networks.network import from_checkpoint
            from spiel_bot.networks.torch_speed import torch_work

            works["torch"] = torch_work(from_checkpoint(checkpoint), seen)
        rates = compared(works, batch, seconds=seconds)
        found[batch] = {f"{name}_per_s": round(rate) for name, rate in rates.items()}
        if "torch" in rates:
            found[batch]["ratio_torch"] = round(rates["int8"] / rates["torch"], 2)
    return found
