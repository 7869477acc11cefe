"""Configurations as plain values: frozen dataclasses to and from mappings, files and flags.

A configuration is a frozen dataclass whose fields have a sentence under them, which is also
their help text; a field may be another configuration. Keys are written with dots, such as
``search.n_simulations``.
"""

import ast
import dataclasses
import difflib
import functools
import inspect
import itertools
import textwrap
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from spiel_bot.errors import SettingsError

Config = TypeVar("Config")


@dataclass(frozen=True, slots=True)
class Setting:
    """One value that can be set."""

    key: str
    """Its name, with dots."""

    kind: Any
    """Its type, as annotated."""

    default: Any
    """What it is if nobody says otherwise."""

    help: str
    """What it does."""


def settings_of(default: Any, prefix: str = "") -> Iterator[Setting]:
    """Yield every setting of a configuration, those of configurations inside it included."""
    config: Any = type(default)
    helps = field_helps(config)
    kinds = get_type_hints(config)
    for field in dataclasses.fields(default):
        value = getattr(default, field.name)
        key = prefix + public_name(field.name)
        if dataclasses.is_dataclass(value):
            yield from settings_of(value, key + ".")
        else:
            yield Setting(key, kinds[field.name], value, helps.get(field.name, ""))


def public_name(name: str) -> str:
    """Return a field's name as people write it: `lambda_` is only Python's way of ``lambda``."""
    return name.rstrip("_")


@functools.cache
def field_helps(config: type) -> dict[str, str]:
    """Return the sentence under each field of a dataclass, in one line."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(config)))
    body = tree.body[0].body  # type: ignore[attr-defined]
    helps = {}
    for pair in itertools.pairwise(body):
        match pair:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=text)),
            ):
                helps[name] = " ".join(str(text).split())
    return helps


def to_plain(config: Any) -> dict[str, Any]:
    """Return a configuration as nested mappings of plain values, for JSON and TOML."""
    plain: dict[str, Any] = {}
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if dataclasses.is_dataclass(value):
            value = to_plain(value)
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        plain[public_name(field.name)] = value
    return plain


def names_of(config: object) -> dict[str, str]:
    """Return the fields of a configuration by the names that people write."""
    return {public_name(field.name): field.name for field in dataclasses.fields(config)}  # type: ignore[arg-type]


def from_plain(default: Config, plain: Mapping[str, Any], where: str = "") -> Config:
    """Return a configuration with the values of nested mappings; what is left out stays.

    Args:
        default: The configuration to start from.
        plain: Values by name.
        where: Key of the mapping itself, for messages.

    Raises:
        SettingsError: A key is unknown, or a value has the wrong type.
    """
    names = names_of(default)
    kinds = get_type_hints(type(default))
    changes: dict[str, Any] = {}
    for key, value in plain.items():
        if key not in names:
            raise SettingsError(unknown_key(where + str(key), [where + name for name in names]))
        name = names[key]
        current = getattr(default, name)
        if dataclasses.is_dataclass(current):
            if not isinstance(value, Mapping):
                raise SettingsError(f"{where}{key}: expected a table of settings, got {value!r}")
            changes[name] = from_plain(current, value, f"{where}{key}.")
        else:
            changes[name] = converted(value, kinds[name], where + key)
    try:
        return dataclasses.replace(default, **changes)  # type: ignore[type-var]
    except SettingsError:
        raise
    except ValueError as error:
        raise SettingsError(f"{where}{error}") from error


def unknown_key(key: str, known: list[str]) -> str:
    """Return the message about a key that does not exist, with the nearest one that does."""
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
    return f"unknown setting {key!r}; {hint}"


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Turn keys with dots into nested mappings."""
    tree: dict[str, Any] = {}
    for key, value in flat.items():
        *parents, last = key.split(".")
        place = tree
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = value
    return tree


def converted(value: Any, kind: Any, key: str) -> Any:
    """Return a plain value as its field wants it.

    Raises:
        SettingsError: It cannot be one.
    """
    if fits(value, kind):
        return float(value) if kind is float else value
    if isinstance(value, list) and get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return tuple(converted(one, inner, key) for one in value)
    if isinstance(value, str):
        return parsed(value, kind, key)
    raise SettingsError(f"{key}: expected {kind_text(kind)}, got {value!r}")


def fits(value: Any, kind: Any) -> bool:
    """Return whether a plain value is of an annotated type."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in get_args(kind))
    if origin is Literal:
        return value in get_args(kind)
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(one, get_args(kind)[0]) for one in value)
    if kind in (int, float):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    plain = origin or kind  # such as Mapping, of Mapping[str, Any]
    return kind is Any or (isinstance(plain, type) and isinstance(value, plain))


def parsed(text: str, kind: Any, key: str) -> Any:
    """Return the value a text on the command line means.

    Raises:
        SettingsError: It means none of this type.
    """
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    candidates: list[Any] = [text]
    if text.lower() in words:
        candidates.append(words[text.lower()])
    if text.lower() in ("none", ""):
        candidates.append(None)
    for number in (int, float):
        try:
            candidates.append(number(text.replace("_", "")))
        except ValueError:
            continue
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        separator = ";" if ";" in text else ","  # a part may have commas of its own
        parts = [part.strip() for part in text.split(separator) if part.strip()]
        return tuple(converted(part, inner, key) for part in parts)
    for candidate in reversed(candidates):
        if fits(candidate, kind):
            return float(candidate) if kind is float else candidate
    raise SettingsError(f"{key}: expected {kind_text(kind)}, got {text!r}")


def kind_text(kind: Any) -> str:
    """Return the name of a type for people."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(kind_text(one) for one in get_args(kind))
    if origin is Literal:
        return " or ".join(str(value) for value in get_args(kind))
    if origin is tuple:
        return f"a list of {kind_text(get_args(kind)[0])}"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    return "none" if kind is type(None) else names.get(kind, str(kind))
