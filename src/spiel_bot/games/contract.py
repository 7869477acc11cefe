"""check_game(game): the public test of a game against every clause of the contract.

Whoever adds a game runs this first. Games are played at random in a batch, and each position
met on the way is checked. The first broken clause is named in the error.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, NotationError
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
from spiel_bot.games.description import DescriptionChecker
from spiel_bot.games.sampling import choose_actions_many, draw_outcomes_many
from spiel_bot.rng import Purpose, streams

UNBOUNDED_PLIES = 100_000
"""A random game of a spec without max_plies that is still not over is taken for endless."""

TEXTS_PER_PLY = 8
"""Positions of each ply, drawn at random, whose texts are read back: texts are slow."""

NAMES_TRIED = 3
"""Legal and other actions, drawn at random, whose canonical one is asked for in such a position."""

GUARD = 4096
"""Numbers behind every block of memory a kernel may write to; they must stay as they are."""

BAD_PLAYER = 99
BAD_NUMBER = -99
TOLERANCE = 1e-9
RETURN_TOLERANCE = 1e-6

Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ContractReport:
    """What a passed check has looked at."""

    num_games: int
    num_positions: int
    num_texts: int


def check_game(game: Game, *, num_games: int = 200, seed: int = 0) -> ContractReport:
    """Play random games and check every clause of the contract.

    Numbers are checked in every position, texts in some of each ply.

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


class _Checker(DescriptionChecker):
    """The games of one check, all in one batch, and the clauses as methods."""

    def __init__(self, game: Game, num_games: int, seed: int) -> None:
        super().__init__(game)
        self.num_games = num_games
        self.dice = streams(seed, Purpose.DICE, np.arange(num_games))
        self.choices = streams(seed, Purpose.PLAY, np.arange(num_games))
        self.rng = np.random.default_rng(seed)  # which positions' texts are read back
        self.num_texts = 0

    def run(self) -> ContractReport:
        self.check_description()
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
            self.check_win_chances(states)
            self.check_texts(states, legal, counts, chances)
            num_positions += int((players != TERMINAL).sum())
            if (players == TERMINAL).all():
                return ContractReport(self.num_games, num_positions, self.num_texts)
            if plies == limit:
                unfinished = states[players != TERMINAL][0]
                self.fail("length", f"not over after {limit} plies", unfinished)
            self.advance(states, legal, counts, chances)
            plies += 1

    # Clauses about every position

    def players(self, states: States) -> Players:
        (out,) = self.ask("current_player_many", states, [((), np.int8, BAD_PLAYER)])
        for b in np.flatnonzero((out < TERMINAL) | (out > 1)):
            self.fail("current player", f"found {out[b]}", states[b])
        return out

    def check_legal_actions(self, states: States, players: Players) -> tuple[Actions, Actions]:
        most = self.game.spec.max_legal_actions
        outs = [((most,), np.int32, BAD_NUMBER), ((), np.int32, BAD_NUMBER)]
        legal, counts = self.ask("legal_actions_many", states, outs)
        for b in np.flatnonzero(np.where(players >= 0, (counts < 1) | (counts > most), counts)):
            self.fail("legal count", f"found {counts[b]} for player {players[b]}", states[b])
        for b in np.flatnonzero(counts > 0):
            row = legal[b, : counts[b]]
            if (np.diff(row) <= 0).any() or row[0] < 0 or row[-1] >= self.game.spec.num_actions:
                self.fail("legal actions", f"found {row.tolist()}", states[b])
        return legal, counts

    def check_probabilities(self, states: States, players: Players) -> Probabilities:
        num_outcomes = self.game.spec.num_chance_outcomes
        if not num_outcomes:
            for b in np.flatnonzero(players == CHANCE):
                self.fail("probabilities", "a roll in a game without chance outcomes", states[b])
            return np.empty((len(states), 0))
        outs = [((num_outcomes,), np.float64, np.nan)]
        (out,) = self.ask("chance_probabilities_many", states, outs)
        expected = np.where(players == CHANCE, 1.0, 0.0)
        wrong = ~(np.abs(out.sum(axis=1) - expected) <= TOLERANCE) | ~(out >= 0).all(axis=1)
        for b in np.flatnonzero(wrong):
            self.fail("probabilities", f"found {out[b].tolist()}", states[b])
        return out

    def check_observation(self, states: States) -> None:
        low, high = self.game.spec.observation_range
        outs = [((self.game.spec.observation_size,), np.float32, np.nan)]
        for player in (WHITE, BLACK):
            seen_by = np.full(len(states), player, np.int8)
            (out,) = self.ask("observe_many", states, outs, seen_by)
            for b, feature in np.argwhere(~((out >= low) & (out <= high))):
                found = f"feature {feature} of player {player} is {out[b, feature]}"
                self.fail("observation", found, states[b])

    def check_returns(self, states: States, players: Players) -> None:
        low, high = self.game.spec.return_range
        (out,) = self.ask("returns_many", states, [((2,), np.float32, np.nan)])
        wrong = ~((out >= low - RETURN_TOLERANCE) & (out <= high + RETURN_TOLERANCE)).all(axis=1)
        wrong |= ~(np.abs(out.sum(axis=1)) <= RETURN_TOLERANCE)
        wrong |= (players != TERMINAL) & out.any(axis=1)
        for b in np.flatnonzero(wrong):
            self.fail("returns", f"found {out[b].tolist()} for player {players[b]}", states[b])

    def check_win_chances(self, states: States) -> None:
        if self.game.win_chances_many is None:
            return
        low, high = self.game.spec.return_range
        least = np.zeros(len(states))
        for equity in (low, (low + high) / 2, high):
            equities = np.full(len(states), equity)
            (out,) = self.ask("win_chances_many", states, [((), np.float64, np.nan)], equities)
            for b in np.flatnonzero(~((out >= least) & (out <= 1.0))):
                self.fail("win chances", f"found {out[b]} for the equity {equity}", states[b])
            least = out

    def ask(
        self,
        name: str,
        states: States,
        outs: Sequence[tuple[tuple[int, ...], Any, float]],
        *inputs: Numbers,
    ) -> list[Numbers]:
        """Run a kernel that asks, twice: as it is and with the rows in reverse.

        Args:
            name: Of the kernel.
            states: [B].
            outs: Row shape, dtype and filling of each array it writes.
            *inputs: [B] other arrays it reads.
        """
        forward = self.ask_once(name, states, outs, *inputs)
        reverse = self.ask_once(name, states[::-1].copy(), outs, *(x[::-1].copy() for x in inputs))
        for one, two in zip(forward, reverse, strict=True):
            for b in _differing_rows(one, two[::-1]):
                self.fail("own row", f"{name} depends on the order of the rows", states[b])
        return forward

    def ask_once(
        self,
        name: str,
        states: States,
        outs: Sequence[tuple[tuple[int, ...], Any, float]],
        *inputs: Numbers,
    ) -> list[Numbers]:
        given = (states, *inputs)
        before = [array.copy() for array in given]
        blocks = []
        for shape, dtype, filling in outs:
            size = len(states) * int(np.prod(shape, dtype=np.int64))
            blocks.append((np.full(size + GUARD, filling, dtype), (len(states), *shape), size))
        views = [block[:size].reshape(shape) for block, shape, size in blocks]
        self.call(name, getattr(self.game, name), *given, *views)
        for array, kept in zip(given, before, strict=True):
            for b in _differing_rows(kept, array):
                self.fail("pure queries", f"{name} changed what it was given", before[0][b])
        for (block, _, size), (_, dtype, filling) in zip(blocks, outs, strict=True):
            guard = np.full(GUARD, filling, dtype)
            if block[size:].tobytes() != guard.tobytes():
                self.fail("sizes", f"{name} wrote past the end of its last row", states[-1])
        if name == "legal_actions_many":  # beyond the count a row may hold anything
            legal, counts = views
            legal[np.arange(legal.shape[1]) >= counts[:, None]] = BAD_NUMBER
        return views

    def call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:
            text = " ".join(str(error).split())[:300]
            self.fail("calls", f"{name} raised {type(error).__name__}: {text}")

    # Clauses about moving on

    def advance(
        self, states: States, legal: Actions, counts: Actions, chances: Probabilities
    ) -> None:
        """Play one action or outcome in each row, in place, checking that nothing else moves."""
        chosen = np.empty(len(states), np.int32)
        choose_actions_many(self.choices, legal, counts, chosen)
        self.check_apply("apply_many", states, chosen)
        if self.game.has_chance:
            draw_outcomes_many(self.dice, chances, chosen)
            self.check_apply("apply_chance_many", states, chosen)

    def check_apply(self, name: str, states: States, chosen: Actions) -> None:
        apply = getattr(self.game, name)
        before, wanted = states.copy(), chosen.copy()
        self.call(name, apply, states, np.full(len(states), NO_ACTION, np.int32))
        for b in _differing_rows(before, states):
            self.fail("no action", f"{name} with NO_ACTION changed a state", before[b])
        self.call(name, apply, states, chosen)
        self.check_gains(before, states)
        if (chosen != wanted).any():
            self.fail("pure queries", f"{name} changed the actions it was given")
        again = before.copy()
        self.call(name, apply, again, chosen)
        for b in _differing_rows(again, states):
            self.fail("repeatable", f"two results of {chosen[b]} differ", before[b])
        # In reverse order and one row short, a row that reads its neighbours gives itself away.
        reverse = before[::-1].copy()
        self.call(name, apply, reverse[:-1], chosen[::-1][:-1].copy())
        reverse[-1] = states[0]
        for b in _differing_rows(reverse[::-1], states):
            self.fail("own row", f"{name} depends on the order of the rows", before[b])

    def check_gains(self, before: States, after: States) -> None:
        if self.game.gains_many is None:
            return
        (out,) = self.ask("gains_many", before, [((2, 2), np.float32, np.nan)], after)
        points, units = out[:, :, 0], out[:, :, 1]
        for b in np.flatnonzero(~((points >= 0) & np.isin(units, (0, 1, 2))).all(axis=1)):
            self.fail("gains", f"found {out[b].tolist()}", before[b])

    # Clauses about texts

    def check_texts(
        self, states: States, legal: Actions, counts: Actions, chances: Probabilities
    ) -> None:
        for b in self.rng.permutation(len(states))[:TEXTS_PER_PLY]:
            self.check_notation(states[b])
            self.check_drawing(states[b])
            self.check_names(states[b], legal[b, : counts[b]].tolist(), chances[b])
            self.check_canonical(states[b], legal[b, : counts[b]].tolist())
            self.num_texts += 1

    def check_notation(self, state: State) -> None:
        text = self.call("to_text", self.game.to_text, state)
        if not isinstance(text, str) or not text.strip() or len(text.splitlines()) != 1:
            self.fail("notation", f"to_text gave {text!r}")
        try:
            back = self.game.from_text(text)
        except Exception as error:
            self.fail("notation", f"from_text refused it: {error!r}", state)
        if not isinstance(back, np.void) or back.tobytes() != state.tobytes():
            self.fail("notation", f"from_text gave {back!r}", state)
        if self.num_texts % TEXTS_PER_PLY:
            return
        for mangled in ("", "?", text + text, text[1:], text[: len(text) // 2], text[::-1]):
            try:
                self.game.from_text(mangled)
            except NotationError:
                continue
            except Exception as error:
                self.fail("notation errors", f"{mangled!r} raised {type(error).__name__}: {error}")

    def check_drawing(self, state: State) -> None:
        pictures = {"draw": self.game.draw, "svg": self.game.svg}
        for name, function in pictures.items():
            if function is not None:
                drawing = self.call(name, function, state)
                if not isinstance(drawing, str) or not drawing.strip():
                    self.fail("drawing", f"{name} gave {drawing!r}", state)

    def check_names(self, state: State, actions: list[int], chances: Probabilities) -> None:
        action_name, outcome_name = self.game.action_name, self.game.outcome_name
        names = [self.call("action_name", action_name, state, action) for action in actions]
        if len(set(names)) != len(names):
            self.fail("names", f"two actions share a name among {names}", state)
        if outcome_name is not None:
            outcomes = [int(outcome) for outcome in np.flatnonzero(chances > 0)]
            names += [self.call("outcome_name", outcome_name, state, n) for n in outcomes]
        for name in names:
            if not isinstance(name, str) or not name.strip() or len(name.splitlines()) != 1:
                self.fail("names", f"found the name {name!r}", state)

    def check_canonical(self, state: State, actions: list[int]) -> None:
        if self.game.canonical_action is None:
            return
        some = self.rng.permutation(actions)[:NAMES_TRIED].tolist()
        others = self.rng.integers(self.game.spec.num_actions, size=NAMES_TRIED).tolist()
        for action in map(int, [*some, *others]):
            meant = self.call("canonical_action", self.game.canonical_action, state, action)
            expected = [action] if action in actions else [NO_ACTION, *actions]
            if meant not in expected:
                self.fail("canonical action", f"{action} became {meant!r}", state)


def _differing_rows(left: Numbers, right: Numbers) -> list[int]:
    """Return the rows whose bytes differ."""
    if left.tobytes() == right.tobytes():
        return []
    return [b for b in range(len(left)) if left[b].tobytes() != right[b].tobytes()]
