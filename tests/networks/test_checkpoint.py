import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from tests.networks.nets import CONFIGS, spec_of, trained

from spiel_bot import __version__, load
from spiel_bot.errors import CheckpointError
from spiel_bot.games.base import Game
from spiel_bot.networks.checkpoint import (
    HASH_KEY,
    HEADER_KEY,
    Checkpoint,
    fingerprint,
    read_checkpoint,
    write_checkpoint,
)
from spiel_bot.networks.header import Header
from spiel_bot.networks.initial import initial_checkpoint


@pytest.fixture
def checkpoint() -> Checkpoint:
    made = trained(CONFIGS["resnet"], load("pig", target=50).spec)
    return Checkpoint(made.header.replace(step=7), made.arrays)


def one_line(error: pytest.ExceptionInfo[CheckpointError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def with_header(path: Path, checkpoint: Checkpoint, header: str) -> Path:
    metadata = {HEADER_KEY: header, HASH_KEY: fingerprint(header, checkpoint.arrays)}
    path.write_bytes(safetensors.numpy.save(checkpoint.arrays, metadata))
    return path


@pytest.mark.parametrize("name", CONFIGS)
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    written = trained(CONFIGS[name], spec_of())
    write_checkpoint(tmp_path / "net", written)
    read = read_checkpoint(tmp_path / "net")
    assert read.header == written.header
    assert read.arrays.keys() == written.arrays.keys()
    for key, array in written.arrays.items():
        np.testing.assert_array_equal(read.arrays[key], array, strict=True)
    assert [path.name for path in tmp_path.iterdir()] == ["net"]


def test_the_header_says_what_the_weights_belong_to(checkpoint: Checkpoint) -> None:
    values = json.loads(checkpoint.header.as_json())
    assert values["game"] == "pig"
    assert values["options"] == {"target": 50}
    assert values["step"] == 7
    assert values["package_version"] == __version__
    assert values["network"]["architecture"] == "resnet"
    assert {"rules_version", "actions_version", "observation_version"} <= values.keys()


def test_a_file_cut_off_anywhere_is_refused(tmp_path: Path, checkpoint: Checkpoint) -> None:
    path = tmp_path / "net"
    write_checkpoint(path, checkpoint)
    whole = path.read_bytes()
    for length in (0, 4, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError) as caught:
            read_checkpoint(path)
        assert "damaged or cut off" in one_line(caught)


def test_a_flipped_bit_anywhere_is_noticed(tmp_path: Path, checkpoint: Checkpoint) -> None:
    path = tmp_path / "net"
    write_checkpoint(path, checkpoint)
    whole = path.read_bytes()
    for place in range(0, len(whole), 211):
        changed = bytearray(whole)
        changed[place] ^= 4
        path.write_bytes(changed)
        with pytest.raises(CheckpointError) as caught:
            read_checkpoint(path)
        one_line(caught)


def test_other_files_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(safetensors.numpy.save({"x": np.zeros(3)}))
    with pytest.raises(CheckpointError, match="without a spiel_bot header"):
        read_checkpoint(foreign)
    with pytest.raises(CheckpointError, match=r"cannot read .*No such file"):
        read_checkpoint(tmp_path / "none")
    with pytest.raises(CheckpointError, match="cannot read"):
        read_checkpoint(tmp_path)


def test_a_newer_format_is_named(tmp_path: Path, checkpoint: Checkpoint) -> None:
    header = checkpoint.header.replace(format_version=9, package_version="3.0").as_json()
    with pytest.raises(CheckpointError, match=r"format 9 \(written by spiel_bot 3\.0\)"):
        read_checkpoint(with_header(tmp_path / "net", checkpoint, header))


@pytest.mark.parametrize(
    "edit",
    [
        lambda header: header[:-1],
        lambda header: "[]",
        lambda header: header.replace('"num_actions"', '"nun_actions"'),
        lambda header: header.replace('"resnet"', '"restnet"'),
        lambda header: header.replace('"ranges": []', '"ranges": [1]'),
        lambda header: header.replace('"observation_shape": [4]', '"observation_shape": 4'),
    ],
)
def test_a_strange_header_is_one_line(
    tmp_path: Path, checkpoint: Checkpoint, edit: Callable[[str], str]
) -> None:
    path = with_header(tmp_path / "net", checkpoint, edit(checkpoint.header.as_json()))
    with pytest.raises(CheckpointError) as caught:
        read_checkpoint(path)
    assert "its header cannot be" in one_line(caught)


def test_arrays_must_be_those_of_the_network(tmp_path: Path, checkpoint: Checkpoint) -> None:
    header, arrays = checkpoint.header, checkpoint.arrays
    lacking = {name: array for name, array in arrays.items() if name != "trunk.stem.bias"}
    for changed, message in (
        (lacking, "lacks array trunk.stem.bias for its resnet"),
        (arrays | {"more": np.zeros(1)}, "has an unexpected array more"),
        (arrays | {"trunk.stem.bias": np.zeros(3)}, r"has shape \(3,\), expected \(24,\)"),
        (arrays | {"trunk.stem.bias": np.full(24, np.nan)}, "holds numbers that are not finite"),
    ):
        broken = Checkpoint(header, changed)
        with pytest.raises(CheckpointError, match=message):
            write_checkpoint(tmp_path / "net", broken)
        assert not list(tmp_path.iterdir())
        with pytest.raises(CheckpointError, match=message):
            read_checkpoint(with_header(tmp_path / "net", broken, header.as_json()))
        (tmp_path / "net").unlink()


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path, checkpoint: Checkpoint) -> None:
    with pytest.raises(CheckpointError, match="cannot write"):
        write_checkpoint(tmp_path / "none" / "net", checkpoint)


def changed_game(**changes: Any) -> Game:
    game = load("pig", target=50)
    return replace(game, spec=replace(game.spec, **changes))


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (load("race"), "net was trained for pig, expected race; choose a checkpoint of race"),
        (load("pig"), "pig with target=50, expected 100; load the game with target=50"),
        (changed_game(rules_version=2), "with pig rules version 1, this code has 2; use"),
        (changed_game(actions_version=3), "with pig actions version 1, this code has 3"),
        (changed_game(observation_version=4), "with pig observation version 1, this code has 4"),
        (changed_game(num_actions=5), "net has num actions 2, expected 5 of pig"),
    ],
)
def test_another_game_is_refused(checkpoint: Checkpoint, game: Game, message: str) -> None:
    checkpoint.header.expect_fits(load("pig", target=50), "net")
    with pytest.raises(CheckpointError) as caught:
        checkpoint.header.expect_fits(game, "net")
    assert message in one_line(caught)


def test_options_that_change_no_meaning_may_differ() -> None:
    header = Header.of(CONFIGS["mlp"], load("trictrac", start="random", max_plies=500).spec)
    header.expect_fits(load("trictrac"))
    with pytest.raises(CheckpointError, match="perspective=mover, expected white"):
        header.expect_fits(load("trictrac", perspective="white"))
    shorter = load("trictrac", holes_to_win=3)
    with pytest.raises(CheckpointError, match="holes_to_win=12, expected 3"):
        header.expect_fits(shorter)
    header.expect_fits(shorter, may_differ=["holes_to_win"])


def test_another_architecture_is_refused(checkpoint: Checkpoint) -> None:
    checkpoint.header.expect_network(CONFIGS["resnet"])
    for config, message in (
        (CONFIGS["mlp"], "architecture resnet, expected mlp; configure architecture resnet"),
        (CONFIGS["resnet"].replace(width=32), "width 24, expected 32"),
    ):
        with pytest.raises(CheckpointError, match=message):
            checkpoint.header.expect_network(config)


def test_the_first_weights_follow_from_the_seed() -> None:
    first, again, other = (
        initial_checkpoint(CONFIGS["conv"], spec_of(), seed).arrays for seed in (1, 1, 2)
    )
    assert all((first[name] == again[name]).all() for name in first)
    assert (first["trunk.stem.weight"] != other["trunk.stem.weight"]).any()


def test_playing_does_not_load_torch() -> None:
    code = (
        "import sys, spiel_bot.networks.inference, spiel_bot.networks.initial, "
        "spiel_bot.networks.sample, spiel_bot.search.batch, spiel_bot.cli.main; "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_torch_one_line_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from spiel_bot.errors import MissingExtraError\n"
        "try:\n    import spiel_bot.networks.network\n"
        "except MissingExtraError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1
    assert "pip install 'spiel-bot[train]'" in done.stdout
