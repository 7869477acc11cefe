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
from spiel_bot.web.play.review import (
    build_review,
    chance_options,
    chances,
    end_of,
    worst_html,
    worst_svg,
)
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
    line, ranks = chance_options(analysis, WHITE, PlayWords("en"))["series"]
    assert [turn for turn, _ in line["data"]] == [turn for turn, _ in white]  # it goes on
    assert [one["value"][0] for one in ranks["data"]] == [one.turn for one in analysis.worst]


def test_the_graph_ends_with_the_result() -> None:
    table = played_on(table_of(HOLE), 8)
    table.resign()
    judge = load_judge("expert", table.game)
    config = AnalysisConfig(plies=0, simulations=0)
    analysis = analyse_game(judge, table.session.played(), config)
    turn = analysis.decisions[-1].turn + 1
    assert end_of(analysis, WHITE) == [(turn, 0.0)]
    assert end_of(analysis, BLACK) == [(turn, 1.0)]


@pytest.mark.parametrize("language", list(Language))
def test_a_bad_play_is_drawn_and_told(analysis: GameAnalysis, language: Language) -> None:
    one = analysis.decisions[0]
    ET.fromstring(worst_svg(one))
    text = worst_html(one, 1, "6-5", Words(language), PlayWords(language))
    assert "6-5" in text
    assert one.decision.judged(one.action).name.split(">")[0] in text


def test_the_review_is_built(tmp_path: Path, table: Table, analysis: GameAnalysis) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        @ui.page("/reviewed")
        def reviewed() -> None:
            build_review(analysis, table, Words(Language.EN), PlayWords("en"))

        await user.open("/reviewed")
        await sees(user, "Judged by Expert.")
        await user.should_see(ui.echart)

    visiting(tmp_path, scenario)
