"""load(name): a game of ours, of an installed package, or in a user's own file."""

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from spiel_bot.errors import GameOptionError, SpielBotError, UnknownGameError
from spiel_bot.games.base import Game
from spiel_bot.games.catalogue import find, names


def load(name: str, /, **options: Any) -> Game:
    """Return a game.

    Args:
        name: A name from `names()`, ``module:attribute``, or ``path/to/file.py:attribute``.
            The attribute is a `Game` or a function that returns one.
        **options: Passed to that function, such as ``load("pig", target=50)``.

    Raises:
        UnknownGameError: There is no such game; a near name is suggested.
        GameOptionError: The game does not take such an option or value.
    """
    if not isinstance(name, str):
        raise UnknownGameError(f"expected the name of a game as text, got {name!r}")
    target = find(name) or name
    place, _, attribute = target.rpartition(":")  # from the right: a Windows path holds a colon
    if target.endswith(".py"):
        raise UnknownGameError(
            f"expected {target}:attribute, the game in that file, got {target!r}"
        )
    if not place or not attribute:
        raise UnknownGameError(f"no game {name!r}; {_suggest(name)}")
    module = _import(place)
    if not hasattr(module, attribute):
        raise UnknownGameError(
            f"{place} has no {attribute!r}; {_near(attribute, _games_in(module), 'games in it')}"
        )
    return _make(target, getattr(module, attribute), options)


def _make(target: str, maker: Any, options: dict[str, Any]) -> Game:
    if isinstance(maker, Game):
        if options:
            raise GameOptionError(f"{target} takes no options, got {', '.join(options)}")
        return maker
    if not callable(maker):
        raise UnknownGameError(
            f"{target} is a {type(maker).__name__}; expected a Game or a function that returns one"
        )
    _check_options(target, maker, options)
    try:
        game = maker(**options)
    except SpielBotError:
        raise
    except (Exception, SystemExit) as error:
        given = f"options {options}" if options else "no options"
        raise GameOptionError(
            f"{target} failed with {given}: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(game, Game):
        raise UnknownGameError(
            f"{target} returned a {type(game).__name__}; expected a function that returns a Game"
        )
    return game


def _check_options(target: str, maker: Any, options: dict[str, Any]) -> None:
    """Refuse unknown options, and values that are not of the default's type."""
    try:
        parameters = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        return
    plain = {
        name: parameter.default
        for name, parameter in parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }
    missing = [
        name
        for name, default in plain.items()
        if default is inspect.Parameter.empty and name not in options
    ]
    if missing:
        raise UnknownGameError(
            f"{target} needs {', '.join(missing)}; expected a Game, or a function that returns one "
            "and whose options have defaults"
        )
    takes_any = len(plain) < len(parameters)
    for option, value in options.items():
        if option in plain:
            _check_value(target, option, plain[option], value)
        elif not takes_any:
            raise GameOptionError(
                f"{target.rpartition(':')[2]} has no option {option!r}; "
                + _near(option, list(plain), "options")
            )


def _check_value(target: str, option: str, default: Any, value: Any) -> None:
    if default is None or default is inspect.Parameter.empty:
        return
    fits = isinstance(value, type(default))
    fits |= isinstance(default, float) and isinstance(value, int)
    if not fits or isinstance(value, bool) != isinstance(default, bool):
        raise GameOptionError(
            f"{target.rpartition(':')[2]}: expected a value like {default!r} "
            f"for option {option}, got {value!r}"
        )


def _import(place: str) -> ModuleType:
    """Import a module by name or by path; anything that goes wrong becomes one line."""
    try:
        if place.endswith(".py"):
            return _import_file(Path(place))
        return importlib.import_module(place)
    except SpielBotError:
        raise
    except ModuleNotFoundError as error:
        if error.name == place:
            raise UnknownGameError(f"no module {place!r}; {_suggest(place)}") from error
        raise UnknownGameError(f"{place} needs the module {error.name!r}: {error}") from error
    except (Exception, SystemExit) as error:
        raise UnknownGameError(
            f"{place} could not be imported: {type(error).__name__}: {error}"
        ) from error


def _import_file(path: Path) -> ModuleType:
    """Import a file under a name of its own, and again when it has been edited.

    Two folders may each have a nim.py. Modules beside the file can be imported by it, as
    beside a script.
    """
    resolved = path.expanduser().resolve()
    if not resolved.is_file():
        raise UnknownGameError(f"no file {path}; expected path/to/file.py:attribute")
    content = resolved.read_bytes()
    digest = hashlib.sha256(str(resolved).encode() + b"\0" + content).hexdigest()[:12]
    name = f"{resolved.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    folder = str(resolved.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    spec = importlib.util.spec_from_file_location(name, resolved)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _games_in(module: ModuleType) -> list[str]:
    """Return the names of games in a module, and of functions that say they return one."""
    found = []
    for name, value in vars(module).items():
        is_local = inspect.isfunction(value) and value.__module__ == module.__name__
        if isinstance(value, Game) or (
            is_local and value.__annotations__.get("return") in (Game, "Game")
        ):
            found.append(name)
    return found


def _suggest(name: str) -> str:
    return _near(name, names(), "games") + "; your own: module:attribute or file.py:attribute"


def _near(name: str, known: list[str], what: str) -> str:
    matches = difflib.get_close_matches(name.lower().replace("-", "_"), known, n=1, cutoff=0.5)
    listed = ", ".join(known) or "none"
    return f"did you mean {matches[0]!r}? ({what}: {listed})" if matches else f"{what}: {listed}"
