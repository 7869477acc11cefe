import re
from pathlib import Path
from string import Formatter

import spiel_bot.web
from spiel_bot.players.words import TEXTS as TABLE_TEXTS
from spiel_bot.players.words import Language
from spiel_bot.storage.runs import RunState
from spiel_bot.web.training import PRESETS
from spiel_bot.web.views.curves import CHARTS
from spiel_bot.web.words.research import TEXTS, ResearchWords

FOLDER = Path(spiel_bot.web.__file__).parent
SOURCES = ["position_board.py", "tree/component.py", "views/charts.py"]
PAGES = ["behind", "game", "games", "opinions", "parts", "run", "search", "training"]


def used_keys() -> set[str]:
    """Return the keys that stand in the sources as plain texts."""
    paths = [FOLDER / name for name in SOURCES] + [FOLDER / f"pages/{page}.py" for page in PAGES]
    text = "\n".join(path.read_text() for path in paths)
    return set(re.findall(r"[\"']([a-z][a-z_-]+)[\"']", text))


def made_keys() -> set[str]:
    """Return the keys that are put together from names."""
    keys = {f"state_{state}" for state in RunState} | {f"preset_{name}" for name in PRESETS}
    keys |= {"kind_self-play", "kind_match", "asked_pause", "asked_continue", "asked_stop"}
    for spec in CHARTS:
        keys |= {f"title_{spec.name}", f"unit_{spec.name}"}
        keys |= {f"metric_{metric}" for metric in spec.metrics}
    return keys


def test_every_text_has_the_same_places_in_both_languages() -> None:
    for key, (english, french) in TEXTS.items():
        texts = (english, french)
        places = [{part[1] for part in Formatter().parse(text) if part[1]} for text in texts]
        assert places[0] == places[1], key
        assert english
        assert french


def test_every_text_is_used_and_every_made_key_is_there() -> None:
    assert made_keys() <= set(TEXTS)
    assert set(TEXTS) - used_keys() - made_keys() == set()


def test_words_of_the_table_are_there_too() -> None:
    words = ResearchWords(Language.FR)
    assert words.side(0) == TABLE_TEXTS["fr"]["white"]
    assert words("iteration_number", number=3) == "Itération 3"
    assert ResearchWords(Language.EN)("rolls", who="White", roll="6-5") == "White rolls 6-5"
