"""The list of all there is; the page under / until a game stands there."""

from nicegui import ui

from spiel_bot.web.frame import PLACES, frame
from spiel_bot.web.hall import Hall


def register(hall: Hall) -> None:
    """Add the page."""

    @ui.page("/index")
    def index() -> None:
        with frame("spiel_bot") as language:
            for address, names in PLACES.items():
                ui.link(names[language], address)
            ui.label(str(hall.settings.store_path or ""))
