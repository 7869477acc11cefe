"""The play page: choose an opponent, play a game of trictrac, look back at it."""

from html import escape

from nicegui import ui

from spiel_bot.errors import SpielBotError
from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.players.trictrac import TRICTRAC
from spiel_bot.players.words import Language
from spiel_bot.web.board.component import TrictracBoard
from spiel_bot.web.board.scene import scene_of
from spiel_bot.web.frame import frame, page_language
from spiel_bot.web.hall import Hall
from spiel_bot.web.play.desk import Desk
from spiel_bot.web.play.new_game import Choice, build_form
from spiel_bot.web.play.preferences import Preferences
from spiel_bot.web.play.tools import build_tools, load_dialog
from spiel_bot.web.play.words import PlayWords
from spiel_bot.web.tables import Table
from spiel_bot.web.waiting import until_warm

MODEL_SECONDS = 30.0
"""The first page of a server waits until the bot's model is read."""

START = "white 1*15, black 1*15; white rolls"


def register(hall: Hall) -> None:
    """Add the page."""

    @ui.page("/", response_timeout=MODEL_SECONDS)
    async def play(table: str = "", position: str = "") -> None:
        page = PlayPage(hall)
        with frame(page.texts("play")):
            if await until_warm(hall, page.language):
                await page.build(table, position)


class PlayPage:
    """The page of one visitor: the form, or the desk of the game in the address."""

    def __init__(self, hall: Hall) -> None:
        request = ui.context.client.request
        self.hall = hall
        self.language: Language = page_language()
        self.texts = PlayWords(self.language)
        self.preferences = Preferences.of(request.cookies)
        self.visitor = request.client.host if request.client else ""

    async def build(self, table_id: str, position: str) -> None:
        """Build the form, or the desk of the table that the address names."""
        table = None
        trouble = ""
        if table_id:
            try:
                table = self.hall.tables.find(table_id)
            except SpielBotError:
                trouble = self.texts("gone")
        if table is not None and table.game.spec.name == TRICTRAC:
            self.build_desk(table)
        else:
            await self.build_start(position, trouble)

    async def build_start(self, position: str, trouble: str) -> None:
        """Build the form beside a board that waits."""
        state = from_text(START)
        try:
            state = from_text(position) if position else state
        except SpielBotError as error:
            position, trouble = "", str(error)
        game = self.hall.shelf.game(TRICTRAC)
        default = await self.hall.think(self.hall.shelf.default_player, game)
        texts = self.texts
        with ui.element("div").classes("sb-desk"):
            with ui.element("section").classes("sb-boardside"):
                TrictracBoard(scene_of(state), language=self.language)
            with ui.element("aside").classes("sb-side"), ui.element("div").classes("sb-card"):
                with ui.element("h1"):
                    ui.label(texts("trictrac"))
                ui.label(texts("intro")).classes("sb-quiet q-mb-md")
                if trouble:
                    ui.label(trouble).classes("sb-alert").props('role="alert"')
                build_form(position, texts, default, self.begin)
                loading = load_dialog(texts, self.load, self.hall.settings.bounds.body_bytes)
                load = ui.button(texts("load"), icon="upload_file", on_click=loading.open)
                load.props('flat data-test="load"').classes("q-mt-sm")
                with ui.expansion(texts("help"), icon="help_outline").classes("w-full"):
                    ui.html(help_html(texts), sanitize=False)

    async def begin(self, choice: Choice) -> None:
        """Begin the game that was chosen."""
        try:
            table = await self.hall.think(
                self.hall.new_table,
                TRICTRAC,
                humans=choice.humans,
                against=None if len(choice.humans) == 2 else choice.against,
                level=choice.level,
                start=choice.start,
                visitor=self.visitor,
            )
        except SpielBotError as error:
            ui.notify(str(error), type="negative", multi_line=True)
            return
        go_to(table)

    def load(self, text: str) -> None:
        """Go on with the game of a file."""
        try:
            table = self.hall.load_table(text, visitor=self.visitor)
            if table.game.spec.name != TRICTRAC:
                raise SpielBotError(
                    f"this page plays trictrac; the file has {table.game.spec.name}"
                )
        except SpielBotError as error:
            ui.notify(str(error), type="negative", multi_line=True)
            return
        go_to(table)

    def build_desk(self, table: Table) -> None:
        """Build the desk, and let the game go on."""
        with ui.element("div").classes("sb-desk"):
            desk = Desk(
                self.hall, table, self.language, self.preferences, lambda: ui.navigate.to("/")
            )
            build_tools(desk, self.load)
        ui.timer(0.05, desk.advance, once=True)


def help_html(texts: PlayWords) -> str:
    """Return how a turn goes, as a list."""
    lines = [texts(f"help_{number}") for number in range(1, 7)]
    return f'<ol class="sb-help">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ol>'


def go_to(table: Table) -> None:
    """Show a table; its address keeps it across reloads and languages."""
    ui.navigate.to(f"/?table={table.id}")
