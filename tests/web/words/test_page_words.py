"""Texts and numbers as a page writes them."""

import pytest

from spiel_bot.players.words import Language
from spiel_bot.web.play.strip import player_name
from spiel_bot.web.play.words import PlayWords
from spiel_bot.web.words.page_words import NO_BREAK, PageWords, number, written


def test_no_french_line_begins_with_a_mark() -> None:
    text = written("Blanc : tenir ou s'en aller ? 3 ; 4", "fr")
    assert text.split(" ") == [
        f"Blanc{NO_BREAK}:",
        "tenir",
        "ou",
        "s'en",
        f"aller{NO_BREAK}?",
        f"3{NO_BREAK};",
        "4",
    ]
    assert written("White : x", "en") == "White : x"


@pytest.mark.parametrize(
    ("value", "spec", "english", "french"),
    [
        (0.462, ".1%", "46.2%", "46,2 %"),
        (24050, ",", "24,050", "24 050"),
        (-0.5, "+.3f", "\u22120.500", "\u22120,500"),
    ],
)
def test_numbers_are_those_of_the_reader(
    value: float, spec: str, english: str, french: str
) -> None:
    assert number(value, "en", spec) == english
    assert number(value, "fr", spec).replace(NO_BREAK, " ") == french


def test_words_of_the_table_are_written_like_all_others() -> None:
    assert PageWords(Language.FR)("happens", who="Noir", roll="6-5") == f"Noir{NO_BREAK}: 6-5"


def test_one_thing_is_not_many() -> None:
    texts = PlayWords("fr")
    assert [texts.count("errors", count) for count in (1, 2)] == ["1 erreur", "2 erreurs"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("random", "Coups au hasard"),
        ("bot,level=2", "spiel_bot, niveau 2"),
        ("search:my run@3", "search:my run@3"),
        ("", ""),
    ],
)
def test_players_have_names_of_the_visitors_language(name: str, shown: str) -> None:
    assert player_name(name, PlayWords("fr")) == shown
