"""import-linter must fail when a forbidden import is added: each kind is tried on a copy."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    # The copy comes first on the path, so that the checker does not read the installed package.
    code = (
        "import sys; sys.path.insert(0, 'src'); "
        "from importlinter.cli import lint_imports_command; lint_imports_command()"
    )
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_package_keeps_its_layers(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("games/pig.py", "from spiel_bot.cli import main"),
        ("rng.py", "from spiel_bot.games import base"),
        ("errors.py", "from spiel_bot import _jit"),
        ("games/pig.py", "import numba"),
        ("cli/bench.py", "import numba"),
        ("games/race.py", "import torch"),
        ("games/base.py", "import typer"),
        ("__main__.py", "import numba"),
        ("cli/main.py", "import torch"),
        ("games/pig.py", "import pyspiel"),
        ("cli/games.py", "import gymnasium"),
        ("adapters/aec.py", "from spiel_bot.cli import main"),
        ("networks/mlp.py", "import torch"),
        ("networks/inference.py", "from spiel_bot.networks.pytorch import torch"),
        ("networks/inference.py", "import onnxruntime"),
        ("search/batch.py", "import onnx"),
        ("storage/store.py", "from spiel_bot.games import base"),
        ("storage/shards.py", "from spiel_bot import rng"),
    ],
)
def test_a_forbidden_import_is_found(copy: Path, file: str, line: str) -> None:
    path = copy / "src" / "spiel_bot" / file
    path.write_text(path.read_text() + f"\n{line}\n")
    done = lint(copy)
    assert done.returncode == 1, done.stdout
    assert "0 broken" not in done.stdout
    assert f"spiel_bot.{file[:-3].replace('/', '.')} -> {line.split()[1]}" in done.stdout


def test_a_new_module_must_be_given_its_layer(copy: Path) -> None:
    (copy / "src" / "spiel_bot" / "training.py").write_text("from spiel_bot import cli\n")
    done = lint(copy)
    assert done.returncode == 1, done.stdout
    assert "spiel_bot.training" in done.stdout


def test_a_file_that_comes_later_is_checked_at_once(copy: Path) -> None:
    later = copy / "src" / "spiel_bot" / "web" / "later.py"
    later.write_text("import numba\nfrom spiel_bot import cli\n")
    done = lint(copy)
    assert done.returncode == 1, done.stdout
    assert "spiel_bot.web.later -> numba" in done.stdout
    assert "spiel_bot.web.later -> spiel_bot.cli" in done.stdout
