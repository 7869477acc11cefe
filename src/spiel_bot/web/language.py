"""Which language a visitor reads."""

from collections.abc import Mapping

from spiel_bot.players.words import Language

COOKIE = "spiel_bot_language"


def language_of(cookies: Mapping[str, str], accepted: str = "") -> Language:
    """Return the language a visitor chose, or the first one of ours that his browser asks for.

    >>> language_of({}, "de-DE,de;q=0.9,fr;q=0.8,en;q=0.7")
    <Language.FR: 'fr'>
    >>> language_of({"spiel_bot_language": "en"}, "fr")
    <Language.EN: 'en'>
    """
    chosen = cookies.get(COOKIE, "")
    for wanted in (chosen, *accepted.split(",")):
        code = wanted.strip()[:2].lower()
        if code in tuple(Language):
            return Language(code)
    return Language.EN
