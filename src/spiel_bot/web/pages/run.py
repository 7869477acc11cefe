"""The page of one run, live while it trains: charts, and what stands behind each point."""

from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import EChartPointClickEventArguments

from spiel_bot.errors import SpielBotError
from spiel_bot.storage.runs import ACTIVE, Run, RunState
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.addresses import games_address
from spiel_bot.web.pages.behind import behind_bin, behind_iteration
from spiel_bot.web.pages.parts import (
    chip,
    date_text,
    heading,
    later,
    link,
    research_page,
    show,
    size_text,
    table,
    whole_number,
)
from spiel_bot.web.pages.run_data import RunFigures, read_figures
from spiel_bot.web.views.charts import calibration_options, curve_options
from spiel_bot.web.views.curves import CHARTS, ChartSpec
from spiel_bot.web.views.runs import RunRow, flat_settings
from spiel_bot.web.words.research import ResearchWords

POLL_SECONDS = 2.0


def register(hall: Hall) -> None:
    """Add the page."""

    @ui.page("/training/{name}")
    def run_page(name: str, iteration: str = "") -> None:
        with research_page("training") as words:

            async def build() -> None:
                figures = await hall.think(read_figures, hall.store, name)
                page = RunPage(hall, words, figures)
                await page.build(whole_number(iteration))

            later(words, build)


class RunPage:
    """The elements of the page that change while the run goes on."""

    def __init__(self, hall: Hall, words: ResearchWords, figures: RunFigures) -> None:
        self.hall = hall
        self.words = words
        self.figures = figures
        self.charts: dict[str, ui.echart] = {}

    @property
    def run(self) -> Run:
        """The run as it was read last."""
        return self.figures.run

    async def build(self, iteration: int | None) -> None:
        """Build the page."""
        words, row = self.words, self.figures.row
        with ui.element("div").classes("sb-card rs-stack"):
            with ui.element("div").classes("rs-row"):
                heading(row.name, 1)
                self.state = ui.html("", sanitize=False)
                ui.element("div").classes("rs-grow")
                self.buttons = ui.element("div").classes("rs-row").style("width: auto")
            show(
                f"{escape(row.game)} · {escape(row.algorithm)} · {words('seed')} {self.run.seed} · "
                f"{date_text(row.created)} · " + link(words("games"), games_address(row.name))
            ).classes("sb-quiet")
            self.progress = ui.linear_progress(show_value=False).props('aria-hidden="true"')
            self.text = ui.label().props('role="status"')
            self.message = ui.label().classes("sb-alert")
        self.hint = ui.label().classes("sb-quiet")
        self.chart_box = ui.element("div").classes("rs-charts")
        self.behind = ui.element("div").classes("w-full").props('id="behind"')
        self.build_charts()
        self.build_rest()
        self.show_state()
        if iteration is not None:
            await self.show_iteration(iteration)
        ui.timer(POLL_SECONDS, self.refresh, immediate=False)

    def build_charts(self) -> None:
        """Make a card for each chart there is something to show in."""
        self.charts.clear()
        self.chart_box.clear()
        words = self.words
        has_points = any(self.figures.lines.values())
        self.hint.set_text(words("points_lead_on" if has_points else "no_figures"))
        with self.chart_box:
            for spec in CHARTS if has_points else ():
                with ui.element("section").classes("sb-card rs-chartcard"):
                    heading(words(f"title_{spec.name}"))
                    self.build_chart(spec)
            if self.figures.bins:
                with ui.element("section").classes("sb-card"):
                    heading(words("title_calibration"))
                    self.build_calibration()

    def build_chart(self, spec: ChartSpec) -> None:
        """Make a chart, or say why there is none."""
        words, lines = self.words, self.figures.lines[spec.name]
        if spec.needs_policy and not self.figures.row.has_policy:
            ui.label(words("no_policy", algorithm=self.figures.row.algorithm)).classes("rs-note")
        elif not lines:
            key = "no_elo" if spec.name == "elo" else "no_figures"
            ui.label(words(key)).classes("rs-note")
        else:
            chart = ui.echart(
                curve_options(spec, lines, words), on_point_click=self.point_clicked
            ).classes("rs-chart")
            self.charts[spec.name] = chart.props(f'data-chart="{spec.name}"')

    def build_calibration(self) -> None:
        """Make the chart of expected and final results."""
        figures = self.figures
        self.charts["calibration"] = (
            ui.echart(
                calibration_options(figures.bins, figures.return_range, self.words),
                on_point_click=self.bin_clicked,
            )
            .classes("rs-chart")
            .props('data-chart="calibration"')
        )
        self.calibration_text = ui.label().classes("sb-quiet")
        self.show_calibration_text()

    def show_calibration_text(self) -> None:
        """Say what the chart of calibration was made of."""
        figures = self.figures
        decisions = sum(one.decisions for one in figures.bins)
        self.calibration_text.set_text(
            self.words(
                "calibration_text",
                decisions=self.words.number(decisions),
                games=figures.num_calibrated,
            )
        )

    def build_rest(self) -> None:
        """Show what does not change: checkpoints are found by iteration, settings are all here."""
        with (
            ui.element("div").classes("sb-card"),
            ui.expansion(self.words("settings")).classes("w-full"),
        ):
            pairs = flat_settings(self.run.config, self.figures.row.algorithm)
            show(table(["", ""], [[escape(key), escape(value)] for key, value in pairs]))

    def show_state(self) -> None:
        """Show how the run stands and what can be asked of it."""
        words, row = self.words, self.figures.row
        live = f" {words('live')}" if row.state == RunState.RUNNING else ""
        self.state.set_content(chip(row.state, words(f"state_{row.state}") + live))
        self.progress.set_value(row.iterations / row.planned if row.planned else 0)
        self.text.set_text(progress_text(row, words))
        self.message.set_text(row.message)
        self.message.set_visibility(bool(row.message))
        self.buttons.clear()
        with self.buttons:
            if row.state == RunState.RUNNING:
                self.button("pause", self.ask)
            if row.state == RunState.PAUSED:
                self.button("continue", self.ask)
            if self.run.state in ACTIVE:
                self.button("stop", self.ask)
            elif row.planned is None or row.iterations < row.planned:
                self.button("resume", self.resume)

    def button(self, command: str, action: object) -> None:
        """Make a button that asks something of the run."""
        text = self.words("continue" if command == "resume" else command)
        color = "negative" if command == "stop" else "primary"
        ui.button(text, on_click=lambda: action(command)).props(f"outline color={color}")  # type: ignore[operator]

    async def ask(self, command: str) -> None:
        """Leave a request for the process that trains."""
        try:
            await self.hall.think(self.hall.training.ask, self.run.name, command)
        except SpielBotError as error:
            ui.notify(str(error), type="negative")
            return
        ui.notify(self.words(f"asked_{command}"))

    async def resume(self, _: str) -> None:
        """Go on with a run that was stopped."""
        ui.notify(self.words("starting"))
        try:
            await self.hall.think(self.hall.training.resume, self.run.name)
        except SpielBotError as error:
            ui.notify(str(error), type="negative")
            return
        ui.notify(self.words("asked_resume"))
        await self.refresh()

    async def refresh(self) -> None:
        """Read the store again; charts change when there is something new."""
        before = self.figures
        try:
            found = await self.hall.think(
                read_figures, self.hall.store, str(self.run.id), known=before
            )
        except SpielBotError as error:  # such as a run that was deleted meanwhile
            self.message.set_text(str(error))
            self.message.set_visibility(True)
            return
        self.figures = found
        if found.row != before.row:
            self.show_state()
        if found.mark == before.mark:
            return
        shown = {name for name, lines in found.lines.items() if lines}
        if not shown <= set(self.charts) or bool(found.bins) != ("calibration" in self.charts):
            self.build_charts()
            return
        for spec in CHARTS:
            if spec.name in self.charts:
                chart = self.charts[spec.name]
                chart.options["series"] = curve_options(spec, found.lines[spec.name], self.words)[
                    "series"
                ]
                chart.update()
        if found.bins:
            chart = self.charts["calibration"]
            options = calibration_options(found.bins, found.return_range, self.words)
            chart.options["series"] = options["series"]
            chart.update()
            self.show_calibration_text()

    async def point_clicked(self, event: EChartPointClickEventArguments) -> None:
        """Show the iteration of a point."""
        point: Any = event.data  # [iteration, value, step]
        await self.show_iteration(int(point[0]))

    async def show_iteration(self, number: int) -> None:
        """Show what stands behind an iteration, and let the address say so."""
        self.behind.clear()
        with self.behind:
            await behind_iteration(self.hall, self.words, self.run, number, self.show_iteration)
        ui.navigate.history.replace(f"?iteration={number}")
        ui.run_javascript("document.getElementById('behind').scrollIntoView({block: 'nearest'})")

    async def bin_clicked(self, event: EChartPointClickEventArguments) -> None:
        """Show decisions of a point of the calibration."""
        place = min(int(event.data_index), len(self.figures.bins) - 1)
        self.behind.clear()
        with self.behind:
            await behind_bin(self.hall, self.words, self.run, self.figures.bins[place])
        ui.run_javascript("document.getElementById('behind').scrollIntoView({block: 'nearest'})")


def progress_text(row: RunRow, words: ResearchWords) -> str:
    """Return how far a run is."""
    return words(
        "progress" if row.planned else "progress_open",
        done=row.iterations,
        planned=row.planned,
        games=words.number(row.games),
        steps=words.number(row.steps),
        size=size_text(row.size, words),
    )
