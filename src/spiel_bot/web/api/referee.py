"""The referee and the analysis: questions about any position, without a game."""

from typing import Any

from fastapi import APIRouter

from spiel_bot.analysis.decision import AnalysisConfig, analyse
from spiel_bot.analysis.figures import figures_of
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import State
from spiel_bot.games.rolled import position_of
from spiel_bot.games.trictrac.explain import sentence
from spiel_bot.games.trictrac.judge import JanScore
from spiel_bot.games.trictrac.verdict import judge_play, judge_roll, position_and_roll
from spiel_bot.players.spec import ROLLOUT
from spiel_bot.web.allowed import most_work
from spiel_bot.web.api import referee_models as models
from spiel_bot.web.api.errors import responses
from spiel_bot.web.api.game_models import Verdict
from spiel_bot.web.hall import Hall


def router_of(hall: Hall) -> APIRouter:
    """Return the addresses of the referee and of the analysis."""
    router = APIRouter(tags=["referee"])

    @router.post("/referee/score", responses=responses())
    async def score(asked: models.Rolled) -> models.RollVerdict:
        """Score a roll of trictrac: points, jans, rules, sentences and the legal plays."""
        return await hall.think(verdict_on, asked)

    @router.post("/referee/explain", responses=responses())
    async def explain(asked: models.RolledPlay) -> Verdict:
        """Say whether a play is legal, and if not which rule it breaks."""
        return await hall.think(play_verdict, asked)

    @router.post("/analyse", responses=responses(404))
    async def analysis(asked: models.Analysed) -> models.Analysis:
        """Rank the plays of a position."""
        return await hall.think(analysis_of, hall, asked)

    return router


def read(asked: models.Rolled) -> tuple[State, tuple[int, int]]:
    """Return the position and the roll that a request means."""
    board = asked.board or []
    text = asked.position if asked.position is not None else ",".join(str(n) for n in board)
    state, dice = position_and_roll(text, asked.dice)
    if asked.misery_pile is not None:
        state["misery_pile"] = asked.misery_pile
    return state, dice


def verdict_on(asked: models.Rolled) -> models.RollVerdict:
    """Answer a question about a roll."""
    figures: dict[str, Any] = judge_roll(*read(asked), asked.roll_count, asked.language)
    for jan in figures["jans"]:
        jan["sentence"] = sentence(JanScore(**jan), asked.language)
    return models.RollVerdict.model_validate(figures)


def play_verdict(asked: models.RolledPlay) -> Verdict:
    """Answer a question about a play."""
    found = judge_play(*read(asked), asked.play, asked.language)
    return Verdict(play=found["text"], legal=found["legal"], reason=found["reason"])


def analysis_of(hall: Hall, asked: models.Analysed) -> models.Analysis:
    """Judge a position.

    Raises:
        BadRequestError: More is asked for than the server gives, or nobody decides there.
    """
    game = hall.shelf.game(asked.game)
    state = position_of(game, asked.position, asked.dice)
    judge = hall.shelf.judge(asked.model, game)
    simulations, plies = most_work(judge.name == ROLLOUT, hall.settings.bounds)
    for name, most in (("lookahead", plies), ("simulations", simulations)):
        if getattr(asked, name) > most:
            raise BadRequestError(f"{name}: expected at most {most} for {judge.name} here")
    config = AnalysisConfig(plies=asked.lookahead, simulations=asked.simulations)
    return models.Analysis.model_validate(figures_of(analyse(judge, state, config), judge, config))
