"""Our games in OpenSpiel: importing this registers ``python_trictrac``.

    import pyspiel
    import spiel_bot.adapters.open_spiel

    game = pyspiel.load_game("python_trictrac(observation=planes,holes_to_win=3)")

Options of a game are parameters of the same name. Rolls are explicit chance nodes. A state may
start from a position in our notation, `game.new_initial_state(text)`, and is stored as such.
"""

from collections.abc import Mapping
from typing import Any

from spiel_bot.adapters.extras import missing_extra
from spiel_bot.adapters.positions import StoredPosition
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import CHANCE, TERMINAL, Environment, Game
from spiel_bot.games.registry import load

try:
    import pyspiel
except ModuleNotFoundError:
    raise missing_extra("OpenSpiel", "openspiel") from None

from spiel_bot.adapters.open_spiel_observer import Observer

PREFIX = "python_"
"""OpenSpiel's own games in Python have it too."""

NO_BOUND = 1_000_000
"""OpenSpiel wants a longest game; this stands for a game without one."""

_REGISTERED: dict[str, str] = {}  # names in OpenSpiel and in `load`

PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}


def register(name: str) -> str:
    """Make a game known to `pyspiel.load_game`.

    Args:
        name: What `spiel_bot.load` takes: a name, ``module:attribute`` or ``file.py:attribute``.

    Returns:
        The name in OpenSpiel: ``python_`` and the game's own.

    Raises:
        BadRequestError: OpenSpiel has another game of that name.
    """
    game_type = _game_type(load(name))
    short_name = str(game_type.short_name)
    if short_name in pyspiel.registered_names() and _REGISTERED.get(short_name) != name:
        raise BadRequestError(f"OpenSpiel has a {short_name} already; give the game another name")
    # A class and not a function: OpenSpiel drops what it was given only after Python has ended, and
    # the last reference to a function would then crash the process.
    creator = type("RegisteredGame", (SpielGame,), {"loaded_as": name, "game_type": game_type})
    pyspiel.register_game(game_type, creator)
    _REGISTERED[short_name] = name
    return short_name


def _game_type(game: Game) -> Any:
    has_chance = game.has_chance
    chance_modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=PREFIX + game.spec.name,
        long_name=game.spec.name.replace("_", " ").capitalize(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance_modes.EXPLICIT_STOCHASTIC if has_chance else chance_modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _parameters(game: Game) -> dict[str, bool | int | float | str]:
    """Return the options that OpenSpiel can hold, with the values of this game."""
    return {
        option: value
        for option, value in game.spec.options.items()
        if isinstance(value, bool | int | float | str)
    }


class SpielGame(pyspiel.Game):
    """One of our games, with its options, as OpenSpiel sees it; `register` makes a subclass."""

    loaded_as: str
    """The game's name in `spiel_bot.load`."""

    game_type: Any
    """What OpenSpiel was told about the game."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Load the game; parameters that are not given have their defaults."""
        options = dict(params or {})
        self.game = load(self.loaded_as, **options)
        spec = self.game.spec
        self._longest = spec.max_plies or NO_BOUND
        least, most = spec.return_range
        game_info = pyspiel.GameInfo(
            num_distinct_actions=spec.num_actions,
            max_chance_outcomes=spec.num_chance_outcomes,
            num_players=2,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self._longest,
        )
        # Only what differs from the defaults, so that the game's text stays short.
        defaults = self.game_type.parameter_specification
        given = {name: value for name, value in options.items() if value != defaults[name]}
        super().__init__(self.game_type, game_info, given)

    def new_initial_state(self, text: str | None = None) -> "SpielState":
        """Return the first position, or the one that a line of our notation describes."""
        return SpielState(self, text)

    def max_chance_nodes_in_history(self) -> int:
        """Return the most rolls of a game."""
        return self._longest if self.game.has_chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what writes observations, in the layout that the game's options choose."""
        if isinstance(iig_obs_type, Mapping):  # OpenSpiel leaves out the first where it has none
            iig_obs_type, params = None, iig_obs_type
        return Observer(self.game, iig_obs_type, params)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make the game again, also in a process that has not registered it."""
        return _load_again, (self.loaded_as, str(self))


def _load_again(name: str, text: str) -> Any:
    if name not in _REGISTERED.values():
        register(name)
    return pyspiel.load_game(text)


class SpielState(pyspiel.State):
    """A position; OpenSpiel keeps the history."""

    def __init__(self, game: SpielGame, text: str | None = None) -> None:
        """Start at the first position, or at a text of our notation."""
        super().__init__(game)
        # OpenSpiel copies and stores a state by its attributes: this is the only one.
        self._position = StoredPosition(text)
        if text is not None:
            self._position.open(game.game)  # a text that cannot be read is refused here

    @property
    def environment(self) -> Environment:
        """The position in our own form, to read; moves go through `apply_action`."""
        return self._position.environment or self._position.open(self.get_game().game)

    def current_player(self) -> int:
        """Return who acts."""
        player = self.environment.current_player
        return int(PLAYERS.get(player, player))

    def _legal_actions(self, player: int) -> list[int]:
        return self.environment.legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what a roll may show, with probabilities."""
        return self.environment.chance_outcomes

    def _apply_action(self, action: int) -> None:
        environment = self.environment
        if environment.current_player == CHANCE:
            environment.apply_outcome(action)
        else:
            environment.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.environment.outcome_name(action)
        return self.environment.action_name(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.environment.is_terminal

    def returns(self) -> list[float]:
        """Return what each player gets; zero before the end."""
        return list(self.environment.returns)

    def information_text(self) -> str:
        """Return all that happened so far: where the game started, and its history."""
        start = self._position.start
        return self.history_str() if start is None else f"{start}; {self.history_str()}"

    def __str__(self) -> str:
        return self.environment.notation


TRICTRAC = register("trictrac")
