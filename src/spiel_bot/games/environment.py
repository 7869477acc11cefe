"""One game for people: the friendly form of the batch kernels, with every action checked."""

import operator
import secrets
from copy import copy
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, IllegalActionError
from spiel_bot.games.constants import BLACK, NO_ACTION, TERMINAL, WHITE
from spiel_bot.games.picture import text_svg
from spiel_bot.games.sampling import draw_outcome
from spiel_bot.rng import Purpose, Stream, stream, uniform

if TYPE_CHECKING:
    from spiel_bot.games.base import Game, States


def _whole(number: object) -> int | None:
    """Return a whole number as Python's own, None for anything else: True and 4.0 are no action."""
    is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    return operator.index(number) if is_whole else None  # type: ignore[arg-type]


class Environment:
    """One position that moves on; made by `game.new_game()`.

    >>> from spiel_bot import load
    >>> state = load("tic_tac_toe").new_game()
    >>> state.apply(4)
    >>> state.current_player
    1
    """

    def __init__(
        self, game: "Game", states: "States", seed: int | None = None, *, number: int = 0
    ) -> None:
        """Take over `states` [1]; without a seed the dice come from the operating system."""
        self.game = game
        self._states = states
        chosen = secrets.randbits(64) if seed is None else seed
        self._dice: Stream = stream(chosen, Purpose.DICE, game=number)

    @property
    def record(self) -> np.void:
        """A copy of the position as the kernels see it."""
        record: np.void = self._states[0].copy()
        return record

    @property
    def current_player(self) -> int:
        """Who acts: 0, 1, `CHANCE` (-1) or `TERMINAL` (-2)."""
        out = np.empty(1, np.int8)
        self.game.current_player_many(self._states, out)
        return int(out[0])

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player == TERMINAL

    @property
    def legal_actions(self) -> list[int]:
        """Legal actions, ascending; empty where nobody decides."""
        out = np.empty((1, self.game.spec.max_legal_actions), np.int32)
        count = np.empty(1, np.int32)
        self.game.legal_actions_many(self._states, out, count)
        return [int(action) for action in out[0, : count[0]]]

    @property
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Possible outcomes of the roll with their probabilities; empty where nobody rolls."""
        chances = self._chances()
        return [(int(outcome), float(chances[outcome])) for outcome in np.flatnonzero(chances)]

    @property
    def returns(self) -> tuple[float, float]:
        """Return of each player; zero before the end."""
        out = np.empty((1, 2), np.float32)
        self.game.returns_many(self._states, out)
        return float(out[0, 0]), float(out[0, 1])

    def observation(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """Return what a player sees, in the shape of the spec; by default who acts (or white).

        Raises:
            BadRequestError: `player` is neither 0 nor 1.
        """
        seen_by = max(self.current_player, WHITE) if player is None else player
        if _whole(seen_by) not in (WHITE, BLACK):
            raise BadRequestError(f"player {player!r} does not exist; expected 0 or 1")
        out = np.empty((1, self.game.spec.observation_size), np.float32)
        self.game.observe_many(self._states, np.array([seen_by], np.int8), out)
        return out.reshape(self.game.spec.observation_shape)

    def apply(self, action: int) -> None:
        """Play an action: a legal one, or another name of it where the game knows several.

        Raises:
            IllegalActionError: It is not legal here; the position stays as it was.
        """
        legal = self.legal_actions
        meant = _whole(action)
        if meant not in legal:
            meant = self._canonical(meant)
        if meant == NO_ACTION:
            raise IllegalActionError(
                f"action {action!r} is not legal in {self.game.spec.name} {self.notation!r}; "
                + self._what_is_possible(legal)
            )
        self.game.apply_many(self._states, np.array([meant], np.int32))

    def apply_chance(self, rng: np.random.Generator | None = None) -> int:
        """Roll: draw an outcome by its probability, let it happen and return it.

        Args:
            rng: Where the draw comes from; by default the dice of the game's own seed.

        Raises:
            IllegalActionError: Nobody rolls here; the position stays as it was.
        """
        chances = self._chances()
        if not chances.any():
            self._refuse_roll("a roll")
        point = uniform(self._dice) if rng is None else rng.random()
        outcome = draw_outcome(chances, point)
        self._roll(outcome)
        return outcome

    def apply_outcome(self, outcome: int) -> None:
        """Let a given chance outcome happen.

        Raises:
            IllegalActionError: It cannot happen here; the position stays as it was.
        """
        if _whole(outcome) not in dict(self.chance_outcomes):
            self._refuse_roll(f"outcome {outcome!r}")
        self._roll(outcome)

    def action_name(self, action: int) -> str:
        """Return the name of a legal action in the game's own words."""
        return self.game.action_name(self._states[0], action)

    def outcome_name(self, outcome: int) -> str:
        """Return the name of a chance outcome in the game's own words."""
        if self.game.outcome_name is None:
            return str(outcome)
        return self.game.outcome_name(self._states[0], outcome)

    @property
    def notation(self) -> str:
        """The whole position in one line; `game.from_notation()` reads it back."""
        return self.game.to_text(self._states[0])

    def clone(self) -> Self:
        """Return an independent copy: same position, same dice to come."""
        twin = copy(self)
        twin._states = self._states.copy()
        twin._dice = self._dice.copy()
        return twin

    def __str__(self) -> str:
        """Return the position drawn in letters."""
        return self.game.draw(self._states[0])

    def __repr__(self) -> str:
        """Game and position in one line."""
        return f"<{self.game.spec.name} {self.notation}>"

    def _repr_svg_(self) -> str:
        """Return the picture a notebook shows."""
        if self.game.svg is not None:
            return self.game.svg(self._states[0])
        return text_svg(str(self))

    def _canonical(self, action: int | None) -> int:
        """Return the legal action that an action means, NO_ACTION if none."""
        name = self.game.canonical_action
        if name is None or action is None or not 0 <= action < self.game.spec.num_actions:
            return NO_ACTION
        return int(name(self._states[0], action))

    def _chances(self) -> npt.NDArray[np.float64]:
        out = np.zeros((1, self.game.spec.num_chance_outcomes))
        if self.game.chance_probabilities_many is not None:
            self.game.chance_probabilities_many(self._states, out)
        return out.reshape(-1)

    def _roll(self, outcome: int) -> None:
        assert self.game.apply_chance_many is not None
        self.game.apply_chance_many(self._states, np.array([outcome], np.int32))

    def _refuse_roll(self, what: str) -> None:
        raise IllegalActionError(
            f"{what} is not possible in {self.game.spec.name} {self.notation!r}; "
            + self._what_is_possible(self.legal_actions)
        )

    def _what_is_possible(self, legal: list[int]) -> str:
        if legal:
            names = ", ".join(f"{action} ({self.action_name(action)})" for action in legal)
            return f"legal: {names}"
        if self.is_terminal:
            return "the game is over"
        outcomes = ", ".join(str(outcome) for outcome, _ in self.chance_outcomes)
        return f"a roll is next, with outcomes {outcomes}; use apply_chance()"
