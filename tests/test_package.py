import tomllib
from pathlib import Path

import pytest

import spiel_bot
from spiel_bot import load

ROOT = Path(__file__).parents[1]


def test_every_public_name_is_there() -> None:
    for name in spiel_bot.__all__:
        assert getattr(spiel_bot, name) is not None
    assert dir(spiel_bot) == sorted(spiel_bot.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'spiel_bot' has no attribute 'lode'"):
        spiel_bot.lode  # noqa: B018


def test_the_package_is_typed() -> None:
    assert (Path(spiel_bot.__file__).parent / "py.typed").exists()


def test_a_game_is_shown_as_it_is_loaded() -> None:
    assert repr(load("pig", target=30)) == "Game('pig', target=30)"
    assert repr(load("tic_tac_toe")) == "Game('tic_tac_toe')"


def test_every_dependency_is_pinned_for_ci() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        wanted += extra
    names = {requirement.partition(">")[0].replace("-", "_").lower() for requirement in wanted}
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {line.partition("==")[0].replace("-", "_").lower() for line in lines}
    assert names <= pinned
