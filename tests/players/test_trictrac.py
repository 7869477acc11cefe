import numpy as np
import pytest

from spiel_bot import Game, load
from spiel_bot.arena.match import play_match
from spiel_bot.errors import BadRequestError, PlayerError
from spiel_bot.games.random_play import walk_random_game
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.games.trictrac.judge import plays
from spiel_bot.games.trictrac.scoring import score
from spiel_bot.players.searching import LookaheadPlayer
from spiel_bot.players.spec import new_player
from spiel_bot.players.trictrac import WEIGHTS, ExpertEvaluator, GreedyEvaluator
from spiel_bot.rng import Purpose, streams
from spiel_bot.search.lookahead_config import LookaheadConfig

WHITE, BLACK = "1*6 4*2 6*2 7*2 9 12*2", "1*6 3 6*3 8*3 12*2"
MIDDLE = f"white {WHITE}, black {BLACK}; white rolls; points 4-2; holes 3-5"
SWAPPED = f"white {BLACK}, black {WHITE}; black rolls; points 2-4; holes 5-3"


def chosen(name: str, text: str, game: Game | None = None) -> str:
    """Return what a player does in a position, in words."""
    game = load("trictrac") if game is None else game
    state = game.from_notation(text, seed=1)
    player = new_player(name, game)
    action = player.choose(state.record.reshape(1), streams(1, Purpose.PLAY, [0]))
    return state.action_name(int(action[0]))


def mean_points(board: list[int], count: int) -> float:
    """Return the balance of a side's next roll, by the referee, roll by roll."""
    total = 0
    for first in range(1, 7):
        for second in range(1, 7):
            own, other = score(
                np.array(board, np.int8), max(first, second), min(first, second), count, 1
            )
            total += own - other
    return total / 36


def turned(board: list[int]) -> list[int]:
    return [-checkers for checkers in reversed(board)]


@pytest.mark.parametrize("dice", [(6, 5), (3, 1), (4, 4)])
def test_greedy_takes_the_play_with_the_best_balance_of_both_next_rolls(
    dice: tuple[int, int],
) -> None:
    game = load("trictrac")
    state = game.from_notation(MIDDLE.replace("white rolls", f"white plays {dice[0]}-{dice[1]}"), 1)
    counts = state.record["roll_counts"].tolist()
    board = state.record["board"].tolist()
    balances = {
        tuple(play.result): mean_points(list(play.result), counts[0] + 1)
        - mean_points(turned(list(play.result)), counts[1] + 1)
        for play in plays(board, list(dice))
    }
    player = new_player("greedy", game)
    action = player.choose(state.record.reshape(1), streams(1, Purpose.PLAY, [0]))
    state.apply(int(action[0]))
    after = turned(state.record["board"].tolist())
    assert balances[tuple(after)] == pytest.approx(max(balances.values()), abs=1e-6)


def test_greedy_goes_when_every_play_leaves_the_other_side_with_more_to_expect() -> None:
    game = load("trictrac")
    record = game.from_notation(MIDDLE, 1).record
    judge = GreedyEvaluator(game)
    start = game.from_notation("white 1*15, black 1*15; white rolls; holes 3-5", 1).record
    values = judge.evaluate_states(np.array([start, record]), np.array([0, 0], np.int8))[1]
    assert values[0] == 0.0  # a new setting promises nothing to anybody
    assert values[1] != 0.0
    assert game.spec.pivotal_actions[0] == GO_ACTION


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_both_judge_the_same_position_alike_from_both_sides(name: str) -> None:
    game = load("trictrac")
    judge = (GreedyEvaluator if name == "greedy" else ExpertEvaluator)(game)
    texts = [MIDDLE, SWAPPED]
    states = np.array([game.from_notation(text, 1).record for text in texts])
    own = judge.evaluate_states(states, np.array([0, 1], np.int8))[1]
    other = judge.evaluate_states(states, np.array([1, 0], np.int8))[1]
    assert own[0] == pytest.approx(own[1], abs=1e-6)
    np.testing.assert_allclose(own, -other, atol=1e-6)
    for dice in ("6-4", "5-5", "2-1"):
        plain = MIDDLE.replace("white rolls", f"white plays {dice}")
        mirrored = texts[1].replace("black rolls", f"black plays {dice}")
        assert chosen(name, plain) == chosen(name, mirrored)


def test_the_expert_takes_the_corner_and_fills_its_big_jan() -> None:
    assert chosen("expert", "white 1*11 6*2 7*2, black 1*13 5 6; white plays 6-5") == "6>12 7>12"
    game = load("trictrac")
    full = "white 4 7*2 8*2 9*2 10*2 11*2 12*3 6, black 1*9 6*3 7*3; white plays 3-1"
    state = game.from_notation(full, 1)
    moved = chosen("expert", full)
    state.apply(next(a for a in state.legal_actions if state.action_name(a) == moved))
    assert (np.array(turned(state.record["board"].tolist()))[6:12] >= 2).all()


def test_the_expert_goes_for_the_win_it_has_and_every_weight_counts() -> None:
    game = load("trictrac")
    base = ExpertEvaluator(game)
    record = np.array([game.from_notation(MIDDLE, 1).record])
    won = record.copy()
    won["holes"][0, 0] = 11
    won["points"][0, 0] = 10
    side = np.zeros(1, np.int8)
    assert base.evaluate_states(won, side)[1][0] > 0.9
    changed = []
    for text in (
        MIDDLE,
        "white 7*2 8*2 9*2 10*2 11*2 12*3 6 2, black 2*2 3*2 4*2 5*2 6*2 1*5; white rolls",
        "white 19*2 20*2 21*2 22*2 23*2 24*3, black 7*2 8*2 9*2 10*2 11 12*6; white rolls",
        "white 15 19*2 20*2 21*2 22*2 23*2 24*4, black 7*2 8*2 9*2 11 12*8; white rolls",
        "white 19*4 20*2 21*2 22*2 24*5, black 7*5 8*2 9*2 10*2 11*2 12*2; white rolls",
        "white 1*5 2*2 3*2 4*2 5*2 6 8, black 1*6 3 6*3 8*3 12*2; white rolls",
        "white 1*2 2*2 3*2 4*2 5*2 6 8*4, black 10*5 11*5 12*5; white rolls",
        "white 1*15, black 1*15; white rolls",
    ):
        states = np.array([game.from_notation(text, 1).record])
        plain = base.evaluate_states(states, side)[1][0]
        for i, weight in enumerate(WEIGHTS):
            weights = np.array(list(WEIGHTS.values()))
            weights[i] += 0.5
            if ExpertEvaluator(game, weights).evaluate_states(states, side)[1][0] != plain:
                changed.append(weight)
    assert set(changed) == set(WEIGHTS)


def test_both_know_only_trictrac_and_need_the_position() -> None:
    for name in ("greedy", "expert"):
        with pytest.raises(PlayerError, match=f"player {name} knows only trictrac, not pig"):
            new_player(name, load("pig"))
    with pytest.raises(BadRequestError, match="needs the position"):
        ExpertEvaluator(load("trictrac")).evaluate(np.zeros(217, np.float32))
    with pytest.raises(PlayerError, match="expert takes no model and no options"):
        new_player("expert:x", load("trictrac"))


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_they_play_what_a_lookahead_without_plies_finds_best(name: str) -> None:
    game = load("trictrac", holes_to_win=4)
    judge = (GreedyEvaluator if name == "greedy" else ExpertEvaluator)(game)
    player, twin = new_player(name, game), LookaheadPlayer(game, judge, LookaheadConfig(plies=0))
    states = np.array(
        [
            state.record.copy()
            for seed in range(3)
            for state, _ in walk_random_game(game, seed)
            if state.legal_actions
        ]
    )
    dice = streams(1, Purpose.PLAY, np.arange(len(states)))
    np.testing.assert_array_equal(player.choose(states, dice), twin.choose(states, dice))
    assert states["can_go"].any()


def test_they_play_games_to_the_end() -> None:
    game = load("trictrac", holes_to_win=1)
    result = play_match(game, new_player("expert", game), new_player("greedy", game), 1, seed=2)
    assert result.wins + result.losses == 2


@pytest.mark.compiled
@pytest.mark.slow
def test_the_ladder_random_greedy_expert_is_real() -> None:
    game = load("trictrac")
    random, greedy, expert = (new_player(name, game) for name in ("random", "greedy", "expert"))
    assert play_match(game, greedy, random, 50, seed=1).win_rate >= 0.95
    assert play_match(game, expert, random, 50, seed=1).win_rate >= 0.95
    assert play_match(game, expert, greedy, 100, seed=1).win_rate >= 0.6
