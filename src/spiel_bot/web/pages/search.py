"""The search viewer: any position, any judge, and the tree simulation by simulation."""

from html import escape
from typing import get_args
from urllib.parse import quote

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from spiel_bot.analysis.judge import EXPERT, ROLLOUT, UNIFORM
from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import CHANCE, Environment
from spiel_bot.games.catalogue import names
from spiel_bot.games.rolled import position_of
from spiel_bot.games.trictrac.play_notation import parse_dice
from spiel_bot.players.models import SCOUT, SHIPPED
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.search.config import Chance, Selection
from spiel_bot.storage.store import DATABASE_NAME
from spiel_bot.web.editor.draft import Draft, draft_of
from spiel_bot.web.editor.editor import PositionEditor
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages.parts import heading, later, research_page, show, trouble, whole_number
from spiel_bot.web.position_board import PositionBoard
from spiel_bot.web.sharing import share_address
from spiel_bot.web.tree.component import SearchTree
from spiel_bot.web.views.search_request import MOST_SIMULATIONS, SearchRequest
from spiel_bot.web.views.tree import SearchView, root_rows, run_search
from spiel_bot.web.words.research import ResearchWords

VALUE_FORMAT = """value => value === null ? '' : value.toLocaleString(document.documentElement.lang,
  { signDisplay: 'always', minimumFractionDigits: 3, maximumFractionDigits: 3 })"""
SHARE_FORMAT = """value => value.toLocaleString(document.documentElement.lang,
  { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })"""


def register(hall: Hall) -> None:
    """Add the page."""

    @ui.page("/search")
    def search(request: Request) -> None:
        with research_page("search_title") as words:
            with ui.element("div"):
                heading(words("search_title"), 1)
                ui.label(words("search_intro")).classes("sb-quiet")
            query = dict(request.query_params)
            try:
                asked = SearchRequest.from_query(query)
                hall.shelf.game(asked.game)
            except SpielBotError as error:
                trouble(error)
                asked, query = SearchRequest(), {}

            async def build() -> None:
                judges = await hall.think(judge_choices, hall, asked, words)
                await form(hall, words, asked, judges)
                if query.get("position"):
                    await show_search(hall, words, asked, whole_number(query.get("step", "")))

            later(words, build)


def judge_choices(hall: Hall, asked: SearchRequest, words: ResearchWords) -> dict[str, str]:
    """Return who can judge a game: hand-written judges, and the networks of the store."""
    found = {"": words("judge_best")}
    if asked.game == TRICTRAC:
        found[EXPERT] = words("judge_expert")
    found |= {ROLLOUT: words("judge_rollout"), UNIFORM: words("judge_uniform")}
    if (hall.store_path / DATABASE_NAME).exists():
        store = hall.store()
        for run in reversed(store.runs.all()):
            if run.game == asked.game and any(one.file for one in store.checkpoints.all(run.id)):
                is_taken = run.name in (SHIPPED, SCOUT)  # alone it means the shipped model
                found[f"{run.name}@latest" if is_taken else run.name] = words(
                    "judge_run", run=run.name
                )
    if asked.judge not in found:
        found[asked.judge] = asked.judge
    return found


async def form(
    hall: Hall, words: ResearchWords, asked: SearchRequest, judges: dict[str, str]
) -> None:
    """Build the form; it leads to its own address."""

    def start_of(game: str) -> str:
        return hall.shelf.game(game).new_game(seed=0).notation

    start = asked.position or await hall.think(start_of, asked.game)
    with ui.element("div").classes("sb-card rs-stack"):
        position = ui.input(words("position"), value=start).classes("w-full rs-mono")
        position.props('data-field="position"')
        with ui.element("div").classes("rs-form"):
            game = ui.select(list(names()), value=asked.game, label=words("game"))
            dice = ui.input(words("dice"), value=asked.dice, placeholder=words("dice_hint"))
            judge = ui.select(judges, value=asked.judge, label=words("judge"))
            selection = ui.select(
                list(get_args(Selection)), value=asked.selection, label=words("selection")
            )
            chance = ui.select(
                list(get_args(Chance)), value=asked.chance, label=words("chance_mode")
            )
            simulations = ui.number(
                words("simulations"),
                value=asked.simulations,
                min=1,
                max=MOST_SIMULATIONS,
                precision=0,
            )
            seed = ui.number(words("seed").capitalize(), value=asked.seed, min=0, precision=0)

        def go() -> None:
            try:
                wanted = SearchRequest(
                    game=str(game.value),
                    position=position.value.strip(),
                    dice=dice.value.strip(),
                    judge=str(judge.value),
                    selection=str(selection.value),
                    chance=str(chance.value),
                    simulations=int(simulations.value or 0),
                    seed=int(seed.value or 0),
                )
            except SpielBotError as error:
                ui.notify(str(error), type="negative")
                return
            ui.navigate.to(f"/search?{wanted.query()}")

        with ui.element("div").classes("rs-row"):
            ui.button(words("search"), on_click=go).props("icon=search")
        if asked.game == TRICTRAC:
            board_editor(words, position, dice)
        game.on_value_change(lambda event: ui.navigate.to(f"/search?game={quote(event.value)}"))
        position.on("keydown.enter", go)


def board_editor(words: ResearchWords, position: ui.input, dice: ui.input) -> None:
    """Let the position be set up on a board, which is built when it is asked for."""
    box = ui.expansion(words("edit_board")).classes("w-full").props('data-edit=""')

    def take_over(draft: Draft) -> None:
        position.set_value(draft.text)
        dice.set_value(draft.roll)

    def build() -> None:
        if not box.value:
            return
        content.clear()
        with content:
            try:
                roll = parse_dice(dice.value) if dice.value else None
                draft = draft_of(position.value, roll)
            except SpielBotError as error:  # what is written is no position: begin anew
                ui.notify(str(error), type="negative")
                draft = Draft()
            PositionEditor(words.language, draft=draft, on_change=take_over)

    with box:
        content = ui.element("div").classes("rs-editor")
    box.on_value_change(build)


async def show_search(
    hall: Hall, words: ResearchWords, asked: SearchRequest, step: int | None
) -> None:
    """Run the search of an address and show it."""

    def run() -> SearchView:
        game = hall.shelf.game(asked.game)
        state = position_of(game, asked.position, asked.dice or None)
        return run_search(hall.shelf.judge(asked.judge or None, game), state, asked)

    view = await hall.think(run)
    ViewerPage(words, view).build(step)


class ViewerPage:
    """A search that was run: what was found, the tree, and the board of a node."""

    def __init__(self, words: ResearchWords, view: SearchView) -> None:
        self.words = words
        self.view = view
        self.names = {node["id"]: node["name"] for node in view.nodes}
        self.parents = {node["id"]: node["parent"] for node in view.nodes}

    def build(self, step: int | None) -> None:
        """Build the page, with so many simulations done in the tree."""
        words, view = self.words, self.view
        with ui.element("section").classes("sb-card rs-stack"):
            with ui.element("div").classes("rs-row"):
                heading(words("tree"))
                ui.element("div").classes("rs-grow")
                share = ui.button(words("share"), on_click=lambda: share_address(words.reader))
                share.props("flat dense icon=link")
            show(self.facts_html())
            self.tree = SearchTree(view, words, step=step, on_select=self.select)
            ui.label(words("tree_help")).classes("sb-quiet")
            if view.min_visits > 1:
                ui.label(words("tree_cut", visits=view.min_visits)).classes("sb-quiet")
        with ui.element("div").classes("rs-two"):
            with ui.element("section").classes("sb-card rs-stack"):
                self.title = ui.html("", sanitize=False)
                self.board = PositionBoard(view.state, words)
                self.notation = ui.label().classes("rs-mono")
            with ui.element("section").classes("sb-card rs-stack"):
                self.root_table()
        self.select(0)

    def facts_html(self) -> str:
        """Return what was found, in short."""
        words, figures = self.words, self.view.figures
        lines = []
        if figures["name"] is not None:
            value = words.number(figures["value"], "+.3f")
            best = words("best_action", name=words.phrase(figures["name"]))
            lines.append(f"<b>{escape(best)}</b> ({escape(words('white_value'))} {value})")
        line = ", ".join(words.phrase(name) for name in self.view.line)
        if line:
            lines.append(escape(words("expected_line", line=line)))
        spent = words(
            "searched_by",
            simulations=words.number(figures["simulations"]),
            judge=self.view.judge,
            evaluations=words.number(figures["evaluations"]),
            seconds=words.number(self.view.seconds, ".2f"),
        )
        lines.append(f'<span class="sb-quiet">{escape(spent)}</span>')
        return "<br>".join(lines)

    def root_table(self) -> None:
        """Show what can be done at the root; a row leads to its card in the tree."""
        words = self.words
        is_roll = self.view.state.current_player == CHANCE
        title = words("root_rolls" if is_roll else "root_actions")
        heading(title)
        rows = root_rows(self.view, words.phrase)
        shown = [
            {
                "key": place,
                "id": row["id"],
                "name": row["name"] + (" ★" if row["is_best"] else ""),
                "visits": row["visits"],
                "value": row["value"],
                "prior": row["prior"],
            }
            for place, row in enumerate(rows)
        ]
        columns = [
            {"name": "name", "field": "name", "label": words("play"), "align": "left"},
            {"name": "visits", "field": "visits", "label": words("visits")},
            {"name": "value", "field": "value", "label": words("value"), ":format": VALUE_FORMAT},
            {
                "name": "prior",
                "field": "prior",
                "label": words("node_chance" if is_roll else "prior"),
                ":format": SHARE_FORMAT,
            },
        ]
        table = ui.table(
            rows=shown,
            columns=[column | {"sortable": True} for column in columns],
            row_key="key",
            pagination={"rowsPerPage": 0, "sortBy": "visits", "descending": True},
        )
        table.classes("w-full rs-quasar").props("flat dense hide-bottom")
        table.on("rowClick", self.row_clicked, [[], ["id"], None])

    def row_clicked(self, event: GenericEventArguments) -> None:
        """Show the card of an action in the tree, and its board."""
        row = event.args[1] if isinstance(event.args, list) and len(event.args) > 1 else {}
        number = row.get("id") if isinstance(row, dict) else None
        if type(number) is int:
            self.tree.select(number)
            self.select(number)

    def select(self, number: int) -> None:
        """Show the board of a node."""
        if number not in self.names:
            return
        words = self.words
        way: list[str] = []
        node = number
        while self.parents[node] is not None:
            way.insert(0, words.phrase(self.names[node]))
            node = self.parents[node]
        title = words("board_of", name=", ".join(way)) if way else words("root")
        state: Environment = self.view.position(number)
        self.title.set_content(f"<h2>{escape(title)}</h2>")
        self.board.show(state)
        self.notation.set_text(state.notation)
