"""Texts as a page writes them: in French no line begins with a colon, and decimals have a comma."""

import re
from typing import Any

from spiel_bot.players.words import Language, Words

NO_BREAK = "\u00a0"
BEFORE_MARK = re.compile(r" (?=[:;?!%…»])")
MINUS = "\u2212"
FRENCH_NUMBER = str.maketrans({",": NO_BREAK, ".": ",", "%": NO_BREAK + "%"})


def written(text: str, language: str) -> str:
    """Return a text whose spaces before French marks do not end a line.

    >>> written("Blanc : 4 points", "fr") == "Blanc\u00a0: 4 points"
    True
    """
    return BEFORE_MARK.sub(NO_BREAK, text) if language == Language.FR else text


def number(value: float, language: str, spec: str = ",") -> str:
    """Return a number as the reader writes it, in one of Python's formats.

    >>> number(0.4617, "en", ".1%"), number(12345.6, "en", ",.1f")
    ('46.2%', '12,345.6')
    >>> number(0.4617, "fr", ".1%").split()
    ['46,2', '%']
    """
    text = format(value, spec).replace("-", MINUS)
    return text.translate(FRENCH_NUMBER) if language == Language.FR else text


class PageWords(Words):
    """The words of the table as a page writes them."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self.reader = language

    def __call__(self, key: str, **values: Any) -> str:
        """Return a text with its values."""
        return written(super().__call__(key, **values), self.language)

    def number(self, value: float, spec: str = ",") -> str:
        """Return a number as the reader writes it."""
        return number(value, self.language, spec)
