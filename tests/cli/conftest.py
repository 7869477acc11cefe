import pytest
from tests.cli.runner import Result, Run

from spiel_bot.cli.main import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process and return exit code and output."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    def run_command(*arguments: str) -> Result:
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        captured = capsys.readouterr()
        assert isinstance(caught.value.code, int)
        # A first start says that it compiles; that is not what these tests are about.
        said = [line for line in captured.err.splitlines(True) if "compiling kernels" not in line]
        return Result(caught.value.code, captured.out, "".join(said))

    return run_command
