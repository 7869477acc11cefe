"""What lies in examples/ runs; the training example is tested with its adapter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.streams import Output, joined_streams

from spiel_bot.games.game_file import game_text
from spiel_bot.games.game_file_reader import read_game_file

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.compiled
def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    # In a process of its own: the libraries of notebooks warn about each other.
    done = subprocess.run(
        [sys.executable, "-m", "tests.notebooks", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    fresh, stored = (
        json.loads((folder / "trictrac.ipynb").read_text())
        for folder in (tmp_path, ROOT / "examples")
    )
    for new, old in zip(fresh["cells"], stored["cells"], strict=True):
        # The kinds of output and not their text, which may follow the versions of libraries.
        kinds = [
            [(output["output_type"], output.get("name")) for output in cell.get("outputs", [])]
            for cell in (new, old)
        ]
        assert kinds[0] == kinds[1], f"run python -m tests.notebooks: cell {new['id']} is stale"


def test_what_a_slow_cell_prints_in_parts_is_one_output() -> None:
    printed: list[Output] = [
        {"output_type": "stream", "name": "stdout", "text": "a"},
        {"output_type": "stream", "name": "stdout", "text": "b"},
        {"output_type": "stream", "name": "stderr", "text": "c"},
        {"output_type": "display_data", "data": {}},
        {"output_type": "stream", "name": "stdout", "text": "d"},
    ]
    assert joined_streams(printed) == [
        {"output_type": "stream", "name": "stdout", "text": "ab"},
        *printed[2:],
    ]
    assert printed[0]["text"] == "a"


def test_the_notebook_shows_boards_and_no_errors() -> None:
    notebook = json.loads((ROOT / "examples" / "trictrac.ipynb").read_text())
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) == 2
    assert not [output for output in outputs if output["output_type"] == "error"]


def test_the_example_game_is_replayed_and_written_the_same() -> None:
    path = ROOT / "examples" / "short_game.txt"
    played = read_game_file(path)
    assert (played.result, played.last().record["holes"].tolist()) == ("black", [11, 12])
    assert game_text(played) == path.read_text()
