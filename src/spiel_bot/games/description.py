"""The clauses of the game contract about a game's description: spec, record and kernels."""

import json
import re
from typing import Any, NoReturn

import numpy as np

from spiel_bot.errors import ContractError
from spiel_bot.games.base import Game, State
from spiel_bot.games.clauses import CLAUSES

LARGEST_ROW = 1_000_000
"""No observation, list of actions or list of outcomes is longer."""


class DescriptionChecker:
    """Checks what a game says of itself before it is played; the clauses are methods."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def check_description(self) -> None:
        self.check_spec()
        self.check_state_dtype(self.game.initial_state)
        self.check_chance_kernels()

    def fail(self, clause: str, found: str, state: State | None = None) -> NoReturn:
        where = ""
        if state is not None:
            try:
                where = f" in {self.game.to_text(state)!r}"
            except Exception:  # the notation itself may be what is broken
                where = f" in {state!r}"
        name = getattr(self.game.spec, "name", "the game")
        raise ContractError(
            f"{name} breaks the clause '{clause}' ({CLAUSES[clause]}): {found}{where}"
        )

    def check_spec(self) -> None:
        spec = self.game.spec
        if not isinstance(spec.name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", spec.name):
            self.fail("spec", f"the name {spec.name!r} is not lower case with underscores")
        for name, least, most in (
            ("num_actions", 1, LARGEST_ROW),
            ("max_legal_actions", 1, LARGEST_ROW),
            ("num_chance_outcomes", 0, LARGEST_ROW),
            ("max_plies", 0, 2**40),
            ("rules_version", 1, 2**31),
            ("actions_version", 1, 2**31),
            ("observation_version", 1, 2**31),
        ):
            value = getattr(spec, name)
            if type(value) is not int or not least <= value <= most:
                self.fail("spec", f"{name} is {value!r}, expected a whole number from {least}")
        if spec.max_legal_actions > spec.num_actions:
            self.fail("spec", "max_legal_actions is greater than num_actions")
        shape: Any = spec.observation_shape
        sizes = shape if isinstance(shape, tuple) else ()
        if not sizes or not all(type(size) is int and size > 0 for size in sizes):
            self.fail("spec", f"observation_shape is {shape!r}, expected sizes from 1")
        if spec.observation_size > LARGEST_ROW:
            self.fail("spec", f"an observation has more than {LARGEST_ROW} features")
        for name in ("observation_range", "return_range"):
            self.check_range(name, getattr(spec, name))
        try:
            unchanged = json.loads(json.dumps(dict(spec.options))) == dict(spec.options)
        except (TypeError, ValueError):
            unchanged = False
        if not unchanged:
            self.fail("spec", f"options {spec.options!r} are not plain values for JSON")

    def check_range(self, name: str, value: Any) -> None:
        try:
            low, high = value
            is_range = bool(np.isfinite([low, high]).all() and low < high)
        except (TypeError, ValueError):
            is_range = False
        if not is_range:
            self.fail("spec", f"{name} is {value!r}, expected (less, more)")

    def check_state_dtype(self, first: Any) -> None:
        if not isinstance(first, np.void) or first.dtype.names is None:
            kind = getattr(first, "dtype", type(first).__name__)
            self.fail("state", f"initial_state is a {kind}, expected one record with fields")
        self.check_fields(first.dtype)

    def check_fields(self, dtype: np.dtype[Any]) -> None:
        if dtype.names is not None:
            used = sum(dtype[name].itemsize for name in dtype.names)
            if used != dtype.itemsize:
                self.fail("state", f"{dtype.itemsize - used} bytes of a record belong to no field")
            for name in dtype.names:
                self.check_fields(dtype[name].base)
        elif dtype.kind not in "biuf":
            self.fail("state", f"a field of dtype {dtype} does not hold plain numbers")

    def check_chance_kernels(self) -> None:
        kernels = (self.game.chance_probabilities_many, self.game.apply_chance_many)
        if any((given is not None) != self.game.has_chance for given in kernels):
            outcomes = self.game.spec.num_chance_outcomes
            missing = sum(given is None for given in kernels)
            self.fail("chance kernels", f"{outcomes} outcomes, {missing} of 2 kernels missing")
