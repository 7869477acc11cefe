"""The review: the chance of winning over time, and the plays that lost most."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from nicegui import ui
from nicegui.testing import User
from tests.web.play.test_story import played_on, table_of
from tests.web.simulated import sees, visiting

from spiel_bot.analysis.decision import AnalysisConfig
from spiel_bot.analysis.game import GameAnalysis, analyse_game
from spiel_bot.analysis.judge import load_judge
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.players.words import Language, Words
from spiel_bot.web.hall import Hall
from spiel_bot.web.play.review import build_review, chance_options, chances, worst_svg, worst_text
from spiel_bot.web.play.words import PlayWords
from spiel_bot.web.tables import Table

HOLE = (
    "white 1 2 3 7*2 8*2 9*2 10*2 11*2 12*2, black 1*15; white rolls; points 10-0; holes 4-0; "
    "run white; flag white"
)


@pytest.fixture(scope="module")
def table() -> Table:
    # To hold with the last play of the list, where going would do: something is lost.
    return played_on(table_of(HOLE), 8)


@pytest.fixture(scope="module")
def analysis(table: Table) -> GameAnalysis:
    judge = load_judge("expert", table.game)
    return analyse_game(judge, table.session.played(), AnalysisConfig(plies=0, simulations=0))


def test_chances_are_of_one_side_throughout(analysis: GameAnalysis) -> None:
    white, black = chances(analysis, WHITE), chances(analysis, BLACK)
    assert len(white) == len(analysis.decisions) > 1
    for (turn, own), (same_turn, other) in zip(white, black, strict=True):
        assert turn == same_turn
        assert own + other == pytest.approx(1.0)
    points = chance_options(analysis, WHITE, PlayWords("en"))["series"][0]["data"]
    assert [turn for turn, _ in points] == [turn for turn, _ in white]


@pytest.mark.parametrize("language", list(Language))
def test_a_bad_play_is_drawn_and_told(analysis: GameAnalysis, language: Language) -> None:
    one = analysis.decisions[0]
    ET.fromstring(worst_svg(one))
    text = worst_text(one, "6-5", Words(language), PlayWords(language))
    assert "6-5" in text
    assert one.decision.judged(one.action).name.split(">")[0] in text


def test_the_review_is_built(tmp_path: Path, table: Table, analysis: GameAnalysis) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        @ui.page("/reviewed")
        def reviewed() -> None:
            build_review(analysis, table, Words(Language.EN), PlayWords("en"))

        await user.open("/reviewed")
        await sees(user, "Judged by expert.")
        await user.should_see(ui.echart)

    visiting(tmp_path, scenario)
