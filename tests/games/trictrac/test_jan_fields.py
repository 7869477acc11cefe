"""Where a jan is on the board."""

from spiel_bot.games.trictrac.jan_fields import FIELDS, jan_fields
from spiel_bot.games.trictrac.judge import RULES, score
from spiel_bot.games.trictrac.notation import from_text


def test_every_jan_has_its_place() -> None:
    hits = {jan for jan in RULES if "true_hit" in jan or "false_hit" in jan}
    assert set(RULES) == hits | set(FIELDS)
    assert all(1 <= field <= 24 for fields in FIELDS.values() for field in fields)


def test_a_hit_is_where_its_checker_stands_and_a_full_jan_is_six_fields() -> None:
    text = "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; white rolls"
    jans = score(from_text(text)["board"].tolist(), (6, 5)).jans
    assert sorted(jan_fields(jan) for jan in jans) == [(15,), (20,)]
    full = "white 1 3 4 7*2 8*2 9*2 10*2 11*2 12*2, black 1*15; white rolls"
    jans = score(from_text(full)["board"].tolist(), (3, 1)).jans
    assert (7, 8, 9, 10, 11, 12) in [jan_fields(jan) for jan in jans]
