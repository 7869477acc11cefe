import subprocess
import sys

import pytest
from tests.cli.runner import Run

from spiel_bot import __version__
from spiel_bot.cli import main as cli


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").out == f"spiel-bot {__version__}\n"


@pytest.mark.parametrize(
    "command", [[], ["games"], ["games", "check"], ["random-games"], ["bench"], ["runs", "plot"]]
)
def test_every_command_has_a_help_text(run: Run, command: list[str]) -> None:
    result = run(*command, "--help")
    assert result.code == 0
    assert "Usage: spiel-bot" in result.out
    assert result.err == ""


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    result = run()
    assert result.code == 2
    assert "Commands" in result.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["--nonsense"], "No such option: --nonsense"),
        (["random-games"], "Missing argument 'GAME'"),
        (["random-games", "tictactoe"], "did you mean 'tic_tac_toe'?"),
        (["random-games", "pig", "--games", "0"], "--games: expected at least 1, got 0"),
        (["random-games", "pig", "--games", "-5"], "--games: expected at least 1, got -5"),
        (["random-games", "pig", "--games", "many"], "valid integer"),
        (["random-games", "pig", "--threads", "0"], "--threads: expected at least 1, got 0"),
        (["random-games", "pig", "--seed", "-1"], "--seed: expected at least 0, got -1"),
        (["random-games", "pig", "-o", "target"], "expected an option as key=value"),
        (["random-games", "pig", "-o", "goal=3"], "pig has no option 'goal'"),
        (["games", "check", "json:dumps"], "json:dumps needs obj; expected a Game"),
        (["games", "check", "json:decoder"], "is a module; expected a Game"),
        (["games", "check", "pig", "--games", "0"], "expected at least 1"),
        (["games", "check", "pig", "--seed", "-2"], "seed -2 is out of range"),
        (["bench", "nonsense"], "nonsense"),
        (["bench", "--seconds", "0"], "--seconds: expected at least 0.01, got 0"),
        (["bench", "--seconds", "nan"], "--seconds: expected at least 0.01, got nan"),
        (["bench", "--threads", "0"], "--threads: expected at least 1, got 0"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    run: Run, arguments: list[str], message: str
) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    assert message in result.err


@pytest.mark.parametrize("place", [0, 2])
def test_debug_shows_the_traceback_wherever_it_stands(run: Run, place: int) -> None:
    arguments = ["random-games", "tictactoe"]
    arguments.insert(place, "--debug")
    result = run(*arguments)
    assert result.code == 2
    assert "Traceback" in result.err
    assert "UnknownGameError" in result.err


def test_an_error_nobody_expected_is_one_line_too(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the\ntable fell over")

    monkeypatch.setattr(cli, "app", broken)
    result = run("games")
    assert (result.code, result.err) == (
        2,
        "error: RuntimeError: the table fell over (--debug shows where)\n",
    )


def test_an_interrupt_ends_quietly(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    result = run("games")
    assert (result.code, result.out, result.err) == (130, "", "")


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_the_program_quietly() -> None:
    command = f"{sys.executable} -m spiel_bot random-games pig -n 50 -v | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.slow
def test_shells_can_complete_the_names_of_games() -> None:
    script = subprocess.run(
        [sys.executable, "-m", "spiel_bot", "random-games", "ti"],
        env={
            "_SPIEL_BOT_COMPLETE": "complete_bash",
            "COMP_WORDS": "spiel-bot random-games ti",
            "COMP_CWORD": "2",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "tic_tac_toe" in script.stdout
    assert "pig" not in script.stdout


@pytest.mark.slow
@pytest.mark.parametrize("code", ["import spiel_bot", "from spiel_bot.cli import main"])
def test_a_quick_start_imports_nothing_heavy(code: str) -> None:
    heavy = "numba", "numpy", "torch", "ray"
    check = f"{code}; import sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
