"""A judged position as plain values, for JSON and for pages."""

from typing import Any

from spiel_bot.analysis.decision import AnalysisConfig, Decision, JudgedPlay, details_of
from spiel_bot.analysis.judge import Judge
from spiel_bot.games.played import SIDES


def figures_of(decision: Decision, judge: Judge, config: AnalysisConfig) -> dict[str, Any]:
    """Return a judged position for JSON; figures from the side of who decides."""
    plays, pivotal = decision.plays, decision.pivotal
    return {
        "position": decision.game.to_text(decision.state),
        "player": SIDES[decision.player],
        "judge": judge.name,
        "returns": judge.game.spec.options.get("returns"),
        "lookahead": config.plies,
        "simulations": config.simulations,
        "action": decision.best.name,
        "equity": decision.best.equity,
        "win_chance": decision.best.win_chance,
        "plays": [play_figures(decision, one) for one in plays],
        "branches": {
            **({"hold": branch_figures(plays[0])} if pivotal and plays else {}),
            **{one.name: branch_figures(one) for one in pivotal},
        },
    }


def branch_figures(one: JudgedPlay) -> dict[str, Any]:
    """Return the figures of a branch such as holding, by its best play, or going."""
    return {
        "name": one.name,
        "equity": one.equity,
        "win_chance": one.win_chance,
        "loss": one.loss,
        "visits": one.visits,
        "line": list(one.line),
    }


def play_figures(decision: Decision, one: JudgedPlay) -> dict[str, Any]:
    """Return the figures of a play."""
    return {"action": one.action} | branch_figures(one) | details_of(decision, one)
