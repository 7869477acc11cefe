"""A game of ours as an environment of PettingZoo (AEC: the agents act one after the other)."""

from typing import Any

import numpy as np

from spiel_bot.adapters.episodes import (
    ILLEGAL_ACTION,
    Episodes,
    apply_or_refuse,
    expect_one_of,
    legal_mask,
    roll_all,
)
from spiel_bot.adapters.extras import missing_extra
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Environment
from spiel_bot.games.registry import load

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ModuleNotFoundError:
    raise missing_extra("PettingZoo", "pettingzoo") from None

from spiel_bot.adapters.rendering import RENDER_MODES, Picture, check_render_mode, render

AGENTS = ["player_0", "player_1"]
"""White and black, under the names that PettingZoo recommends."""


class BoardGameEnv(AECEnv, EzPickle):
    """Two agents, ``player_0`` (white) and ``player_1``; one may be selected twice in a row.

    An observation is a dictionary with ``observation``, the game's own from the agent's side, and
    ``action_mask``, which ``infos`` holds too; the mask of who is not selected is all 0. Rolls
    are made by the environment, with dice that follow from the seed of `reset`. Rewards are the
    game's returns, at its end.

    An illegal action loses the game at once, with the least reward for who played it and nothing
    for the other, and ``infos`` of both say why; ``illegal_action="raise"`` raises instead.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - so the base class has it
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str = "trictrac",
        *,
        render_mode: str | None = None,
        illegal_action: str = "lose",
        **options: Any,
    ) -> None:
        """Load a game; `options` are the game's own.

        Raises:
            UnknownGameError: There is no such game.
            GameOptionError: The game has no such option or value.
            BadRequestError: Another argument has a value that does not exist.
        """
        EzPickle.__init__(
            self, game, render_mode=render_mode, illegal_action=illegal_action, **options
        )
        super().__init__()
        check_render_mode(render_mode)
        expect_one_of("illegal_action", illegal_action, ILLEGAL_ACTION)
        self.game = load(game, **options)
        self.render_mode = render_mode
        self.illegal_action = illegal_action
        self.possible_agents = list(AGENTS)
        spec = self.game.spec
        self.metadata = {**type(self).metadata, "name": f"{spec.name}_v{spec.rules_version - 1}"}
        low, high = spec.observation_range
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(low, high, spec.observation_shape, np.float32),
                    "action_mask": Box(0, 1, (spec.num_actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(spec.num_actions) for agent in AGENTS}
        self._episodes = Episodes(self.game)
        self._environment: Environment | None = None

    @property
    def environment(self) -> Environment:
        """The position in our own form, to read.

        Raises:
            BadRequestError: No game has been started.
        """
        if self._environment is None:
            raise BadRequestError("no game has been started; call reset() first")
        return self._environment

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; a seed starts a series of games, the same each time."""
        self._environment = self._episodes.next(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.agent_selection = AGENTS[0]
        self._move_on()

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent, and roll until somebody decides.

        Raises:
            IllegalActionError: It is not legal, and ``illegal_action`` is ``raise``.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        reason = apply_or_refuse(self.environment, action, self.illegal_action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if reason is None:
            self._move_on()
        else:
            self._end({agent: self.game.spec.return_range[0]})
            for info in self.infos.values():
                info["illegal_action"] = f"{agent}: {reason}"

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and which actions it has."""
        player = AGENTS.index(agent)
        seen = self.environment.observation(player)
        return {"observation": seen, "action_mask": self._mask(agent)}

    def render(self) -> str | Picture | None:
        """Show the position in the mode chosen at the start."""
        return render(self.environment, self.render_mode)

    def close(self) -> None:
        """Do nothing: no window is open."""

    def _mask(self, agent: str) -> Any:
        is_selected = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = legal_mask(self.environment)
        return mask if is_selected else np.zeros_like(mask)

    def _move_on(self) -> None:
        """Roll until somebody decides or the game is over, and select who acts."""
        roll_all(self.environment)
        if self.environment.is_terminal:
            self._end(dict(zip(AGENTS, self.environment.returns, strict=True)))
        else:
            self.agent_selection = AGENTS[self.environment.current_player]
            self.infos = {agent: {"action_mask": self._mask(agent)} for agent in AGENTS}
        if self.render_mode == "human":
            self.render()

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards.update(rewards)
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(AGENTS, True)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in AGENTS}


def raw_env(**arguments: Any) -> BoardGameEnv:
    """Return the environment as it is; arguments as of `BoardGameEnv`."""
    return BoardGameEnv(**arguments)


def env(**arguments: Any) -> OrderEnforcingWrapper:
    """Return the environment with PettingZoo's checks of bounds and order around it."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**arguments)))
