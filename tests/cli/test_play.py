"""Games played through a pipe, as a person types them."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.runner import Result, Run

from spiel_bot.games.game_file_reader import read_game_file

Play = Callable[..., Result]
GO = "white 1*8 3 5 6 7*2 8 9, black 1*8 2 4 6*2 7 8 9; white rolls; points 10-10"


@pytest.fixture
def play(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play with lines typed at the table; the store is empty."""
    monkeypatch.setenv("SPIEL_BOT_STORE", str(tmp_path / "data" / "store"))
    monkeypatch.chdir(tmp_path)

    def play_lines(lines: list[str], *arguments: str) -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", *arguments)

    return play_lines


def game_file(path: Path, start: str) -> str:
    path.write_text(f"spiel_bot game file 1\ngame: trictrac\nstart: {start}\n")
    return str(path)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_game_of_trictrac_is_played_to_its_end(
    play: Play, tmp_path: Path, language: str
) -> None:
    moves = ["1"] * 200
    result = play(
        [*moves, "save won.txt"],
        *("--against", "random", "--seed", "5", "--language", language),
        *("-o", "start=holes 11-11"),
    )
    assert result.code == 0, result.err
    over = {"en": "The game is over: ", "fr": "La partie est finie : "}[language]
    assert over in result.out
    assert {"en": "Goodbye.", "fr": "Au revoir."}[language] in result.out
    other = {"en": ("Coups permis", "marque "), "fr": ("Legal plays", "marks ")}[language]
    assert not any(word in result.out for word in other)
    assert read_game_file(tmp_path / "won.txt").result in ("white", "black")


@pytest.mark.parametrize("name", ["pig", "race", "tic_tac_toe"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_game_is_played(play: Play, name: str, language: str) -> None:
    arguments = ["--game", name, "--against", "random", "--seed", "2", "--language", language]
    result = play(["1"] * 400, *arguments)
    assert result.code == 0, result.err
    assert ("The game is over: " if language == "en" else "La partie est finie : ") in result.out


def test_a_roll_is_explained_and_hold_or_go_is_asked(play: Play, tmp_path: Path) -> None:
    path = game_file(tmp_path / "start.txt", GO)
    for seed in range(30):  # until a roll of white wins a hole
        result = play(["hold", "moves"], "--load", path, "--against", "random", "--seed", str(seed))
        if "hold or go?" in result.out:
            break
    assert " points (R10.3)" in result.out
    assert "White (you) wins " in result.out
    assert "hold: you play " in result.out
    assert "go: all checkers return to the talons" in result.out
    assert result.out.count("  1 go") == 0
    # A number that was never shown plays nothing; seen, it is a play, which holds.
    typed = play(["1"], "--load", path, "--against", "random", "--seed", str(seed)).out
    assert typed.count("hold or go? (or a play") == 2
    assert "Legal plays: " in typed.split("hold or go? (or a play")[1]
    typed = play(["1", "1"], "--load", path, "--against", "random", "--seed", str(seed)).out
    assert "goes: a new setting" not in typed.split("hold or go? (or a play")[2].split("rolls")[0]
    gone = play(["go"], "--load", path, "--against", "random", "--seed", str(seed))
    assert "White (you) goes: a new setting" in gone.out


def test_the_table_answers_questions(play: Play, tmp_path: Path) -> None:
    lines = ["help", "why 1>8", "why", "why 1>7 1>6", "why go", "go", "99", "nonsense", "1>8 1>2"]
    lines += ["board", "moves", "undo", "save", "load", "", "hint"]
    result = play(lines, "--seed", "3", "--against", "greedy")
    for text in (
        "undo              take your last move back",
        "1>8: 1>8 is 7, the dice show 5-1 (R4.1)",
        "why needs a play behind it",
        "go needs a hole won by your own roll just now (R13.1)",
        "Expected a number from 1 to 2.",
        "I do not understand 'nonsense'",
        "There is nothing to take back yet.",
        "save needs a file name",
        "load needs a file name",
        "What bot would play:",
    ):
        assert text in result.out
    kept = tmp_path / "data" / "unfinished_game.txt"
    assert f"Go on with: spiel-bot play --load {kept}\n" in result.out
    assert read_game_file(kept).players == ("human", "greedy")


def test_the_table_answers_in_french(play: Play) -> None:
    lines = ["pourquoi 1>8", "pourquoi 1>6 1>2", "conseil", "reprendre", "s'en aller", "quitter"]
    result = play(lines, "--seed", "3", "--language", "fr")
    for text in (
        "vous (blanc) contre bot (noir)",
        "1>8 : 1>8 fait 7, les dés montrent 5-1 (R4.1)",
        "1>6 1>2 est permis.",
        "Ce que jouerait bot :",
        "Il n'y a encore rien à reprendre.",
        "pour s'en aller, il faut un trou",
        "La partie est gardée dans",
    ):
        assert text in result.out


def test_moves_may_be_typed_and_taken_back(play: Play, tmp_path: Path) -> None:
    lines = ["1>6 1>2", "undo", "1>6>7", "save a.txt", "load a.txt", "resign", "undo", "resign"]
    result = play([*lines, "hint", "moves", "7"], "--seed", "3", "--against", "random")
    assert "Taken back." in result.out
    assert "Loaded a.txt." in result.out
    assert result.out.count("White (you) resigns.") == 2
    assert "The game is over: Black wins." in result.out
    assert "Nobody has to decide now." in result.out
    played = read_game_file(tmp_path / "a.txt")
    assert played.last().record["board"].sum() == 0
    assert "unfinished" not in result.out


def test_other_games_take_names_and_refuse_what_is_none(play: Play) -> None:
    lines = ["why jump", "jump", "why roll again", "roll again", "hint", "help", "garder 2"]
    result = play(lines, "--game", "pig", "--seed", "1", "--language", "en", "--against", "random")
    assert "jump is not possible here. Type moves to see what is." in result.out
    assert "roll again is legal." in result.out
    french = play(["relancer"], "--game", "pig", "--seed", "1", "--language", "fr")
    assert "n'est pas possible" not in french.out
    assert "lookahead:rollout le remplace" in french.out
    assert "Blanc (vous) : le dé montre " in french.out
    assert "> blanc |" in french.out


def test_two_people_share_a_table_and_black_may_be_chosen(play: Play) -> None:
    result = play(["1", "1"], "--against", "human", "--seed", "1")
    assert "human (white) against human (black)" in result.out
    result = play(["1"], "--side", "black", "--against", "random,", "--seed", "1")
    assert result.code == 2
    result = play(["1"], "--side", "black", "--against", "random", "--level", "easy", "--seed", "1")
    assert "random (white) against you (black)" in result.out
    assert "Black (you)" in result.out


def test_a_level_makes_the_opponent_weaker(play: Play) -> None:
    result = play([], "--against", "expert", "--level", "beginner", "--seed", "1")
    assert "expert,level=1 (black)" in result.out
    assert "Level 1 of 5: 50% of the opponent's moves are random." in result.out


def test_a_file_that_cannot_be_used_is_named_at_the_table(play: Play, tmp_path: Path) -> None:
    (tmp_path / "pig.txt").write_text("spiel_bot game file 1\ngame: pig\n")
    lines = ["load none.txt", "load pig.txt", "save /no/such/folder/x.txt"]
    result = play(lines, "--seed", "3", "--against", "random")
    shown = " ".join(result.out.split())
    assert "That did not work: cannot read none.txt" in shown
    assert "pig.txt is a game of pig; leave and use --load" in shown
    assert "That did not work: /no/such/folder/x.txt: No such file" in shown


def test_a_game_goes_on(play: Play, tmp_path: Path) -> None:
    play(["1", "1", "1"], "--seed", "3", "--against", "random")
    kept = str(tmp_path / "data" / "unfinished_game.txt")
    result = play(["undo"], "--load", kept)
    assert "you (white) against random (black)" in result.out
    assert "The game goes on after " in result.out
    assert "Taken back." in result.out


def test_a_game_of_people_from_a_book_goes_on_against_the_usual_opponent(
    play: Play, tmp_path: Path
) -> None:
    path = tmp_path / "book.txt"
    path.write_text("spiel_bot game file 1\ngame: race\nwhite: the Marquise\nblack: the Abbé\n")
    result = play(["1"], "--load", str(path))
    assert result.code == 0, result.err
    assert "lookahead:rollout plays instead" in result.out


def test_an_unfinished_game_is_never_lost_to_another(play: Play, tmp_path: Path) -> None:
    for _ in range(2):
        play(["1"], "--seed", "3", "--against", "random")
    first, second = (tmp_path / "data" / f"unfinished_game{n}.txt" for n in ("", "_2"))
    before = first.read_text()
    result = play(["1", "1"], "--load", str(second))  # what went on from a kept game replaces it
    assert f"--load {second}\n" in result.out
    assert (first.read_text(), len(list(first.parent.iterdir()))) == (before, 2)
    assert len(second.read_text()) > len(before)


def test_a_saved_game_remembers_where_the_person_sat(play: Play, tmp_path: Path) -> None:
    play(["1"], "--seed", "3", "--against", "greedy", "--side", "black")
    result = play(["1"], "--load", str(tmp_path / "data" / "unfinished_game.txt"))
    assert "greedy (white) against you (black)" in result.out
    assert "Black (you)" in result.out


def test_ctrl_c_leaves_politely(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("spiel_bot.cli.play.asker", lambda _: interrupt)
    result = play([], "--seed", "3", "--against", "random")
    assert result.code == 0
    assert "The game is kept in" in result.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "god"], "--level: expected beginner, easy, medium, strong, full, or 1 to 5"),
        (["--level", ""], "--level: expected beginner"),
        (["--against", "nobody"], "unknown player 'nobody'"),
        (["--game", "chess"], "no game 'chess'"),
        (["--seed", "-1"], "--seed: expected at least 0"),
        (["--load", "none.txt"], "cannot read none.txt"),
        (["--load", "none.txt", "-o", "target=3"], "a saved game has its own options"),
    ],
)
def test_bad_input_is_one_line(play: Play, arguments: list[str], message: str) -> None:
    result = play([], *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1
