"""The one door to torch, which only training needs: without it, one line says what to install."""

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

__all__ = ["Tensor", "nn", "torch"]
