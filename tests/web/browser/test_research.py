"""Training, games and search in a real browser, over a small run that was really trained."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from tests.web.browser.conftest import PHONE, Visit
from tests.web.browser.served import served
from tests.web.browser.trained import train_tiny

from spiel_bot import load
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

POSITION = "white 1*3 2 3*3 4 6 7 10 12*4, black 1*7 7*2 8 11*2 12*3; white plays 5-2"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run of pig."""
    path = tmp_path_factory.mktemp("research") / "store"
    train_tiny(path, "little pig")
    return path


@pytest.fixture(scope="module")
def address(store: Path) -> Iterator[str]:
    """The address of a server over it."""
    log = store.parent / "server.log"
    with served(store, log) as found:
        yield found
    assert "Traceback" not in log.read_text(), log.read_text()[-4000:]


def chart(page: Page, name: str) -> None:
    """Wait until a chart is drawn."""
    expect(page.locator(f"[data-chart={name}] canvas, [data-chart={name}] svg")).to_be_visible()


def last_point(page: Page, name: str) -> tuple[float, float]:
    """Return where in the window the last point of a chart is."""
    place = page.locator(f"[data-chart={name}]")
    place.scroll_into_view_if_needed()
    x, y = place.evaluate(
        """element => {
          const chart = getElement(Number(element.id.slice(1))).chart;
          const [x, y] = chart.getOption().series[0].data.at(-1);
          const [right, down] = chart.convertToPixel({ seriesIndex: 0 }, [x, y]);
          const box = element.getBoundingClientRect();
          return [box.x + right, box.y + down];
        }"""
    )
    return x, y


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_run_leads_from_the_list_to_charts_checkpoints_games_and_boards(
    address: str, visit: Visit, language: str
) -> None:
    page = visit(f"{address}/training", language=language)
    page.get_by_role("link", name="little pig").click()
    for name in ("elo", "loss", "games_per_s", "game_plies", "policy_entropy", "calibration"):
        chart(page, name)
    page.mouse.click(*last_point(page, "games_per_s"))
    expect(page.get_by_text("runs/1/checkpoints/")).to_be_visible()
    page.wait_for_url("**/training/little%20pig?iteration=*")
    page.locator(".rs-board").first.click()
    page.wait_for_url("**/games/little%20pig/*")
    expect(page.locator("[data-place]")).to_be_visible()


def test_a_run_is_watched_while_it_trains(address: str, store: Path, visit: Visit) -> None:
    with Store(store) as opened:
        config = {"iterations": 5, "algorithm": "td"}
        run = opened.runs.create(game="pig", seed=1, config=config, name="live").id
        page = visit(f"{address}/training/live")
        expect(page.get_by_text("running live")).to_be_visible()
        expect(page.get_by_text("No figures yet")).to_be_visible()
        for iteration in (1, 2):
            with opened.transaction():
                opened.metrics.add(run, iteration, iteration, {"loss": 1.0 / iteration})
                opened.iterations.add(run, iteration, step=iteration, games=0, seconds=1.0)
            expect(page.get_by_text(f"iteration {iteration} of 5")).to_be_visible()
            chart(page, "loss")
        expect(page.get_by_text("its network has no policy")).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_text("The run was asked to pause")).to_be_visible()
        assert [request.command for request in opened.requests.all(run)] == ["pause"]
        opened.runs.set_state(run, RunState.PAUSED)
        expect(page.get_by_role("button", name="Resume")).to_be_visible()
        opened.runs.set_state(run, RunState.FINISHED)
        expect(page.locator(".rs-chip")).to_have_text("finished")
        opened.delete_run(run)


def test_a_run_is_started_paused_and_stopped_from_the_page(
    address: str, store: Path, visit: Visit
) -> None:
    page = visit(f"{address}/training")
    page.get_by_label("Game", exact=True).click()
    page.get_by_role("option", name="tic_tac_toe").click()
    page.get_by_label("Name").fill("from the page")
    page.get_by_label("Iterations").fill("500")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/training/from%20the%20page")
    state = page.locator(".rs-chip")
    page.get_by_role("button", name="Pause").click()
    expect(state).to_have_text("paused")
    page.get_by_role("button", name="Resume").click()
    expect(state).to_have_text("running live")
    chart(page, "loss")  # it comes while one looks
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("interrupted")).to_be_visible()
    with Store(store) as opened:
        assert opened.runs.find("from the page").state is RunState.INTERRUPTED


def test_games_are_filtered_and_replayed_by_keys(address: str, visit: Visit) -> None:
    page = visit(f"{address}/games?run=little+pig")
    expect(page.get_by_text("48 games, page 1 of 2")).to_be_visible()
    page.get_by_label("Iteration").fill("2")
    page.get_by_role("button", name="Filter").click()
    page.wait_for_url("**iteration=2")
    expect(page.get_by_text("24 games, page 1 of 1")).to_be_visible()
    page.locator(".rs-table a").first.click()
    place = page.locator("[data-place]")
    expect(place).to_contain_text("Ply 0 of")
    page.keyboard.press("ArrowRight")
    expect(place).to_contain_text("Ply 1 of")
    page.keyboard.press("End")
    expect(page.get_by_text("The game is over")).to_be_visible()
    page.keyboard.press("Home")
    page.locator("[data-go=next]").click()
    page.wait_for_url("**?ply=1")
    expect(page.get_by_text("White's value")).to_be_visible()
    page.get_by_role("button", name="Ask a judge").click()
    expect(page.get_by_text("Judged now by")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Game file").click()
    assert waiting.value.suggested_filename.startswith("little_pig-")


def test_a_filter_is_downloaded(address: str, visit: Visit) -> None:
    page = visit(f"{address}/games?run=little+pig&iteration=1")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="JSON lines").click()
    assert Path(waiting.value.path()).read_text().count("\n") == 24


@pytest.mark.parametrize("size", [(1280, 900), PHONE])
def test_a_tree_is_walked_through_simulation_by_simulation(
    address: str, visit: Visit, size: tuple[int, int]
) -> None:
    asked = {"position": POSITION, "judge": "expert", "simulations": 60}
    page = visit(f"{address}/search?{urlencode(asked)}", size=size)
    tree = page.locator("[data-tree][data-ready]")
    tree.wait_for()
    expect(tree).to_contain_text("Simulation 60 of 60")
    page.locator("[data-step=first]").click()
    expect(tree).to_contain_text("Before the first simulation")
    expect(tree.locator(".st-card")).to_have_count(1)
    for step in (1, 2, 3):
        page.locator("[data-step=next]").click()
        expect(tree).to_contain_text(f"Simulation {step} of 60")
        expect(tree.locator(".st-card.st-way .st-leaf")).to_have_count(1)
        visits = tree.locator("[data-node='0'] .st-figures span").first
        expect(visits).to_contain_text(str(step + 1))  # its own evaluation counts
    page.wait_for_url("**step=3")
    page.locator("[data-step=previous]").click()
    expect(tree).to_contain_text("Simulation 2 of 60")
    tree.focus()
    page.keyboard.press("End")
    expect(tree).to_contain_text("Simulation 60 of 60")
    expect(tree.locator(".st-die").first).to_be_visible()
    root = tree.locator("[data-node='0']")
    tree.get_by_text("Close all").click()
    expect(tree.locator(".st-card")).to_have_count(1)
    root.click()
    assert tree.locator(".st-card").count() > 3
    page.locator(".rs-quasar tbody tr").first.click()
    expect(page.get_by_role("heading", name="Board after: ")).to_be_visible()
    page.locator("[data-step=first]").click()
    page.locator("[data-step=play]").click()
    expect(tree).to_contain_text("Simulation 3 of 60")
    page.locator("[data-step=play]").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_same_link_shows_the_same_tree(address: str, visit: Visit) -> None:
    position = load("pig").new_game(seed=1).notation
    asked = {"game": "pig", "position": position, "dice": "5", "simulations": 30, "step": 12}
    link = f"{address}/search?{urlencode(asked | {'judge': 'little pig'})}"
    texts = []
    for _ in range(2):
        page = visit(link)
        tree = page.locator("[data-tree][data-ready]")
        tree.wait_for()
        expect(tree).to_contain_text("Simulation 12 of 30")
        texts.append(tree.inner_text())
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/training/nobody", "no run 'nobody'"),
        ("/games?run=nobody", "no run 'nobody'"),
        ("/games?iteration=x", "iteration: expected a whole number"),
        ("/games/little%20pig/999", "has no game 999"),
        ("/search?game=chess", "no game 'chess'"),
        ("/search?position=nonsense", "expected"),
        ("/search?position=x&simulations=9999999", "simulations: expected 1 to 2000"),
    ],
)
def test_a_bad_link_gives_one_clear_line(address: str, visit: Visit, path: str, line: str) -> None:
    page = visit(address + path)
    alert = page.locator(".sb-alert:visible")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text(line)
    assert "\n" not in alert.inner_text()
