"""What OpenSpiel's algorithms see of a state."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Game

if TYPE_CHECKING:
    from spiel_bot.adapters.open_spiel import SpielState


class Observer:
    """Writes observations into `tensor`, as OpenSpiel's observer interface wants it.

    Nothing is hidden in our games. The tensor is the game's observation from the player's side,
    also where perfect recall is asked for; the text is then the whole history, else the position.
    An observer of private information alone sees nothing.
    """

    def __init__(self, game: Game, iig_obs_type: Any = None, params: Any = None) -> None:
        """Make an empty observation."""
        if params:
            raise BadRequestError(
                f"observers take no parameters, got {params}; options of the "
                "game choose the observation"
            )
        self._sees_public = iig_obs_type is None or iig_obs_type.public_info
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if self._sees_public:
            shaped = np.zeros(game.spec.observation_shape, np.float32)
            self.tensor = shaped.reshape(-1)
            self.dict["observation"] = shaped

    def set_from(self, state: "SpielState", player: int) -> None:
        """Write what a player sees."""
        if self._sees_public:
            self.dict["observation"][:] = state.environment.observation(player)

    def string_from(self, state: "SpielState", player: int) -> str:
        """Return what a player knows, as text."""
        if not self._sees_public:
            return ""
        return state.information_text() if self._recalls else str(state)
