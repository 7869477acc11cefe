"""What auxiliary heads learn: by hand, and against the marks of trictrac."""

import numpy as np
import pytest
from tests.learning.small import config, played

from spiel_bot import load
from spiel_bot.errors import SettingsError
from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.trictrac.gains import gains_many
from spiel_bot.games.trictrac.marks import clear_points, mark
from spiel_bot.games.trictrac.state import NOBODY, first_state
from spiel_bot.learning.learner import Learner, LearnerConfig
from spiel_bot.learning.replay import Replay, ReplayConfig
from spiel_bot.learning.targets import (
    Course,
    TargetConfig,
    expect_targets,
    next_hole,
    next_points,
    replay,
    samples_of,
)
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.networks.network import build


def course() -> Course:
    """Roll and play in turn; white decides at 1 and 5, black at 3 and 7."""
    gains = np.zeros((8, 2, 2), np.float32)
    gains[2, BLACK, 0] = 4.0  # the second roll
    gains[3, WHITE, 0] = 2.0  # black's play
    gains[4, WHITE] = 6.0, 2.0  # the third roll: a double hole of white
    gains[7, WHITE] = 1.0, 1.0  # black's last play: a simple hole of white
    plies = np.array([1, 3, 5, 7], np.int32)
    is_roll = np.array([True, False] * 4)
    return Course(gains, plies, np.array([WHITE, BLACK, WHITE, BLACK], np.int8), is_roll)


def test_the_next_hole_is_told_by_whose_it_is_and_of_what_kind() -> None:
    assert next_hole(course())[:, 0].tolist() == [1, 3, 0, 2]
    nothing = course()
    nothing.gains[:, :, 1] = 0.0
    assert next_hole(nothing)[:, 0].tolist() == [4, 4, 4, 4]


def test_points_are_counted_until_one_two_and_four_more_rolls() -> None:
    assert next_points(course()).tolist() == [
        [2, 8, 9, 4, 4, 4],
        [0, 0, 0, 8, 9, 9],  # black's own 4 are behind him
        [1, 1, 1, 0, 0, 0],
        [0, 0, 0, 1, 1, 1],
    ]


@pytest.mark.parametrize("side", [WHITE, BLACK])
@pytest.mark.parametrize("run", [NOBODY, WHITE, BLACK])
def test_gains_are_what_the_marks_were_made_from(side: int, run: int) -> None:
    for points in range(12):
        for gain in (0, 2, 4, 6, 12, 14, 24, 30):
            before = first_state(WHITE).reshape(1)
            before["points"][0, side] = points
            before["points"][0, 1 - side] = 5
            before["bredouille"] = run
            after = before.copy()
            won = mark(after[0], side, gain)
            out = np.full((1, 2, 2), np.nan, np.float32)
            gains_many(before, after, out)
            assert out[0, side, 0] == pytest.approx(gain / 12)
            # R12.4: the first hole is double if the side's points came without interruption.
            is_double = points == 0 or run == side
            assert out[0, side, 1] == (0 if won == 0 else 1 + is_double)
            assert out[0, 1 - side].tolist() == [0.0, 0.0]


def test_points_that_leaving_gives_up_are_no_gain() -> None:
    before = first_state(WHITE).reshape(1)
    before["points"] = (7, 3)
    after = before.copy()
    clear_points(after[0])
    out = np.full((1, 2, 2), np.nan, np.float32)
    gains_many(before, after, out)
    assert not out.any()


@pytest.mark.compiled
def test_the_targets_of_a_game_of_trictrac_follow_its_marks() -> None:
    game = load("trictrac", holes_to_win=3)
    heads = NetworkConfig(auxiliary=("next_hole", "next_points")).heads
    for record in played(game, [0, 1, 2], config()):
        positions = replay(game, record)
        samples = samples_of(game, record, TargetConfig(), heads)
        holes = positions["holes"].astype(int)
        for row, (ply, mover) in enumerate(zip(samples.plies, samples.movers, strict=True)):
            later = np.flatnonzero((holes[ply:] != holes[ply]).any(axis=1))
            found = int(samples.auxiliary["next_hole"][row, 0])
            if not len(later):
                assert found == 4
                continue
            won = holes[ply + later[0]] - holes[ply]
            winner = int(won.argmax())
            assert found == 2 * (winner != mover) + (won[winner] % 2 == 0)
        all_points = samples.auxiliary["next_points"]
        assert (all_points >= 0).all()
        assert (np.diff(all_points[:, :3], axis=1) >= 0).all()


@pytest.mark.compiled
@pytest.mark.parametrize("architecture", ["mlp", "resnet"])
def test_the_loss_of_the_heads_falls_on_a_fixed_sample(architecture: str) -> None:
    game = load("trictrac", holes_to_win=2)
    network = NetworkConfig(
        architecture=architecture,  # type: ignore[arg-type]
        hidden_sizes=(32,),
        width=32,
        blocks=1,
        auxiliary=("next_hole", "next_points"),
    )
    window = Replay(game, ReplayConfig(max_reuse=1000), network.heads)
    for record in played(game, [0, 1, 2, 3], config()):
        window.add(samples_of(game, record, TargetConfig(), network.heads))
    fixed = window.draw(64, np.random.default_rng(1))
    assert fixed is not None
    student = Learner(build(network, game.spec, 1), LearnerConfig(learning_rate=0.01), 100)
    figures = [student.learn(fixed) for _ in range(60)]
    for name in ("next_hole_loss", "next_points_loss"):
        assert figures[-1][name] < 0.6 * figures[0][name]
    plain = LearnerConfig(learning_rate=0.01, auxiliary_weight=0.0)
    idle = Learner(build(network, game.spec, 1), plain, 100)
    without = [idle.learn(fixed) for _ in range(60)]
    assert without[-1]["next_hole_loss"] > figures[-1]["next_hole_loss"]


@pytest.mark.parametrize(
    ("game", "heads", "message"),
    [
        ("pig", ("next_hole",), "pig does not tell points on the way"),
        ("trictrac", ("corner:2:classes",), "expected next_hole or next_points"),
        ("trictrac", ("next_hole:3:classes",), "no target of this name and shape"),
    ],
)
def test_heads_that_nothing_would_teach_are_refused(
    game: str, heads: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        expect_targets(load(game), NetworkConfig(auxiliary=heads).heads)
