"""Checkpoints: weights with everything needed to know whether they fit; no torch, no pickle.

A checkpoint is a safetensors file. Its metadata holds one JSON header, and a hash over header
and weights: safetensors itself would not notice a flipped bit.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from spiel_bot.errors import CheckpointError
from spiel_bot.files import write_atomically
from spiel_bot.networks.header import Header, damaged

HEADER_KEY = "spiel_bot"
HASH_KEY = "spiel_bot_sha256"

Arrays = dict[str, npt.NDArray[Any]]

LENGTH_BYTES = 8
"""A safetensors file begins with the length of its own header."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A network as plain arrays, named as in torch's state dict."""

    header: Header
    arrays: Arrays

    def expect_whole(self, source: str) -> None:
        """Refuse arrays that are not those of the network in the header, or not finite.

        Raises:
            CheckpointError: An array is missing, too many, of another shape, or holds NaN.
        """
        expected = self.header.shapes()
        for name in sorted({*expected} ^ {*self.arrays}):
            state = "lacks" if name in expected else "has an unexpected"
            raise CheckpointError(
                f"{source} {state} array {name} for its {self.header.network.architecture} "
                "network; choose another checkpoint"
            )
        for name, shape in expected.items():
            array = self.arrays[name]
            if array.shape != shape:
                raise CheckpointError(
                    f"{source}: array {name} has shape {array.shape}, expected {shape} for its "
                    f"{self.header.network.architecture} network; choose another checkpoint"
                )
            if not np.isfinite(array).all():
                raise CheckpointError(
                    f"{source}: array {name} holds numbers that are not finite, so the training "
                    "went wrong before; choose an earlier checkpoint"
                )


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; a reader sees the file whole or not at all.

    Raises:
        CheckpointError: The arrays are not those of the network, or the file cannot be written.
    """
    try:
        write_atomically(path, checkpoint_bytes(checkpoint))
    except OSError as error:
        raise CheckpointError(f"cannot write {path}: {error.strerror or error}") from error


def checkpoint_bytes(checkpoint: Checkpoint) -> bytes:
    """Return the content of a checkpoint's file.

    Raises:
        CheckpointError: The arrays are not those of the network.
    """
    checkpoint.expect_whole("the network to save")
    header = checkpoint.header.as_json()
    # safetensors writes the memory of an array as it lies there.
    arrays = {name: np.asarray(array, order="C") for name, array in checkpoint.arrays.items()}
    metadata = {HEADER_KEY: header, HASH_KEY: fingerprint(header, arrays)}
    content: bytes = safetensors.numpy.save(arrays, metadata)
    return content


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        CheckpointError: The file is not there, damaged, no checkpoint, or of another format.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error.strerror or error}") from error
    return parse_checkpoint(content, str(path))


def parse_checkpoint(content: bytes, source: str) -> Checkpoint:
    """Return the checkpoint that is the content of a file.

    Args:
        content: What `checkpoint_bytes` returned.
        source: What to call it in messages.

    Raises:
        CheckpointError: It is damaged, no checkpoint, or of another format.
    """
    try:
        arrays = safetensors.numpy.load(content)
        length = int.from_bytes(content[:LENGTH_BYTES], "little")
        metadata = json.loads(content[LENGTH_BYTES : LENGTH_BYTES + length]).get("__metadata__")
    except (safetensors.SafetensorError, ValueError, TypeError, KeyError) as error:
        raise damaged(source, "expected a safetensors file") from error
    if not isinstance(metadata, dict) or not {HEADER_KEY, HASH_KEY} <= metadata.keys():
        raise CheckpointError(
            f"{source} is a safetensors file without a spiel_bot header; "
            "expected a checkpoint that spiel-bot wrote"
        )
    # The header comes first: a newer format is named, even if its hash were made otherwise.
    header = Header.from_json(metadata[HEADER_KEY], source)
    if fingerprint(metadata[HEADER_KEY], arrays) != metadata[HASH_KEY]:
        raise damaged(source, "its content does not match its hash")
    checkpoint = Checkpoint(header, arrays)
    checkpoint.expect_whole(source)
    return checkpoint


def fingerprint(header: str, arrays: Arrays) -> str:
    """Return a hash of everything a checkpoint says."""
    digest = hashlib.sha256(header.encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
