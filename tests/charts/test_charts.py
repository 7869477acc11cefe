import math
import xml.etree.ElementTree as ET

import pytest

from spiel_bot.charts.curve import Curve, axis_over, round_step, tick_text
from spiel_bot.charts.svg import COLOURS, comparison_svg, line_chart_svg
from spiel_bot.charts.terminal import Canvas, line_chart_text
from spiel_bot.errors import BadRequestError

ELO = Curve(name="elo", x=[0, 10, 20], y=[0.0, 50.0, 100.0], errors=[5.0, math.nan, 0.0])
GAP = Curve(name="a < b", x=[0, 1, 2, 3], y=[1.0, math.nan, 2.0, math.inf])
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0, 10], (0, 2, 4, 6, 8, 10)),
        ([0.1, 0.26], (0.1, 0.15, 0.2, 0.25, 0.3)),
        ([-3, 3], (-4, -2, 0, 2, 4)),
        ([7, 7], (2, 4, 6, 8, 10, 12)),
        ([0], (-1, -0.5, 0, 0.5, 1)),
    ],
)
def test_an_axis_has_round_marks_around_all_values(
    values: list[float], ticks: tuple[float, ...]
) -> None:
    axis = axis_over(values, 5)
    assert axis.ticks == pytest.approx(ticks)
    assert (axis.low, axis.high) == pytest.approx((ticks[0], ticks[-1]))


def test_a_snug_axis_ends_at_the_values() -> None:
    axis = axis_over([1, 9], 4, is_snug=True)
    assert (axis.low, axis.high, axis.ticks) == (1, 9, (2, 4, 6, 8))
    assert axis.place(5) == 0.5


def test_steps_are_one_two_or_five() -> None:
    assert [round_step(least) for least in (1, 1.1, 2.1, 5.1, 0.04)] == [1, 2, 5, 10, 0.05]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1 + 0.2, "0.3"), (0, "0"), (12500, "12\u2009500"), (2e-9, "2e-09"), (3e7, "3e+07")],
)
def test_marks_are_short(value: float, text: str) -> None:
    assert tick_text(value) == text


def test_curves_can_share_a_panel_and_stay_apart() -> None:
    many = [Curve(name=f"curve {i}", x=[0, 1], y=[i, i + 1.0]) for i in range(len(COLOURS) + 1)]
    root = ET.fromstring(comparison_svg([ELO, *many], title="all", x_label="minutes"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert {"all", "minutes", "elo", "curve 0", "curve 6", "100"} <= set(texts)
    lines = [path.attrib for path in root.iter(f"{SVG}path") if "L" in path.attrib["d"]]
    looks = {(line["stroke"], line.get("stroke-dasharray")) for line in lines}
    assert len(lines) == len(looks) == len(many) + 1
    heights = [float(text.attrib["y"]) for text in root.iter(f"{SVG}text")]
    assert max(heights) < float(root.attrib["height"])
    with pytest.raises(BadRequestError, match="nothing to plot"):
        comparison_svg([], title="none", x_label="x")


def test_the_svg_has_a_panel_for_each_curve() -> None:
    empty = Curve(name="empty", x=[1], y=[math.nan])
    root = ET.fromstring(line_chart_svg([ELO, GAP, empty], title="R&D", x_label="step"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert {"R&D", "elo", "a < b", "step", "100"} <= set(texts)
    assert "empty" not in texts
    assert len(list(root.iter(f"{SVG}circle"))) == 5
    paths = [element.attrib["d"] for element in root.iter(f"{SVG}path")]
    assert sum("L" in path for path in paths) == 1  # the line of elo; the gap leaves single points
    assert sum("V" in path and "H" not in path for path in paths) == 1  # the one error bar


def test_many_points_have_no_dots() -> None:
    curve = Curve(name="loss", x=list(range(100)), y=[1.0] * 100)
    assert "<circle" not in line_chart_svg([curve], title="", x_label="")


def test_nothing_to_plot_is_said() -> None:
    empty = Curve(name="loss", x=[], y=[])
    with pytest.raises(BadRequestError, match="nothing to plot"):
        line_chart_svg([empty], title="", x_label="")
    with pytest.raises(BadRequestError, match="loss has no finite point"):
        line_chart_text(empty, x_label="")
    with pytest.raises(BadRequestError, match="as many x, y and errors"):
        line_chart_text(Curve(name="loss", x=[1], y=[]), x_label="")


def test_dots_are_where_they_belong() -> None:
    canvas = Canvas(2, 1)
    canvas.line((0, 0), (3, 3))
    assert canvas.lines() == ["⡠⠊"]
    assert Canvas(2, 1).lines() == ["  "]


def test_the_chart_fits_the_terminal() -> None:
    for width in (30, 60, 100):
        lines = line_chart_text(ELO, x_label="step", width=width, height=8).splitlines()
        assert len(lines) == 1 + 8 + 3
        assert max(map(len, lines)) <= width
        assert lines[0] == "elo"
        assert lines[1].startswith(" 100┤")
        assert lines[-2].split()[0] == "0"
        assert lines[-1].strip() == "step"


def test_a_gap_stays_a_gap() -> None:
    drawn = line_chart_text(GAP, x_label="", width=40, height=4).splitlines()[1:5]
    assert sum(letter not in " ┤│12.5" for line in drawn for letter in line) == 2
