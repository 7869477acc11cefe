"""Small set-ups for the tests of learning."""

from spiel_bot import Game
from spiel_bot.learning.selfplay import SelfPlay, SelfPlayConfig
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.storage.records import GameRecord

SEARCH = MctsConfig(n_simulations=6, selection="gumbel", eval_batch_size=1)


def config(**changes: object) -> SelfPlayConfig:
    """Return self-play with few simulations."""
    settings: dict[str, object] = {"games_at_once": 4, "search": SEARCH, "cheap_simulations": 2}
    return SelfPlayConfig(**(settings | changes))  # type: ignore[arg-type]


def played(
    game: Game, numbers: list[int], settings: SelfPlayConfig, seed: int = 1
) -> list[GameRecord]:
    """Return the games of these numbers, in their order."""
    records: list[GameRecord] = []
    SelfPlay(game, HashEvaluator(game), settings, seed=seed).play(iter(numbers), records.append)
    return sorted(records, key=lambda record: record.number)
