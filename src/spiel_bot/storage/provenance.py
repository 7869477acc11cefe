"""Which code made a run."""

import subprocess
from functools import cache
from pathlib import Path

from spiel_bot import __version__

__all__ = ["__version__", "git_commit"]


@cache  # the code this process runs stays the same
def git_commit(folder: Path = Path(__file__).parent) -> str | None:
    """Return the commit of the code in a folder, with "-dirty" if files differ from it.

    None if git does not track the folder's files, as in an installed package.
    """
    commands = (
        ["ls-files", "--error-unmatch", "."],
        ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
    )
    answer = ""
    for command in commands:
        try:
            done = subprocess.run(
                ["git", "-C", str(folder), *command], capture_output=True, text=True, check=False
            )
        except OSError:
            return None
        if done.returncode:
            return None
        answer = done.stdout.strip()
    return answer or None
