"""One decision judged: its plays from the best to the worst, each by the same rolls.

Equities come from an exact lookahead over all rolls, the same for every play, so luck does not
rank them. A tree search beside it says where its simulations went and which line it expects.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spiel_bot.analysis.judge import Judge
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import NO_ACTION, WHITE, Environment, Game, State, States
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.inspect import principal_variation
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.search.result import VARIATION_PLIES, SearchResult, follow_visits

DECISIONS_AT_ONCE = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisConfig:
    """How deep an analysis looks."""

    plies: int = 1
    """Rolls of the exact lookahead that gives the equities: 0, 1 or 2."""

    simulations: int = 400
    """Descents of the tree search that gives visits and expected lines; 0 for none."""

    seed: int = 0
    """Of the tree search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPlay:
    """One action of a decision; all figures from the side of who decides."""

    action: int
    name: str
    equity: float
    """Expected result: 1 for a game won, -1 for one lost."""

    win_chance: float
    """The same from 0 to 1; a draw counts half."""

    loss: float
    """Equity lost against the best action."""

    visits: int
    """Simulations of the tree search that began with it."""

    line: tuple[str, ...]
    """What the tree search expects from here on, this action first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A position where somebody decides, with every action judged, the best first."""

    game: Game
    state: State
    player: int
    actions: tuple[JudgedPlay, ...]
    """Each after-state once; other names of it are not listed."""

    same: dict[int, int]
    """Any legal action -> the listed one that leads to the same position."""

    @property
    def best(self) -> JudgedPlay:
        """The best action."""
        return self.actions[0]

    @property
    def plays(self) -> list[JudgedPlay]:
        """All but the pivotal actions: trictrac's plays, which hold where going is possible."""
        return [one for one in self.actions if one.action not in self.game.spec.pivotal_actions]

    @property
    def pivotal(self) -> list[JudgedPlay]:
        """The pivotal actions: trictrac's go."""
        return [one for one in self.actions if one.action in self.game.spec.pivotal_actions]

    def judged(self, action: int) -> JudgedPlay:
        """Return what was found for a legal action."""
        listed = self.same[action]
        return next(one for one in self.actions if one.action == listed)


def analyse(judge: Judge, state: Environment, config: AnalysisConfig | None = None) -> Decision:
    """Judge the actions of one position.

    Raises:
        BadRequestError: Nobody decides there.
    """
    if state.current_player < WHITE:
        what = "the game is over" if state.is_terminal else "a roll is next"
        raise BadRequestError(f"expected a position where somebody decides; here {what}")
    return analyse_many(judge, state.record.reshape(1), config)[0]


def analyse_many(
    judge: Judge, states: States, config: AnalysisConfig | None = None
) -> list[Decision]:
    """Judge the actions of many decisions [B], a few at a time."""
    chosen = AnalysisConfig() if config is None else config
    most = judge.game.spec.max_legal_actions
    looking = LookaheadConfig(plies=chosen.plies, candidates=most, finalists=most, aim="win")
    lookahead = Lookahead(judge.game, judge.evaluator, looking)
    found = []
    for start in range(0, len(states), DECISIONS_AT_ONCE):
        part = np.ascontiguousarray(states[start : start + DECISIONS_AT_ONCE])
        result = lookahead.run(part)
        decisions = [_decision(judge.game, part, result, row) for row in range(len(part))]
        if chosen.simulations > 0:
            decisions = _with_tree(judge, part, decisions, chosen)
        found += decisions
    return found


def _decision(game: Game, states: States, result: SearchResult, row: int) -> Decision:
    state = states[row]
    count = int(result.num_actions[row])
    actions = [int(action) for action in result.actions[row, :count]]
    same = _same_positions(game, state, actions)
    player = _player(game, state)
    sign = 1.0 if player == WHITE else -1.0
    equities = {
        action: sign * float(result.values[row, place]) + 0.0  # no -0
        for place, action in enumerate(actions)
        if same[action] == action
    }
    most = max(equities.values())
    ranked = sorted(equities, key=lambda action: (-equities[action], action))
    return Decision(
        game=game,
        state=state.copy(),
        player=player,
        actions=tuple(
            JudgedPlay(
                action=action,
                name=game.action_name(state, action),
                equity=equities[action],
                win_chance=(1.0 + equities[action]) / 2.0,
                loss=most - equities[action],
                visits=0,
                line=(),
            )
            for action in ranked
        ),
        same=same,
    )


def _same_positions(game: Game, state: State, actions: Sequence[int]) -> dict[int, int]:
    """Return for each action the first one that leads to the same position."""
    after = np.empty(len(actions), game.state_dtype)
    after[:] = state
    game.apply_many(after, np.array(actions, np.int32))
    first: dict[bytes, int] = {}
    return {
        action: first.setdefault(position.tobytes(), action)
        for action, position in zip(actions, after, strict=True)
    }


def _with_tree(
    judge: Judge, states: States, decisions: list[Decision], config: AnalysisConfig
) -> list[Decision]:
    """Add visits and expected lines of a tree search, all trees grown together."""
    settings = MctsConfig(n_simulations=config.simulations, eval_batch_size=8)
    search = Search(judge.game, judge.evaluator, settings.without_exploration())
    numbers = np.arange(len(states))
    result = search.run(states, streams(config.seed, Purpose.SEARCH, numbers))
    return [_add_tree(search, result, row, one) for row, one in enumerate(decisions)]


def _add_tree(search: Search, result: SearchResult, row: int, decision: Decision) -> Decision:
    visits: dict[int, int] = {}
    for action, count in zip(result.actions[row], result.visits[row], strict=True):
        if action != NO_ACTION:
            listed = decision.same[int(action)]
            visits[listed] = visits.get(listed, 0) + int(count)
    return replace(
        decision,
        actions=tuple(
            replace(
                one,
                visits=visits[one.action],
                line=_expected_line(search, result, row, one.action) or (one.name,),
            )
            for one in decision.actions
        ),
    )


def _expected_line(search: Search, result: SearchResult, row: int, action: int) -> tuple[str, ...]:
    """Return the most visited line that begins with an action; empty if it was never tried."""
    tree = search.forest.tree
    line = np.full((len(result.actions), VARIATION_PLIES), NO_ACTION, np.int32)
    follow_visits(tree.nodes, tree.edges, row, action, line)
    return tuple(principal_variation(search, replace(result, principal_variation=line), row))


def _player(game: Game, state: State) -> int:
    out = np.empty(1, np.int8)
    game.current_player_many(state.reshape(1), out)
    return int(out[0])


def details_of(decision: Decision, one: JudgedPlay) -> dict[str, Any]:
    """Return what an action does as plain values: `moves` and `result`.

    In trictrac (from, to) for each number and the 24 fields afterwards, from the mover's side;
    elsewhere the name of the action and the notation of the position after it.
    """
    if decision.game.action_details is not None:
        return decision.game.action_details(decision.state, one.action)
    after = decision.state.reshape(1).copy()
    decision.game.apply_many(after, np.array([one.action], np.int32))
    return {"moves": one.name, "result": decision.game.to_text(after[0])}
