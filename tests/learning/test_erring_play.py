"""Games in which one side errs, and what is learned from them."""

import dataclasses

import numpy as np
import pytest
from tests.learning.test_afterstate_play import RollJudge
from tests.learning.test_judged_play import played

from spiel_bot import CHANCE, Game, load
from spiel_bot.cluster.config import TrainConfig
from spiel_bot.cluster.local import checked_game
from spiel_bot.errors import GameOptionError, SearchConfigError, SettingsError
from spiel_bot.games.erring import NO_SIDE
from spiel_bot.learning.afterstate_play import AfterstatePlayConfig
from spiel_bot.learning.judged_play import judged_samples, seats_of
from spiel_bot.learning.targets import replay
from spiel_bot.learning.td import Td, TdConfig
from spiel_bot.networks.config import NetworkConfig
from spiel_bot.search.lookahead import Lookahead
from spiel_bot.search.lookahead_config import LookaheadConfig
from spiel_bot.settings import from_plain

NUMBERS = list(range(8))
SHARE = 0.5
PLAIN: dict[str, object] = {"judged_share": 1.0, "judged_temperature": 0.5}
ERRING = PLAIN | {"erring_share": SHARE, "erring_temperature": 0.3}


def short_game() -> Game:
    return load("trictrac", observation="rival", holes_to_win=1, max_plies=60)


def sides_of(numbers: list[int], **changes: object) -> list[int]:
    config = AfterstatePlayConfig(**ERRING | changes)  # type: ignore[arg-type]
    sides: list[int] = seats_of(np.array(numbers), config).erring.tolist()
    return sides


def test_the_share_of_games_errs_and_the_sides_take_turns() -> None:
    sides = sides_of(list(range(1000)), erring_share=0.7)
    assert [sides.count(side) for side in (NO_SIDE, 0, 1)] == [300, 350, 350]
    assert sides_of(list(range(9)), erring_share=0.0) == [NO_SIDE] * 9


def test_the_partner_takes_the_side_that_errs_in_its_share_of_those_games() -> None:
    config = AfterstatePlayConfig(judged_share=1.0, erring_share=0.7, sparring="random")
    seats = seats_of(np.arange(4000), dataclasses.replace(config, sparring_share=0.5))
    sits = seats.partner != NO_SIDE
    assert (seats.partner[sits] == seats.erring[sits]).all()
    for side in (0, 1):
        assert sits[seats.erring == side].mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.compiled
def test_values_are_means_over_all_that_who_errs_may_reply() -> None:
    game = short_game()
    config = LookaheadConfig(plies=1, erring_temperature=0.3)
    judge = Lookahead(game, RollJudge(game), config)
    seen = set()
    records = played(game, NUMBERS, 1, **ERRING)
    for record, side in zip(records, sides_of(NUMBERS), strict=True):
        samples = judged_samples(game, record, SHARE)
        assert (samples.states["erring"] == 1 + side).all()
        white, _ = judge.judge(samples.states, samples.movers)
        values = np.where(samples.movers == 0, white, -white)
        np.testing.assert_allclose(samples.values, values, atol=1e-5)
        seen.add(side)
    assert seen == {NO_SIDE, 0, 1}


@pytest.mark.compiled
def test_only_who_errs_plays_another_game() -> None:
    game = short_game()
    judge = Lookahead(game, RollJudge(game), LookaheadConfig(plies=0))
    worse = dict.fromkeys(("errs", "equal"), 0)
    for record, side in zip(played(game, NUMBERS, 1, **ERRING), sides_of(NUMBERS), strict=True):
        positions = replay(game, record)[:-1]
        positions["erring"] = 1 + side
        plies = np.flatnonzero(record.players != CHANCE)
        found = judge.run(positions[plies])
        is_best = found.action == record.events[plies]
        does_err = record.players[plies] == side
        worse["errs"] += int((does_err & ~is_best).sum())
        worse["equal"] += int((~does_err & ~is_best).sum())
    assert worse["errs"] > 4
    assert worse["equal"] == 0


@pytest.mark.compiled
def test_an_algorithm_learns_positions_that_tell_who_errs() -> None:
    game = short_game()
    selfplay = AfterstatePlayConfig(**ERRING)  # type: ignore[arg-type]
    network = NetworkConfig(judges="rolls", hidden_sizes=(8,))
    method = Td(game, TdConfig(network=network, selfplay=selfplay), seed=1, total_steps=10)
    record = played(game, NUMBERS, 1, **ERRING)[sides_of(NUMBERS).index(1)]
    samples = method.samples(record)
    assert (samples.states["erring"] == 2).all()
    seen = np.empty((len(samples.states), game.spec.observation_size), np.float32)
    game.observe_many(samples.states, samples.movers, seen)
    np.testing.assert_array_equal(seen[:, -2], samples.movers == 1)
    np.testing.assert_array_equal(seen[:, -1], samples.movers == 0)


@pytest.mark.parametrize("changes", [{"judged_share": 0.0}, {"judged_lambda": 0.5}])
def test_errors_are_known_to_exact_means_alone(changes: dict[str, float]) -> None:
    with pytest.raises(SearchConfigError, match="erring_share: only exact means"):
        AfterstatePlayConfig(**ERRING | changes)  # type: ignore[arg-type]


def test_a_game_that_cannot_tell_is_refused() -> None:
    with pytest.raises(GameOptionError, match="race: its positions cannot tell"):
        played(load("race"), [0], 1, **ERRING)
    plain = {"game": "race", "algorithm": "td", "td": {"selfplay": ERRING}}
    with pytest.raises(SettingsError, match=r"selfplay\.erring_share: positions of race"):
        checked_game(from_plain(TrainConfig(), plain))
