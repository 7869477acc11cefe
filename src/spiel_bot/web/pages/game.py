"""One stored game: replayed ply by ply, with what the search thought and what a judge thinks."""

from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import EChartPointClickEventArguments, KeyEventArguments

from spiel_bot.analysis.stored_game import RESULTS, file_text
from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import CHANCE
from spiel_bot.storage.runs import Run
from spiel_bot.web.board.scene import glows_of, seen_by_white
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.addresses import run_address, search_address
from spiel_bot.web.pages.opinions import JudgePanel, stored_html
from spiel_bot.web.pages.parts import heading, later, link, research_page, show, whole_number
from spiel_bot.web.position_board import PositionBoard
from spiel_bot.web.views.charts import chance_options, now_line
from spiel_bot.web.views.export import file_name
from spiel_bot.web.views.replay import Replay
from spiel_bot.web.words.research import ResearchWords


def register(hall: Hall) -> None:
    """Add the page."""

    @ui.page("/games/{run_name}/{number}")
    def game(run_name: str, number: str, ply: str = "0") -> None:
        with research_page("games_title") as words:

            def read() -> tuple[Run, Replay]:
                store = hall.store()
                run = store.runs.find(run_name)
                chosen = whole_number(number)
                stored = store.games.get(run.id, -1 if chosen is None else chosen)
                return run, Replay(run, stored, store.games.read(run.id, stored.number))

            async def build() -> None:
                run, replay = await hall.think(read)
                first = whole_number(ply) or 0
                GamePage(hall, words, run, replay).build(min(first, len(replay)))

            later(words, build)


class GamePage:
    """The elements of the page, and where in the game one is."""

    def __init__(self, hall: Hall, words: ResearchWords, run: Run, replay: Replay) -> None:
        self.hall = hall
        self.words = words
        self.run = run
        self.replay = replay
        self.ply = 0
        self.judged: list[tuple[int, float]] = []

    def build(self, ply: int) -> None:
        """Build the page at a ply."""
        words, stored = self.words, self.replay.stored
        with ui.element("div").classes("sb-card"):
            title = words("game_title", number=stored.number, run=self.run.name)
            heading(title, 1)
            show(self.facts_html()).classes("sb-quiet")
        with ui.element("div").classes("rs-two"):
            with ui.element("div").classes("rs-stack"):
                with ui.element("div").classes("sb-card rs-stack"):
                    self.board = PositionBoard(self.replay.position(ply), words)
                    self.controls()
                with ui.element("section").classes("sb-card"):
                    heading(words("value_graph"))
                    self.chart = ui.echart(
                        chance_options(self.replay.chances(), (), words),
                        on_point_click=self.point_clicked,
                    ).classes("rs-chart")
            with ui.element("div").classes("rs-stack"):
                with ui.element("div").classes("sb-card rs-stack"):
                    self.told = show("").classes("rs-event").props('role="status"')
                    self.position = show("").classes("rs-mono")
                with ui.element("section").classes("sb-card rs-stack"):
                    heading(words("stored_opinion"))
                    self.opinion = show("")
                self.panel = JudgePanel(self.hall, words, self.replay, self.show_judged)
                ui.button(words("game_file"), on_click=self.download).props(
                    "outline icon=download"
                ).classes("self-start")
        ui.keyboard(on_key=self.key_pressed)
        self.go(ply)

    def facts_html(self) -> str:
        """Return what is known of the game at once."""
        words, stored = self.words, self.replay.stored
        result = RESULTS[stored.result]
        told = words("drawn") if result == "draw" else words("won_by", side=words(result))
        iteration = run_address(self.run.name, stored.iteration)
        parts = [
            escape(self.run.game),
            link(words("iteration_number", number=stored.iteration), iteration),
            escape(stored.players or words("kind_self-play")),
            escape(f"{told} ({words.number(stored.white_return, '+.3f')})"),
        ]
        return " · ".join(parts)

    def controls(self) -> None:
        """Build the buttons that walk through the game."""
        words, last = self.words, len(self.replay)
        with ui.element("div").classes("rs-steps"):
            for icon, key, go in (
                ("first_page", "first", lambda: self.go(0)),
                ("chevron_left", "previous", lambda: self.go(self.ply - 1)),
                ("chevron_right", "next", lambda: self.go(self.ply + 1)),
                ("last_page", "last", lambda: self.go(last)),
            ):
                ui.button(icon=icon, on_click=go).props(
                    f'flat round aria-label="{words(key)}" data-go="{key}"'
                )
            self.place = ui.label().classes("rs-grow").props('data-place=""')
            self.jump = (
                ui.number(words("jump"), min=0, max=last, precision=0)
                .props("dense")
                .classes("w-28")
                .on("keydown.enter", self.jumped)
                .on("blur", self.jumped)
            )
        self.slider = ui.slider(min=0, max=last, value=0, on_change=self.slid)
        self.slider.props(f'aria-label="{words("ply")}"')
        # Arrow keys belong to the page; a slider that keeps the focus would take each step twice.
        self.slider.on("change", js_handler="() => document.activeElement.blur()")
        ui.label(words("keys")).classes("sb-quiet")

    def slid(self) -> None:
        """Go where the slider was put; a slider that follows the game has nothing to say."""
        if self.slider.value != self.ply:
            self.go(int(self.slider.value))

    def jumped(self) -> None:
        """Go to the ply that was typed."""
        if self.jump.value is not None:
            self.go(int(self.jump.value))

    def key_pressed(self, event: KeyEventArguments) -> None:
        """Walk by arrow keys."""
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.alt:
            return
        key, replay = event.key, self.replay
        targets = {
            "ArrowRight": self.ply + 1,
            "ArrowLeft": self.ply - 1,
            "ArrowDown": replay.next_decision(self.ply),
            "ArrowUp": replay.next_decision(self.ply, -1),
            "Home": 0,
            "End": len(replay),
        }
        if key.name in targets:
            self.go(targets[key.name])

    def point_clicked(self, event: EChartPointClickEventArguments) -> None:
        """Go to the ply of a point of the graph."""
        point: Any = event.data
        self.go(int(point[0]))

    def go(self, ply: int) -> None:
        """Show the position before an event, and all there is to say of it."""
        words, replay = self.words, self.replay
        before, self.ply = self.ply, min(max(ply, 0), len(replay))
        ply = self.ply
        self.show_board(is_next=ply == before + 1)
        self.place.set_text(words("ply_of", ply=ply, plies=len(replay)))
        if self.slider.value != ply:
            self.slider.set_value(ply)
        self.told.set_content(self.told_html())
        notation = replay.position(ply).notation
        inside = search_address(self.run.game, notation) if ply < len(replay) else ""
        more = f"<br>{link(words('look_inside'), inside)}" if inside else ""
        self.position.set_content(escape(notation) + more)
        self.opinion.set_content(stored_html(replay.opinion(ply), words))
        self.panel.show(ply)
        self.chart.options["series"][0]["markLine"] = now_line(ply)
        self.chart.update()
        ui.navigate.history.replace(f"?ply={ply}")

    def show_board(self, *, is_next: bool) -> None:
        """Show the position; the play that led here is animated when one walks on."""
        replay, ply = self.replay, self.ply
        came_by: list[tuple[int, int]] = []
        glows: list[Any] = []
        if ply > 0:
            last = replay.happening(ply - 1)
            if last.side is not None and last.moves:
                came_by = seen_by_white(last.moves, last.side)
            if last.side is not None and last.jans:
                glows = glows_of(last.jans, last.side)
        self.board.show(
            replay.position(ply),
            came_by=came_by if is_next else (),
            trail=came_by,
            glows=glows,
            roll_number=ply if ply and replay.plies[ply - 1].player == CHANCE else 0,
        )

    def told_html(self) -> str:
        """Return what has just happened, and what comes next."""
        words, replay, ply = self.words, self.replay, self.ply
        told = [words("beginning")] if ply == 0 else replay.happening(ply - 1).sentences(words)
        lines = [f"<b>{escape(told[0])}</b>", *map(escape, told[1:])]
        if ply < len(replay):
            event = words.phrase(replay.plies[ply].name)
            next_text = words("next_event", event=event)
            lines.append(f'<span class="sb-quiet">{escape(next_text)}</span>')
        else:
            result = RESULTS[replay.stored.result]
            won = words("drawn") if result == "draw" else words("won_by", side=words(result))
            lines.append(escape(words("end", result=won)))
        return "<br>".join(lines)

    def show_judged(self, chances: list[tuple[int, float]]) -> None:
        """Draw the chances that a judge sees beside the stored ones."""
        options = chance_options(self.replay.chances(), chances, self.words)
        options["series"][0]["markLine"] = now_line(self.ply)
        self.chart.options.update(options)
        self.chart.update()

    async def download(self) -> None:
        """Hand the game out as a game file."""
        replay = self.replay
        try:
            text, _ = await self.hall.think(file_text, self.run, replay.stored, replay.record)
        except SpielBotError as error:
            ui.notify(str(error), type="negative")
            return
        ui.download.content(text.encode(), file_name(self.run, replay.stored))
