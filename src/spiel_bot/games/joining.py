"""The rules inside other kernels: one source that is compiled for each game.

A kernel that is to work with any game imports the stand-ins below and calls them; `join_rules`
gives a copy of it for one game, in which their names mean the kernels of that game. A search or a
worker then needs one call, and the GIL once, where it would need a dozen.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from spiel_bot._jit import kernel, specialise
from spiel_bot.games.base import Actions, Floats, Game, Players, Probabilities, States

F = TypeVar("F", bound=Callable[..., Any])


def join_rules(template: F, game: Game) -> F:
    """Return a kernel that calls stand-ins of this file as a kernel of one game."""
    source: Any = getattr(template, "py_func", template)
    called = [name for name in STAND_INS if name in source.__code__.co_names]
    rules = {name: getattr(game, name) for name in called}
    return specialise(template, **{name: rule for name, rule in rules.items() if rule is not None})


# As they stand they do nothing: a game without dice keeps the last two.


@kernel
def current_player_many(states: States, out: Players) -> None:
    """Write who acts."""


@kernel
def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
    """Write the legal actions."""


@kernel
def apply_many(states: States, actions: Actions) -> None:
    """Play an action in each position."""


@kernel
def observe_many(states: States, players: Players, out: Floats) -> None:
    """Write what players see."""


@kernel
def returns_many(states: States, out: Floats) -> None:
    """Write the returns."""


@kernel
def chance_probabilities_many(states: States, out: Probabilities) -> None:
    """Write the probabilities of outcomes."""


@kernel
def apply_chance_many(states: States, outcomes: Actions) -> None:
    """Let an outcome happen in each position."""


STAND_INS = (
    "current_player_many",
    "legal_actions_many",
    "apply_many",
    "observe_many",
    "returns_many",
    "chance_probabilities_many",
    "apply_chance_many",
)
