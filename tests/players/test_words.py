import re
import string

import pytest

from spiel_bot.players.words import COMMANDS, TEXTS, Language, Words, command_of


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_say_the_same_things() -> None:
    assert set(TEXTS) == {language.value for language in Language}
    assert TEXTS["en"].keys() == TEXTS["fr"].keys()
    for key, text in TEXTS["en"].items():
        assert placeholders(text) == placeholders(TEXTS["fr"][key]), key
    shared = {key for key in TEXTS["en"] if TEXTS["en"][key] == TEXTS["fr"][key]}
    assert shared == {"points", "bredouille", "prompt"}


@pytest.mark.parametrize("language", list(Language))
def test_every_command_of_the_help_is_understood(language: Language) -> None:
    place = list(Language).index(language)
    for text in (TEXTS[language]["help"], TEXTS[language]["help_other"]):
        for command, words in COMMANDS.items():
            if command != "help":
                assert re.search(rf"\b{words[place]}\b", text), command
                assert command_of(words[place]) == command
    assert command_of("1>7") is None


def test_names_of_the_small_games_are_translated() -> None:
    french = Words(Language.FR)
    assert french.phrase("hold, banking 6") == "garder 6"
    assert french.phrase("X to row 1, column 2") == "X ligne 1, colonne 2"
    assert french.phrase("white begins with 6-4") == "blanc commence par 6-4"
    assert Words(Language.EN).phrase("roll again") == "roll again"
    assert french.drawing("> white |\n  black |") == "> blanc |\n  noir  |"
