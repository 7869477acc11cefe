import json
from pathlib import Path

import onnx
import pytest
from tests.cli.runner import Run
from tests.networks.nets import CONFIGS, trained

from spiel_bot import load
from spiel_bot.networks.checkpoint import write_checkpoint
from spiel_bot.networks.inference import OnnxEvaluator


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "net.safetensors"
    write_checkpoint(path, trained(CONFIGS["all"], load("tic_tac_toe").spec))
    return path


@pytest.mark.parametrize("precision", ["int8", "float"])
def test_a_checkpoint_becomes_an_onnx_file(run: Run, checkpoint: Path, precision: str) -> None:
    out = checkpoint.with_name("net.onnx")
    result = run("export", str(checkpoint), str(out), "--precision", precision)
    assert result.code == 0, result.err
    for line in ("game: tic_tac_toe", "network: conv", f"precision: {precision}"):
        assert line in result.out.splitlines()
    assert OnnxEvaluator.from_onnx(out).for_game(load("tic_tac_toe")).precision == precision
    names = [output.name for output in onnx.load(out).graph.output]
    assert names[:3] == ["logits", "value", "auxiliary_next_hole"]
    assert names[3:] == ["auxiliary_next_points", "auxiliary_corner"]


def test_what_it_holds_is_told_as_json(run: Run, checkpoint: Path) -> None:
    out = checkpoint.with_name("net.onnx")
    figures = json.loads(run("export", str(checkpoint), str(out), "--json").out)
    assert figures["bytes"] == out.stat().st_size
    assert figures["training_step"] == 0
    assert figures["precision"] == "float"


def test_bad_files_are_one_line(run: Run, checkpoint: Path) -> None:
    for arguments, message in (
        (["none", "x.onnx"], "cannot read none"),
        ([str(checkpoint), "/no/such/folder/x.onnx"], "cannot write /no/such/folder/x.onnx"),
    ):
        result = run("export", *arguments)
        assert result.code == 2
        assert result.err.count("\n") == 1
        assert message in result.err
