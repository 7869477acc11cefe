"""The game contract: what a game must offer so that everything else can play it.

A game is data and batch kernels. A position is one record of a NumPy structured dtype, and
each kernel works on many positions at once, so that search and self-play leave Python once
per round and not once per move. `check_game` in `contract.py` tests every clause.

Letters used for shapes, here and everywhere:
    B  games of a batch
    A  actions of the game (`num_actions`)
    L  most legal actions at once (`max_legal_actions`)
    C  chance outcomes (`num_chance_outcomes`)
    F  features of an observation (the product of `observation_shape`)
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError, NotationError
from spiel_bot.games.constants import BLACK, CHANCE, NO_ACTION, TERMINAL, WHITE
from spiel_bot.games.environment import Environment

__all__ = [
    "BLACK",
    "CHANCE",
    "NO_ACTION",
    "TERMINAL",
    "WHITE",
    "Actions",
    "Environment",
    "Floats",
    "Game",
    "GameSpec",
    "Players",
    "Probabilities",
    "State",
    "States",
]

State = np.void  # one record
States = npt.NDArray[np.void]  # [B]
Players = npt.NDArray[np.int8]  # [B]
Actions = npt.NDArray[np.int32]  # [B] or [B, L]
Floats = npt.NDArray[np.float32]  # [B, F] or [B, 2]
Probabilities = npt.NDArray[np.float64]  # [B, C], or [B] of one thing


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """The numbers of a game that others rely on. Stored with checkpoints and saved games."""

    name: str
    """Name in `load()` and in tables: lower case, digits and underscores."""

    num_actions: int
    """Actions are the integers from 0 to this, exclusive."""

    max_legal_actions: int
    """No position has more legal actions than this."""

    num_chance_outcomes: int = 0
    """Chance outcomes are the integers from 0 to this, exclusive; 0 for a game without chance."""

    observation_shape: tuple[int, ...]
    """Shape of an observation; kernels write it flat."""

    observation_range: tuple[float, float] = (0.0, 1.0)
    """Least and greatest value of an observation."""

    return_range: tuple[float, float] = (-1.0, 1.0)
    """Least and greatest return of a player. The returns of the two players add up to zero."""

    max_plies: int = 0
    """Most plies (actions and rolls) of a game; 0 where the rules set no bound."""

    pivotal_actions: tuple[int, ...] = ()
    """Actions that a search with few candidates always looks into, such as trictrac's go."""

    rules_version: int = 1
    """Raised when the same actions may lead to other positions or returns."""

    actions_version: int = 1
    """Raised when an action number means another move."""

    observation_version: int = 1
    """Raised when a feature changes its place or its meaning."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """Options the game was loaded with, as plain values that JSON can hold."""

    free_options: tuple[str, ...] = ()
    """Options under which a network of the same game stays valid: they change which games come
    up, not what an observation, an action or a return means."""

    view_options: tuple[str, ...] = ()
    """Options that change only what an observation shows or what a return counts: positions and
    actions stay the same, so players trained with different ones can meet."""

    shorter_observations: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By option, the values under which an observation is the beginning of this one, and its
    version there: a network that was trained so can go on here, with new features."""

    @property
    def observation_size(self) -> int:
        """Features of one observation, F."""
        return math.prod(self.observation_shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: its numbers, its first position, its kernels and its texts.

    Kernels change or write only what is called `states` in an applying kernel or `out`.
    Memory belongs to the caller. What they do with a row:

    - Every position is a decision of player 0 or 1, a roll (`CHANCE`) or the end
      (`TERMINAL`). Stages without a choice are passed by the kernels themselves.
    - The same player may act twice in a row, and a roll may end the game.
    - `NO_ACTION` in an applying kernel leaves the row alone.
    - Applying kernels trust the caller: an action that is not legal gives nonsense.
      `Environment` checks first.
    """

    spec: GameSpec

    initial_state: State
    """The first position; may be a roll. Its dtype, packed and without objects, is the state's."""

    current_player_many: Callable[[States, Players], None]
    """(states, out [B]): who acts: 0, 1, `CHANCE` or `TERMINAL`."""

    legal_actions_many: Callable[[States, Actions, Actions], None]
    """(states, out [B, L], out_counts [B]): legal actions ascending; count 0 if no decision."""

    apply_many: Callable[[States, Actions], None]
    """(states, actions [B]): play one action in each position, in place."""

    observe_many: Callable[[States, Players, Floats], None]
    """(states, players [B], out [B, F]): what each player sees, from his side."""

    returns_many: Callable[[States, Floats], None]
    """(states, out [B, 2]): return of each player; zero before the end."""

    chance_probabilities_many: Callable[[States, Probabilities], None] | None = None
    """(states, out [B, C]): probability of each outcome; all zero where nobody rolls."""

    apply_chance_many: Callable[[States, Actions], None] | None = None
    """(states, outcomes [B]): let one outcome happen in each position, in place."""

    gains_many: Callable[[States, States, Floats], None] | None = None
    """(before, after, out [B, 2, 2]): what one action or outcome brought each player.

    First points, as a share of the unit they are collected for (trictrac's hole); then which unit
    it won first: 0 for none, 1 for a single one, 2 for a double one. For auxiliary targets only.
    """

    win_chances_many: Callable[[States, Probabilities, Probabilities], None] | None = None
    """(states, equities [B], out [B]): white's chance of winning where he expects such a return.

    For games whose returns are not wins and losses, such as margins; a draw counts half. A greater
    equity never has a smaller chance. Without it the chance is the share of `return_range`.
    """

    to_text: Callable[[State], str]
    """The position in one line, complete."""

    from_text: Callable[[str], State]
    """The position of such a line; raises `NotationError`."""

    draw: Callable[[State], str]
    """The position as a picture in letters, several lines."""

    action_name: Callable[[State, int], str]
    """An action of this position in the game's own words."""

    outcome_name: Callable[[State, int], str] | None = None
    """A chance outcome in the game's own words."""

    canonical_action: Callable[[State, int], int] | None = None
    """The legal action that another name of the same play means, `NO_ACTION` for any other number.

    For games whose actions have several names, of which only one is listed as legal.
    """

    action_named: Callable[[State, str], int] | None = None
    """The legal action that a text means, where people write it in more ways than `action_name`.

    Raises `NotationError` for what is no action, `IllegalActionError` with the reason for one that
    is not legal.
    """

    remark: Callable[[State, int], str] | None = None
    """What a record says of the action or outcome about to happen here, in a few words without
    braces; empty for nothing. Trictrac tells the jans of a roll."""

    action_details: Callable[[State, int], dict[str, Any]] | None = None
    """What an action does here, as plain values for other programs; trictrac gives `moves`, pairs
    of fields, and `result`, the 24 fields afterwards from the mover's side."""

    leads_many: Callable[[States, Floats], None] | None = None
    """(states, out [B]): white's lead in the game's own measure, such as holes; for matches."""

    svg: Callable[[State], str] | None = None
    """The position as an SVG picture; without it the drawing in letters is used."""

    @property
    def state_dtype(self) -> np.dtype[np.void]:
        """Layout of a position."""
        return self.initial_state.dtype

    @property
    def has_chance(self) -> bool:
        """Whether rolls occur in this game."""
        return self.spec.num_chance_outcomes > 0

    def win_chances(self, states: States, equities: npt.ArrayLike) -> Probabilities:
        """Return white's chance of winning [B] in positions where he expects such returns [B].

        Raises:
            BadRequestError: There is not one return for each position.
        """
        white = np.ascontiguousarray(equities, np.float64)
        if white.shape != (len(states),):
            raise BadRequestError(
                f"expected one equity for each of {len(states)} positions, got {white.shape}"
            )
        if self.win_chances_many is None:
            least, most = self.spec.return_range
            return np.clip((white - least) / (most - least), 0.0, 1.0)
        chances = np.empty(len(white))
        self.win_chances_many(np.ascontiguousarray(states), white, chances)
        return chances

    def new_states(self, num_games: int) -> States:
        """Return `num_games` first positions."""
        states = np.empty(num_games, self.state_dtype)
        states[:] = self.initial_state
        return states

    def new_game(self, seed: int | None = None, *, number: int = 0) -> Environment:
        """Start one game to play by hand.

        Args:
            seed: The dice follow from it; without a seed they come from the operating system.
            number: Number of the game among those of one seed.
        """
        return Environment(self, self.new_states(1), seed, number=number)

    def from_notation(self, text: str, seed: int | None = None) -> Environment:
        """Start from the position a line of text describes.

        Raises:
            NotationError: The text is not a position of this game.
        """
        if not isinstance(text, str):
            raise NotationError(f"expected a position as text, got {text!r}")
        states = self.new_states(1)
        states[0] = self.from_text(text)
        return Environment(self, states, seed)

    def __repr__(self) -> str:
        """Name and options, as `load()` takes them."""
        options = "".join(f", {key}={value!r}" for key, value in self.spec.options.items())
        return f"Game({self.spec.name!r}{options})"
