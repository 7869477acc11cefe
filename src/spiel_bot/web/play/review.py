"""The review of a game: the chance of winning over time, and the plays that lost most."""

from html import escape
from typing import Any

from nicegui import ui

from spiel_bot.analysis.game import GameAnalysis, Mark, PlayedDecision
from spiel_bot.analysis.report import rolls_by_ply
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.played import SIDES
from spiel_bot.games.trictrac.svg import board_svg
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.players.telling import who
from spiel_bot.players.words import Words
from spiel_bot.web.board.scene import seen_by_white
from spiel_bot.web.play.story import SIDE_CLASSES
from spiel_bot.web.play.strip import player_name
from spiel_bot.web.play.words import PlayWords
from spiel_bot.web.tables import Table

FELT, OXBLOOD, GOLD = "#245640", "#8a2a1c", "#8a5a00"
PERCENT = "value => value.toLocaleString(document.documentElement.lang) + '\u00a0%'"


def build_review(analysis: GameAnalysis, table: Table, words: Words, texts: PlayWords) -> None:
    """Build the review where the page stands."""
    below = table.humans[0] if len(table.humans) == 1 else WHITE
    with ui.element("div").classes("sb-card"):
        ui.html(f"<h2>{escape(texts('review_title'))}</h2>", sanitize=False)
        for side in (below, 1 - below):
            name = who(table.session, side, words)
            line = summary_html(analysis, side, name, texts)
            ui.html(line, sanitize=False).classes("sb-summary")
        judge = player_name(analysis.judge, texts)
        ui.label(texts("judged_by", judge=judge)).classes("sb-quiet text-sm")
        title = texts("chance_of", who=words.side(below))
        ui.html(f"<h3>{escape(title)}</h3>", sanitize=False).classes("q-mt-md")
        chart = ui.echart(chance_options(analysis, below, texts)).classes("sb-chart")
        chart.props(f'role="img" aria-label="{title}"')
    with ui.element("div").classes("sb-card"):
        worst = analysis.worst
        title = texts("worst" if worst else "no_worst")
        ui.html(f"<h2>{escape(title)}</h2>", sanitize=False)
        rolls = rolls_by_ply(analysis)
        with ui.element("div").classes("sb-worst"):
            for rank, one in enumerate(worst, start=1):
                with ui.element("figure"):
                    ui.html(worst_svg(one), sanitize=False).props('aria-hidden="true"')
                    text = worst_html(one, rank, rolls.get(one.ply, ""), words, texts)
                    with ui.element("figcaption"):
                        ui.html(text, sanitize=False)


def summary_html(analysis: GameAnalysis, side: int, name: str, texts: PlayWords) -> str:
    """Return how a side played, as one line."""
    summary = analysis.sides[side]
    text = texts(
        "summary",
        decisions=texts.count("decisions", summary.decisions),
        errors=texts.count("errors", summary.marks[Mark.ERROR]),
        blunders=texts.count("blunders", summary.marks[Mark.BLUNDER]),
        luck=texts.chance(summary.luck, signed=True),
    )
    dot = f'<i class="sb-dot {SIDE_CLASSES[side]}" aria-hidden="true"></i>'
    return f"{dot}<span><b>{escape(name)}</b> {escape(text)}</span>"


def chances(analysis: GameAnalysis, side: int) -> list[tuple[int, float]]:
    """Return (turn, chance of winning of a side) for each decision with a choice."""
    found = []
    for one in analysis.decisions:
        chance = one.decision.judged(one.action).win_chance
        found.append((one.turn, chance if one.decision.player == side else 1.0 - chance))
    return found


def end_of(analysis: GameAnalysis, side: int) -> list[tuple[int, float]]:
    """Return the turn after the last decision with how the game ended for a side, if it did."""
    result = analysis.played.result
    if result == "unfinished" or not analysis.decisions:
        return []
    won = 0.5 if result == "draw" else float(result == SIDES[side])
    return [(analysis.decisions[-1].turn + 1, won)]


def chance_options(analysis: GameAnalysis, side: int, texts: PlayWords) -> dict[str, Any]:
    """Return the graph of the chance of winning for ECharts; the worst plays have their rank."""
    known = chances(analysis, side)
    points = [[turn, round(100 * chance, 1)] for turn, chance in known + end_of(analysis, side)]
    by_turn = dict(known)
    ranks = [
        {
            "value": [one.turn, round(100 * by_turn[one.turn], 1)],
            "label": {"show": True, "formatter": str(rank), "color": "#fff", "fontWeight": 700},
        }
        for rank, one in enumerate(analysis.worst, start=1)
    ]
    return {
        "animation": False,
        "grid": {"left": 12, "right": 18, "top": 16, "bottom": 28, "containLabel": True},
        "tooltip": {"trigger": "axis", "confine": True, ":valueFormatter": PERCENT},
        "xAxis": {
            "type": "value",
            "name": texts("turn"),
            "nameLocation": "middle",
            "nameGap": 28,
            "min": "dataMin",
            "max": "dataMax",
            "minInterval": 1,
            "splitLine": {"show": False},
            "axisLabel": {"hideOverlap": True},
        },
        "yAxis": {"type": "value", "min": 0, "max": 100, "axisLabel": {":formatter": PERCENT}},
        "series": [
            {
                "type": "line",
                "name": texts("turn_chance"),
                "data": points,
                "showSymbol": False,
                "lineStyle": {"color": FELT, "width": 2},
                "itemStyle": {"color": FELT},
                "areaStyle": {"color": FELT, "opacity": 0.12},
                "markLine": {
                    "silent": True,
                    "symbol": "none",
                    "data": [{"yAxis": 50}],
                    "lineStyle": {"color": GOLD},
                    "label": {"show": False},
                },
            },
            {
                "type": "scatter",
                "data": ranks,
                "symbolSize": 18,
                "itemStyle": {"color": OXBLOOD, "opacity": 1},
                "tooltip": {"show": False},
                "silent": True,
                "z": 3,
            },
        ],
    }


def worst_svg(one: PlayedDecision) -> str:
    """Return the position of a bad play with the best play as arrows."""
    decision = one.decision
    details = decision.game.action_details
    moves = details(decision.state, decision.best.action)["moves"] if details else []
    return board_svg(
        view_of(decision.state),
        moves=seen_by_white(moves, decision.player),
        flip=decision.player == BLACK,
        captions=False,
    )


def worst_html(one: PlayedDecision, rank: int, roll: str, words: Words, texts: PlayWords) -> str:
    """Return what was played and what was better, below its rank in the graph."""

    def named(name: str) -> str:
        return words("go") if name == "go" else words.phrase(name)

    title = texts("worst_title", turn=one.turn, who=words.side(one.decision.player), roll=roll)
    line = texts(
        "worst_line",
        play=named(one.decision.judged(one.action).name),
        lost=texts.chance(one.lost_chance),
        best=named(one.decision.best.name),
    )
    return f'<b><i class="sb-rank">{rank}</i> {escape(title)}</b><br>{escape(line)}'
