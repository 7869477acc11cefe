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


def test_files_of_one_name_in_two_folders_are_two_games(folder: Path) -> None:
    for number in (1, 2):
        (folder / str(number)).mkdir()
        game = OWN_GAME.replace("my_pig", f"my_pig_{number}")
        (folder / str(number) / "json.py").write_text(game)
    for number in (1, 2):
        path = folder / str(number) / "json.py"
        assert load(f"{path}:my_game").spec.name == f"my_pig_{number}"


def test_an_edited_file_is_loaded_anew(folder: Path) -> None:
    path = folder / "my_file.py"
    path.write_text(OWN_GAME)
    assert load(f"{path}:my_game").spec.name == "my_pig"
    path.write_text(OWN_GAME.replace("my_pig", "my_boar"))
    assert load(f"{path}:my_game").spec.name == "my_boar"


def test_a_file_may_import_its_neighbour(folder: Path) -> None:
    place = folder / "away"
    place.mkdir()
    (place / "my_neighbour.py").write_text("TARGET = 44\n")
    text = OWN_GAME.replace("import dataclasses", "import dataclasses\nimport my_neighbour")
    path = place / "my_file.py"
    path.write_text(text.replace("int = 30", "int = my_neighbour.TARGET"))
    assert load(f"{path}:my_game").spec.options == {"target": 44}
    sys.modules.pop("my_neighbour")
    sys.path.remove(str(place))


def test_a_module_that_exits_is_reported(folder: Path) -> None:
    (folder / "my_broken.py").write_text("import sys; sys.exit()")
    with pytest.raises(UnknownGameError, match="could not be imported: SystemExit"):
        load("my_broken:game")


@pytest.mark.parametrize("name", [None, 5, b"pig", ["pig"]])
def test_a_name_that_is_no_text_is_refused(name: object) -> None:
    with pytest.raises(UnknownGameError, match="expected the name of a game as text"):
        load(name)  # type: ignore[arg-type]


def test_a_file_without_attribute_is_told_what_is_missing(folder: Path) -> None:
    with pytest.raises(UnknownGameError, match=r"expected my_module\.py:attribute"):
        load("my_module.py")


def test_an_option_may_be_called_name(folder: Path) -> None:
    (folder / "my_file.py").write_text(
        OWN_GAME.replace("target: int = 30", "name: str = 'x'").replace(
            "target=target", "target=30"
        )
    )
    assert load(f"{folder / 'my_file.py'}:my_game", name="y").spec.name == "my_pig"


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
