"""The documents' own code is run: what a newcomer copies must work as shown."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spiel_bot import __version__
from spiel_bot.games.game_file_reader import parse_game

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PLAYED = """1>7 1>4
why 7>12 1>2
hint
4>9>10
1>7 1>3
7>11 7>11
1>4 3>4
4>8>11
1>6>10
go
1>4 1>4
4>9>10
1>5 4>8
save my_game.txt
quit
"""
"""What was typed in the game of docs/play.md."""


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text()
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def commands(console: str) -> list[tuple[str, list[str]]]:
    """Return each command of a console block with the output shown for it."""
    found: list[tuple[str, list[str]]] = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line.rstrip())
    return found


@pytest.mark.slow
@pytest.mark.compiled
def test_the_newcomers_game_works_as_the_document_says(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text("\n\n".join(blocks("docs/add_a_game.md", "python")))
    here = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": here + os.pathsep + os.environ["PATH"], "NO_COLOR": "1"}
    for console in blocks("docs/add_a_game.md", "console"):
        for command, expected in commands(console):
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            assert "warning" not in done.stderr.lower()
            for line in expected:
                assert line.removesuffix("...").rstrip() in done.stdout


def test_the_readmes_program_runs() -> None:
    (program,) = blocks("README.md", "python")
    names: dict[str, Any] = {}
    exec(program.replace("print(", "shown = ("), names)
    assert names["state"].is_terminal
    assert names["shown"] == (names["state"], names["state"].returns)


@pytest.mark.parametrize("document", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_readme_names_the_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for document in ("README.md", "CONTRIBUTING.md"):
        named = re.findall(r"`make ([a-z-]+)`", (ROOT / document).read_text())
        named += re.findall(r"^make ([a-z-]+)", (ROOT / document).read_text(), re.MULTILINE)
        assert named
        assert set(named) <= targets


def test_the_changelog_has_the_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("document", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")))
def test_no_document_waits_for_a_figure(document: Path) -> None:
    assert not re.search(r"@[A-Z]+@|TODO|XXX", document.read_text())


@pytest.mark.slow
@pytest.mark.compiled
def test_the_commands_of_the_trictrac_page_run() -> None:
    for console in blocks("docs/trictrac.md", "console"):
        for command, _ in commands(console):
            tool = f"{Path(sys.executable).parent / 'spiel-bot'}"
            line = command.replace("spiel-bot", tool, 1)
            done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
    (program,) = blocks("docs/trictrac.md", "python")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0] == "8"


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("program", blocks("docs/adapters.md", "python"))
def test_the_programs_of_the_adapters_page_run(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_programs_of_the_search_document_run_and_find_what_they_say() -> None:
    names: dict[str, Any] = {}
    for program in blocks("docs/search.md", "python"):
        exec(program, names)
    assert names["result"].simulations.tolist() == [100]


def test_the_game_of_the_game_files_page_is_one_and_its_program_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (text,) = blocks("docs/game_files.md", "text")
    assert parse_game(text).tags == {"date": "2026-11-20"}
    monkeypatch.chdir(ROOT)
    (program,) = blocks("docs/game_files.md", "python")
    exec(program, {})
    assert "\nblack spiel_bot game file 1\n" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.compiled
def test_the_game_of_the_play_page_goes_as_shown(tmp_path: Path) -> None:
    command = blocks("docs/play.md", "console")[1].strip().removeprefix("$ spiel-bot ")
    done = subprocess.run(
        [sys.executable, "-m", "spiel_bot", *shlex.split(command)],
        input=PLAYED,
        cwd=tmp_path,
        env=os.environ
        | {"SPIEL_BOT_STORE": str(tmp_path / "store"), "NO_COLOR": "1", "COLUMNS": "80"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    for shown in blocks("docs/play.md", "text"):
        assert shown in done.stdout
    assert (tmp_path / "my_game.txt").exists()
