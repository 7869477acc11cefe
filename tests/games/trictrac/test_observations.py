"""Every layout: against the slow twin, ranges, sides, perspectives, the contract."""

import hashlib
import os
import random
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest
from tests.games.trictrac.positions import RECIPES, made_up, play_biased, random_dice
from tests.games.trictrac.twin import decision
from tests.reference.slow_trictrac_observation import LAYOUTS, view_of

from spiel_bot import check_game, load
from spiel_bot.errors import GameOptionError
from spiel_bot.games.base import BLACK, TERMINAL, WHITE, Game, States
from spiel_bot.games.trictrac.observations.catalogue import OBSERVATIONS
from spiel_bot.games.trictrac.state import STATE

NAMES = list(OBSERVATIONS)
SLOW = ("expert", "master", "champion")  # by the twin
STYLES = (("holder", "runner"), ("piler", "holder"), ("random", "runner"), ("holder", "holder"))
IS_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"


def observe(game: Game, states: States, player: int) -> npt.NDArray[np.float32]:
    """Return [B, F] what a player sees; a feature that is not written is NaN."""
    out = np.full((len(states), game.spec.observation_size), np.nan, np.float32)
    game.observe_many(states, np.full(len(states), player, np.int8), out)
    return out


def switched(states: States) -> States:
    """Return the same positions with the colours changed; the board is the mover's anyway."""
    other = states.copy()
    for name in ("points", "holes", "roll_counts"):
        other[name] = states[name][:, ::-1]
    for name in ("bredouille", "flag", "mover", "player"):
        other[name] = np.where(states[name] >= 0, 1 - states[name], states[name])
    return other


def biased_games(count: int, **options: object) -> States:
    """Return every position of some games between players with a bias: rolls, plays, ends."""
    game = load("trictrac", **options)
    records = []
    for seed in range(count):
        rng = random.Random(seed)
        styles = STYLES[seed % len(STYLES)]
        state = game.new_game(seed)
        while True:
            records.append(state.record)
            if state.is_terminal:
                break
            if state.current_player < 0:
                state.apply_chance()
            else:
                state.apply(play_biased(state, rng, styles[state.current_player]))
    return np.array(records, STATE)


def made_up_positions(count: int) -> States:
    """Return decisions of all recipes, with marks."""
    rng = random.Random(1)
    records = []
    for number in range(count):
        recipe = [*RECIPES, "odd"][number % (len(RECIPES) + 1)]
        state = decision(made_up(rng, recipe), random_dice(rng))
        state["points"] = rng.choice([(0, 0), (4, 0), (2, 10)])
        state["holes"] = rng.choice([(0, 0), (11, 3)])
        state["roll_counts"] = rng.choice([(2, 2), (3, 2), (99, 98)])
        state["misery_pile"] = rng.random() < 0.8
        records.append(state)
    return np.array(records, STATE)


@pytest.fixture(scope="module")
def positions() -> States:
    played = biased_games(2 if IS_PLAIN else 24)
    short = biased_games(2, holes_to_win=2, start="random")
    return np.concatenate([played, short, made_up_positions(100 if IS_PLAIN else 2000)])


def test_the_positions_are_of_all_kinds(positions: States) -> None:
    assert len(positions) > (300 if IS_PLAIN else 5000)
    assert set(positions["player"]) == {-2, -1, 0, 1}
    assert (positions["opening"] == 1).any()
    assert (positions["draws"] > 0).any()
    if not IS_PLAIN:
        assert (positions["can_go"] == 1).any()


# Against the slow twin


def compare_with_twin(name: str, states: States) -> None:
    """Assert that each number, of both players, is exactly that of the twin."""
    game = load("trictrac", observation=name)
    for player in (WHITE, BLACK):
        found = observe(game, states, player)
        for state, row in zip(states, found, strict=True):
            expected = np.array(LAYOUTS[name](view_of(state, player)), np.float32)
            # The race of master and champion is a sum in another order.
            is_sum = name in ("master", "champion")
            close = np.isclose(row, expected, rtol=0, atol=1e-6 if is_sum else 0)
            wrong = np.flatnonzero(~close)
            assert not wrong.size, (wrong, row[wrong], expected[wrong], game.to_text(state))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_a_layout_is_that_of_the_twin(name: str, positions: States) -> None:
    step = 7 if name in ("planes", "quarters") else 1
    compare_with_twin(name, positions[::step])


@pytest.mark.parametrize("name", SLOW)
def test_numbers_over_all_rolls_are_those_of_the_twin(name: str, positions: States) -> None:
    compare_with_twin(name, positions[:: len(positions) // 12])
    compare_with_twin(name, positions[positions["owed"] > 0][:2])
    compare_with_twin(name, positions[positions["player"] == TERMINAL][:1])
    is_pile = (positions["board"][:, 11] >= 13) & (positions["misery_pile"] == 1)
    assert is_pile.any(), "masks alone do not tell what a pile of misery gives (R10.22)"
    compare_with_twin(name, positions[is_pile][:3])


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_numbers_over_all_rolls_are_those_of_the_twin_at_length(
    name: str, positions: States
) -> None:
    compare_with_twin(name, positions[:: len(positions) // 100])
    compare_with_twin(name, positions[positions["owed"] > 0][::16])


# Properties


@pytest.mark.compiled
@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_written_and_in_its_range(name: str, positions: States) -> None:
    for perspective in ("mover", "white"):
        game = load("trictrac", observation=name, perspective=perspective)
        low, high = game.spec.observation_range
        assert (low, high) == ((-15, 15) if name == "raw36" else (0, 1))
        for player in (WHITE, BLACK):
            seen = observe(game, positions, player)
            assert not np.isnan(seen).any()
            assert seen.min() >= low
            assert seen.max() <= high


@pytest.mark.compiled
@pytest.mark.parametrize("name", NAMES)
def test_the_same_position_with_sides_switched_looks_the_same(name: str, positions: States) -> None:
    game = load("trictrac", observation=name)
    for player in (WHITE, BLACK):
        own = observe(game, positions, player)
        other = observe(game, switched(positions), 1 - player)
        assert (own == other).all()


@pytest.mark.parametrize("name", NAMES)
def test_before_the_first_roll_both_sides_see_the_same(name: str) -> None:
    state = load("trictrac", observation=name).new_game(seed=1)
    assert (state.observation(WHITE) == state.observation(BLACK)).all()


@pytest.mark.compiled
@pytest.mark.parametrize("name", NAMES)
def test_the_white_perspective_is_whites_view_for_both(name: str, positions: States) -> None:
    fixed = load("trictrac", observation=name, perspective="white")
    whites = observe(load("trictrac", observation=name), positions, WHITE)
    for player in (WHITE, BLACK):
        assert (observe(fixed, positions, player) == whites).all()


def test_the_white_perspective_tells_the_mover(positions: States) -> None:
    game = load("trictrac", perspective="white")
    decided = positions[positions["opening"] == 0]
    assert (observe(game, decided, BLACK)[:, 194] == decided["mover"]).all()


def test_longer_layouts_begin_with_the_shorter_ones(positions: States) -> None:
    seen = {name: observe(load("trictrac", observation=name), positions, 0) for name in NAMES}
    for name, layout in OBSERVATIONS.items():
        if layout.begins_with:
            shorter = seen[layout.begins_with]
            assert (seen[name][:, : shorter.shape[1]] == shorter).all()
    longest = load("trictrac", observation="champion").spec.shorter_observations["observation"]
    assert list(longest) == ["master", "expert", "td227", "td217", "td204"]
    assert load("trictrac", observation="planes").spec.shorter_observations["observation"] == {}
    assert (seen["planes"] == seen["quarters"]).all()


@pytest.mark.compiled
@pytest.mark.slow
def test_plain_python_gives_the_same_bytes() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from tests.games.trictrac import test_observations as t; t.main()"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == digests()


def digests() -> list[str]:
    """Return a digest of all that either player sees, one for each layout."""
    states = made_up_positions(70)
    found = []
    for name in NAMES:
        game = load("trictrac", observation=name)
        seen = observe(game, states, WHITE).tobytes() + observe(game, states, BLACK).tobytes()
        found.append(hashlib.sha256(seen).hexdigest())
    return found


def main() -> None:
    sys.stdout.write("\n".join(digests()))


# The game


@pytest.mark.compiled
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("perspective", ["mover", "white"])
def test_a_game_with_any_layout_keeps_the_contract(name: str, perspective: str) -> None:
    game = load("trictrac", observation=name, perspective=perspective, holes_to_win=1)
    check_game(game, num_games=2 if IS_PLAIN else 10)
    assert game.spec.options["observation"] == name
    assert game.spec.options["perspective"] == perspective
    assert game.spec.observation_version == OBSERVATIONS[name].version
    assert game.new_game(seed=1).observation().shape == game.spec.observation_shape


def test_the_shapes_are_those_of_the_names() -> None:
    shapes = [load("trictrac", observation=name).spec.observation_shape for name in NAMES]
    assert shapes == [(36,), (204,), (217,), (227,), (29, 24), (29, 4, 6), (241,), (265,), (273,)]
    assert load("trictrac").spec.options["observation"] == "td217"


def test_a_layout_or_perspective_that_does_not_exist_is_refused() -> None:
    with pytest.raises(GameOptionError, match=r"observation raw36, .* or champion, got 'td218'"):
        load("trictrac", observation="td218")
    with pytest.raises(GameOptionError, match="perspective mover or white, got 'black'"):
        load("trictrac", perspective="black")


# Examples


def test_the_expert_counts_rolls_and_points() -> None:
    game = load("trictrac", observation="expert")
    # 6-5 takes the corner and hits 18 from 7; 6-6 hits 18 and 19, and makes two tables (R10.11).
    state = game.from_notation("white 1*13 6 7, black 1*13 6 7; white rolls")
    points = 2 * 2 + (4 + 6 + 6)
    expected = np.array([points / 12, 0, 0, 0, 3, 2, 0], np.float32) / 36
    assert state.observation(WHITE)[227:] == pytest.approx([*expected, *expected])
    start = game.from_notation("white 1*15, black 1*15; white rolls").observation(WHITE)
    assert start[227:].tolist() == [0.0] * 14


def test_planes_show_what_the_roll_reaches() -> None:
    game = load("trictrac", observation="planes")
    state = game.from_notation("white 1*15, black 1*15; black plays 5-2")
    reach = state.observation(BLACK)[13]
    assert np.flatnonzero(reach).tolist() == [2, 5, 7]  # fields 3, 6 and 8
    assert (state.observation(WHITE)[13] == reach[::-1]).all()
