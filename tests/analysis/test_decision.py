from dataclasses import replace

import numpy as np
import pytest

from spiel_bot import load
from spiel_bot.analysis.decision import (
    AnalysisConfig,
    analyse,
    analyse_many,
    details_of,
)
from spiel_bot.analysis.judge import Judge, load_judge
from spiel_bot.errors import BadRequestError
from spiel_bot.games.base import Actions, Environment, Floats, Players, States
from spiel_bot.games.event_names import read_outcome
from spiel_bot.games.trictrac.referee import plays
from spiel_bot.search.evaluator import Evaluation, Evaluator, HashEvaluator

GO = "white 1*8 3 5 6 7*2 8 9, black 1*8 2 4 6*2 7 8 9; {} rolls; points 10-10"


def hash_judge(name: str) -> Judge:
    game = load(name)
    return Judge("hash", game, HashEvaluator(game, 1))


def rolled(position: str, dice: str) -> Environment:
    state = load("trictrac").from_notation(position, seed=0)
    state.apply_outcome(read_outcome(state, dice))
    return state


def tic_tac_toe(*moves: int) -> Environment:
    state = load("tic_tac_toe").new_game()
    for move in moves:
        state.apply(move)
    return state


def test_a_win_at_hand_is_best_and_all_else_loses_by_it() -> None:
    judge = load_judge("uniform", load("tic_tac_toe"))
    decision = analyse(judge, tic_tac_toe(0, 3, 1, 4), AnalysisConfig(simulations=0))
    assert (decision.best.action, decision.best.equity, decision.best.loss) == (2, 1.0, 0.0)
    assert decision.best.win_chance == 1.0
    assert all(one.loss == 1.0 for one in decision.actions[1:])


def test_black_sees_it_from_his_own_side() -> None:
    judge = load_judge("uniform", load("tic_tac_toe"))
    decision = analyse(judge, tic_tac_toe(0, 3, 1, 4, 8), AnalysisConfig(simulations=0))
    assert (decision.player, decision.best.action, decision.best.win_chance) == (1, 5, 1.0)


@pytest.mark.parametrize("side", ["white", "black"])
def test_trictrac_lists_each_play_once_best_first_and_going_beside_them(side: str) -> None:
    state = rolled(GO.format(side), "6-4")
    decision = analyse(hash_judge("trictrac"), state, AnalysisConfig(simulations=60))
    results = [tuple(details_of(decision, one)["result"]) for one in decision.plays]
    expected = {play.result for play in plays(state.record["board"], (6, 4))}
    assert set(results) == expected
    assert len(results) == len(expected)
    losses = [one.loss for one in decision.actions]
    assert losses == sorted(losses)
    assert losses[0] == 0.0
    assert sum(one.visits for one in decision.actions) == 60
    (go,) = decision.pivotal
    assert details_of(decision, go) == {"moves": [], "result": [15, *[0] * 22, -15]}
    assert all(one.line[0] == one.name for one in decision.actions)
    assert max(len(one.line) for one in decision.actions) > 1


class Homesick(Evaluator):
    """Likes nothing but the starting position."""

    def evaluate(self, observation: Floats) -> tuple[Floats, float]:
        raise NotImplementedError

    def evaluate_states(self, states: States, players: Players) -> Evaluation:
        is_start = (states["board"] == load("trictrac").initial_state["board"]).all(axis=1)
        likes = np.where(players == 0, 0.5, -0.5) * is_start  # white does, black does not
        return np.zeros((len(states), 514), np.float32), likes.astype(np.float32)


@pytest.mark.parametrize(("side", "best"), [("white", "go"), ("black", "hold")])
def test_going_is_best_where_the_start_is(side: str, best: str) -> None:
    judge = Judge("homesick", load("trictrac"), Homesick())
    decision = analyse(judge, rolled(GO.format(side), "6-4"), AnalysisConfig(simulations=16))
    assert (decision.best.name == "go") == (best == "go")
    assert decision.pivotal[0].loss == pytest.approx(0.0 if best == "go" else 0.5)


def test_actions_that_lead_to_the_same_position_are_one() -> None:
    game = load("tic_tac_toe")

    def pass_many(states: States, actions: Actions) -> None:
        """Let actions 1 and 2 be two names of 0."""
        game.apply_many(states, np.where(actions <= 2, 0, actions).astype(np.int32))

    odd = replace(game, apply_many=pass_many)
    judge = Judge("hash", odd, HashEvaluator(odd, 1))
    decision = analyse(judge, odd.new_game(), AnalysisConfig(simulations=90))
    assert {one.action for one in decision.actions} == {0, 3, 4, 5, 6, 7, 8}
    assert decision.judged(2) is decision.judged(0)
    assert sum(one.visits for one in decision.actions) == 90


def test_a_decision_does_not_depend_on_its_neighbours() -> None:
    judge = hash_judge("trictrac")
    states = [
        rolled(GO.format(side), dice).record for side, dice in (("white", "6-4"), ("black", "3-2"))
    ]
    many = analyse_many(judge, np.array(states), AnalysisConfig(simulations=0))
    for state, decision in zip(states, many, strict=True):
        alone = analyse_many(judge, state.reshape(1), AnalysisConfig(simulations=0))[0]
        assert [one.equity for one in alone.actions] == [one.equity for one in decision.actions]


def test_other_games_tell_the_position_after_a_play() -> None:
    decision = analyse(hash_judge("tic_tac_toe"), tic_tac_toe(4), AnalysisConfig(simulations=0))
    details = details_of(decision, decision.judged(0))
    after = tic_tac_toe(4, 0)
    assert details == {"moves": "O to row 1, column 1", "result": after.notation}


def test_a_position_without_a_decision_is_refused() -> None:
    judge = hash_judge("trictrac")
    with pytest.raises(BadRequestError, match="here a roll is next"):
        analyse(judge, load("trictrac").new_game(1))
    over = tic_tac_toe(0, 3, 1, 4, 2)
    with pytest.raises(BadRequestError, match="here the game is over"):
        analyse(hash_judge("tic_tac_toe"), over)


def test_nothing_has_no_sign() -> None:
    decision = analyse(load_judge("uniform", load("tic_tac_toe")), tic_tac_toe(4))
    assert {str(one.equity) for one in decision.actions} == {"0.0"}
