import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cluster.test_driver import config, run_through, weights

from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store

FLAGS = [
    "--game=race",
    "--iterations=6",
    "--games=12",
    "--steps=4",
    "--workers=1",
    "--eval-every=0",
    "--network.hidden_sizes=16",
    "--selfplay.games_at_once=8",
    "--selfplay.cheap_simulations=2",
    "--selfplay.search.n_simulations=4",
    "--replay.capacity=100000",
    "--learner.batch_size=16",
]


def command(store: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "spiel_bot", "train", *arguments, "--store", str(store)]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_that_is_killed_again_and_again_is_the_run_that_was_not(tmp_path: Path) -> None:
    with Store(tmp_path / "whole") as store:
        whole = weights(store, run_through(store, config(iterations=6, eval_every=0)))
    folder = tmp_path / "killed"
    rng = random.Random(1)
    arguments = [*FLAGS, "--name", "killed"]
    kills = 0
    while kills < 2:
        process = subprocess.Popen(
            command(folder, *arguments),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"NO_COLOR": "1"},
        )
        assert process.stderr is not None
        for line in process.stderr:  # it trains; then it is killed at some moment
            if line.startswith("iteration"):
                break
        try:
            process.wait(timeout=rng.uniform(0.0, 0.3))
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        process.wait()
        process.stderr.close()
        arguments = ["--resume", "killed"]
        with Store(folder) as store:
            assert store.check(full=True) == []
            if store.runs.find("killed").state == RunState.FINISHED:
                break
    subprocess.run(command(folder, "--resume", "killed"), check=True, capture_output=True)
    with Store(folder) as store:
        run = store.runs.find("killed")
        assert run.state == RunState.FINISHED
        assert store.games.count(run.id) == 72
        assert weights(store, run.id) == whole
