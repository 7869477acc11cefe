"""Files that are never seen half written."""

import os
import secrets
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees it whole or not at all.

    A file that was there before stays as it was if anything goes wrong. Permissions are those
    of any new file.
    """
    draft = path.with_name(f".{path.name[-60:]}.{secrets.token_hex(6)}.tmp")
    try:
        with draft.open("xb") as file:
            file.write(content)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
