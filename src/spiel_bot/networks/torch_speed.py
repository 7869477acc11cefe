"""How fast a bare network is in torch's eager mode: the yardstick of everything else."""

from collections.abc import Callable

from spiel_bot.games.base import Floats
from spiel_bot.networks.network import Network
from spiel_bot.networks.pytorch import torch
from spiel_bot.networks.speed import compared


def torch_evals_per_s(
    network: Network, observations: Floats, *, seconds: float, threads: int = 1
) -> float:
    """Return evaluations a second of batches like `observations` [B, F], all threads together."""
    work = torch_work(network, observations)
    return compared({"torch": work}, len(observations), seconds=seconds, threads=threads)["torch"]


def torch_work(network: Network, observations: Floats) -> Callable[[], object]:
    """Return what evaluates one batch, with one thread of torch's for each that calls it."""
    network.eval()
    batch = torch.from_numpy(observations)

    def work() -> object:
        # Each thread has a setting of its own; a change takes a microsecond, so it is made once.
        if torch.get_num_threads() != 1:
            torch.set_num_threads(1)
        with torch.inference_mode():
            return network(batch)

    return work
