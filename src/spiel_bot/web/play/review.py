"""The review of a game: the chance of winning over time, and the plays that lost most."""

from typing import Any

from nicegui import ui

from spiel_bot.analysis.game import GameAnalysis, Mark, PlayedDecision
from spiel_bot.analysis.report import rolls_by_ply
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac.svg import board_svg
from spiel_bot.games.trictrac.view import view_of
from spiel_bot.players.telling import who
from spiel_bot.players.words import Words
from spiel_bot.web.board.scene import seen_by_white
from spiel_bot.web.play.words import PlayWords
from spiel_bot.web.tables import Table


def build_review(analysis: GameAnalysis, table: Table, words: Words, texts: PlayWords) -> None:
    """Build the review where the page stands."""
    below = table.humans[0] if len(table.humans) == 1 else WHITE
    with ui.element("div").classes("sb-card"):
        ui.label(texts("review_title")).classes("sb-title text-xl")
        for side in (below, 1 - below):
            summary = analysis.sides[side]
            ui.label(
                texts(
                    "summary",
                    who=who(table.session, side, words),
                    decisions=summary.decisions,
                    errors=summary.marks[Mark.ERROR],
                    blunders=summary.marks[Mark.BLUNDER],
                    luck=summary.luck,
                )
            )
        ui.label(texts("judged_by", judge=analysis.judge)).classes("sb-quiet")
        title = texts("chance_of", who=words.side(below))
        ui.label(title).classes("sb-title q-mt-md")
        chart = ui.echart(chance_options(analysis, below, texts)).classes("sb-chart")
        chart.props(f'role="img" aria-label="{title}"')
    with ui.element("div").classes("sb-card"):
        worst = analysis.worst
        ui.label(texts("worst" if worst else "no_worst")).classes("sb-title text-lg")
        rolls = rolls_by_ply(analysis)
        with ui.element("div").classes("sb-worst"):
            for one in worst:
                with ui.element("figure"):
                    ui.html(worst_svg(one), sanitize=False).props('aria-hidden="true"')
                    text = worst_text(one, rolls.get(one.ply, ""), words, texts)
                    with ui.element("figcaption"):
                        ui.label(text)


def chances(analysis: GameAnalysis, side: int) -> list[tuple[int, float]]:
    """Return (turn, chance of winning of a side) for each decision with a choice."""
    found = []
    for one in analysis.decisions:
        chance = one.decision.judged(one.action).win_chance
        found.append((one.turn, chance if one.decision.player == side else 1.0 - chance))
    return found


def chance_options(analysis: GameAnalysis, side: int, texts: PlayWords) -> dict[str, Any]:
    """Return the graph of the chance of winning for ECharts."""
    points = [[turn, round(100 * chance, 1)] for turn, chance in chances(analysis, side)]
    return {
        "animation": False,
        "grid": {"left": 48, "right": 16, "top": 16, "bottom": 44},
        "tooltip": {"trigger": "axis"},
        "xAxis": {
            "type": "value",
            "name": texts("turn"),
            "nameLocation": "middle",
            "nameGap": 28,
            "min": "dataMin",
            "max": "dataMax",
        },
        "yAxis": {"type": "value", "min": 0, "max": 100, "axisLabel": {"formatter": "{value} %"}},
        "series": [
            {
                "type": "line",
                "data": points,
                "showSymbol": False,
                "lineStyle": {"color": "#245640", "width": 2},
                "itemStyle": {"color": "#245640"},
                "areaStyle": {"color": "#245640", "opacity": 0.12},
                "markLine": {
                    "silent": True,
                    "symbol": "none",
                    "data": [{"yAxis": 50}],
                    "lineStyle": {"color": "#8a5a00"},
                    "label": {"show": False},
                },
            }
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


def worst_text(one: PlayedDecision, roll: str, words: Words, texts: PlayWords) -> str:
    """Return a bad play in one line."""

    def named(name: str) -> str:
        return words("go") if name == "go" else words.phrase(name)

    return texts(
        "worst_line",
        turn=one.turn,
        who=words.side(one.decision.player),
        roll=roll,
        play=named(one.decision.judged(one.action).name),
        lost=one.lost_chance,
        best=named(one.decision.best.name),
    )
