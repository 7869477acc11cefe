"""The one door to torch, which only training needs: without it, one line says what to install."""

from typing import Any

from spiel_bot.errors import MissingExtraError

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError as error:
    if error.name != "torch":  # torch is there, but something it needs is not
        raise
    raise MissingExtraError(
        "training needs torch, which is not installed; "
        "install it with: pip install 'spiel-bot[train]'"
    ) from error

__all__ = ["Tensor", "nn", "summary_writer", "torch"]


def summary_writer() -> Any:
    """Return torch's class that writes TensorBoard files.

    Raises:
        MissingExtraError: TensorBoard is not installed.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415  # an extra of its own
    except ImportError as error:
        raise MissingExtraError(
            "--tensorboard needs TensorBoard, which is not installed; "
            "install it with: pip install 'spiel-bot[tensorboard]'"
        ) from error
    return SummaryWriter
