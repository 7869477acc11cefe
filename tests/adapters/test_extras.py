"""Without its framework an adapter says in one line what to install."""

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("adapter", "missing", "message"),
    [
        ("open_spiel", "pyspiel", "OpenSpiel is not installed; {}spiel-bot[openspiel]'"),
        ("pettingzoo", "pettingzoo", "PettingZoo is not installed; {}spiel-bot[pettingzoo]'"),
        ("gymnasium", "gymnasium", "Gymnasium is not installed; {}spiel-bot[gymnasium]'"),
        ("gymnasium", "resvg_py", "resvg_py is not installed; {}spiel-bot[gymnasium]'"),
    ],
)
def test_a_missing_framework_is_named_with_its_extra(
    adapter: str, missing: str, message: str
) -> None:
    # None makes Python say that there is no such module.
    program = f"import sys; sys.modules[{missing!r}] = None; import spiel_bot.adapters.{adapter}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    expected = message.format("install it with: pip install '")
    assert done.stderr.splitlines()[-1] == f"spiel_bot.errors.MissingExtraError: {expected}"
    assert done.stderr.count("Error: ") == 1
