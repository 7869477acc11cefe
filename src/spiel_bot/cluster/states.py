"""Resume states as bytes: named arrays in one safetensors file, never a pickle."""

from typing import Any

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from spiel_bot.errors import LearningError

VERSION = 1
Arrays = dict[str, npt.NDArray[Any]]


def pack(arrays: Arrays) -> bytes:
    """Return arrays as the content of a file."""
    whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    content: bytes = safetensors.numpy.save(whole)
    return content


def unpack(content: bytes, version: int) -> Arrays:
    """Return the arrays of a file.

    Raises:
        LearningError: It was written by another version, or cannot be read.
    """
    if version != VERSION:
        raise LearningError(
            f"the run was saved with state version {version}, this code reads {VERSION}; "
            "resume it with the version that began it"
        )
    try:
        arrays: Arrays = safetensors.numpy.load(content)
    except (safetensors.SafetensorError, ValueError) as error:
        raise LearningError(f"the saved state cannot be read: {error}") from error
    return arrays
