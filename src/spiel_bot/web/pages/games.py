"""Stored games: filter, browse and export them."""

from collections.abc import Callable
from html import escape
from urllib.parse import urlencode

from nicegui import ui
from starlette.requests import Request

from spiel_bot.analysis.stored_game import RESULTS, game_of
from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import Game
from spiel_bot.storage.runs import Run
from spiel_bot.storage.store import Store
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.addresses import game_address, run_address
from spiel_bot.web.pages.parts import heading, later, link, research_page, show, table
from spiel_bot.web.views.endings import Endings
from spiel_bot.web.views.export import MOST_EXPORTED, games_jsonl, games_zip
from spiel_bot.web.views.game_filter import KINDS, PAGE, GameFilter, GamePage, find_page
from spiel_bot.web.words.research import ResearchWords

Writer = Callable[[Store, Run, Game | None, GameFilter, Endings], bytes]


def register(hall: Hall) -> None:
    """Add the page."""
    endings = Endings()

    @ui.page("/games")
    def games(request: Request) -> None:
        with research_page("games_title") as words:
            with ui.element("div"):
                heading(words("games_title"), 1)
                ui.label(words("games_intro")).classes("sb-quiet")
            wanted = GameFilter.from_query(request.query_params)

            def read() -> tuple[list[Run], Run, Game | None, GamePage]:
                store = hall.store()
                run = store.runs.find(wanted.run)
                game = known_game(run)
                page = find_page(store, run, game, wanted, endings)
                return list(reversed(store.runs.all())), run, game, page

            async def build() -> None:
                runs, run, game, page = await hall.think(read)
                with ui.element("div").classes("sb-card rs-stack"):
                    filter_form(words, wanted, runs, run, game)
                with ui.element("div").classes("sb-card rs-stack"):
                    show_page(words, wanted, run, page)
                if page.games:
                    export_buttons(hall, words, wanted, run, game, endings)

            later(words, build)


def known_game(run: Run) -> Game | None:
    """Return the game of a run, None if it cannot be loaded here."""
    try:
        return game_of(run)
    except SpielBotError:
        return None


def filter_form(
    words: ResearchWords, wanted: GameFilter, runs: list[Run], run: Run, game: Game | None
) -> None:
    """Build the filter; it leads to its own address."""
    any_one = {"": words("any")}

    def number(key: str, value: int | None) -> ui.number:
        return ui.number(words(key), value=value, placeholder=words("any"), min=0, precision=0)

    with ui.element("div").classes("rs-form"):
        name = ui.select(
            [one.name for one in runs], value=run.name, label=words("run"), with_input=True
        )
        iteration = number("iteration", wanted.iteration)
        winner = ui.select(
            any_one | {result: words(result) for result in RESULTS.values()},
            value=wanted.result or "",
            label=words("winner"),
        )
        kind = ui.select(
            any_one | {kind: words(f"kind_{kind}") for kind in KINDS},
            value=wanted.kind or "",
            label=words("kind"),
        )
        least = number("min_plies", wanted.min_plies)
        most = number("max_plies", wanted.max_plies)
        has_lead = game is not None and game.leads_many is not None
        lead = number("lead", wanted.lead)
        lead.set_visibility(has_lead)

    def go() -> None:
        chosen = {
            "run": name.value,
            "iteration": iteration.value,
            "result": winner.value,
            "kind": kind.value,
            "min_plies": least.value,
            "max_plies": most.value,
            "lead": lead.value,
        }
        shown = {
            key: int(value) if isinstance(value, float) else value
            for key, value in chosen.items()
            if value not in (None, "")
        }
        ui.navigate.to(f"/games?{urlencode(shown)}")

    with ui.element("div").classes("rs-row"):
        ui.button(words("filter"), on_click=go)
        ui.button(
            words("clear"),
            on_click=lambda: ui.navigate.to(f"/games?{urlencode({'run': run.name})}"),
        ).props("flat")


def show_page(words: ResearchWords, wanted: GameFilter, run: Run, page: GamePage) -> None:
    """Show the games, and the way to the others."""
    if not page.games:
        ui.label(words("no_games")).classes("sb-quiet")
    has_scores = any(page.scores)
    rows = []
    for one, score in zip(page.games, page.scores, strict=True):
        row = [
            link(str(one.number), game_address(run.name, one.number)),
            link(str(one.iteration), run_address(run.name, one.iteration)),
            escape(words(RESULTS[one.result])),
            *([escape(score)] if has_scores else []),
            str(one.plies),
            words.number(one.white_return, "+.3f"),
            escape(one.players or words("kind_self-play")),
        ]
        rows.append(row)
    headings = ["number", "iteration", "winner", *(["score"] if has_scores else [])]
    headings += ["plies", "return", "players"]
    last = len(headings) - 1
    if rows:
        show(
            table(
                [words(key) for key in headings],
                rows,
                numbers=(1, last - 2, last - 1, *((3,) if has_scores else ())),
                minor=(last - 1, last),
            )
        )
    with ui.element("div").classes("rs-row"):
        if wanted.page > 1:
            show_link(words("previous"), f"/games?{wanted.query(page=wanted.page - 1)}")
        ui.label(found_text(words, wanted, page)).classes("sb-quiet")
        if page.has_more:
            show_link(words("next"), f"/games?{wanted.query(page=wanted.page + 1)}")


def show_link(text: str, address: str) -> None:
    """Show a link that looks like a button."""
    ui.button(text, on_click=lambda: ui.navigate.to(address)).props("outline dense")


def found_text(words: ResearchWords, wanted: GameFilter, page: GamePage) -> str:
    """Return how many games there are."""
    parts = []
    if page.total is not None:
        parts.append(words("found", total=words.number(page.total)))
        pages = max(1, -(-page.total // PAGE))
        parts.append(words("found_page", page=wanted.page, pages=words.number(pages)))
    if page.looked_at:
        parts.append(words("found_some", looked_at=words.number(page.looked_at)))
    return ", ".join(parts)


def export_buttons(
    hall: Hall,
    words: ResearchWords,
    wanted: GameFilter,
    run: Run,
    game: Game | None,
    endings: Endings,
) -> None:
    """Offer the games of the filter as files."""

    async def save(write: Writer, ending: str) -> None:
        try:
            content = await hall.think(write, hall.store(), run, game, wanted, endings)
        except SpielBotError as error:
            ui.notify(str(error), type="negative")
            return
        ui.download.content(content, f"{run.game}-games.{ending}")

    with ui.element("div").classes("rs-row"):
        ui.button(words("export_zip"), on_click=lambda: save(games_zip, "zip")).props("outline")
        ui.button(words("export_jsonl"), on_click=lambda: save(games_jsonl, "jsonl")).props(
            "outline"
        )
        ui.label(words("export_most", most=words.number(MOST_EXPORTED))).classes("sb-quiet")
