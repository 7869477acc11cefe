"""The words of the pages of training, games and search in the language of the reader."""

from spiel_bot.players.words import Language
from spiel_bot.web.words.games import GAMES
from spiel_bot.web.words.page_words import PageWords
from spiel_bot.web.words.search import SEARCH
from spiel_bot.web.words.training import TRAINING

TEXTS = TRAINING | GAMES | SEARCH
"""English and French of each text."""


class ResearchWords(PageWords):
    """The texts of these pages in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        place = 0 if language is Language.EN else 1
        self._texts = self._texts | {key: texts[place] for key, texts in TEXTS.items()}
