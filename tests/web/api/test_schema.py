"""Everything that the schema allows, and much that it does not, against a real server.

Schemathesis sends its examples, values at every bound, random bodies, other methods, and chains of
requests about the games that it has begun.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.web.browser.served import served

from spiel_bot.storage.store import Store

REQUESTS = 30
"""Random ones for each address; those at the bounds come before them."""

NOT_CHECKED = "positive_data_acceptance"
"""A schema cannot say which texts are positions, plays and players, so many good ones are none."""


@pytest.mark.slow
@pytest.mark.compiled
def test_the_server_answers_as_its_schema_says_whatever_is_sent(tmp_path: Path) -> None:
    # A run that this process trains, as far as the store knows: so none is begun.
    with Store(tmp_path / "store") as store:
        store.runs.create(game="pig", seed=1, config={}, name="busy")
    log = tmp_path / "server.log"
    with served(tmp_path / "store", log) as address:
        found = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/openapi.json"),
                *("--no-color", "--warnings=off", "--generation-deterministic"),
                *("--suppress-health-check=all", f"--max-examples={REQUESTS}"),
                f"--exclude-checks={NOT_CHECKED}",
            ],
            check=False,
            cwd=tmp_path,  # it leaves notes in its folder
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    assert found.returncode == 0, found.stdout[-10_000:]
    assert "Traceback" not in log.read_text()
    with Store(tmp_path / "store", create=False) as store:
        assert [run.name for run in store.runs.all()] == ["busy"]
