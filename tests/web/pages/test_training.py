"""The training pages without a browser: lists, live figures, points, buttons."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User
from tests.web.simulated import elements, happen, html, press, until, until_seen, visiting
from tests.web.stores import add_run, make_store

from spiel_bot.errors import StoreBusyError
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store
from spiel_bot.web.hall import Hall
from spiel_bot.web.pages import run as run_page
from spiel_bot.web.pages import training as training_page
from spiel_bot.web.training import TrainingWish


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store", "pig")


def charts(user: User) -> dict[str, Any]:
    return {str(one.props["data-chart"]): one for one in elements(user, ui.echart)}


def test_an_empty_store_says_how_to_begin(tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/training")
        await until(lambda: "spiel-bot train" in html(user))
        assert not hall.store_path.exists()

    visiting(tmp_path, scenario)


def test_runs_are_listed_and_new_ones_appear(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_page, "POLL_SECONDS", 0.05)

    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/training")
        await until(lambda: "my pig" in html(user))
        assert 'href="/training/my%20pig"' in html(user)
        assert "3 / 3" in html(user)
        with Store(store) as opened:
            opened.runs.create(game="pig", seed=1, config={}, name="<b>bold")
        await until(lambda: "&lt;b&gt;bold" in html(user))
        assert "running" in html(user)

    visiting(tmp_path, scenario)


def test_a_run_is_begun_with_what_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes: list[TrainingWish] = []

    def start(wish: TrainingWish) -> Any:
        wishes.append(wish)
        if len(wishes) == 1:
            raise StoreBusyError("run x is running; stop it first")
        return SimpleNamespace(name="mine")

    async def scenario(user: User, hall: Hall) -> None:
        monkeypatch.setattr(hall.training, "start", start)
        await user.open("/training")
        elements(user, ui.input)[0].value = "mine"
        labels = {one.props["label"]: one for one in elements(user, ui.select)}
        labels["Game"].value = "pig"
        labels["Algorithm"].value = "td"
        (number,) = elements(user, ui.number)
        number.value = 2
        press(user, "Start")
        await until_seen(user, "run x is running; stop it first")
        press(user, "Start")
        await until(lambda: len(wishes) == 2)
        assert wishes[1] == TrainingWish(game="pig", algorithm="td", name="mine", iterations=2)

    visiting(tmp_path, scenario)


def test_a_run_has_its_charts(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/training/my pig")
        await until_seen(user, "iteration 3 of 3, 18 games, 30 gradient steps")
        await until(lambda: "calibration" in charts(user))
        found = charts(user)
        assert {"elo", "loss", "games_per_s", "game_plies", "policy_entropy"} <= set(found)
        assert found["elo"].options["series"][0]["data"] == [[2, 200.0, 20], [3, 300.0, 30]]
        await until_seen(user, "decisions of 18 games")
        assert "Stop" not in html(user)

    visiting(tmp_path, scenario)


def test_a_point_leads_to_checkpoint_games_and_boards(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/training/my pig?iteration=3")
        await until(lambda: "+191 ± 120" in html(user))
        shown = html(user)
        won_lost_drawn = [f">{count}</td>" in shown for count in (7, 2, 1)]
        assert all(won_lost_drawn)
        assert "runs/1/checkpoints/" in shown
        assert "/games?run=my+pig&amp;iteration=3" in shown
        assert "<svg" in shown
        point = {"componentType": "series", "seriesType": "line", "seriesIndex": 0, "name": ""}
        point |= {"seriesName": "", "dataIndex": 0, "data": [1, 3.0, 10], "value": [1, 3.0, 10]}
        happen(user, charts(user)["loss"], "componentClick", point)
        await until(lambda: "the weights were not kept" in html(user))
        happen(user, charts(user)["calibration"], "componentClick", point)
        await until(lambda: "Expected \u2212" in html(user))

    visiting(tmp_path, scenario)


def test_a_run_is_shown_live(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_page, "POLL_SECONDS", 0.05)
    asked: list[str] = []

    async def scenario(user: User, hall: Hall) -> None:
        with Store(store) as opened:
            run = opened.runs.create(
                game="pig", seed=1, config={"iterations": 9, "algorithm": "td"}, name="live"
            )
            await user.open("/training/live")
            await until_seen(user, "No figures yet: they come with the first finished iteration.")
            add_figures(opened, run.id, 1)
            await until(lambda: "loss" in charts(user))
            await until_seen(user, "This run learns values alone (td); its network has no policy.")
            await until_seen(user, "No rating yet")
            add_figures(opened, run.id, 2)
            await until(lambda: len(charts(user)["loss"].options["series"][0]["data"]) == 2)
            monkeypatch.setattr(hall.training, "ask", lambda name, command: asked.append(command))
            press(user, "Pause")
            await until(lambda: asked == ["pause"])
            opened.runs.set_state(run.id, RunState.PAUSED)
            await until_seen(user, "Resume")
            press(user, "Resume")
            await until(lambda: asked == ["pause", "continue"])
            press(user, "Stop")
            await until(lambda: asked[-1] == "stop")
            opened.runs.set_state(run.id, RunState.INTERRUPTED, "it was late")
            await until_seen(user, "it was late")
            resumed: list[str] = []
            monkeypatch.setattr(hall.training, "resume", resumed.append)
            press(user, "Resume")
            await until(lambda: resumed == ["live"])

    visiting(tmp_path, scenario)


def add_figures(store: Store, run: int, iteration: int) -> None:
    store.metrics.add(run, iteration, 10 * iteration, {"loss": 1.0, "games_per_s": 5.0})
    store.iterations.add(run, iteration, step=10 * iteration, games=0, seconds=1.0)


def test_what_the_run_refuses_is_said(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        with Store(store) as opened:
            run = opened.runs.create(game="pig", seed=1, config={}, name="live")
            await user.open("/training/live")
            await until_seen(user, "Pause")
            opened.runs.set_state(run.id, RunState.FINISHED)
        press(user, "Pause")
        await until(lambda: user.notify.contains("nothing to pause"))

    visiting(tmp_path, scenario)


def test_an_unknown_run_is_one_clear_line(store: Path, tmp_path: Path) -> None:
    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/training/nobody")
        await until_seen(user, "no run 'nobody'")

    visiting(tmp_path, scenario)


def test_the_run_of_an_unknown_game_still_has_its_curves(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        run = add_run(store, "pig", name="odd")
        store.database.write("UPDATE runs SET game = 'gone' WHERE id = ?", (run,))

    async def scenario(user: User, hall: Hall) -> None:
        await user.open("/training/odd?iteration=3")
        await until(lambda: "loss" in charts(user))
        await until(lambda: "+191 ± 120" in html(user))

    visiting(tmp_path, scenario)
