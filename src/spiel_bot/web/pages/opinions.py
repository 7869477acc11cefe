"""What was and what is thought of a decision: the stored search, and a judge who is asked now."""

from collections.abc import Callable
from html import escape

from nicegui import ui

from spiel_bot.analysis.decision import AnalysisConfig, Decision, analyse
from spiel_bot.analysis.game import GameAnalysis, analyse_game
from spiel_bot.analysis.judge import Judge
from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import CHANCE, WHITE
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.parts import show, table
from spiel_bot.web.views.replay import Opinion, Replay
from spiel_bot.web.words.research import ResearchWords

MOST_PLAYS = 8
CONFIG = AnalysisConfig(plies=1, simulations=0)


def stored_html(opinion: Opinion | None, words: ResearchWords) -> str:
    """Return the stored opinion on a decision."""
    if opinion is None:
        return f'<span class="sb-quiet">{escape(words("no_opinion"))}</span>'
    if opinion.value is None or opinion.win_chance is None:
        why = words("not_judged" if opinion.is_judged else "forced")
        return f'<span class="sb-quiet">{escape(why)}</span>'
    chance = words.number(opinion.win_chance, ".1%")
    value = words("value_text", value=words.number(opinion.value, "+.3f"), chance=chance)
    kind = words("full_search" if opinion.is_full else "cheap_search")
    if opinion.is_judged:
        one = opinion.candidates[0]
        name = words.phrase(one.name) + (f" ({words('played')})" if one.is_played else "")
        kind = words("judged_play", play=name)
    text = f'<p>{escape(value)} <span class="sb-quiet">({escape(kind)})</span></p>'
    if opinion.is_judged:
        return text
    if not opinion.candidates:
        return text
    shown = opinion.candidates[:MOST_PLAYS]
    return text + table(
        [words("play"), words("policy")],
        [
            [
                escape(words.phrase(one.name) + (f" ({words('played')})" if one.is_played else "")),
                bar(one.weight, words),
            ]
            for one in shown
        ],
        marked=[place for place, one in enumerate(shown) if one.is_played],
    )


def bar(share: float, words: ResearchWords) -> str:
    """Return a share as a bar with its percentage."""
    width = max(1, round(90 * share))
    return f'<span class="rs-bar" style="width: {width}px"></span>{words.number(share, ".1%")}'


def judged_html(decision: Decision, played: int | None, words: ResearchWords) -> str:
    """Return the plays of a decision as a judge sees them, the best first."""
    made = None if played is None else decision.judged(played)
    shown = list(decision.actions[:MOST_PLAYS])
    if made is not None and made not in shown:
        shown.append(made)
    return table(
        [words("play"), words("equity"), words("chance")],
        [
            [
                escape(words.phrase(one.name) + (f" ({words('played')})" if one is made else "")),
                words.number(one.equity, "+.3f"),
                words.number(one.win_chance, ".1%"),
            ]
            for one in shown
        ],
        numbers=(1, 2),
        marked=[place for place, one in enumerate(shown) if one is made],
    )


class JudgePanel:
    """Asks the best judge at hand about one decision, or about the whole game."""

    def __init__(
        self,
        hall: Hall,
        words: ResearchWords,
        replay: Replay,
        on_judged: Callable[[list[tuple[int, float]]], None],
    ) -> None:
        """Build the panel where the page is being built."""
        self.hall, self.words, self.replay, self.on_judged = hall, words, replay, on_judged
        self.known: dict[int, Decision] = {}
        self.judge_name = ""
        self.ply = 0
        with ui.element("section").classes("sb-card rs-stack"):
            with ui.element("div").classes("rs-row"):
                self.one = ui.button(words("judge_now"), on_click=self.ask)
                self.all = ui.button(words("judge_game"), on_click=self.ask_all).props("outline")
            self.text = ui.label().classes("sb-quiet")
            self.found = show("")

    def show(self, ply: int) -> None:
        """Show what is known of the decision at a ply."""
        self.ply = ply
        is_decision = ply < len(self.replay) and self.replay.plies[ply].player != CHANCE
        self.one.set_enabled(is_decision and ply not in self.known)
        decision = self.known.get(ply)
        self.found.set_content("")
        self.text.set_text("")
        if decision is not None:
            played = self.replay.canonical(ply, self.replay.plies[ply].event)
            self.text.set_text(self.words("judge_now_text", judge=self.judge_name))
            self.found.set_content(judged_html(decision, played, self.words))

    async def ask(self) -> None:
        """Judge this decision."""
        ply = self.ply
        self.text.set_text(self.words("judging"))

        def judge_one() -> tuple[Judge, Decision]:
            judge = self.hall.shelf.judge(None, self.replay.game)
            return judge, analyse(judge, self.replay.position(ply), CONFIG)

        try:
            judge, decision = await self.hall.think(judge_one)
        except SpielBotError as error:
            self.text.set_text(str(error))
            return
        self.judge_name = judge.name
        self.known[ply] = decision
        if self.ply == ply:
            self.show(ply)

    async def ask_all(self) -> None:
        """Judge every decision of the game, and draw what comes of it."""
        self.all.disable()
        self.text.set_text(self.words("judging"))

        def judge_all() -> tuple[Judge, GameAnalysis]:
            judge = self.hall.shelf.judge(None, self.replay.game)
            return judge, analyse_game(judge, self.replay.played, CONFIG)

        try:
            judge, analysis = await self.hall.think(judge_all)
        except SpielBotError as error:
            self.text.set_text(str(error))
            self.all.enable()
            return
        self.judge_name = judge.name
        self.known |= {one.ply: one.decision for one in analysis.decisions}
        self.on_judged([(one.ply, white_chance(one.decision)) for one in analysis.decisions])
        self.show(self.ply)


def white_chance(decision: Decision) -> float:
    """Return white's chance to win if the best play is made."""
    chance = decision.best.win_chance
    return chance if decision.player == WHITE else 1.0 - chance
