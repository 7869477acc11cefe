from pathlib import Path
from typing import Any

import pytest
from tests.cluster.scripted import Scripted
from tests.cluster.test_crew import trained
from tests.cluster.test_driver import config, run_through, weights

from spiel_bot import load
from spiel_bot.cluster.control import Control
from spiel_bot.cluster.driver import Driver
from spiel_bot.cluster.ladder import ladder_of
from spiel_bot.cluster.local import begin_run, resume_run, train
from spiel_bot.errors import PlayerError, SettingsError
from spiel_bot.storage.store import Store

GOOD, BAD = 20, 2
PIG: dict[str, Any] = {
    "game": "pig",
    "iterations": 6,
    "games": 4,
    "eval_every": 1,
    "eval_pairs": 40,
}


def best(store: Store, run: int) -> int:
    return store.checkpoints.find(run, "best").iteration


def results(store: Store, run: int) -> list[tuple[Any, ...]]:
    return [
        (match.iteration, match.first, match.second, match.wins, match.losses, match.elo)
        for match in store.matches.all(run)
    ]


def test_the_best_network_is_the_one_that_has_won(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        limits = [BAD, BAD, GOOD, BAD, BAD, BAD, BAD]
        run, _ = trained(store, Scripted(limits), config(**PIG))
        assert best(store, run) == 2
        names = [match.second for match in reversed(store.matches.all(run))]
        assert names[1::2] == [f"pig-1@{number}" for number in (0, 0, 2, 2, 2, 2)]


def test_ratings_count_from_the_foot_of_the_ladder(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        limits = [BAD, GOOD, GOOD, BAD, GOOD, GOOD, BAD]
        run, _ = trained(store, Scripted(limits), config(**PIG))
        elo = store.metrics.series(run, "elo").values
        error = store.metrics.series(run, "elo_error").values
        assert (error > 0).all()
        good, bad = elo[[0, 1, 3, 4]], elo[[2, 5]]
        assert good.min() > bad.max() + 2 * error.max()
        rated = store.ratings.newest("pig", run=run)
        assert {rating.player for rating in rated} == {f"pig-1@{n}" for n in range(1, 7)}


def test_with_the_gate_only_a_network_that_has_won_plays(tmp_path: Path) -> None:
    limits = [BAD, BAD, GOOD, BAD, GOOD, GOOD, GOOD]
    with Store(tmp_path) as store:
        algorithm = Scripted(limits)
        trained(store, algorithm, config(**PIG, gate=True))
        playing = [algorithm.models[4 * iteration] for iteration in range(6)]
        # Network 2 is there when iteration 2 begins, and is judged while that is played.
        assert playing == [0, 0, 0, 2, 2, 2]


@pytest.mark.parametrize("stop_after", [1, 2, 3])
def test_a_gated_run_that_was_stopped_is_the_run_that_was_not(
    tmp_path: Path, stop_after: int
) -> None:
    limits = [BAD, GOOD, BAD, GOOD, BAD, BAD, GOOD]
    settings = config(**PIG, gate=True)
    with Store(tmp_path / "whole") as store:
        whole = Scripted(limits)
        run, _ = trained(store, whole, settings)
        expected = (results(store, run), best(store, run))
    with Store(tmp_path / "parts") as store:
        created = store.runs.create(game="pig", seed=0, config={})
        models: dict[int, int] = {}
        for limit in (stop_after, 99):

            def stop(kind: str, figures: dict[str, Any], limit: int = limit) -> None:
                if kind == "iteration" and figures["iteration"] == limit:
                    control.stop()

            algorithm = Scripted(limits)
            with Control(store, created.id) as control:
                game = load("pig", target=40)
                Driver(store, created, game, algorithm, settings, control, stop).train()
            models |= algorithm.models
        assert (results(store, created.id), best(store, created.id)) == expected
        assert models == whole.models


def test_a_gated_run_of_alphazero_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    settings = config(gate=True, eval_every=1)
    with Store(tmp_path / "whole") as store:
        run = run_through(store, settings)
        expected = (weights(store, run), results(store, run), best(store, run))
    with Store(tmp_path / "parts") as store:
        begun = begin_run(store, settings)

        def stop(kind: str, figures: dict[str, Any]) -> None:
            if kind == "iteration" and figures["iteration"] == 2:
                control.stop()

        with Control(store, begun.id) as control:
            assert not train(store, begun, settings, control, stop).is_finished
        begun, settings = resume_run(store, begun.name)
        with Control(store, begun.id) as control:
            assert train(store, begun, settings, control, lambda kind, figures: None).is_finished
        assert (weights(store, begun.id), results(store, begun.id), best(store, begun.id)) == (
            expected
        )


def test_a_gate_without_matches_is_refused() -> None:
    with pytest.raises(SettingsError, match="gate: needs matches"):
        config(gate=True, eval_every=0)


def test_a_ladder_of_nobody_is_refused_before_a_run_is_made(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        with pytest.raises(PlayerError, match="unknown player 'nobody'"):
            begin_run(store, config(ladder=["random", "nobody"]))
        assert store.runs.all() == []


def test_the_ladder_of_trictrac_has_its_hand_written_players() -> None:
    game = load("trictrac")
    assert [player.name for player in ladder_of(game, ())] == ["random", "greedy", "expert"]
    assert [player.name for player in ladder_of(game, ["expert"])] == ["expert"]
    assert [player.name for player in ladder_of(load("pig"), ())] == ["random"]
