"""Who judges positions: a model of a file or of the store, or one that needs no network."""

from pathlib import Path
from typing import NamedTuple

from spiel_bot.errors import PlayerError
from spiel_bot.games.base import Game
from spiel_bot.players.models import default_model, load_model
from spiel_bot.players.trictrac import TRICTRAC, ExpertEvaluator, by_outcome
from spiel_bot.search.evaluator import Evaluator, UniformEvaluator
from spiel_bot.search.rollout import RolloutEvaluator

EXPERT = "expert"
ROLLOUT = "rollout"
UNIFORM = "uniform"


class Judge(NamedTuple):
    """An evaluator with its name and the game as it sees it."""

    name: str
    game: Game
    evaluator: Evaluator


def load_judge(model: str | None, game: Game, *, store: Path | None = None) -> Judge:
    """Return who judges.

    Args:
        model: A file, RUN, RUN@ITERATION or RUN@LABEL; ``expert`` for the hand-written judgement
            of trictrac, ``rollout`` for random games to the end, ``uniform`` for a judge who knows
            only how games end; None for the shipped model, or the newest of the store.
        game: What is analysed.
        store: Folder of the run store; None for the user's own.

    Raises:
        SpielBotError: There is no such model, or it does not fit the game.
    """
    if model == EXPERT:
        return Judge(model, by_outcome(game), ExpertEvaluator(game))
    if model == ROLLOUT:
        return Judge(model, game, RolloutEvaluator(game))
    if model == UNIFORM:
        return Judge(model, by_outcome(game), UniformEvaluator(game))
    if model is None:
        try:
            model = default_model(game, store)
        except PlayerError as error:
            without = EXPERT if game.spec.name == TRICTRAC else ROLLOUT
            raise PlayerError(
                f"no model to judge {game.spec.name} ({error}); name one with --model, train one "
                f"with spiel-bot train, or take --model {without}, which needs no network"
            ) from error
    found = load_model(model, game, store=store)
    return Judge(found.name, found.game, found.evaluator)


def default_judge(game: Game, store: Path | None = None) -> Judge:
    """Return who gives hints: the newest model, or a judge that needs no network."""
    try:
        return load_judge(None, game, store=store)
    except PlayerError:
        return load_judge(EXPERT if game.spec.name == TRICTRAC else ROLLOUT, game, store=store)
