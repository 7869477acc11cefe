"""Files beside the database: written aside, flushed to the disk, renamed, and read with their hash.

A draft lies in `drafts/` until the transaction that names it renames it into `runs/`. So whoever
holds the database's write lock knows: a file in `runs/` that no row names has no writer any more.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, unquote

from spiel_bot.errors import StoreCorruptError
from spiel_bot.storage.failures import file_error, named_failures
from spiel_bot.storage.process import process_mark

BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A complete file that has no name in the store yet."""

    path: Path
    size: int
    sha256: str


@contextmanager
def drafted(root: Path, content: bytes | Path) -> Iterator[Draft]:
    """Write a draft, on the disk when this yields; it is removed if nobody renamed it.

    Args:
        root: Folder of the store.
        content: Bytes, or a file to copy.
    """
    folder = root / "drafts"
    path = folder / f"{quote(process_mark(), safe='')}-{secrets.token_hex(8)}.tmp"
    try:
        with named_failures(path):
            folder.mkdir(exist_ok=True)
            with path.open("xb") as file:
                draft = _fill(file, path, content)
        yield draft
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def draft_owner(path: Path) -> str:
    """Return the mark of the process that wrote a draft."""
    return unquote(path.name.rpartition("-")[0])


def publish(draft: Draft, path: Path) -> None:
    """Rename a draft, and make the name last through a power cut."""
    with named_failures(path):
        missing = [folder for folder in (path.parent, *path.parents) if not folder.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        os.replace(draft.path, path)
        for folder in dict.fromkeys([path.parent, *(folder.parent for folder in missing)]):
            flush_folder(folder)


def read_verified(path: Path, size: int, sha256: str) -> bytes:
    """Return a file's content, if it is what was written.

    Raises:
        StoreCorruptError: It is missing, cut short or altered.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise StoreCorruptError(f"{path} is missing; restore it from a copy") from error
    except OSError as error:
        raise file_error(path, error) from error
    if len(content) != size:
        raise StoreCorruptError(
            f"{path} has {len(content)} bytes, {size} were written; restore it from a copy"
        )
    if hashlib.sha256(content).hexdigest() != sha256:
        raise StoreCorruptError(
            f"{path} is not what was written (its SHA-256 differs); restore it from a copy"
        )
    return content


def flush_folder(folder: Path) -> None:
    """Put the names in a folder on the disk."""
    if os.name == "nt":  # cannot open folders, and needs no such thing
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _fill(file: BinaryIO, path: Path, content: bytes | Path) -> Draft:
    digest = hashlib.sha256()
    size = 0
    for block in _blocks(content):
        file.write(block)
        digest.update(block)
        size += len(block)
    file.flush()
    os.fsync(file.fileno())
    return Draft(path=path, size=size, sha256=digest.hexdigest())


def _blocks(content: bytes | Path) -> Iterator[bytes | memoryview]:
    if isinstance(content, Path):
        with content.open("rb") as source:
            while block := source.read(BLOCK):
                yield block
    else:
        whole = memoryview(content)
        for start in range(0, len(whole), BLOCK):
            yield whole[start : start + BLOCK]
