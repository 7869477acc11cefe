"""Where the store is when nobody says."""

import os
from pathlib import Path

import platformdirs

VARIABLE = "SPIEL_BOT_STORE"


def default_path() -> Path:
    """Return the folder that `SPIEL_BOT_STORE` names, or one among the user's data."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    return Path(platformdirs.user_data_dir("spiel_bot")) / "store"
