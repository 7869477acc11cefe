"""A link for somebody else: into the visitor's clipboard, or shown where a browser forbids that."""

from nicegui import ui

from spiel_bot.players.words import Language

# Browsers give the clipboard only to this machine's own pages and to https.
COPY = """(async () => {
  try { await navigator.clipboard.writeText(location.href); return ""; }
  catch { return location.href; }
})()"""

ANSWER_SECONDS = 60.0
"""A browser may ask its owner first."""

COPIED = {Language.EN: "The link is copied.", Language.FR: "Le lien est copié."}
COPY_IT = {
    Language.EN: "Copy this link, or the address of the page:",
    Language.FR: "Copiez ce lien, ou l'adresse de la page\u00a0:",
}


async def share_address(language: Language) -> None:
    """Copy the address of the page, which says all that is shown."""
    left = await ui.run_javascript(COPY, timeout=ANSWER_SECONDS)
    if left:
        ui.notify(f"{COPY_IT[language]} {left}", multi_line=True, timeout=0, close_button=True)
    else:
        ui.notify(COPIED[language])
