"""Game files: what is written is read back, every line is replayed, and errors name the line."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from spiel_bot import load
from spiel_bot.errors import BadRequestError, IllegalActionError, NotationError
from spiel_bot.games.base import CHANCE, Game
from spiel_bot.games.event_names import read_action, read_outcome, write_action, write_outcome
from spiel_bot.games.game_file import game_text, plain_game_text
from spiel_bot.games.game_file_reader import is_game_text, parse_game, read_game_file
from spiel_bot.games.played import Event, PlayedGame
from spiel_bot.games.random_play import walk_random_game

GAMES = [
    ("tic_tac_toe", {}),
    ("pig", {"target": 20}),
    ("race", {}),
    ("trictrac", {"holes_to_win": 2}),
    ("trictrac", {"holes_to_win": 2, "start": "random", "first_player": "black"}),
]

TRICTRAC = """spiel_bot game file 1
game: trictrac
white: one # two
black: unknown
result: unfinished

1 white | 6-4 | 1>7 1>5
2 black | 6-5 | 1>7 1>6   # why not
3 white | 6-5 {true hit big 18 +2} | 1>7 1>6
# a line of its own
"""


def random_game(name: str, options: dict[str, object], seed: int) -> PlayedGame:
    game = load(name, **options)
    events = tuple(Event(ply.player, ply.number) for _, ply in walk_random_game(game, seed))
    return PlayedGame(game=game, name=name, players=("a", "b"), seed=seed, events=events)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_random_games_are_read_back_as_written(name: str, options: dict[str, object]) -> None:
    rng = random.Random(name)
    for seed in range(4):
        played = random_game(name, options, seed)
        cut = rng.randint(0, len(played.events))
        for events in (played.events, played.events[:cut]):
            part = replace(played, events=events, tags={"site": "here"}, score="1 to 0")
            text = game_text(part)
            read = parse_game(text)
            assert read.events == part.events
            assert read.game.spec.options == part.game.spec.options
            for field in ("name", "players", "seed", "tags", "score", "result"):
                assert getattr(read, field) == getattr(part, field)
            assert game_text(read) == text


def test_numbers_do_as_well_as_names() -> None:
    played = random_game("race", {}, 1)
    header = {"game": "race", "result": played.result}
    read = parse_game(plain_game_text(header, played.events))
    assert read.events == played.events


def test_a_game_may_start_anywhere_and_be_given_up() -> None:
    start = "white 1*13 6 7, black 1*13 6 7; black rolls"
    played = PlayedGame(game=load("trictrac"), name="trictrac", start=start, resigned=1)
    read = parse_game(game_text(played))
    assert (read.result, read.resigned) == ("white", 1)
    assert read.last().notation == load("trictrac").from_notation(start).notation
    with pytest.raises(BadRequestError, match="who resigned, got 2"):
        replace(played, resigned=2)


def test_comments_stay_with_their_turn() -> None:
    played = parse_game("\ufeff" + TRICTRAC.replace("\n", "\r\n"))
    assert played.players == ("one # two", "")
    assert played.comments == {4: "why not", 6: "a line of its own"}
    assert parse_game(game_text(played)).comments == played.comments
    assert "2 black | 6-5 | 1>7 1>6\n# why not\n3 white" in game_text(played)


def test_a_hole_is_remarked_and_holding_is_said() -> None:
    position = "white 1*11 6 7 8 9, black 1*13 6 7; white rolls; points 10-0"
    state = load("trictrac").from_notation(position)
    state.apply_outcome(read_outcome(state, "6-6"))
    play = write_action(state, state.legal_actions[1])
    game = f"spiel_bot game file 1\ngame: trictrac\nstart: {position}\n1 white | 6-6 | "
    for action in (play, f"hold {play}", f"{play} {{hold}}", "go"):
        read = parse_game(game + action)
        assert ("{hold}" in game_text(read)) == (action != "go")
        assert "white wins " in game_text(read)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("file 1", "file 2", "line 1: game file of format 2, this program reads 1"),
        ("spiel_bot game", "some", "line 1: expected 'spiel_bot game file 1'"),
        ("game: trictrac", "game: trictra", "line 2: no game 'trictra'; did you mean"),
        ("game: trictrac", "game trictrac", "line 2: expected 'key: value' or a turn"),
        ("game: trictrac\n", "", "line 6: the header names no game"),
        ("white: one", "game: pig\nwhite: one", "line 3: game stands twice"),
        ("black: unknown", "seed: x", "line 7: expected a whole number after seed"),
        ("black: unknown", "option max_plies: many", "line 2: trictrac: expected a value like"),
        ("result: unfinished", "result: white", "line 5: the result is white, but played was"),
        ("result: unfinished", "result: won", "line 5: expected white, black, draw or"),
        ("2 black", "3 black", "line 8: expected turn 2, got 3"),
        ("2 black", "2 white", "line 8: black is to act"),
        ("2 black", "2 green", "line 8: expected a turn such as"),
        ("6-5", "7-5", "line 8: '7-5' is no outcome of this roll"),
        ("6-5 | 1>7 1>6", "6-5 | 1>7 1>5", "line 8: 1>7 1>5: 1>5 is 4, the dice show 6-5"),
        ("6-5 | 1>7 1>6", "6-5 | 1>7 | 1>6", "line 8: black is to act, with one action"),
        ("6-5 | 1>7 1>6", "6-5 | {a} b", "line 8: expected a roll or a play, got '{a} b'"),
        ("6-5 | 1>7 1>6", "6-5 | go", "line 8: go is offered only after a hole"),
        ("6-5 | 1>7 1>6", "6-5 | hold 1>7 1>6", "line 8: hold is said only after a hole"),
        ("6-5 | 1>7 1>6", "6-5 | @513", "line 8: action 513 is not legal"),
        ("18 +2", "18 +4", "line 9: the referee says {true hit big 18 +2}, the file"),
        ("6-5 | 1>7 1>6", "6-5", "line 8: expected black's action after the roll"),
    ],
)
def test_an_error_names_its_line(old: str, new: str, message: str) -> None:
    assert old in TRICTRAC
    with pytest.raises(NotationError) as caught:
        parse_game(TRICTRAC.replace(old, new, 1), "my file")
    assert str(caught.value).startswith(f"my file, {message}")


def test_nothing_follows_the_end_and_other_rules_are_named() -> None:
    played = random_game("tic_tac_toe", {}, 3)
    text = game_text(played) + f"{len(played.events) + 1} white | X to row 1, column 1\n"
    with pytest.raises(NotationError, match="the game is over, nothing follows"):
        parse_game(text.replace("rules: 1", "rules: 1"))
    with pytest.raises(NotationError, match=r"written with rules 7, here are 1"):
        parse_game(text.replace("rules: 1", "rules: 7"))


def test_a_text_without_anything_is_no_game() -> None:
    with pytest.raises(NotationError, match="game file is no game file; expected"):
        parse_game("# only a comment\n")
    with pytest.raises(NotationError, match=r"^game file: the header names no game"):
        parse_game("spiel_bot game file 1\n")
    assert is_game_text("\n" + TRICTRAC)
    assert not is_game_text("white 1*15, black 1*15; white rolls")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(TRICTRAC)
    assert read_game_file(path).players[0] == "one # two"
    path.write_text(TRICTRAC.replace("game:", "game"))
    with pytest.raises(NotationError, match=f"{path}, line 2"):
        read_game_file(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotationError, match="is not text, so no game file"):
        read_game_file(path)
    with pytest.raises(NotationError, match=r"cannot read .*none"):
        read_game_file(tmp_path / "none")
    with path.open("wb") as file:
        file.truncate(30_000_000)
    with pytest.raises(NotationError, match="too large"):
        read_game_file(path)


def with_names(name: str) -> Game:
    return replace(load("pig"), outcome_name=lambda *_: name, action_name=lambda *_: name)


@pytest.mark.parametrize("name", ["the same", "a|b", "a {b}", "#", "", " two  blanks ", "@5"])
def test_names_that_a_file_cannot_hold_are_written_as_numbers(name: str) -> None:
    state = with_names(name).new_game(seed=1)
    assert write_outcome(state, 3) == "@3"
    assert read_outcome(state, "@3") == 3
    state.apply_outcome(3)
    action = state.legal_actions[0]
    assert read_action(state, write_action(state, action)) == action


def test_an_action_without_a_name_of_its_own_is_refused_with_the_choices() -> None:
    state = load("pig").new_game(seed=1)
    state.apply_outcome(read_outcome(state, "6"))
    assert read_action(state, " Roll  AGAIN ") == 0
    with pytest.raises(IllegalActionError, match="'jump' is not legal here; legal: roll again,"):
        read_action(state, "jump")


def test_equal_dice_are_told_apart_by_who_acts_then() -> None:
    state = load("trictrac").new_game()
    black = read_outcome(state, "4-6", next_player=1)
    assert state.outcome_name(black) == "black begins with 6-4"
    assert write_outcome(state, black, next_player=1) == "6-4"
    assert write_outcome(state, black) == "black begins with 6-4"
    with pytest.raises(NotationError, match="may mean several outcomes"):
        read_outcome(state, "6-4")


def test_a_replay_walks_through_the_positions() -> None:
    played = parse_game(TRICTRAC)
    players = [(state.current_player, event.player) for state, event in played.replay()]
    assert players == [(CHANCE, CHANCE), (0, 0), (CHANCE, CHANCE), (1, 1), (CHANCE, CHANCE), (0, 0)]
