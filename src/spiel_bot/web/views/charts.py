"""Charts as options of ECharts: plain values, readable on a phone, safe for colour-blind eyes."""

from collections.abc import Callable, Sequence
from typing import Any

from spiel_bot.web.views.calibration import Bin
from spiel_bot.web.views.curves import ChartSpec, Line

COLORS = ("#0072b2", "#d55e00", "#009e73")
DASHES = ("solid", "dashed", "dotted")
INK, FAINT, GRID = "#3b3226", "#7a6f60", "#e6dfd3"
MANY_POINTS = 60

Text = Callable[[str], str]
"""A word of the page by its key."""

# Error bars are no series of their own in ECharts: this draws a bar with two ends.
ERROR_BAR = """(params, api) => {
  const x = api.coord([api.value(0), 0])[0];
  const low = api.coord([api.value(0), api.value(1)])[1];
  const high = api.coord([api.value(0), api.value(2)])[1];
  const style = { stroke: api.visual('color'), fill: null, lineWidth: 1.5 };
  const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
  return { type: 'group', children: [
    line(x, low, x, high), line(x - 4, low, x + 4, low), line(x - 4, high, x + 4, high)] };
}"""


def curve_options(spec: ChartSpec, lines: Sequence[Line], text: Text) -> dict[str, Any]:
    """Return a chart of metrics over iterations; each point carries its iteration first."""
    scale = 100.0 if spec.is_share else 1.0
    series: list[dict[str, Any]] = []
    for place, line in enumerate(lines):
        name = text(f"metric_{line.metric}")
        points = [[p.iteration, scale * p.value, p.step] for p in line.points]
        series.append(
            {
                "type": "line",
                "name": name,
                "data": points,
                "color": COLORS[place % len(COLORS)],
                "symbol": "circle",
                "symbolSize": 7 if len(points) <= MANY_POINTS else 4,
                "lineStyle": {"width": 2, "type": DASHES[place % len(DASHES)]},
                "emphasis": {"scale": 2},
                "cursor": "pointer",
            }
        )
        bars = [
            [p.iteration, scale * (p.value - p.error), scale * (p.value + p.error)]
            for p in line.points
            if p.error is not None
        ]
        if bars:
            series.append(error_series(name, bars, COLORS[place % len(COLORS)]))
    return base_options(text("axis_iteration"), text(f"unit_{spec.name}")) | {
        "legend": {"show": len(lines) > 1, "top": 0, "right": 0, "textStyle": {"color": INK}},
        "tooltip": {"trigger": "axis", "confine": True, ":valueFormatter": SHORT_NUMBER},
        "series": series,
    }


# As the reader writes numbers: with a point in English, with a comma in French.
LOCAL = "toLocaleString(document.documentElement.lang, { maximumSignificantDigits: 4 })"
SHORT_NUMBER = f"value => Array.isArray(value) ? '' : Number(value).{LOCAL}"
AXIS_NUMBER = f"value => value.{LOCAL}"


def error_series(name: str, bars: list[list[float]], color: str) -> dict[str, Any]:
    """Return error bars: x, lower end and upper end of each."""
    return {
        "type": "custom",
        "name": name,
        "data": bars,
        "color": color,
        "encode": {"x": 0, "y": [1, 2], "tooltip": []},
        "silent": True,
        "tooltip": {"show": False},
        ":renderItem": ERROR_BAR,
        "z": 3,
    }


def base_options(x_name: str, y_name: str) -> dict[str, Any]:
    """Return what all charts have: two axes with names, room for them, no animation."""
    axis = {
        "type": "value",
        "axisLine": {"show": True, "onZero": False, "lineStyle": {"color": FAINT}},
        "axisLabel": {"color": INK, "hideOverlap": True, ":formatter": AXIS_NUMBER},
        "splitLine": {"lineStyle": {"color": GRID}},
        "nameTextStyle": {"color": FAINT},
    }
    return {
        "animation": False,
        "aria": {"enabled": True},
        "grid": {"left": 8, "right": 14, "top": 34, "bottom": 26, "containLabel": True},
        "xAxis": axis
        | {
            "name": x_name,
            "nameLocation": "middle",
            "nameGap": 26,
            "minInterval": 1,
            "splitLine": {"show": False},
        },
        "yAxis": axis
        | {
            "name": y_name,
            "nameLocation": "end",
            "nameGap": 12,
            "scale": True,
            "nameTextStyle": {"color": FAINT, "align": "left"},
        },
    }


def calibration_options(
    bins: Sequence[Bin], return_range: tuple[float, float], text: Text
) -> dict[str, Any]:
    """Return expected against final results, with the line on which they would be equal."""
    low, high = return_range
    points = [[one.predicted, one.result, one.decisions, one.games] for one in bins]
    bars = [[one.predicted, one.result - one.error, one.result + one.error] for one in bins]
    options = base_options(text("axis_predicted"), text("axis_result"))
    for axis in ("xAxis", "yAxis"):
        options[axis] |= {"min": low, "max": high, "minInterval": 0, "scale": False}
    return options | {
        "tooltip": {"trigger": "item", "confine": True, ":valueFormatter": SHORT_NUMBER},
        "series": [
            {
                "type": "line",
                "name": text("perfect"),
                "data": [[low, low], [high, high]],
                "color": FAINT,
                "symbol": "none",
                "silent": True,
                "lineStyle": {"type": "dashed", "width": 1},
            },
            {
                "type": "line",
                "name": text("metric_result"),
                "data": points,
                "color": COLORS[0],
                "symbol": "circle",
                "symbolSize": 9,
                "cursor": "pointer",
            },
            error_series(text("metric_result"), bars, COLORS[0]),
        ],
    }


def chance_options(
    stored: Sequence[tuple[int, float]], judged: Sequence[tuple[int, float]], text: Text
) -> dict[str, Any]:
    """Return white's chance to win over the plies of a game, as stored and as judged now."""
    options = base_options(text("axis_ply"), text("unit_chance"))
    options["yAxis"] |= {"min": 0, "max": 100, "scale": False}
    options["xAxis"] |= {"min": 0, "max": stored[-1][0]}
    lines = [("stored_value", stored, COLORS[0]), ("judged_value", judged, COLORS[1])]
    return options | {
        "legend": {"show": bool(judged), "top": 0, "right": 0, "textStyle": {"color": INK}},
        "tooltip": {"trigger": "axis", "confine": True, ":valueFormatter": SHORT_NUMBER},
        "series": [
            {
                "type": "line",
                "name": text(name),
                "data": [[ply, 100 * chance] for ply, chance in points],
                "color": color,
                "symbol": "circle",
                "symbolSize": 5,
                "lineStyle": {"width": 1.5},
                "cursor": "pointer",
                "markLine": now_line(0) if place == 0 else {"data": []},
            }
            for place, (name, points, color) in enumerate(lines)
            if points
        ],
    }


def now_line(ply: int) -> dict[str, Any]:
    """Return the line that marks where one is in a game, and the one of an even game."""
    return {
        "silent": True,
        "symbol": "none",
        "label": {"show": False},
        "data": [
            {"xAxis": ply, "lineStyle": {"color": INK, "width": 2, "type": "solid"}},
            {"yAxis": 50, "lineStyle": {"color": FAINT, "width": 1, "type": "dotted"}},
        ],
    }
