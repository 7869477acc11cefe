"""A whole game judged: every decision marked, and what the dice gave to each side."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from spiel_bot.analysis.decision import DECISIONS_AT_ONCE, AnalysisConfig, Decision, analyse_many
from spiel_bot.analysis.judge import Judge
from spiel_bot.analysis.luck import Roll, luck_of
from spiel_bot.games.base import CHANCE, Game
from spiel_bot.games.played import PlayedGame

WORST = 5
"""Plays that a report shows with the board."""


class Mark(StrEnum):
    """How good a play was."""

    BEST = "best"
    FINE = "fine"
    ERROR = "error"
    BLUNDER = "blunder"


FINE_FROM, ERROR_FROM, BLUNDER_FROM = 0.0025, 0.01, 0.04
"""Chance of winning that a play must lose to be marked so; 0.01 is one game in a hundred."""


def mark_of(lost_chance: float) -> Mark:
    """Return the mark of a play that loses so much chance of winning."""
    if lost_chance >= BLUNDER_FROM:
        return Mark.BLUNDER
    if lost_chance >= ERROR_FROM:
        return Mark.ERROR
    return Mark.FINE if lost_chance >= FINE_FROM else Mark.BEST


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDecision:
    """A decision of a game, with what was played."""

    turn: int
    """Number of its line in the game file, from 1."""

    ply: int
    """Events before it."""

    decision: Decision
    action: int

    @property
    def lost_chance(self) -> float:
        """Chance of winning given away."""
        return self.decision.best.win_chance - self.decision.judged(self.action).win_chance

    @property
    def mark(self) -> Mark:
        """How good the play was."""
        return mark_of(self.lost_chance)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSummary:
    """How one side played."""

    decisions: int
    """Decisions with a choice."""

    marks: dict[Mark, int]
    error_rate: float
    """Chance of winning given away for each decision with a choice, on average."""

    lost_chance: float
    """All of it together; errors can add up to more than 1."""

    luck: float
    """Chance of winning that its own rolls gave beyond their expectation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAnalysis:
    """A judged game."""

    played: PlayedGame
    judge: str
    judge_game: Game
    """The game as the judge sees it, with the returns that he knows."""

    config: AnalysisConfig
    decisions: tuple[PlayedDecision, ...]
    """Those with a choice, in the order of play."""

    rolls: tuple[Roll, ...]
    sides: tuple[SideSummary, SideSummary]

    @property
    def worst(self) -> list[PlayedDecision]:
        """The plays that lost most, the worst first; only such as lost something to speak of."""
        ranked = sorted(self.decisions, key=lambda one: -one.lost_chance)
        return [one for one in ranked[:WORST] if one.mark is not Mark.BEST]


def analyse_game(
    judge: Judge,
    played: PlayedGame,
    config: AnalysisConfig | None = None,
    *,
    on_judged: Callable[[int, int], None] | None = None,
) -> GameAnalysis:
    """Judge every decision and every roll of a game.

    Args:
        judge: Who judges.
        played: The game; of the judge's rules.
        config: How deep; without, no tree search is made.
        on_judged: Called with the decisions judged so far, and with how many there are.
    """
    chosen = AnalysisConfig(simulations=0) if config is None else config
    states, places = [], []
    turn = 1
    for ply, (state, event) in enumerate(played.replay()):
        if event.player == CHANCE:
            continue
        if len(state.legal_actions) > 1:
            action = _canonical(played, state.record, event.number)
            states.append(state.record)
            places.append((turn, ply, action))
        turn += 1
    decisions: list[Decision] = []
    for start in range(0, len(states), DECISIONS_AT_ONCE):
        part = np.array(states[start : start + DECISIONS_AT_ONCE], judge.game.state_dtype)
        decisions += analyse_many(judge, part, chosen)
        if on_judged is not None:
            on_judged(len(decisions), len(states))
    found = tuple(
        PlayedDecision(turn=turn, ply=ply, decision=decision, action=action)
        for (turn, ply, action), decision in zip(places, decisions, strict=True)
    )
    rolls = luck_of(judge, played)
    return GameAnalysis(
        played=played,
        judge=judge.name,
        judge_game=judge.game,
        config=chosen,
        decisions=found,
        rolls=tuple(rolls),
        sides=(_summary(0, found, rolls), _summary(1, found, rolls)),
    )


def _canonical(played: PlayedGame, state: np.void, action: int) -> int:
    """Return the listed name of an action that may have been given by another one."""
    name = played.game.canonical_action
    return action if name is None else int(name(state, action))


def _summary(side: int, decisions: tuple[PlayedDecision, ...], rolls: list[Roll]) -> SideSummary:
    own = [one for one in decisions if one.decision.player == side]
    lost = sum(one.lost_chance for one in own)
    return SideSummary(
        decisions=len(own),
        marks={mark: sum(one.mark is mark for one in own) for mark in Mark},
        error_rate=lost / len(own) if own else 0.0,
        lost_chance=lost,
        luck=sum(roll.luck for roll in rolls if roll.player == side),
    )
