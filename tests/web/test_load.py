import asyncio
from pathlib import Path

import pytest
from tests.web.browser.served import served
from tests.web.load import play_all


@pytest.mark.slow
@pytest.mark.compiled
def test_fifty_games_at_once_are_played_without_an_error(tmp_path: Path) -> None:
    with served(tmp_path / "store", tmp_path / "server.log") as address:
        figures = asyncio.run(play_all(address, 50, most_turns=3))
    assert (figures["errors"], figures["first_errors"]) == (0, [])
    assert figures["bot_moves"] == 150
    assert "Traceback" not in (tmp_path / "server.log").read_text()
