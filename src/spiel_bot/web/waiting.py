"""What a page shows while the kernels of a new machine are being compiled."""

from nicegui import ui

from spiel_bot.web.hall import Hall
from spiel_bot.web.warming import BOARD_IS_WARM, warm_board

TEXTS = {
    "en": "The rules are being compiled for this machine, once; this takes up to some minutes …",
    "fr": "Les règles sont compilées pour cette machine, une seule fois ; quelques minutes …",
}


async def until_warm(hall: Hall, language: str) -> bool:
    """Return once the rules can be asked, at once if they can; tell if the page is still there.

    The page is sent first: a browser does not wait for minutes.
    """
    if BOARD_IS_WARM.is_set():
        return True
    client = ui.context.client
    with ui.element("div").classes("sb-card row items-center gap-3") as note:
        ui.spinner(size="lg")
        ui.label(TEXTS[language]).props('role="status"')
    await client.connected()
    await hall.think(warm_board)
    if client.is_deleted:
        return False
    note.delete()
    return True
