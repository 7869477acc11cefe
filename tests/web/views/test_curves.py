import json
import math
from pathlib import Path

import pytest
from tests.web.stores import add_run

from spiel_bot.players.words import Language
from spiel_bot.storage.store import Store
from spiel_bot.web.views.calibration import Bin
from spiel_bot.web.views.charts import calibration_options, chance_options, curve_options, now_line
from spiel_bot.web.views.curves import CHARTS, Line, Point, read_chart, read_line
from spiel_bot.web.words.research import ResearchWords

WORDS = ResearchWords(Language.EN)
ELO, LOSS = CHARTS[0], CHARTS[1]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_a_line_has_its_error_bars_and_no_gaps(store: Store) -> None:
    run = add_run(store)
    store.metrics.add(run, 4, 40, {"elo": math.nan, "elo_error": 1.0})
    store.metrics.add(run, 5, 50, {"elo": 7.0, "elo_error": math.nan})
    line = read_line(store, run, "elo")
    assert line.points == (
        Point(iteration=2, step=20, value=200.0, error=20.0),
        Point(iteration=3, step=30, value=300.0, error=20.0),
        Point(iteration=5, step=50, value=7.0, error=None),
    )
    assert read_line(store, run, "nothing").points == ()


def test_a_run_without_a_policy_has_one_loss(store: Store) -> None:
    run = add_run(store)
    lines = read_chart(store, run, LOSS, has_policy=True)
    assert [line.metric for line in lines] == ["loss", "policy_loss", "value_loss"]
    lines = read_chart(store, run, LOSS, has_policy=False)
    assert [line.metric for line in lines] == ["loss"]
    entropy = next(spec for spec in CHARTS if spec.needs_policy)
    assert read_chart(store, run, entropy, has_policy=False) == []


def test_a_chart_has_names_units_and_error_bars() -> None:
    points = (
        Point(iteration=2, step=20, value=200.0, error=20.0),
        Point(iteration=3, step=30, value=300.0),
    )
    options = curve_options(ELO, [Line(metric="elo", points=points)], WORDS)
    json.dumps(options)
    assert options["xAxis"]["name"] == "iteration"
    assert "Elo" in options["yAxis"]["name"]
    curve, bars = options["series"]
    assert curve["data"] == [[2, 200.0, 20], [3, 300.0, 30]]
    assert bars["data"] == [[2, 180.0, 220.0]]
    assert not options["legend"]["show"]


def test_shares_are_shown_as_percentages() -> None:
    spec = next(spec for spec in CHARTS if spec.is_share)
    line = Line(metric="white_wins", points=(Point(iteration=1, step=1, value=0.25),))
    assert curve_options(spec, [line], WORDS)["series"][0]["data"] == [[1, 25.0, 1]]


def test_calibration_is_drawn_over_the_range_of_returns() -> None:
    one = Bin(
        low=0.0, high=0.5, predicted=0.3, result=0.2, error=0.1, decisions=9, games=3, examples=()
    )
    options = calibration_options([one], (-2.0, 2.0), WORDS)
    json.dumps(options)
    assert (options["xAxis"]["min"], options["yAxis"]["max"]) == (-2.0, 2.0)
    diagonal, results, bars = options["series"]
    assert diagonal["data"] == [[-2.0, -2.0], [2.0, 2.0]]
    assert results["data"] == [[0.3, 0.2, 9, 3]]
    assert bars["data"] == [[0.3, pytest.approx(0.1), pytest.approx(0.3)]]


def test_chances_of_a_game_are_percentages_with_a_mark_where_one_is() -> None:
    stored = [(1, 0.5), (4, 1.0)]
    options = chance_options(stored, [], WORDS)
    assert [series["data"] for series in options["series"]] == [[[1, 50.0], [4, 100.0]]]
    assert options["xAxis"]["max"] == 4
    both = chance_options(stored, [(1, 0.4)], WORDS)
    assert [series["name"] for series in both["series"]] == ["as stored", "as judged now"]
    assert both["legend"]["show"]
    assert now_line(3)["data"][0]["xAxis"] == 3
