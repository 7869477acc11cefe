"""Options of a game's marks: how many holes win, what it starts with, what it returns."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from spiel_bot import check_game, load
from spiel_bot.errors import GameOptionError, NotationError
from spiel_bot.games.base import CHANCE, TERMINAL, WHITE, Game, States
from spiel_bot.games.random_play import play_random_games, walk_random_game
from spiel_bot.games.trictrac.dice import outcome_of
from spiel_bot.games.trictrac.notation import from_text, to_text
from spiel_bot.games.trictrac.state import DEAD, NOBODY, first_state

START = "white 1*15, black 1*15"


# Fewer holes


def test_a_game_may_end_with_fewer_holes() -> None:
    game = load("trictrac", holes_to_win=3)
    for seed in range(5):
        *_, (last, _) = walk_random_game(game, seed)
        assert last.is_terminal
        assert max(last.record["holes"]) >= 3
        assert min(last.record["holes"]) < 3
        assert sorted(last.returns) == [-1, 1]


def test_the_third_hole_of_three_ends_the_game_at_once() -> None:
    game = load("trictrac", holes_to_win=3)
    state = game.from_notation(
        "white 23 24, black 3*15; white rolls; points 10-0; holes 2-2; run white; to 3"
    )
    state.apply_outcome(outcome_of(2, 1))  # the last exit: 4 points
    assert state.is_terminal
    assert state.returns == (1.0, -1.0)
    assert state.notation.endswith("; to 3")


def test_the_notation_names_the_holes_only_if_they_are_not_twelve() -> None:
    assert "to " not in load("trictrac").new_game().notation.replace("to play", "")
    assert from_text(f"{START}; white rolls")["holes_to_win"] == 12
    assert from_text(f"{START}; white rolls; to 12")["holes_to_win"] == 12
    short = load("trictrac", holes_to_win=6).new_game().notation
    assert short.endswith("misery on; to 6")
    assert from_text(short)["holes_to_win"] == 6


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        ("white rolls; to 0", "expected 1 to 12 holes, as 'to 6'"),
        ("white rolls; to 13", "expected 1 to 12 holes"),
        ("white rolls; to six", "expected 1 to 12 holes"),
        ("white rolls; holes 6-0; to 6", "over with 6 holes or at its last ply, here it is"),
        ("white rolls; draws", "expected some of white-holes, black-holes, flag"),
        ("white rolls; draws luck", "expected some of white-holes"),
        ("white rolls; draws run run", "each once"),
        ("white plays 6-5; draws flag", "marks are drawn before the first roll"),
        ("white rolls; holes 1-0; draws white-holes flag", "white-holes is there already"),
        ("white rolls; rolls 1-0; draws flag", "thrown from the starting position"),
        ("white rolls; draws white-holes", "flag goes with holes, and run with points"),
        ("first roll; draws black-points", "flag goes with holes, and run with points"),
    ],
)
def test_a_clause_that_cannot_be_is_refused(clauses: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        from_text(f"{START}; {clauses}")


# Given marks


def test_a_game_starts_with_the_marks_it_is_given() -> None:
    game = load("trictrac", start="holes 11-10; points 4-6; run black; flag lost")
    record = game.initial_state
    assert record["holes"].tolist() == [11, 10]
    assert record["points"].tolist() == [4, 6]
    assert (record["bredouille"], record["flag"]) == (1, DEAD)
    assert len(game.new_game().chance_outcomes) == 30
    assert game.spec.options["start"] == "holes 11-10; points 4-6; run black; flag lost"


@pytest.mark.parametrize(
    ("start", "run", "flag"),
    [
        ("none", NOBODY, NOBODY),
        ("points 4-0; holes 0-3", 0, 1),
        ("points 0-2; holes 5-0", 1, 0),
        ("points 4-2; holes 5-1", NOBODY, DEAD),
        ("points 4-2; run white; holes 5-1; flag black", 0, 1),
    ],
)
def test_whose_run_it_is_follows_from_the_marks_if_it_can(start: str, run: int, flag: int) -> None:
    record = load("trictrac", start=start).initial_state
    assert (record["bredouille"], record["flag"]) == (run, flag)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": "holes 12-0"}, r"fewer holes than win the game \(12\), got 12-0"),
        ({"start": "holes 3-0", "holes_to_win": 3}, r"fewer holes than win the game \(3\)"),
        ({"start": "points 3-0"}, "even numbers"),
        ({"start": "points 0-0; run white"}, "'run': impossible with points 0-0"),
        ({"start": "points 4-0; run black"}, "'run': impossible with points 4-0"),
        ({"start": "holes 4-0; flag lost"}, "'flag': impossible with holes 4-0"),
        ({"start": "holes random; flag white"}, "'flag white': holes are random, so it is"),
        ({"start": "ply 3 of 4"}, "expected none, random, or each of holes, points, flag, run"),
        ({"start": "holes 1-1; holes 2-2"}, "at most once"),
        ({"start": ""}, "expected none, random"),
        ({"holes_to_win": 0}, "holes_to_win from 1 to 12, got 0"),
        ({"holes_to_win": 13}, "holes_to_win from 1 to 12, got 13"),
        ({"returns": "money"}, "returns outcome or margin, got 'money'"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(GameOptionError, match=message):
        load("trictrac", **options)


# Random marks


def drawn_starts(game: Game, count: int) -> States:
    """Return the positions of the first rolls of some games."""
    states = []
    for seed in range(count):
        state = game.new_game(seed)
        while state.record["draws"]:
            assert state.current_player == CHANCE
            state.apply_chance()
        states.append(state.record)
    return np.array(states)


def test_random_marks_follow_from_the_dice_of_the_game() -> None:
    game = load("trictrac", start="random")
    first, again = drawn_starts(game, 20), drawn_starts(game, 20)
    assert first.tobytes() == again.tobytes()
    assert len({to_text(state) for state in first}) == 20


def test_random_marks_are_those_that_can_arise() -> None:
    starts = drawn_starts(load("trictrac", start="random", holes_to_win=4), 600)
    seen: Counter[tuple[object, ...]] = Counter()
    for state in starts:
        points, holes = state["points"].tolist(), state["holes"].tolist()
        run, flag = int(state["bredouille"]), int(state["flag"])
        assert max(holes) < 4
        assert max(points) <= 10
        for amounts, owner, both in ((points, run, NOBODY), (holes, flag, DEAD)):
            sides = [side for side in (0, 1) if amounts[side]]
            assert owner in ([*sides, both] if len(sides) == 2 else sides or [NOBODY])
        assert holes != [1, 1] or flag != DEAD
        assert from_text(to_text(state)).tobytes() == state.tobytes()
        seen.update([("points", *points), ("holes", *holes), ("run", run), ("flag", flag)])
    assert sum(name == "points" for name, *_ in seen) == 36
    assert sum(name == "holes" for name, *_ in seen) == 16
    assert sum(name == "run" for name, *_ in seen) == 3
    assert sum(name == "flag" for name, *_ in seen) == 4


def test_each_value_of_a_mark_is_equally_likely_and_has_a_name() -> None:
    state = load("trictrac", start="random").new_game(seed=1)
    assert [outcome for outcome, _ in state.chance_outcomes] == list(range(12))
    assert {chance for _, chance in state.chance_outcomes} == {1 / 12}
    assert state.outcome_name(1) == "white starts with 1 hole"
    state.apply_outcome(2)
    state.apply_outcome(5)
    names = [state.outcome_name(outcome) for outcome, _ in state.chance_outcomes]
    assert names == ["white has the flag", "black has the flag", "the flag is lost"]
    assert "marks are drawn" in state.game.svg(state.record)  # type: ignore[misc]
    state.apply_outcome(2)
    assert len(state.chance_outcomes) == 6
    state.apply_outcome(2)
    assert state.outcome_name(5) == "black starts with 10 points"
    state.apply_outcome(5)
    names = [state.outcome_name(outcome) for outcome, _ in state.chance_outcomes]
    assert names == [f"{side} is in bredouille" for side in ("nobody", "white", "black")]
    state.apply_outcome(0)
    assert state.notation == (
        f"{START}; first roll; points 4-10; holes 2-5; run none; flag lost; rolls 0-0; "
        "ply 6 of 20000; misery on"
    )


def test_some_marks_may_be_given_and_others_random() -> None:
    starts = drawn_starts(load("trictrac", start="holes 2-1; points random"), 10)
    assert (starts["holes"] == [2, 1]).all()
    assert len({tuple(points) for points in starts["points"].tolist()}) > 5
    runs = drawn_starts(load("trictrac", start="points 2-4; run random"), 30)
    assert set(runs["bredouille"]) == {NOBODY, 0, 1}


def test_random_starts_work_with_a_fixed_first_player_and_a_low_bound() -> None:
    states = drawn_starts(load("trictrac", start="random", first_player="black"), 3)
    assert (states["mover"] == 1).all()
    state = load("trictrac", start="random", max_plies=2).new_game(seed=1)
    state.apply_chance()
    state.apply_chance()
    assert state.is_terminal
    assert from_text(state.notation).tobytes() == state.record.tobytes()


@pytest.mark.compiled
def test_random_games_with_random_starts_are_the_same_on_two_threads() -> None:
    game = load("trictrac", start="random", returns="margin")
    one = play_random_games(game, 300, seed=5, threads=1)
    two = play_random_games(game, 300, seed=5, threads=2)
    assert (one.returns == two.returns).all()
    assert (one.plies == two.plies).all()


@pytest.mark.compiled
@pytest.mark.parametrize(
    "options",
    [
        {"holes_to_win": 1},
        {"holes_to_win": 5, "returns": "margin"},
        {"start": "holes 11-11; points 10-10; run white; flag black"},
        {"start": "random", "holes_to_win": 2},
        {"start": "random", "holes_to_win": 1, "first_player": "white"},
        {"start": "holes random", "holes_to_win": 3, "returns": "margin"},
        {"start": "points random; holes 11-11; flag random"},
        {"max_plies": 40, "returns": "margin", "start": "random"},
    ],
)
def test_every_option_keeps_the_contract(options: dict[str, object]) -> None:
    check_game(load("trictrac", **options), num_games=10)


# Returns


def final(holes: tuple[int, int], points: tuple[int, int], holes_to_win: int = 12) -> States:
    """Return a finished game with these marks."""
    state = first_state(WHITE, holes_to_win=holes_to_win)
    state["holes"], state["points"], state["player"] = holes, points, TERMINAL
    return state.reshape(1).copy()


def returns_of(game: Game, states: States) -> list[float]:
    out = np.full((len(states), 2), np.nan, np.float32)
    game.returns_many(states, out)
    return [float(value) for value in out[0]]


def test_the_margin_is_its_formula() -> None:
    game = load("trictrac", returns="margin")
    for holes, points, to_win in [((12, 3), (2, 0), 12), ((1, 4), (0, 6), 4), ((0, 1), (10, 0), 1)]:
        lead = (holes[0] + points[0] / 12) - (holes[1] + points[1] / 12)
        white, black = returns_of(game, final(holes, points, to_win))
        assert white == pytest.approx(math.tanh(2 * lead / to_win), abs=1e-6)
        assert white == -black


def test_the_margin_grows_with_every_point() -> None:
    game = load("trictrac", returns="margin")
    leads = sorted(
        (12 * (w - b) + p - q, returns_of(game, final((w, b), (p, q)))[0])
        for w in range(0, 13, 3)
        for b in range(0, 13, 3)
        for p in range(0, 12, 2)
        for q in range(0, 12, 2)
    )
    for (lead, value), (next_lead, next_value) in pairwise(leads):
        assert value < next_value or lead == next_lead
    assert dict(leads)[0] == 0
    assert -1 < leads[0][1] < 0 < leads[-1][1] < 1


def test_the_margin_of_the_most_uneven_game_is_still_below_one() -> None:
    white, _ = returns_of(load("trictrac", returns="margin"), final((23, 0), (10, 0)))
    assert 0.99 < white < 1


def test_who_wins_has_a_positive_margin() -> None:
    options = {"holes_to_win": 2, "start": "random"}
    outcome = play_random_games(load("trictrac", **options), 200, seed=3).returns
    margin = play_random_games(load("trictrac", returns="margin", **options), 200, seed=3).returns
    assert (np.sign(margin) == outcome).all()


def test_at_the_bound_the_outcome_is_a_draw_and_the_margin_tells_the_marks() -> None:
    line = f"{START}; over, white moved last; points 4-0; holes 3-1; ply 9 of 9"
    assert load("trictrac", max_plies=9).from_notation(line).returns == (0.0, 0.0)
    white, _ = load("trictrac", returns="margin", max_plies=9).from_notation(line).returns
    assert white == pytest.approx(math.tanh(2 * (2 + 4 / 12) / 12))
    even = line.replace("3-1", "3-3").replace("4-0", "4-4")
    assert load("trictrac", returns="margin", max_plies=9).from_notation(even).returns == (0.0, 0.0)


def test_nothing_is_returned_before_the_end() -> None:
    for returns in ("outcome", "margin"):
        state = load("trictrac", returns=returns, start="holes 5-1").new_game()
        assert state.returns == (0.0, 0.0)
