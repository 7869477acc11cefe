"""Our games in Gymnasium, one seat against an opponent; importing this registers trictrac.

    import gymnasium
    import spiel_bot.adapters.gymnasium

    env = gymnasium.make("spiel_bot/Trictrac-v0", opponent="random", seat="white")

Any other game: ``VersusEnv(game="pig", target=50)``.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from spiel_bot.adapters.episodes import (
    ILLEGAL_ACTION,
    SIDES,
    Episodes,
    apply_or_refuse,
    expect_one_of,
    legal_mask,
    roll_all,
)
from spiel_bot.adapters.extras import missing_extra
from spiel_bot.adapters.opponents import Opponent, check_opponent, make_opponent
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import BLACK, WHITE, Environment
from spiel_bot.games.registry import load
from spiel_bot.rng import Purpose, below, next_word, stream

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
except ModuleNotFoundError:
    raise missing_extra("Gymnasium", "gymnasium") from None

from spiel_bot.adapters.rendering import RENDER_MODES, Picture, check_render_mode, render

TRICTRAC = "spiel_bot/Trictrac-v0"

SEATS = [*SIDES, "random"]

SEAT_DRAW = 1
"""The worker number of the stream that draws a random seat; 0 is the opponent's."""

MOST_STARTS = 1000
"""Games over before the agent could act that are passed over in a row."""

Observation = npt.NDArray[np.float32]


class VersusEnv(gymnasium.Env[Observation, np.int64]):
    """A game from one seat; rolls and the opponent are played by the environment.

    Observations are the game's own from the agent's side. ``info["action_mask"]`` and
    `action_masks()` tell the legal actions; other names of a legal play are played too. The
    reward is the game's return, at its end.

    An illegal action loses the game at once, with the least reward, and ``info`` says why;
    ``illegal_action="raise"`` raises `IllegalActionError` instead.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str = "trictrac",
        *,
        opponent: str | Opponent = "random",
        seat: str = "random",
        render_mode: str | None = None,
        illegal_action: str = "lose",
        **options: Any,
    ) -> None:
        """Load a game.

        Args:
            game: What `spiel_bot.load` takes.
            opponent: A name, or a function from a position (`Environment`) to an action.
            seat: Where the agent sits: ``white``, ``black``, or ``random``, drawn for each game.
            render_mode: ``human``, ``ansi``, ``rgb_array`` or None.
            illegal_action: ``lose`` or ``raise``.
            **options: The game's own.

        Raises:
            UnknownGameError: There is no such game.
            GameOptionError: The game has no such option or value.
            BadRequestError: Another argument has a value that does not exist.
        """
        check_render_mode(render_mode)
        check_opponent(opponent)
        expect_one_of("seat", seat, SEATS)
        expect_one_of("illegal_action", illegal_action, ILLEGAL_ACTION)
        self.game = load(game, **options)
        self.render_mode = render_mode
        self.seat = seat
        self.player = WHITE
        """Where the agent sits in this game: 0 or 1."""
        spec = self.game.spec
        low, high = spec.observation_range
        self.observation_space = Box(low, high, spec.observation_shape, np.float32)
        self.action_space = Discrete(spec.num_actions)
        self._opponent = opponent
        self._illegal_action = illegal_action
        self._episodes = Episodes(self.game)
        self._environment: Environment | None = None
        self._is_over = False

    @property
    def environment(self) -> Environment:
        """The position in our own form, to read.

        Raises:
            BadRequestError: No game has been started.
        """
        if self._environment is None:
            raise BadRequestError("no game has been started; call reset() first")
        return self._environment

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and play it up to the agent's first decision.

        Args:
            seed: Starts a series of games, the same each time.
            options: None are known.

        Raises:
            BadRequestError: The agent never comes to act with these options.
        """
        super().reset(seed=seed)
        for _ in range(MOST_STARTS):
            self._environment = self._episodes.next(seed)
            self._seat_players()
            self._play_until_agent()
            if not self.environment.is_terminal:
                break
            seed = None  # the game was over before the agent could act: take the next
        else:
            raise BadRequestError(
                f"{self.seat} never came to act in {MOST_STARTS} games; try another seat or option"
            )
        self._is_over = False
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then rolls and the opponent up to the agent's next decision.

        Raises:
            IllegalActionError: It is not legal, and ``illegal_action`` is ``raise``.
            BadRequestError: The game is over, or none has been started.
        """
        if self._is_over:
            raise BadRequestError("the game is over; call reset() first")
        reason = apply_or_refuse(self.environment, action, self._illegal_action)
        if reason is not None:
            self._is_over = True
            info = {**self._info(), "illegal_action": reason}
            return self._observation(), self.game.spec.return_range[0], True, False, info
        self._play_until_agent()
        self._is_over = self.environment.is_terminal
        reward = self.environment.returns[self.player]
        return self._observation(), reward, self._is_over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, as MaskablePPO of sb3-contrib asks for it."""
        return legal_mask(self.environment).astype(np.bool_)

    def render(self) -> str | Picture | None:
        """Show the position in the mode chosen at the start."""
        return render(self.environment, self.render_mode)

    def _seat_players(self) -> None:
        """Draw the agent's seat, and make the opponent, each from a stream of this game."""
        seed, number = self._episodes.seed, self._episodes.number
        draw = stream(seed, Purpose.PLAY, worker=SEAT_DRAW, game=number)
        self.player = below(draw, 2) if self.seat == "random" else SIDES.index(self.seat)
        self._choose = make_opponent(self._opponent, self.game, seed, number)
        self._imagined_dice = stream(seed, Purpose.SEARCH, game=number)

    def _play_until_agent(self) -> None:
        environment = self.environment
        roll_all(environment)
        while environment.current_player == WHITE + BLACK - self.player:
            environment.apply(self._choose(self._position_for_opponent()))
            roll_all(environment)
        if self.render_mode == "human":
            self.render()

    def _position_for_opponent(self) -> Environment:
        """Return a copy whose dice are others: who may try out rolls must not see the next."""
        states = self.game.new_states(1)
        states[0] = self.environment.record
        return Environment(self.game, states, next_word(self._imagined_dice))

    def _observation(self) -> Observation:
        return self.environment.observation(self.player)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": legal_mask(self.environment), "seat": SIDES[self.player]}


gymnasium.register(
    TRICTRAC,
    entry_point="spiel_bot.adapters.gymnasium:VersusEnv",
    kwargs={"game": "trictrac"},
)
