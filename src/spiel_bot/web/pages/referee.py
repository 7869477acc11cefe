"""The referee's page: a position, a roll, what it scores and how it may be played, as a link."""

from html import escape
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import State
from spiel_bot.games.trictrac.explain import NOTHING, sentence
from spiel_bot.games.trictrac.judge import JanScore
from spiel_bot.games.trictrac.play_notation import parse_dice
from spiel_bot.games.trictrac.verdict import judge_play, judge_roll, position_and_roll
from spiel_bot.web.board.scene import glows_of, seen_by_white
from spiel_bot.web.editor.draft import Draft, draft_of
from spiel_bot.web.editor.editor import PositionEditor
from spiel_bot.web.editor.words import EditorWords
from spiel_bot.web.frame import frame, page_language
from spiel_bot.web.hall import Hall
from spiel_bot.web.sharing import share_address
from spiel_bot.web.waiting import until_warm
from spiel_bot.web.words.page_words import written

MOST_PLAYS = 225


def register(hall: Hall) -> None:
    """Add the page."""

    @ui.page("/referee")
    async def referee(position: str = "", dice: str = "") -> None:
        texts = EditorWords(page_language())
        with frame(texts("referee")):
            if await until_warm(hall, page_language()):
                RefereePage(hall, texts, position, dice)


class RefereePage:
    """The page of one visitor."""

    def __init__(self, hall: Hall, texts: EditorWords, position: str, dice: str) -> None:
        self.hall = hall
        self.language = page_language()
        self.texts = texts
        self._verdict: dict[str, Any] = {}
        draft, trouble = read_link(position, dice)
        with ui.element("div").classes("sb-desk"):
            with ui.element("section").classes("sb-boardside"):
                self.editor = PositionEditor(self.language, draft=draft, on_change=self.changed)
            with ui.element("aside").classes("sb-side"):
                with ui.element("div").classes("sb-card sb-first"):
                    with ui.element("h1"):
                        ui.label(texts("referee"))
                    ui.label(texts("intro")).classes("sb-quiet")
                self.answer = ui.element("div").classes("sb-card sb-now")
                self.answer.props('role="status" aria-live="polite"')
                self._build_links()
        self.judge(draft)
        if trouble:
            self.editor.complain(trouble)

    def _build_links(self) -> None:
        links = (
            ("share", "link", "share", lambda: share_address(self.language)),
            ("play_it", "play_arrow", "play", self.play),
            ("search_it", "account_tree", "search", self.search),
        )
        with ui.element("div").classes("sb-buttons"):
            for key, icon, test, action in links:
                button = ui.button(self.texts(key), icon=icon, on_click=action, color="secondary")
                button.props(f'outline stack data-test="{test}"')

    def changed(self, draft: Draft) -> None:
        """Judge what is set up now; its address becomes that of the page."""
        ui.navigate.history.replace(link_of(draft))
        self.judge(draft)

    def judge(self, draft: Draft) -> None:
        """Show what the roll scores and how it may be played."""
        self.answer.clear()
        with self.answer:
            if draft.dice is None:
                ui.label(self.texts("no_dice"))
                return
            try:
                state, dice = position_and_roll(draft.text, draft.roll)
            except SpielBotError as error:
                self.editor.complain(str(error))
                return
            self._show_verdict(state, dice, draft.mover)

    def _show_verdict(self, state: State, dice: tuple[int, int], mover: int) -> None:
        texts = self.texts
        found = judge_roll(state, dice, language=self.language)
        jans = [JanScore(**jan) for jan in found["jans"]]
        glows = glows_of(jans, mover)
        self.editor.light(glows)
        score = texts(
            "score",
            who=texts.side(mover),
            own=found["mover"],
            other=texts.side(1 - mover),
            given=found["opponent"],
        )
        ui.label(score).classes("sb-title text-lg").props('data-test="score"')
        ui.html(jans_html(jans, self.language), sanitize=False)
        plays = found["plays"]
        ui.label(texts("legal", count=len(plays))).classes("sb-title")
        with ui.element("div").classes("sb-plays"):
            for play in plays[:MOST_PLAYS]:
                moves = seen_by_white(play["moves"], mover)
                button = ui.button(
                    play["text"],
                    on_click=lambda moves=moves: self.editor.light(glows, moves),
                    color="secondary",
                )
                button.props('outline dense no-caps data-test="play-line"')
        wanted = ui.input(texts("why")).props(f'dense hint="{texts("why_help")}" data-test="why"')
        reason = ui.label().props('role="alert" data-test="why-answer"')

        def explain() -> None:
            reason.set_text(self._why(state, dice, wanted.value or ""))

        wanted.on("keydown.enter", explain)

    def _why(self, state: State, dice: tuple[int, int], play: str) -> str:
        try:
            found = judge_play(state, dice, play, self.language)
        except SpielBotError as error:
            return str(error)
        key = "is_legal" if found["legal"] else "is_illegal"
        return self.texts(key, play=play, reason=found["reason"])

    def play(self) -> None:
        """Begin a game with this position."""
        ui.navigate.to("/?" + urlencode({"position": self.editor.draft.text}))

    def search(self) -> None:
        """Show this position in the search viewer."""
        draft = self.editor.draft
        given = {"position": draft.text, **({"dice": draft.roll} if draft.dice else {})}
        ui.navigate.to("/search?" + urlencode(given))


def read_link(position: str, dice: str) -> tuple[Draft, str]:
    """Return what an address means, and what is wrong with it in one line; empty if nothing is."""
    try:
        roll = parse_dice(dice) if dice else None
        return draft_of(position, roll) if position else Draft(dice=roll), ""
    except SpielBotError as error:
        return Draft(), str(error)


def link_of(draft: Draft) -> str:
    """Return the address of a draft.

    >>> link_of(Draft(dice=(6, 5))).startswith("/referee?position=white+1%2A15%2C+black")
    True
    """
    given = {"position": draft.text, **({"dice": draft.roll} if draft.dice else {})}
    return "/referee?" + urlencode(given)


def jans_html(jans: list[JanScore], language: str) -> str:
    """Return each jan with its points and its rule."""
    if not jans:
        return f'<p class="sb-quiet">{escape(NOTHING[language])}</p>'
    lines = []
    for jan in jans:
        kind = "sb-own" if jan.beneficiary == "mover" else "sb-other"
        chip = f'<span class="sb-chip {kind}">+{jan.points}</span>'
        rule = f'<span class="sb-rule">{escape(jan.rule)}</span>'
        lines.append(f"<li>{chip} {escape(written(sentence(jan, language), language))} {rule}</li>")
    return f'<ul class="sb-jans">{"".join(lines)}</ul>'
