from dataclasses import dataclass, field
from typing import Literal

import pytest

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.errors import SettingsError
from spiel_bot.search.config import MctsConfig
from spiel_bot.settings import from_plain, nested, settings_of, to_plain


@dataclass(frozen=True)
class Inner:
    """Inside."""

    rate: float = 0.5
    """How fast,
    in two lines."""

    mode: Literal["a", "b"] = "a"
    """Which."""


@dataclass(frozen=True)
class Outer:
    """Outside."""

    inner: Inner = field(default_factory=Inner)

    lambda_: float = 1.0
    """Python's word."""

    sizes: tuple[int, ...] = (512, 256)
    """Sizes."""

    limit: float | None = None
    """A limit."""

    is_on: bool = False
    """A switch."""


def test_settings_have_keys_with_dots_and_the_sentence_under_their_field() -> None:
    found = {setting.key: setting for setting in settings_of(Outer())}
    assert list(found) == ["inner.rate", "inner.mode", "lambda", "sizes", "limit", "is_on"]
    assert found["inner.rate"].help == "How fast, in two lines."
    assert found["sizes"].default == (512, 256)


def test_every_field_of_the_search_has_its_sentence() -> None:
    assert all(setting.help.endswith(".") for setting in settings_of(MctsConfig()))


def test_plain_values_come_back_as_they_were() -> None:
    config = Outer(Inner(0.25, "b"), 0.7, (64,), 3.0, True)
    assert from_plain(Outer(), to_plain(config)) == config


def test_texts_of_the_command_line_become_values() -> None:
    flat = {
        "inner.rate": "2",
        "inner.mode": "b",
        "sizes": "64, 32",
        "limit": "none",
        "is_on": "yes",
        "lambda": "0.7",
    }
    found = from_plain(Outer(limit=1.0), nested(flat))
    assert found == Outer(Inner(2.0, "b"), 0.7, (64, 32), None, True)


@pytest.mark.parametrize(
    ("flat", "message"),
    [
        ({"inner.rat": 1}, "unknown setting 'inner.rat'; did you mean 'inner.rate'?"),
        ({"zzz": 1}, "unknown setting 'zzz'; expected one of inner, lambda"),
        ({"inner": 3}, "inner: expected a table of settings, got 3"),
        ({"inner.rate": "fast"}, "inner.rate: expected a number, got 'fast'"),
        ({"inner.mode": "c"}, "inner.mode: expected a or b, got 'c'"),
        ({"is_on": 1}, "is_on: expected true or false, got 1"),
        ({"sizes": ["x"]}, "sizes: expected a whole number, got 'x'"),
        ({"limit": True}, "limit: expected a number or none, got True"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(flat: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        from_plain(Outer(), nested(flat))
    assert str(caught.value).startswith(message)


def test_a_configuration_refuses_its_own_impossible_values() -> None:
    with pytest.raises(SettingsError, match="n_simulations: expected at least 1, got 0"):
        from_plain(MctsConfig(), {"n_simulations": 0})


def test_parts_of_a_list_may_have_commas_where_semicolons_part_them() -> None:
    settings = from_plain(TrainConfig(), {"ladder": "random; expert,plies=1"})
    assert settings.ladder == ("random", "expert,plies=1")
    assert from_plain(TrainConfig(), {"ladder": "random, greedy"}).ladder == ("random", "greedy")
