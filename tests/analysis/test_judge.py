from pathlib import Path

import pytest
from tests.networks.nets import trained

from spiel_bot import load
from spiel_bot.analysis.decision import AnalysisConfig, analyse
from spiel_bot.analysis.judge import load_judge
from spiel_bot.analysis.report import judged_by
from spiel_bot.errors import PlayerError
from spiel_bot.networks.checkpoint import checkpoint_bytes, write_checkpoint
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.storage.store import Store

SMALL = NetworkConfig(hidden_sizes=(8,))
GO = (
    "white 1*8 3 5 6 7*2 8 9, black 1*8 2 4 6*2 7 8 9; white plays 6-4 or goes; points 4-0; "
    "holes 1-0; run white; flag white"
)


def test_a_judge_without_a_network_is_named(tmp_path: Path) -> None:
    game = load("pig")
    assert load_judge("expert", load("trictrac")).evaluator.judges_rolls
    with pytest.raises(PlayerError, match="expert knows only trictrac"):
        load_judge("expert", game)
    with pytest.raises(PlayerError, match="--model expert"):
        load_judge(None, load("trictrac", holes_to_win=3), store=tmp_path / "none")
    assert load_judge("rollout", game).evaluator.judges_rolls
    assert load_judge("uniform", game).name == "uniform"


@pytest.mark.parametrize("name", ["expert", "uniform"])
def test_a_judge_of_results_is_not_taken_for_one_of_margins(name: str) -> None:
    found = []
    for returns in ("outcome", "margin"):
        game = load("trictrac", returns=returns)
        late = GO.replace("holes 1-0", "holes 11-2")
        state = game.from_notation(late, seed=0)
        decision = analyse(load_judge(name, game), state, AnalysisConfig(simulations=0))
        found.append([(one.action, one.win_chance) for one in decision.actions])
    assert found[0] == found[1]


def test_the_newest_model_of_the_store_judges(tmp_path: Path) -> None:
    race = load("race")
    with Store(tmp_path / "store") as store:
        run = store.runs.create(game="race", seed=1, config={}, name="steps").id
        content = checkpoint_bytes(trained(SMALL, race.spec))
        store.checkpoints.add(run, content, iteration=4, step=1)
    assert load_judge(None, race, store=tmp_path / "store").name == "steps@4"
    write_checkpoint(tmp_path / "model.safetensors", trained(SMALL, race.spec))
    assert load_judge(str(tmp_path / "model.safetensors"), race).name.endswith("model.safetensors")


@pytest.mark.parametrize("returns", ["outcome", "margin"])
@pytest.mark.compiled
def test_a_network_that_judges_rolls_analyses_in_the_returns_it_knows(
    tmp_path: Path, returns: str
) -> None:
    seen = load("trictrac", returns=returns)
    path = tmp_path / "values.safetensors"
    write_checkpoint(path, trained(SMALL.replace(judges="rolls"), seen.spec, 2))
    judge = load_judge(str(path), load("trictrac"))
    state = load("trictrac").from_notation(GO, seed=0)
    decision = analyse(judge, state, AnalysisConfig(simulations=20, plies=0))
    for one in decision.actions:
        after = state.clone()
        after.apply(one.action)
        _, value = judge.evaluator.evaluate(after.observation(0).ravel())
        (chance,) = seen.win_chances(after.record.reshape(1), [value])
        assert one.win_chance == pytest.approx(chance, abs=1e-6)
        assert one.equity == pytest.approx(2 * chance - 1, abs=1e-6)
    assert sum(one.visits for one in decision.actions) == 20
    text = judged_by(judge.game, judge.name, 0)
    assert ("knows returns by margin" in text) == (returns == "margin")


def test_without_a_model_the_line_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"no model to judge race .*--model rollout"):
        load_judge(None, load("race"), store=tmp_path / "none")
