"""The buttons of a game: hint, undo, resign, save, load, new game, and how it is shown."""

from collections.abc import Callable
from typing import Any

from nicegui import ui
from nicegui.events import UploadEventArguments

from spiel_bot.web.board.component import SPEEDS
from spiel_bot.web.play.desk import Desk
from spiel_bot.web.play.words import PlayWords

Load = Callable[[str], Any]


def build_tools(desk: Desk, on_load: Load) -> None:
    """Build the buttons of a desk.

    Args:
        desk: Where the game is played.
        on_load: Called with the text of a game file.
    """
    texts = desk.texts
    loading = load_dialog(texts, on_load, desk.hall.settings.bounds.body_bytes)
    resigning = resign_dialog(desk)
    with desk.tools:
        with ui.element("div").classes("sb-buttons"):
            hint = _tool(texts("hint"), "lightbulb", desk.hint, "hint")
            _tool(texts("undo"), "undo", desk.undo, "undo")
            resign = _tool(texts("resign"), "flag", resigning.open, "resign")
            _tool(texts("save"), "download", lambda: save(desk), "save")
            _tool(texts("load"), "upload_file", loading.open, "load")
            _tool(texts("new_game"), "add", desk.on_new_game, "new")
        desk.only_in_play += [hint, resign]
        with ui.element("div").classes("sb-settings"):
            speed = ui.select(
                {name: texts(f"speed_{name}") for name in SPEEDS},
                label=texts("speed"),
                value=desk.preferences.speed,
                on_change=lambda event: desk.set_speed(event.value),
            )
            speed.props('dense data-test="speed"')
            ui.switch(
                texts("auto_roll"),
                value=desk.preferences.auto_roll,
                on_change=lambda event: desk.set_auto_roll(event.value),
            ).props('data-test="auto-roll"')


def _tool(label: str, icon: str, action: Callable[[], Any], name: str) -> ui.button:
    button = ui.button(label, icon=icon, on_click=action, color="secondary")
    return button.props(f'outline stack data-test="{name}"')


def save(desk: Desk) -> None:
    """Give the game file to the visitor's browser."""
    ui.download(desk.table.text().encode(), "trictrac.txt", "text/plain")


def resign_dialog(desk: Desk) -> ui.dialog:
    """Return the question whether to give the game up."""
    texts = desk.texts
    with ui.dialog() as dialog, ui.card().classes("sb-dialog"):
        ui.label(texts("sure_resign"))

        async def resign() -> None:
            dialog.close()
            await desk.resign()

        with ui.row():
            ui.button(texts("yes_resign"), on_click=resign, color="negative")
            ui.button(texts("cancel"), on_click=dialog.close, color="secondary").props("outline")
    return dialog


def load_dialog(texts: PlayWords, on_load: Load, most_bytes: int) -> ui.dialog:
    """Return the dialog that takes a game file, chosen or pasted."""
    with ui.dialog() as dialog, ui.card().classes("sb-dialog sb-loading"):
        ui.label(texts("load")).classes("sb-title text-lg")
        ui.label(texts("load_help"))

        async def uploaded(event: UploadEventArguments) -> None:
            dialog.close()
            on_load(await event.file.text())

        upload = ui.upload(
            auto_upload=True,
            max_files=1,
            max_file_size=most_bytes,
            on_upload=uploaded,
            on_rejected=lambda: ui.notify(texts("too_large"), type="negative"),
        )
        upload.classes("hidden")  # its button does the same, and looks like the others
        choose = ui.button(texts("load_file"), icon="folder_open", color="secondary")
        choose.props('outline data-test="load-file"')
        choose.on("click", js_handler=f"() => getElement({upload.id}).pickFiles()")
        pasted = ui.textarea(texts("load_paste")).props('data-test="load-text"')
        pasted.classes("w-full")

        def given() -> None:
            dialog.close()
            on_load(pasted.value or "")

        with ui.row():
            ui.button(texts("load_go"), on_click=given).props('data-test="load-go"')
            ui.button(texts("cancel"), on_click=dialog.close, color="secondary").props("outline")
    return dialog
