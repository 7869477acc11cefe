"""Players that look before they play: by a tree, or by an exact lookahead."""

import numpy as np

from spiel_bot.games.base import Actions, Game, States
from spiel_bot.games.erring import expect_erring, note_erring
from spiel_bot.rng import Streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import Evaluator
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.search.scout import Scout


class SearchPlayer:
    """Plays what a tree search finds best; never with noise or temperature."""

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        config: MctsConfig,
        scout: Scout | None = None,
        *,
        seen: Game | None = None,
        name: str = "search",
    ) -> None:
        """Prepare a player; exploration is switched off whatever the configuration says.

        With `seen`, the game as the evaluator knows it, the search plays to win (`Search`).
        """
        self.name = name
        self.search = Search(game, evaluator, config.without_exploration(), scout, seen=seen)

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return the best action found in each position."""
        return self.search.run(states, streams).action


class LookaheadPlayer:
    """Plays what looking 0, 1 or 2 rolls ahead finds best; 0 is the evaluator's own opinion."""

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        config: LookaheadConfig | None = None,
        scout: Scout | None = None,
        *,
        opponent_errs: bool = False,
        name: str = "lookahead",
    ) -> None:
        """Prepare a player, who may expect errors of the opponent.

        Raises:
            GameOptionError: The game cannot tell who errs.
        """
        if opponent_errs:
            expect_erring(game)
        self.name = name
        self.opponent_errs = opponent_errs
        self.lookahead = Lookahead(game, evaluator, config, scout)

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return the best action found in each position; nothing is drawn."""
        if self.opponent_errs:
            movers, states = np.empty(len(states), np.int8), states.copy()
            self.lookahead.game.current_player_many(states, movers)
            note_erring(self.lookahead.game, states, 1 - movers)
        return self.lookahead.run(states).action
