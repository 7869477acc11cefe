import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spiel_bot import Environment, Game, load
from spiel_bot.errors import IllegalActionError, NotationError
from spiel_bot.games.random_play import walk_random_game
from spiel_bot.games.trictrac.game import action_named
from spiel_bot.games.trictrac.notation import from_text, to_text
from spiel_bot.games.trictrac.play_notation import moves_text, parse_dice, parse_moves, parse_play

FULL = (
    "white 1*12 5 6 7, black 1*13 6 8; black plays 6-5 or goes; points 0-2; holes 3-1; "
    "run black; flag lost; rolls 3-2; ply 11 of 20000; misery off"
)


@pytest.fixture(scope="module")
def game() -> Game:
    return load("trictrac")


@pytest.mark.parametrize("seed", range(8))
def test_every_state_of_a_game_is_read_back(game: Game, seed: int) -> None:
    kinds = set()
    for state, _ in walk_random_game(game, seed):
        text = state.notation
        assert from_text(text).tobytes() == state.record.tobytes()
        kinds.add(text.split("; ")[1].split()[1])
    assert {"rolls", "plays"} <= kinds
    assert state.notation.split("; ")[1].startswith("over, ")


def test_a_whole_line_keeps_every_mark() -> None:
    state = from_text(FULL)
    assert to_text(state) == FULL
    assert state["mover"] == 1
    assert state["points"].tolist() == [0, 2]
    assert state["can_go"] == 1
    assert state["board"][0] == 13  # from the mover's side, here black's
    assert state["board"][23] == -12


def test_later_clauses_may_be_left_out_or_come_in_any_order() -> None:
    short = from_text("white 1*15, black 1*15; white rolls")
    assert to_text(short).endswith(
        "points 0-0; holes 0-0; run none; flag none; rolls 0-0; ply 0 of 20000; misery on"
    )
    derived = to_text(from_text("white 1*15, black 1*15; white rolls; points 8-0; holes 0-3"))
    assert "run white; flag black" in derived
    both = to_text(from_text("white 1*15, black 1*15; white rolls; points 8-2; holes 1-3"))
    assert "run none; flag lost" in both
    some = from_text("white 1*15, black 1*15; white rolls; holes 2-1; points 4-0")
    other = from_text("white 1*15, black 1*15; white rolls; points 4-0; holes 2-1")
    assert some.tobytes() == other.tobytes()


def test_what_the_opponent_will_mark_follows_from_the_position(game: Game) -> None:
    # The false hit on 19 of the anonymous manual, fig. 9: 6 points to the opponent.
    state = game.from_notation("white 1*9 6*2 9*2 12*2, black 1*8 6 7*2 11*2 12*2; white plays 5-5")
    state.apply(state.legal_actions[0])
    assert "points 0-6" in state.notation


def test_the_first_roll_is_a_stage_of_its_own(game: Game) -> None:
    state = game.new_game()
    assert state.notation.split("; ")[1] == "first roll"
    assert len(state.chance_outcomes) == 30


def test_a_board_of_24_numbers_is_a_position() -> None:
    numbers = [15, *[0] * 22, -15]
    for text in (",".join(map(str, numbers)), ", ".join(map(str, numbers))):
        assert to_text(from_text(text)).startswith(
            "white 1*15, black 1*15; white rolls; points 0-0; holes 0-0; run none; flag none"
        )


def test_a_side_without_checkers_is_a_dash() -> None:
    assert to_text(from_text("white -, black 1*3; white rolls")).startswith("white -, black 1*3;")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 'white 1\\*15, black 1\\*15; white rolls'"),
        ("1,2,3", "expected a board of 24 numbers, got 3"),
        ("16" + ",0" * 23, "at most 15 checkers of the mover, got 16"),
        ("0," * 23 + "-16", "at most 15 checkers of the opponent, got 16"),
        (
            "white 1*15; white rolls",
            "expected 'white 1\\*13 6 7, black 1\\*15', got 'white 1\\*15'",
        ),
        ("white 1*15, black 1*16; white rolls", "black: expected 1 to 15 checkers on a field"),
        (
            "white 1*15, black 25; white rolls",
            "black: expected fields such as 6 or 1\\*13, got '25'",
        ),
        ("white 1*15, black 1x15; white rolls", "black: expected fields .* got '1x15'"),
        ("white 1*15, black ; white rolls", "got 'white 1\\*15, black'"),
        ("white 1*14 12, black 13*2 1*13; white rolls", "white's field 12 is taken twice"),
        ("white 1*8 1*7, black 1*15; white rolls", "white's field 1 is taken twice"),
        ("white 1*15 2, black 1*15; white rolls", "at most 15 checkers of the mover, got 16"),
        ("white 1*15, black 1*15; white waits", "clause 'white waits': expected 'white rolls'"),
        ("white 1*15, black 1*15; white plays 5-6", "expected the higher number first"),
        ("white 1*15, black 1*15; white plays 6-5 or goes", "has not just won a hole"),
        ("white 1*15, black 1*15; over, white moved last", "game is over with 12 holes"),
        ("white 1*15, black 1*15; white rolls; holes 12-0", "a game is over with 12 holes"),
        ("white 1*14 2, black 1*15; first roll", "thrown from the starting position"),
        ("white 1*15, black 1*15; white rolls; points 3-0", "expected two even numbers up to 10"),
        ("white 1*15, black 1*15; white rolls; points 4", "expected two even numbers"),
        ("white 1*15, black 1*15; white rolls; rolls 100-0", "expected two numbers up to 99"),
        ("white 1*15, black 1*15; white rolls; run red", "expected one of none, white, black"),
        ("white 1*15, black 1*15; white rolls; run white", "with points 0-0 it is none"),
        ("white 1*15, black 1*15; white rolls; points 4-0; run none", "points 4-0 it is white"),
        ("white 1*15, black 1*15; white rolls; holes 3-0; flag black", "holes 3-0 it is white"),
        ("white 1*15, black 1*15; white rolls; holes 3-1; flag none", "both sides have holes"),
        ("1" * 5000, "expected 'white 1\\*15, black 1\\*15; white rolls'"),
        ("white 1*\u0663, black 1*15; white rolls", "white: expected fields"),
        ("white 1*15, black 1*15; white rolls; flag red", "one of none, white, black, lost"),
        ("white 1*15, black 1*15; white rolls; ply 9 of 8", "expected 'ply 5 of 20000'"),
        ("white 1*15, black 1*15; white rolls; misery maybe", "expected one of off, on"),
        ("white 1*15, black 1*15; white rolls; luck 7", "'luck' is none of points, holes"),
        ("white 1*15, black 1*15; white rolls; run none; run none", "'run' comes twice"),
    ],
)
def test_an_error_says_what_and_where(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        from_text(text)


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([(12, 15), (12, 18)], "12>15 12>18"),
        ([(1, 7), (7, 9)], "1>7>9"),
        ([(23, 0), (24, 0)], "23>out 24>out"),
        ([(19, 24), (24, 0)], "19>24>out"),
        ([(8, 12), (9, 12)], "8>12 9>12"),
        ([(20, 21)], "20>21"),
        ([], "no move"),
    ],
)
def test_plays_are_written_and_read_back(moves: list[tuple[int, int]], text: str) -> None:
    assert moves_text(moves) == text
    assert list(parse_moves(text)) == moves


@pytest.mark.parametrize("seed", range(3))
def test_every_name_of_a_legal_action_is_read_back(game: Game, seed: int) -> None:
    num_goes = 0
    for state, _ in walk_random_game(game, seed):
        for action in state.legal_actions:
            name = state.action_name(action)
            assert action_named(state.record, name) == action
            num_goes += name == "go"
    assert num_goes > 0


def test_a_play_that_is_not_legal_is_refused_with_its_rule(game: Game) -> None:
    state = game.from_notation("white 1*15, black 1*15; white plays 6-5").record
    with pytest.raises(IllegalActionError, match=r"1>7>12: the rest corner.*\(R6.1\)"):
        action_named(state, "1>7>12")
    with pytest.raises(IllegalActionError, match=r"go is offered only.*\(R13.1\)"):
        action_named(state, "go")
    with pytest.raises(IllegalActionError, match="nobody is to play"):
        action_named(game.initial_state, "1>7")


def test_a_text_takes_the_options_of_the_game() -> None:
    game = load("trictrac", misery_pile=False, max_plies=100)
    start = "white 1*15, black 1*15; white rolls"
    for text in (start, "15" + ",0" * 22 + ",-15"):
        assert game.from_notation(text).notation.endswith("ply 0 of 100; misery off")
    with pytest.raises(NotationError, match="load it with misery_pile=True"):
        game.from_notation(start + "; misery on")
    with pytest.raises(NotationError, match="load it with max_plies=200"):
        game.from_notation(start + "; ply 0 of 200")


@pytest.mark.parametrize("reader", [from_text, parse_moves, parse_play, parse_dice])
@pytest.mark.parametrize("value", [None, 5, b"1>7", ["1>7"]])
def test_what_is_no_text_is_refused(reader: Callable[[Any], object], value: object) -> None:
    with pytest.raises(NotationError, match="as text, got a"):
        reader(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1>",
        ">7",
        "0>6",
        "25>1",
        "1>2>3>4",
        "1>2 3>4 5>6",
        "out>3",
        "1>x",
        "a>b",
        "1>out>2",
        "go",
    ],
)
def test_a_text_that_is_no_play_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected"):
        parse_moves(text)


@pytest.mark.parametrize("text", ["6-5", "6,5", "65", "6 5", " 6/5 "])
def test_a_roll_is_read(text: str) -> None:
    assert parse_dice(text) == (6, 5)


@pytest.mark.parametrize("text", ["", "6", "7-1", "0-1", "6-5-4", "six-five", "-6-5"])
def test_a_text_that_is_no_roll_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected a roll such as 6-5"):
        parse_dice(text)


def mangle(text: str, rng: random.Random) -> str:
    """Return a text with a few letters dropped, doubled, changed or moved."""
    letters = list(text)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(letters)) if letters else 0
        kind = rng.randrange(4)
        if kind == 0 and letters:
            del letters[place]
        elif kind == 1:
            letters.insert(place, rng.choice("0123456789*,;- >whiteblackplaysout\n\tàé\x00"))
        elif letters:
            letters[place] = rng.choice("0123456789*,;- >whiteblackplaysout\n\tàé\x00")
    return "".join(letters)


@pytest.mark.compiled
def test_a_hundred_thousand_mangled_texts_meet_only_our_errors(game: Game) -> None:
    rng = random.Random(1)
    texts = [FULL, "15" + ",0" * 22 + ",-15"]
    for state, _ in walk_random_game(game, 3):
        texts.append(state.notation)
    plays = ["12>15 12>18", "1>7>9", "19>24>out", "no move", "go"]
    accepted = 0
    for _ in range(80_000):
        text = mangle(rng.choice(texts), rng)
        try:
            record = from_text(text)
        except NotationError:
            continue
        accepted += 1
        # What is accepted is a real position: its own text reads back as the same bytes.
        assert from_text(to_text(record)).tobytes() == record.tobytes()
    for _ in range(20_000):
        try:
            moves = parse_moves(mangle(rng.choice(plays), rng))
        except NotationError:
            continue
        assert parse_moves(moves_text(moves)) == moves
    assert 1_000 < accepted < 70_000


def test_positions_come_from_strings_in_the_environment_too(game: Game) -> None:
    state: Environment = game.from_notation("white 1*15, black 1*15; black plays 3-1")
    assert state.current_player == 1
    assert state.action_name(state.legal_actions[0]) == "1>4 1>2"
    assert np.array_equal(state.record["dice"], [3, 1])
