"""Kills a training run again and again, and compares it with the run that was left alone.

    python -m tests.cluster.kills 20 [SEED]

kills at twenty random moments, from the first second of the process to its last iterations, in
self-play, learning, storing and matches, with one worker and with several in turn.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import safetensors.numpy

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.local import begin_run, train
from spiel_bot.settings import from_plain
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store

GAMES = 24
SETTINGS: dict[str, Any] = {
    "game": "race",
    "iterations": 12,
    "games": GAMES,
    "steps": 4,
    "workers": 2,
    "eval_every": 2,
    "eval_pairs": 8,
    "gate": True,  # what plays then depends on matches too
    "alphazero": {
        "network": {"hidden_sizes": [16]},
        "selfplay": {"games_at_once": 8, "cheap_simulations": 2, "search": {"n_simulations": 4}},
        "learner": {"batch_size": 16},
    },
}
LONGEST_WAIT = 1.5
"""Seconds between a sign of life and the kill, at most."""


def settings(iterations: int) -> TrainConfig:
    return from_plain(TrainConfig(), SETTINGS | {"iterations": iterations})


def left_alone(folder: Path, config: TrainConfig) -> tuple[Any, ...]:
    """Train a run without a kill; return all that came of it."""
    with Store(folder) as store:
        run = begin_run(store, config, "killed")
        with Control(store, run.id) as control:
            train(store, run, config, control, lambda kind, figures: None)
        return everything(store)


def everything(store: Store) -> tuple[Any, ...]:
    """Return games, matches and the weights to the last bit."""
    run = store.runs.find("killed")
    games = [
        (record.number, record.events.tobytes(), record.root_values.tobytes())
        for shard in store.games.shards(run.id)
        for record in store.games.read_shard(shard)
    ]
    matches = [
        (match.iteration, match.second, match.wins, match.losses)
        for match in store.matches.all(run.id)
    ]
    arrays = safetensors.numpy.load(store.checkpoints.read_labelled(run.id)[1])
    best = store.checkpoints.find(run.id, "best").iteration
    weights = {name: array.tobytes() for name, array in arrays.items()}
    return run.state, sorted(games), matches, best, weights


def command(folder: Path, workers: int) -> list[str]:
    flags = ["train", "--resume", "killed", "--store", str(folder), "--workers", str(workers)]
    return [sys.executable, "-m", "spiel_bot", *flags]


def kill_once(folder: Path, rng: random.Random) -> bool:
    """Go on with the run and kill it at some moment; return whether it lived until then."""
    process = subprocess.Popen(
        command(folder, rng.choice([1, 2, 3])),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
    )
    assert process.stderr is not None
    if rng.random() < 0.8:  # else while it starts
        for line in process.stderr:
            if line.startswith("iteration"):
                break
    try:
        process.wait(timeout=rng.uniform(0.0, LONGEST_WAIT) ** 2)
    except subprocess.TimeoutExpired:
        process.kill()
    process.wait()
    process.stderr.close()
    return process.returncode < 0


def kill_often(
    folder: Path, kills: int, seed: int, say: Callable[[str], None] = lambda line: None
) -> None:
    """Kill runs until so many kills are done; each must end as the one that was left alone.

    Raises:
        AssertionError: Something was lost.
    """
    rng = random.Random(seed)
    config = settings(12)
    expected = left_alone(folder / "whole", config)
    done, number = 0, 0
    while done < kills:
        number += 1
        part = folder / f"killed-{number}"
        with Store(part) as store:
            run = begin_run(store, config, "killed")
            store.runs.set_state(run.id, RunState.INTERRUPTED)
        state = RunState.INTERRUPTED
        while state != RunState.FINISHED:
            if done < kills:
                done += kill_once(part, rng)
            else:
                subprocess.run(command(part, 2), check=True, capture_output=True)
            with Store(part) as store:
                assert store.check(full=True) == []
                state = store.runs.find("killed").state
                iterations = len(store.iterations.all(1))
            say(f"run {number}: {done} kills, {iterations} iterations, {state}")
        with Store(part) as store:
            assert everything(store) == expected
        say(f"run {number} is the run that was left alone")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        kill_often(
            Path(name),
            kills=int(sys.argv[1]),
            seed=int((sys.argv[2:] or ["1"])[0]),
            say=lambda line: print(line, flush=True),  # noqa: T201
        )
