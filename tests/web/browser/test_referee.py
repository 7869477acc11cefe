"""The referee's page: set up by clicks and drags, judged, shared as a link."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from tests.web.browser.conftest import Visit
from tests.web.browser.person import Person

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

HITS = "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; white rolls; points 4-2"


def link(server: str, position: str, dice: str = "") -> str:
    return f"{server}/referee?{urlencode({'position': position, 'dice': dice})}"


def test_a_link_shows_points_jans_rules_and_plays(server: str, visit: Visit) -> None:
    page = visit(link(server, HITS, "6-5"))
    expect(page.locator("[data-test=score]")).to_have_text("White: 6 points; Black: 0 points")
    expect(page.locator(".sb-jans")).to_contain_text("Hits 20 in the small jan table")
    expect(page.locator(".sb-jans")).to_contain_text("R10.3")
    expect(page.locator(".tt-glow")).to_have_count(2)
    expect(page.locator("[data-test=play-line]")).to_have_count(11)
    page.locator("[data-test=play-line]").first.click()
    expect(page.locator(".tt-advice .move")).to_have_count(2)
    page.locator("[data-test=why]").fill("9>15 1>6")
    page.locator("[data-test=why]").press("Enter")
    expect(page.locator("[data-test=why-answer]")).to_contain_text("(R4.2)")


def test_a_bad_link_gives_one_clear_line(server: str, visit: Visit) -> None:
    page = visit(link(server, "white 1*99, black 1*15; white rolls"))
    expect(page.locator(".sb-editor .sb-alert")).to_contain_text("expected 1 to 15 checkers")


def test_a_position_is_set_up_by_hand_and_its_address_follows(server: str, visit: Visit) -> None:
    page = visit(f"{server}/referee", language="fr")
    person = Person(page)
    page.locator(".tt-board[data-ready]").wait_for()
    page.locator("[data-test=clear]").click()
    page.wait_for_url("**white+-%2C+black+-**")
    for field in (8, 8, 9):
        person.click(field)
    expect(page.get_by_text("Blanc 3 sur 15")).to_be_visible()
    page.get_by_role("button", name="ajoute une noire").click()
    person.click(15)
    expect(page.get_by_text("noir 1 sur 15")).to_be_visible()
    page.locator("[data-test=die-1]").get_by_text("6").click()
    page.locator("[data-test=die-2]").get_by_text("1", exact=True).click()
    expect(page.locator("[data-test=score]")).to_contain_text("Blanc : 4 points")
    expect(page.locator(".sb-jans")).to_contain_text("de deux façons")
    page.wait_for_url("**dice=6-1**")
    page.reload()
    expect(page.locator("[data-test=score]")).to_contain_text("Blanc : 4 points")
    page.get_by_role("button", name="enlève").click()
    person.click(15)
    expect(page.get_by_text("noir 0 sur 15")).to_be_visible()


def test_checkers_are_dragged_from_field_to_field(server: str, visit: Visit) -> None:
    page = visit(f"{server}/referee")
    person = Person(page)
    page.locator(".tt-board[data-ready]").wait_for()

    def middle(field: int) -> tuple[float, float]:
        box = person.spot(field).locator("rect").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*middle(1))
    page.mouse.down()
    page.mouse.move(*middle(7), steps=5)
    page.mouse.up()
    page.wait_for_url("**white+1%2A14+7**")
    assert "1 white" in (person.spot(7).get_attribute("aria-label") or "")


def test_the_set_up_position_is_played(server: str, visit: Visit) -> None:
    page = visit(link(server, HITS))
    page.locator("[data-test=play]").click()
    expect(page.get_by_text("The game begins with your position")).to_be_visible()
    person = Person(page)
    person.choose("opponent", "Random moves")
    person.begin()
    assert "7 white" in (person.spot(1).get_attribute("aria-label") or "")
