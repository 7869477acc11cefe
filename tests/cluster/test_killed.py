from pathlib import Path

import pytest
from tests.cluster.kills import kill_often


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_that_is_killed_again_and_again_is_the_run_that_was_not(tmp_path: Path) -> None:
    # `python -m tests.cluster.kills 20` does more of it.
    kill_often(tmp_path, kills=3, seed=2)
