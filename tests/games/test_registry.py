import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spiel_bot import check_game, load, names
from spiel_bot.errors import GameOptionError, UnknownGameError

OWN_GAME = """
from spiel_bot import Game, load
import dataclasses

def my_game(target: int = 30) -> Game:
    pig = load("pig", target=target)
    return dataclasses.replace(pig, spec=dataclasses.replace(pig.spec, name="my_pig"))

ready = my_game()
numbers = [1, 2, 3]

def not_a_game():
    return 7

def needs(something):
    return something

def breaks():
    raise RuntimeError("no board today")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "my_module.py").write_text(OWN_GAME)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("my_module", "my_file", "my_broken", "my_needy"):
        sys.modules.pop(name, None)


def test_our_games_come_first() -> None:
    assert names()[:3] == ["tic_tac_toe", "pig", "race"]


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("tictactoe", "tic_tac_toe"), ("Tic-Tac-Toe", "tic_tac_toe"), ("pigs", "pig")],
)
def test_an_unknown_game_suggests_the_near_one(wrong: str, near: str) -> None:
    with pytest.raises(UnknownGameError, match=f"no game '{wrong}'; did you mean '{near}'"):
        load(wrong)


@pytest.mark.parametrize("wrong", ["", ":", "zzz", "zzz:", ":zzz"])
def test_an_unknown_game_without_a_near_one_lists_the_games(wrong: str) -> None:
    with pytest.raises(UnknownGameError, match=r"games: tic_tac_toe, pig, race.*module:attribute"):
        load(wrong)


def test_a_function_in_a_users_module_is_a_game(folder: Path) -> None:
    game = load("my_module:my_game", target=12)
    assert game.spec.options == {"target": 12}
    check_game(game, num_games=5)


def test_a_game_object_in_a_users_module_is_a_game(folder: Path) -> None:
    assert load("my_module:ready").spec.name == "my_pig"
    with pytest.raises(GameOptionError, match="takes no options, got target"):
        load("my_module:ready", target=3)


def test_a_users_file_is_found_by_its_path(folder: Path) -> None:
    path = folder / "my_file.py"
    path.write_text(OWN_GAME)
    assert load(f"{path}:my_game").spec.name == "my_pig"
    assert load(f"{path}:ready") is load(f"{path}:ready")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("my_module:numbers", "is a list; expected a Game or a function that returns one"),
        ("my_module:not_a_game", "returned a int; expected a function that returns a Game"),
        ("my_module:needs", "needs something; expected a Game, or a function"),
        ("my_module:my_gaem", r"has no 'my_gaem'; did you mean 'my_game'\?"),
        ("no_such_module:game", "no module 'no_such_module'"),
        ("no/such/file.py:game", "no file no/such/file.py; expected path/to/file.py:attribute"),
        ("json.py:game", "no file json.py"),
    ],
)
def test_what_is_not_a_game_is_refused_in_one_line(folder: Path, target: str, message: str) -> None:
    with pytest.raises(UnknownGameError, match=message) as caught:
        load(target)
    assert "\n" not in str(caught.value)


def test_a_module_that_fails_is_reported_in_one_line(folder: Path) -> None:
    (folder / "my_broken.py").write_text("x = 1 / 0")
    with pytest.raises(UnknownGameError, match="could not be imported: ZeroDivisionError"):
        load("my_broken:game")
    with pytest.raises(UnknownGameError, match="could not be imported: ZeroDivisionError"):
        load(f"{folder / 'my_broken.py'}:game")
    (folder / "my_needy.py").write_text("import no_such_library")
    with pytest.raises(UnknownGameError, match="my_needy needs the module 'no_such_library'"):
        load("my_needy:game")


def test_a_file_named_like_a_loaded_module_is_refused(folder: Path) -> None:
    (folder / "json.py").write_text(OWN_GAME)
    with pytest.raises(UnknownGameError, match="name of a module that is already loaded"):
        load(f"{folder / 'json.py'}:my_game")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"targets": 5}, r"pig has no option 'targets'; did you mean 'target'\?"),
        ({"target": "many"}, "pig: expected a value like 100 for option target, got 'many'"),
        ({"target": True}, "pig: expected a value like 100 for option target, got True"),
        ({"target": 1.5}, "pig: expected a value like 100 for option target, got 1.5"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(GameOptionError, match=message):
        load("pig", **options)


def test_a_function_that_fails_is_reported_in_one_line(folder: Path) -> None:
    with pytest.raises(GameOptionError, match="no options: RuntimeError: no board today"):
        load("my_module:breaks")


def test_an_installed_package_adds_a_game(folder: Path) -> None:
    # What pip writes for an installed distribution with an entry point.
    record = folder / "my_package-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("[spiel_bot.games]\nmy_pig = my_module:my_game\n")
    assert "my_pig" in names()
    assert load("my_pig", target=9).spec.options == {"target": 9}
