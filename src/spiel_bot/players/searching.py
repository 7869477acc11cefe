"""Players that look before they play: by a tree, or by an exact lookahead."""

from spiel_bot.games.base import Actions, Game, States
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
        name: str = "lookahead",
    ) -> None:
        """Prepare a player."""
        self.name = name
        self.lookahead = Lookahead(game, evaluator, config, scout)

    def choose(self, states: States, streams: Streams) -> Actions:
        """Return the best action found in each position; nothing is drawn."""
        return self.lookahead.run(states).action
