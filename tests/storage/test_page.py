"""docs/run_store.md is true: its program runs, and its table is the schema."""

import re
from pathlib import Path

import pytest
from tests.test_docs import blocks, commands

from spiel_bot.cli.main import main
from spiel_bot.storage.migrations import schema

PAGE = "docs/run_store.md"


def test_the_program_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (program,) = blocks(PAGE, "python")
    exec(program, {})
    assert capsys.readouterr().out == "100 b'weights' {'elo': 20.0, 'loss': 0.5}\n"
    monkeypatch.setenv("SPIEL_BOT_STORE", "my_store")
    for console in blocks(PAGE, "console"):
        for command, _ in commands(console):
            words = command.partition("#")[0].split()[1:]
            if "--number" in words or "delete" in words:  # the example has neither
                continue
            with pytest.raises(SystemExit) as ended:
                main(words)
            assert ended.value.code == 0, capsys.readouterr().err
    assert (tmp_path / "chart.svg").exists()


def test_the_page_names_every_table() -> None:
    page = (Path(__file__).parents[2] / PAGE).read_text()
    named = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert named == set(re.findall(r"CREATE TABLE (\w+)", schema()))
