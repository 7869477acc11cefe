"""A link to the referee holds the position and the roll, and a bad one says what is wrong."""

from urllib.parse import parse_qs, urlsplit

from spiel_bot.games.trictrac.judge import JanScore
from spiel_bot.web.editor.draft import Draft, draft_of
from spiel_bot.web.pages.referee import jans_html, link_of, read_link

POSITION = "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; black rolls; points 4-2; run white"


def test_a_link_leads_back_to_what_was_shared() -> None:
    draft = draft_of(POSITION, (6, 5))
    query = parse_qs(urlsplit(link_of(draft)).query)
    found, trouble = read_link(query["position"][0], query["dice"][0])
    assert found == draft
    assert trouble == ""


def test_a_link_without_anything_is_the_start() -> None:
    assert read_link("", "") == (Draft(), "")
    assert read_link("", "5-6")[0].dice == (5, 6)


def test_a_bad_link_gives_one_clear_line() -> None:
    for position, dice in (("<script>", ""), ("", "7-7"), ("white 1*16, black -; white rolls", "")):
        found, trouble = read_link(position, dice)
        assert found == Draft()
        assert "expected" in trouble
        assert "\n" not in trouble


def test_jans_are_told_with_points_and_rule() -> None:
    jan = JanScore("true_hit_big", 1, 2, "mover", 15, "R10.3")
    assert "+2</span> Hits 15 in the big jan table" in jans_html([jan], "en")
    assert "R10.3" in jans_html([jan], "fr")
    assert "Ne marque rien" in jans_html([], "fr")
