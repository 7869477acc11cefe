"""Games played by clicks, keys and fingers in a real browser, against a real server."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from tests.web.browser.conftest import PHONE, Visit
from tests.web.browser.person import Person

from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.games.trictrac.referee import score

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

# Ten points, and a full big jan that every roll conserves: each wins a hole.
HOLE = (
    "white 1 2 3 7*2 8*2 9*2 10*2 11*2 12*2, black 1*15; white rolls; points 10-0; holes 4-0; "
    "run white; flag white"
)
SMALL_BOARD = "white 1*15, black 1*15; white rolls"


def address_of(server: str, position: str) -> str:
    return f"{server}/?{urlencode({'position': position})}"


def playing(page: Page, opponent: str = "Random moves") -> Person:
    person = Person(page)
    person.choose("opponent", opponent)
    return person


def test_a_whole_game_by_clicks(server: str, visit: Visit) -> None:
    page = visit(server)
    person = playing(page)
    person.choose("length", "The last hole decides")
    asks = person.begin()
    seen = set()
    while asks != "over":
        seen.add(asks)
        if asks == "play":
            person.play()
        else:
            person.answer()
        asks = person.asked()
    assert {"button", "play"} <= seen
    expect(page.locator(".sb-ask")).to_contain_text(re.compile("The game is over: .* wins"))
    page.locator("[data-test=review]").click()
    expect(page.locator(".sb-review canvas")).to_be_visible()
    expect(page.locator(".sb-review")).to_contain_text("Judged by spiel_bot")
    assert page.locator(".sb-worst figure").count() <= 5


def test_hold_or_go_is_a_choice_that_says_what_each_means(server: str, visit: Visit) -> None:
    board = from_text(HOLE)["board"].tolist()
    for high in range(1, 7):
        for low in range(1, high + 1):
            assert score(board, (high, low)).mover >= 2
    page = visit(address_of(server, HOLE))
    person = playing(page)
    assert person.begin() == "button"
    person.answer()
    person.expect_asked("choice")
    card = page.locator(".sb-ask")
    expect(card).to_contain_text("Black marks 0")
    expect(card).to_contain_text("All checkers return to the talons")
    assert person.reachable() == []  # first the choice, then the play
    card.locator("[data-test=hold]").click()
    person.expect_asked("play")
    assert person.reachable()
    page.locator("[data-test=undo]").click()  # nothing was decided yet
    expect(page.locator(".sb-message")).to_have_text("There is nothing to take back yet.")
    page.reload()
    person.expect_asked("choice")
    card.locator("[data-test=go]").click()
    expect(page.locator(".sb-story")).to_contain_text("White goes: a new setting")
    person.expect_asked("button")
    expect(page.locator(".sb-strip").last).to_contain_text("6 holes")  # two: in bredouille


@pytest.mark.parametrize(
    ("language", "words"), [("en", "the dice show"), ("fr", "les dés montrent")]
)
def test_a_refused_move_is_explained(server: str, visit: Visit, language: str, words: str) -> None:
    page = visit(address_of(server, SMALL_BOARD), language=language)
    person = Person(page)
    person.begin()
    person.answer()
    person.expect_asked("play")
    person.click(1)
    page.locator(".tt-target").first.wait_for()
    person.click(20)
    message = page.locator(".sb-message")
    expect(message).to_contain_text(words)
    expect(message).to_contain_text("R4.1")
    assert 1 in person.reachable()
    assert "plays" not in person.story()


def test_the_language_changes_and_the_game_stays(server: str, visit: Visit) -> None:
    page = visit(server)
    person = playing(page)
    person.begin()
    person.answer()
    person.asked()
    address = page.url
    expect(page.get_by_text("What happened")).to_be_visible()
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_text("Ce qui s'est passé")).to_be_visible()
    assert page.url == address
    expect(page.locator(".sb-story")).to_contain_text("amène")
    assert page.evaluate("document.documentElement.lang") == "fr"
    page.get_by_role("button", name="English").click()
    expect(page.get_by_text("What happened")).to_be_visible()


def test_a_move_by_keys(server: str, visit: Visit) -> None:
    page = visit(address_of(server, SMALL_BOARD))
    person = playing(page)
    person.begin()
    page.locator(".sb-ask button").focus()
    page.keyboard.press("Enter")
    person.expect_asked("play")
    person.spot(1).focus()
    assert "Field 1, talon, 15 white, can move" in focused(page)
    page.keyboard.press("Enter")
    assert "lifted" in focused(page)
    page.keyboard.press("Escape")
    assert "can move" in focused(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert "can land here" in focused(page)
    page.keyboard.press("Enter")
    if person.asked() == "play" and "White plays" not in person.story():
        assert "can move" in focused(page)
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    expect(page.locator(".sb-story")).to_contain_text("White plays")


def test_arrow_keys_go_from_field_to_field(server: str, visit: Visit) -> None:
    page = visit(server)
    page.locator(".tt-board[data-ready]").wait_for()
    person = Person(page)
    person.spot(1).focus()
    walk = [("ArrowRight", 2), ("ArrowUp", 23), ("End", 13), ("ArrowDown", 12), ("Home", 1)]
    for key, field in walk:
        page.keyboard.press(key)
        assert focused(page).startswith(f"Field {field},")


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''")
    return found


def test_a_checker_is_dragged(server: str, visit: Visit) -> None:
    page = visit(address_of(server, SMALL_BOARD))
    person = playing(page)
    person.begin()
    person.answer()
    person.expect_asked("play")
    person.click(1)
    page.locator(".tt-target").first.wait_for()
    target = next(field for field in person.reachable() if field != 1)
    person.click(1)  # put back

    def middle(field: int) -> tuple[float, float]:
        box = person.spot(field).locator("rect").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*middle(1))
    page.mouse.down()
    page.mouse.move(*middle(12), steps=4)
    page.mouse.move(*middle(target), steps=4)
    expect(page.locator(".tt-dragged")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".tt-dragged")).to_have_count(0)
    label = person.spot(target).get_attribute("aria-label") or ""
    assert "1 white" in label


def test_a_phone_shows_the_whole_board_and_plays(server: str, visit: Visit) -> None:
    page = visit(address_of(server, SMALL_BOARD), size=PHONE, language="fr")
    person = Person(page)
    person.choose("opponent", "Coups au hasard")
    person.begin()
    person.answer()
    person.expect_asked("play")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE[0]
    box = person.spot(1).locator("rect").bounding_box()
    assert box is not None
    assert box["width"] >= 24  # room for a finger (WCAG 2.5.8)
    person.spot(1).locator("rect").tap()
    page.locator(".tt-target").first.wait_for()
    target = next(field for field in person.reachable() if field != 1)
    person.spot(target).locator("rect").tap()
    expect(page.locator(".tt-target")).to_have_count(0)


def test_hint_undo_resign_and_two_people(server: str, visit: Visit) -> None:
    page = visit(address_of(server, SMALL_BOARD))
    person = playing(page, "Two people on this screen")
    person.begin()
    person.answer()
    person.expect_asked("play")
    page.locator("[data-test=hint]").click()
    expect(page.locator(".sb-message")).to_contain_text("spiel_bot would play")
    expect(page.locator(".tt-advice .move")).not_to_have_count(0)
    first = person.story()
    person.play()
    person.expect_asked("button")
    expect(page.locator(".sb-ask")).to_contain_text("Black to roll")
    page.locator("[data-test=undo]").click()
    expect(page.locator(".sb-message")).to_contain_text("Taken back")
    person.expect_asked("play")
    assert person.story() == first
    page.locator("[data-test=resign]").click()
    page.get_by_role("button", name="Yes, resign").click()
    person.expect_asked("over")
    expect(page.locator(".sb-ask")).to_contain_text("Black wins")


def test_a_game_is_saved_and_loaded(server: str, visit: Visit, tmp_path: Path) -> None:
    page = visit(address_of(server, SMALL_BOARD))
    person = playing(page)
    person.begin()
    person.answer()
    person.expect_asked("play")
    person.play()
    person.expect_asked("button")
    told = person.story()
    with page.expect_download() as download:
        page.locator("[data-test=save]").click()
    path = tmp_path / "game.txt"
    download.value.save_as(path)
    text = path.read_text()
    assert text.startswith("spiel_bot game file 1")
    address = page.url
    page.locator("[data-test=load]").click()
    page.locator("[data-test=load-text]").fill(text)
    page.locator("[data-test=load-go]").click()
    page.wait_for_function("old => location.href !== old", arg=address)
    person.expect_asked("button")
    assert person.story() == told
    page.locator("[data-test=load]").click()
    page.locator("[data-test=load-text]").fill("no game at all")
    page.locator("[data-test=load-go]").click()
    expect(page.locator(".q-notification")).to_contain_text("expected")


def test_an_address_of_a_game_that_is_gone_says_so(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?table=nothing")
    expect(page.locator(".sb-alert")).to_contain_text("no longer here")
    page.goto(f"{server}/?position=nonsense")
    expect(page.locator(".sb-alert")).to_contain_text("expected")


def test_the_corner_is_taken_by_puissance(server: str, visit: Visit) -> None:
    puissance = "white 1*11 7*2 8*2, black 1*13 5 6; white plays 6-5"  # R6.4
    page = visit(address_of(server, puissance))
    person = playing(page, "Two people on this screen")
    assert person.begin() == "play"
    person.click(7)
    page.locator(".tt-target").first.wait_for()
    assert 12 in person.reachable()
    person.click(12)
    person.click(8)
    page.locator(".tt-target").first.wait_for()
    person.click(12)
    expect(page.locator(".sb-story")).to_contain_text("White plays 7>12 8>12")


def test_one_checker_plays_both_numbers_and_a_first_step_is_taken_back(
    server: str, visit: Visit
) -> None:
    page = visit(address_of(server, "white 1*15, black 1*15; white plays 6-4"))
    person = playing(page, "Two people on this screen")
    assert person.begin() == "play"
    person.click(1)
    page.locator(".tt-target").first.wait_for()
    assert set(person.reachable()) == {1, 5, 7, 11}
    person.click(7)
    expect(page.locator(".tt-used")).to_have_count(1)
    page.keyboard.press("Tab")
    person.spot(1).focus()
    page.keyboard.press("Escape")
    expect(page.locator(".tt-used")).to_have_count(0)
    assert "15 white" in (person.spot(1).get_attribute("aria-label") or "")
    person.click(1)
    page.locator(".tt-target").first.wait_for()
    person.click(11)  # both numbers, over a rest
    expect(page.locator(".sb-story")).to_contain_text(re.compile("White plays 1>(5|7)>11"))


def test_checkers_leave_the_board(server: str, visit: Visit) -> None:
    page = visit(address_of(server, "white 23 24, black 8*15; white plays 6-5"))
    person = playing(page, "Two people on this screen")
    assert person.begin() == "play"
    for field in (23, 24):
        person.click(field)
        page.locator(".tt-exit").wait_for()
        person.click(0)
    expect(page.locator(".sb-story")).to_contain_text("White plays 23>out 24>out")
    person.expect_asked("button")  # a new setting: all checkers are back
    assert "15 white" in (person.spot(1).get_attribute("aria-label") or "")
