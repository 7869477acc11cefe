"""check_game(game): the public test of a game against every clause of the contract.

Whoever adds a game runs this first. Games are played at random in a batch, and each position
met on the way is checked. The first broken clause is named in the error.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from spiel_bot.errors import BadRequestError, ContractError, NotationError
from spiel_bot.games.base import (
    BLACK,
    CHANCE,
    NO_ACTION,
    TERMINAL,
    WHITE,
    Actions,
    Game,
    Players,
    Probabilities,
    State,
    States,
)
from spiel_bot.games.sampling import choose_actions_many, draw_outcomes_many
from spiel_bot.rng import Purpose, streams

CLAUSES = {
    "spec": "the numbers of the spec are whole, positive and fit together",
    "state": "a state is one packed record of plain numbers",
    "chance kernels": "both chance kernels are given exactly when there are chance outcomes",
    "first position": "the first position is not the end",
    "current player": "the current player is 0, 1, CHANCE (-1) or TERMINAL (-2), in every row",
    "legal count": "a decision has 1 to max_legal_actions legal actions, any other position none",
    "legal actions": "legal actions ascend, do not repeat and lie between 0 and num_actions - 1",
    "probabilities": "at a roll the probabilities are at least 0 and add up to 1, elsewhere all 0",
    "observation": "every feature is written, for either player, within observation_range",
    "returns": "returns are zero before the end, within return_range, and add up to zero",
    "pure queries": "kernels that ask do not change the states",
    "no action": "NO_ACTION leaves a row as it is",
    "own row": "what happens in a row depends on that row alone",
    "repeatable": "the same action or outcome in the same position gives the same position",
    "length": "a game ends, within max_plies where the spec sets it",
    "notation": "to_text is one line, and from_text makes the same state of it",
    "notation errors": "from_text answers a text it cannot read with NotationError",
    "drawing": "draw returns a text that is not empty",
    "names": "actions and outcomes have names of one line, different for different actions",
}
"""Each clause by its name, in words."""

UNBOUNDED_PLIES = 100_000
"""A random game of a spec without max_plies that is still not over is taken for endless."""

TEXTS_PER_PLY = 100
"""Games whose texts are read back at a time."""

BAD_PLAYER = 99
TOLERANCE = 1e-9
RETURN_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class ContractReport:
    """What a passed check has looked at."""

    num_games: int
    num_positions: int
    num_texts: int


def check_game(game: Game, *, num_games: int = 200, seed: int = 0) -> ContractReport:
    """Play random games and check every clause of the contract in every position.

    Args:
        game: The game to check.
        num_games: Games to play, all in one batch.
        seed: Root seed of dice and choices.

    Returns:
        How much was looked at.

    Raises:
        ContractError: A clause is broken; the message names it, the position and what was found.
        BadRequestError: `num_games` is below one.
    """
    if num_games < 1:
        raise BadRequestError(f"expected at least 1 game to check, got {num_games}")
    return _Checker(game, num_games, seed).run()


class _Checker:
    """The games of one check, all in one batch, and the clauses as methods."""

    def __init__(self, game: Game, num_games: int, seed: int) -> None:
        self.game = game
        self.num_games = num_games
        self.dice = streams(seed, Purpose.DICE, np.arange(num_games))
        self.choices = streams(seed, Purpose.PLAY, np.arange(num_games))
        self.num_texts = 0

    def run(self) -> ContractReport:
        self.check_spec()
        self.check_state_dtype()
        self.check_chance_kernels()
        states = self.game.new_states(self.num_games)
        if (self.players(states) == TERMINAL).any():
            self.fail("first position", "new_states() gave a position with player TERMINAL")
        num_positions = 0
        plies = 0
        limit = self.game.spec.max_plies or UNBOUNDED_PLIES
        while True:
            players = self.players(states)
            legal, counts = self.check_legal_actions(states, players)
            chances = self.check_probabilities(states, players)
            self.check_observation(states)
            self.check_returns(states, players)
            if plies & (plies - 1) == 0:  # ply 0, 1, 2, 4, 8 ...: texts are slow beside kernels
                self.check_texts(states, legal, counts, chances)
            num_positions += int((players != TERMINAL).sum())
            if (players == TERMINAL).all():
                self.check_texts(states, legal, counts, chances)
                return ContractReport(self.num_games, num_positions, self.num_texts)
            if plies == limit:
                unfinished = states[players != TERMINAL][0]
                self.fail("length", f"not over after {limit} plies", unfinished)
            self.advance(states, legal, counts, chances)
            plies += 1

    def fail(self, clause: str, found: str, state: State | None = None) -> NoReturn:
        where = ""
        if state is not None:
            try:
                where = f" in {self.game.to_text(state)!r}"
            except Exception:  # the notation itself may be what is broken
                where = f" in {state!r}"
        raise ContractError(
            f"{self.game.spec.name} breaks the clause '{clause}' "
            f"({CLAUSES[clause]}): {found}{where}"
        )

    # Clauses about the description of the game

    def check_spec(self) -> None:
        spec = self.game.spec
        if not re.fullmatch(r"[a-z][a-z0-9_]*", spec.name):
            self.fail("spec", f"the name {spec.name!r} is not lower case with underscores")
        for name, least in (
            ("num_actions", 1),
            ("max_legal_actions", 1),
            ("num_chance_outcomes", 0),
            ("max_plies", 0),
            ("rules_version", 1),
            ("actions_version", 1),
            ("observation_version", 1),
        ):
            value = getattr(spec, name)
            if not isinstance(value, int) or value < least:
                self.fail("spec", f"{name} is {value!r}, expected a whole number from {least}")
        if spec.max_legal_actions > spec.num_actions:
            self.fail("spec", "max_legal_actions is greater than num_actions")
        shape = spec.observation_shape
        if not shape or not all(isinstance(size, int) and size > 0 for size in shape):
            self.fail("spec", f"observation_shape is {shape!r}, expected sizes from 1")
        for name in ("observation_range", "return_range"):
            low, high = getattr(spec, name)
            if not (np.isfinite([low, high]).all() and low < high):
                self.fail("spec", f"{name} is {(low, high)!r}, expected (less, more)")
        try:
            unchanged = json.loads(json.dumps(dict(spec.options))) == dict(spec.options)
        except TypeError:
            unchanged = False
        if not unchanged:
            self.fail("spec", f"options {spec.options!r} are not plain values for JSON")

    def check_state_dtype(self) -> None:
        dtype = self.game.state_dtype
        if dtype.names is None:
            self.fail("state", f"initial_state has dtype {dtype}, expected a structured dtype")
        if dtype.hasobject:
            self.fail("state", f"the dtype {dtype} holds Python objects")
        used = sum(dtype[name].itemsize for name in dtype.names)
        if used != dtype.itemsize:
            self.fail("state", f"{dtype.itemsize - used} bytes of the record belong to no field")

    def check_chance_kernels(self) -> None:
        kernels = (self.game.chance_probabilities_many, self.game.apply_chance_many)
        if any((given is not None) != self.game.has_chance for given in kernels):
            outcomes = self.game.spec.num_chance_outcomes
            missing = sum(given is None for given in kernels)
            self.fail("chance kernels", f"{outcomes} outcomes, {missing} of 2 kernels missing")

    # Clauses about every position

    def players(self, states: States) -> Players:
        out = np.full(len(states), BAD_PLAYER, np.int8)
        self.ask(states, lambda: self.game.current_player_many(states, out))
        for b in np.flatnonzero((out < TERMINAL) | (out > 1)):
            self.fail("current player", f"found {out[b]}", states[b])
        return out

    def check_legal_actions(self, states: States, players: Players) -> tuple[Actions, Actions]:
        most = self.game.spec.max_legal_actions
        # A spare row keeps an overlong list inside our memory until its count is seen.
        legal = np.full((len(states) + 1, most), -1, np.int32)
        counts = np.full(len(states), -1, np.int32)
        self.ask(states, lambda: self.game.legal_actions_many(states, legal[:-1], counts))
        for b in np.flatnonzero(np.where(players >= 0, (counts < 1) | (counts > most), counts)):
            self.fail("legal count", f"found {counts[b]} for player {players[b]}", states[b])
        for b in np.flatnonzero(counts > 0):
            row = legal[b, : counts[b]]
            if (np.diff(row) <= 0).any() or row[0] < 0 or row[-1] >= self.game.spec.num_actions:
                self.fail("legal actions", f"found {row.tolist()}", states[b])
        return legal[:-1], counts

    def check_probabilities(self, states: States, players: Players) -> Probabilities:
        out = np.full((len(states), self.game.spec.num_chance_outcomes), np.nan)
        probabilities_many = self.game.chance_probabilities_many
        if probabilities_many is None:
            for b in np.flatnonzero(players == CHANCE):
                self.fail("probabilities", "a roll in a game without chance outcomes", states[b])
            return out
        self.ask(states, lambda: probabilities_many(states, out))
        expected = np.where(players == CHANCE, 1.0, 0.0)
        wrong = np.abs(out.sum(axis=1) - expected) > TOLERANCE
        wrong |= np.isnan(out).any(axis=1) | (out < 0).any(axis=1)
        for b in np.flatnonzero(wrong):
            self.fail("probabilities", f"found {out[b].tolist()}", states[b])
        return out

    def check_observation(self, states: States) -> None:
        for player in (WHITE, BLACK):
            self.check_observation_of(states, np.full(len(states), player, np.int8))

    def check_observation_of(self, states: States, seen_by: Players) -> None:
        low, high = self.game.spec.observation_range
        out = np.full((len(states), self.game.spec.observation_size), np.nan, np.float32)
        self.ask(states, lambda: self.game.observe_many(states, seen_by, out))
        for b, feature in np.argwhere(~((out >= low) & (out <= high))):
            found = f"feature {feature} of player {seen_by[b]} is {out[b, feature]}"
            self.fail("observation", found, states[b])

    def check_returns(self, states: States, players: Players) -> None:
        low, high = self.game.spec.return_range
        out = np.full((len(states), 2), np.nan, np.float32)
        self.ask(states, lambda: self.game.returns_many(states, out))
        wrong = ~((out >= low - RETURN_TOLERANCE) & (out <= high + RETURN_TOLERANCE)).all(axis=1)
        wrong |= ~(np.abs(out.sum(axis=1)) <= RETURN_TOLERANCE)
        wrong |= (players != TERMINAL) & out.any(axis=1)
        for b in np.flatnonzero(wrong):
            self.fail("returns", f"found {out[b].tolist()} for player {players[b]}", states[b])

    def ask(self, states: States, query: Callable[[], None]) -> None:
        before = states.copy()
        query()
        for b in _differing_rows(before, states):
            self.fail("pure queries", "a query changed a state", before[b])

    # Clauses about moving on

    def advance(
        self, states: States, legal: Actions, counts: Actions, chances: Probabilities
    ) -> None:
        """Play one action or outcome in each row, in place, checking that nothing else moves."""
        chosen = np.empty(len(states), np.int32)
        choose_actions_many(self.choices, legal, counts, chosen)
        self.check_apply(states, chosen, self.game.apply_many)
        if self.game.apply_chance_many is not None:
            draw_outcomes_many(self.dice, chances, chosen)
            self.check_apply(states, chosen, self.game.apply_chance_many)

    def check_apply(
        self, states: States, chosen: Actions, apply: Callable[[States, Actions], None]
    ) -> None:
        before = states.copy()
        apply(states, np.full(len(states), NO_ACTION, np.int32))
        for b in _differing_rows(before, states):
            self.fail("no action", "a batch of NO_ACTION changed a state", before[b])
        apply(states, chosen)
        again = before.copy()
        apply(again, chosen)
        for b in _differing_rows(again, states):
            self.fail("repeatable", f"two results of {chosen[b]} differ", before[b])
        # In reverse order and one row short, a row that reads its neighbours gives itself away.
        reverse = before[::-1].copy()
        apply(reverse[:-1], chosen[::-1][:-1].copy())
        reverse[-1] = states[0]
        for b in _differing_rows(reverse[::-1], states):
            self.fail("own row", "another order of rows gave another result", before[b])

    # Clauses about texts

    def check_texts(
        self, states: States, legal: Actions, counts: Actions, chances: Probabilities
    ) -> None:
        for b in range(min(len(states), TEXTS_PER_PLY)):
            self.num_texts += 1
            self.check_notation(states[b])
            self.check_names(states[b], legal[b, : counts[b]].tolist(), chances[b])

    def check_notation(self, state: State) -> None:
        text = self.game.to_text(state)
        if not text.strip() or len(text.splitlines()) != 1:
            self.fail("notation", f"to_text gave {text!r}")
        try:
            back = self.game.from_text(text)
        except NotationError as error:
            self.fail("notation", f"from_text refused it: {error}", state)
        if back.tobytes() != state.tobytes():
            self.fail("notation", f"from_text gave {self.game.to_text(back)!r}", state)
        for mangled in ("", "?", text + text, text[1:], text[: len(text) // 2], text[::-1]):
            try:
                self.game.from_text(mangled)
            except NotationError:
                continue
            except Exception as error:
                self.fail("notation errors", f"{mangled!r} raised {type(error).__name__}: {error}")
        drawing = self.game.draw(state)
        if not isinstance(drawing, str) or not drawing.strip():
            self.fail("drawing", f"draw gave {drawing!r}", state)

    def check_names(self, state: State, actions: list[int], chances: Probabilities) -> None:
        names = [self.game.action_name(state, action) for action in actions]
        if len(set(names)) != len(names):
            self.fail("names", f"two actions share a name among {names}", state)
        if self.game.outcome_name is not None:
            outcomes = np.flatnonzero(chances > 0)
            names += [self.game.outcome_name(state, int(outcome)) for outcome in outcomes]
        for name in names:
            if not name.strip() or len(name.splitlines()) != 1:
                self.fail("names", f"found the name {name!r}", state)


def _differing_rows(left: States, right: States) -> list[int]:
    """Return the rows whose bytes differ."""
    if left.tobytes() == right.tobytes():
        return []
    return [b for b in range(len(left)) if left[b].tobytes() != right[b].tobytes()]
