"""The training page: every run of the store, and a form to begin a new one."""

from html import escape

from nicegui import ui

from spiel_bot.errors import SpielBotError
from spiel_bot.games.catalogue import names
from spiel_bot.storage.store import DATABASE_NAME
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.addresses import run_address
from spiel_bot.web.pages.parts import (
    chip,
    date_text,
    heading,
    link,
    research_page,
    show,
    size_text,
    table,
)
from spiel_bot.web.training import ALGORITHMS, PRESETS, TrainingWish
from spiel_bot.web.views.runs import RunRow, run_rows
from spiel_bot.web.words.research import ResearchWords

POLL_SECONDS = 3.0


def register(hall: Hall) -> None:
    """Add the page."""

    @ui.page("/training")
    async def training() -> None:
        with research_page("training") as words:
            with ui.element("div"):
                heading(words("training"), 1)
                ui.label(words("training_intro")).classes("sb-quiet")
            rows = await hall.think(all_rows, hall)
            with ui.element("div").classes("sb-card"):
                shown = show(runs_html(rows, words))
            with ui.element("div").classes("sb-card rs-stack"):
                new_run_form(hall, words)

            async def refresh() -> None:
                try:
                    found = await hall.think(all_rows, hall)
                except SpielBotError:  # busy for once: the next look is soon
                    return
                shown.set_content(runs_html(found, words))

            ui.timer(POLL_SECONDS, refresh, immediate=False)


def all_rows(hall: Hall) -> list[RunRow]:
    """Return the rows of all runs; none where there is no store yet."""
    if not (hall.store_path / DATABASE_NAME).exists():
        return []
    return run_rows(hall.store())


def runs_html(rows: list[RunRow], words: ResearchWords) -> str:
    """Return the list of runs."""
    if not rows:
        return f'<p class="sb-quiet">{escape(words("no_runs"))}</p>'
    return table(
        [
            words(key)
            for key in ("run", "state", "game", "algorithm", "iterations", "games", "size", "begun")
        ],
        [
            [
                link(row.name, run_address(row.name)),
                chip(row.state, words(f"state_{row.state}")),
                escape(row.game),
                escape(row.algorithm),
                f"{row.iterations} / {row.planned}" if row.planned else str(row.iterations),
                words.number(row.games),
                size_text(row.size, words),
                date_text(row.created),
            ]
            for row in rows
        ],
        numbers=(4, 5, 6),
        minor=(2, 3, 6, 7),
    )


def new_run_form(hall: Hall, words: ResearchWords) -> None:
    """Build the form of a new run."""
    heading(words("new_run"))
    with ui.element("div").classes("rs-form"):
        preset = ui.select(
            {name: words(f"preset_{name}") for name in PRESETS},
            value="quick",
            label=words("preset"),
        )
        game = ui.select(list(names()), value="trictrac", label=words("game"))
        algorithm = ui.select(list(ALGORITHMS), value=ALGORITHMS[0], label=words("algorithm"))
        name = ui.input(words("name"), placeholder=words("name_hint"))
        iterations = ui.number(
            words("iterations"), placeholder=words("iterations_hint"), min=1, precision=0
        )
    message = ui.label().classes("sb-quiet").props('role="status"')

    async def start() -> None:
        button.disable()
        message.classes(replace="sb-quiet").set_text(words("starting"))
        try:
            wish = TrainingWish(
                preset=str(preset.value),
                game=str(game.value),
                algorithm=str(algorithm.value),
                name=name.value.strip() or None,
                iterations=None if iterations.value is None else int(iterations.value),
            )
            run = await hall.think(hall.training.start, wish)
        except SpielBotError as error:
            message.classes(replace="sb-alert").set_text(str(error))
            button.enable()
            return
        message.set_text(words("asked_start", name=run.name))
        ui.navigate.to(run_address(run.name))

    button = ui.button(words("start"), on_click=start).classes("self-start")
