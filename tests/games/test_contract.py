"""Each clause of the contract is broken once, and check_game must name it."""

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spiel_bot import Game, check_game, kernel, load
from spiel_bot.errors import BadRequestError, ContractError
from spiel_bot.games.base import NO_ACTION, Actions, Floats, Players, Probabilities, State, States
from spiel_bot.games.catalogue import OWN_GAMES
from spiel_bot.games.clauses import CLAUSES

Break = Callable[[Game], Game]

BREAKS: list[tuple[str, str, str, Break]] = []


def breaks(clause: str, game: str, found: str) -> Callable[[Break], Break]:
    """Register a way to break a clause of a game, and what the message must say of it."""

    def register(make: Break) -> Break:
        BREAKS.append((clause, game, found, make))
        return make

    return register


def respec(game: Game, **changes: Any) -> Game:
    return dataclasses.replace(game, spec=dataclasses.replace(game.spec, **changes))


@pytest.mark.parametrize("name", OWN_GAMES)
def test_our_games_keep_the_contract(name: str) -> None:
    report = check_game(load(name), num_games=20, seed=1)
    assert report.num_games == 20
    assert report.num_positions > 20 * 3
    assert report.num_texts >= 50


@pytest.mark.parametrize(
    ("clause", "name", "found", "make"), BREAKS, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_broken_clause_is_named(clause: str, name: str, found: str, make: Break) -> None:
    with pytest.raises(ContractError) as caught:
        check_game(make(load(name)), num_games=5)
    assert f"breaks the clause '{clause}' ({CLAUSES[clause]})" in str(caught.value)
    assert found in str(caught.value)


def test_every_clause_is_broken_by_a_test() -> None:
    assert {clause for clause, _, _, _ in BREAKS} == CLAUSES.keys()


def test_no_games_are_refused() -> None:
    with pytest.raises(BadRequestError, match="at least 1 game"):
        check_game(load("pig"), num_games=0)


@breaks("spec", "pig", "the name 'Pig!'")
def a_name_with_a_capital(game: Game) -> Game:
    return respec(game, name="Pig!")


@breaks("spec", "pig", "num_actions is 0")
def no_actions(game: Game) -> Game:
    return respec(game, num_actions=0)


@breaks("spec", "pig", "rules_version is 1.5")
def a_version_that_is_not_whole(game: Game) -> Game:
    return respec(game, rules_version=1.5)


@breaks("spec", "pig", "max_legal_actions is greater")
def more_legal_actions_than_actions(game: Game) -> Game:
    return respec(game, max_legal_actions=3)


@breaks("spec", "pig", "observation_shape is ()")
def no_observation(game: Game) -> Game:
    return respec(game, observation_shape=())


@breaks("spec", "pig", "return_range is (1.0, -1.0)")
def a_range_upside_down(game: Game) -> Game:
    return respec(game, return_range=(1.0, -1.0))


@breaks("spec", "pig", "not plain values for JSON")
def an_option_that_json_cannot_hold(game: Game) -> Game:
    return respec(game, options={"targets": (1, 2)})


@breaks("state", "pig", "expected one record with fields")
def a_state_without_fields(game: Game) -> Game:
    return dataclasses.replace(game, initial_state=np.zeros(1, "V8")[0])


@breaks("state", "pig", "a field of dtype object does not hold plain numbers")
def a_state_with_objects(game: Game) -> Game:
    return dataclasses.replace(game, initial_state=np.zeros(1, [("board", object)])[0])


@breaks("state", "pig", "3 bytes of a record belong to no field")
def a_state_with_gaps(game: Game) -> Game:
    dtype = np.dtype([("small", np.int8), ("large", np.int32)], align=True)
    return dataclasses.replace(game, initial_state=np.zeros(1, dtype)[0])


@breaks("chance kernels", "pig", "6 outcomes, 1 of 2 kernels missing")
def a_missing_chance_kernel(game: Game) -> Game:
    return dataclasses.replace(game, apply_chance_many=None)


@breaks("chance kernels", "tic_tac_toe", "0 outcomes, 1 of 2 kernels missing")
def a_chance_kernel_too_many(game: Game) -> Game:
    return dataclasses.replace(game, apply_chance_many=game.apply_many)


@breaks("first position", "tic_tac_toe", "player TERMINAL")
def a_game_over_at_once(game: Game) -> Game:
    over = game.from_text("XXX/OO./... -")
    return dataclasses.replace(game, initial_state=over)


@breaks("current player", "tic_tac_toe", "found 2 in")
def a_third_player(game: Game) -> Game:
    def current_player_many(states: States, out: Players) -> None:
        game.current_player_many(states, out)
        out[out == 1] = 2

    return dataclasses.replace(game, current_player_many=current_player_many)


@breaks("current player", "tic_tac_toe", "found 99 in")
def rows_not_written(game: Game) -> Game:
    def current_player_many(states: States, out: Players) -> None:
        pass

    return dataclasses.replace(game, current_player_many=current_player_many)


def changed_legal_actions(game: Game, change: Callable[[Actions, Actions], None]) -> Game:
    def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
        game.legal_actions_many(states, out, out_counts)
        change(out, out_counts)

    return dataclasses.replace(game, legal_actions_many=legal_actions_many)


@breaks("legal count", "tic_tac_toe", "found 0 for player 0")
def a_decision_without_actions(game: Game) -> Game:
    def forget(legal: Actions, counts: Actions) -> None:
        counts[:] = 0

    return changed_legal_actions(game, forget)


@breaks("legal count", "pig", "found 1 for player -1")
def actions_where_nobody_decides(game: Game) -> Game:
    def offer(legal: Actions, counts: Actions) -> None:
        legal[:, 0] = 0
        counts[counts == 0] = 1

    return changed_legal_actions(game, offer)


@breaks("legal count", "tic_tac_toe", "found 9 for player 0")
def more_actions_than_the_spec_says(game: Game) -> Game:
    def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
        wide = np.empty((len(states), 9), np.int32)
        game.legal_actions_many(states, wide, out_counts)
        out[:] = wide[:, :8]

    return respec(
        dataclasses.replace(game, legal_actions_many=legal_actions_many), max_legal_actions=8
    )


@breaks("legal actions", "tic_tac_toe", "found [8, 7, 6")
def actions_that_descend(game: Game) -> Game:
    def reverse(legal: Actions, counts: Actions) -> None:
        for b, count in enumerate(counts):
            legal[b, :count] = legal[b, :count][::-1].copy()

    return changed_legal_actions(game, reverse)


@breaks("legal actions", "tic_tac_toe", "1, 2, 3, 4, 5, 6, 7, 8, 9]")
def an_action_out_of_range(game: Game) -> Game:
    def shift(legal: Actions, counts: Actions) -> None:
        legal += 1

    return changed_legal_actions(game, shift)


def changed_probabilities(game: Game, change: Callable[[States, Probabilities], None]) -> Game:
    original = game.chance_probabilities_many
    assert original is not None

    def chance_probabilities_many(states: States, out: Probabilities) -> None:
        original(states, out)
        change(states, out)

    return dataclasses.replace(game, chance_probabilities_many=chance_probabilities_many)


@breaks("probabilities", "pig", "found [0.0, 0.1666")
def probabilities_that_do_not_add_up(game: Game) -> Game:
    def drop(states: States, out: Probabilities) -> None:
        out[:, 0] = 0.0

    return changed_probabilities(game, drop)


@breaks("probabilities", "pig", "found [-0.16")
def a_negative_probability(game: Game) -> Game:
    def shift(states: States, out: Probabilities) -> None:
        rolls = states["player"] == -1
        out[rolls, 0] -= 2 / 6
        out[rolls, 1] += 2 / 6

    return changed_probabilities(game, shift)


@breaks("probabilities", "pig", "decides")
def probabilities_where_nobody_rolls(game: Game) -> Game:
    def always(states: States, out: Probabilities) -> None:
        out[:] = 1 / 6

    return changed_probabilities(game, always)


@breaks("probabilities", "tic_tac_toe", "a roll in a game without chance outcomes")
def a_roll_without_outcomes(game: Game) -> Game:
    def current_player_many(states: States, out: Players) -> None:
        out[:] = -1

    def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
        out_counts[:] = 0

    return dataclasses.replace(
        game, current_player_many=current_player_many, legal_actions_many=legal_actions_many
    )


@breaks("observation", "pig", "feature 2 of player 1 is nan")
def a_feature_not_written(game: Game) -> Game:
    def observe_many(states: States, players: Players, out: Floats) -> None:
        rest = out[:, 2].copy()
        game.observe_many(states, players, out)
        out[players == 1, 2] = rest[players == 1]

    return dataclasses.replace(game, observe_many=observe_many)


@breaks("observation", "pig", "feature 0 of player 0 is 3.0")
def a_feature_out_of_range(game: Game) -> Game:
    def observe_many(states: States, players: Players, out: Floats) -> None:
        out[:] = 3.0

    return dataclasses.replace(game, observe_many=observe_many)


def with_returns(game: Game, at_the_end: tuple[float, float], before: float = 0.0) -> Game:
    def returns_many(states: States, out: Floats) -> None:
        out[:] = (before, -before)
        out[states["player"] == -2] = at_the_end

    return dataclasses.replace(game, returns_many=returns_many)


@breaks("returns", "pig", "found [2.0, -2.0] for player -2")
def a_return_out_of_range(game: Game) -> Game:
    return with_returns(game, (2.0, -2.0))


@breaks("returns", "pig", "found [1.0, 1.0] for player -2")
def two_winners(game: Game) -> Game:
    return with_returns(game, (1.0, 1.0))


@breaks("returns", "pig", "found [0.5, -0.5] for player -1")
def a_return_before_the_end(game: Game) -> Game:
    return with_returns(game, (1.0, -1.0), before=0.5)


@breaks("pure queries", "pig", "returns_many changed what it was given")
def a_query_that_moves(game: Game) -> Game:
    def returns_many(states: States, out: Floats) -> None:
        game.returns_many(states, out)
        states["total"][-1] += 1

    return dataclasses.replace(game, returns_many=returns_many)


@breaks("no action", "tic_tac_toe", "apply_many with NO_ACTION changed a state")
def no_action_taken_for_an_action(game: Game) -> Game:
    def apply_many(states: States, actions: Actions) -> None:
        game.apply_many(states, np.maximum(actions, 0))

    return dataclasses.replace(game, apply_many=apply_many)


@breaks("own row", "tic_tac_toe", "apply_many depends on the order of the rows")
def a_row_that_looks_at_its_neighbour(game: Game) -> Game:
    def apply_many(states: States, actions: Actions) -> None:
        game.apply_many(states, actions)
        if (actions != NO_ACTION).all():
            states["winner"][0] = states["cells"][-1].sum() % 2

    return dataclasses.replace(game, apply_many=apply_many)


@breaks("repeatable", "pig", "two results of")
def a_die_of_its_own(game: Game) -> Game:
    rng = np.random.default_rng(1)

    def apply_chance_many(states: States, outcomes: Actions) -> None:
        secret = rng.integers(1, 6, len(outcomes), np.int32)
        assert game.apply_chance_many is not None
        game.apply_chance_many(states, np.where(outcomes == NO_ACTION, outcomes, secret))

    return dataclasses.replace(game, apply_chance_many=apply_chance_many)


@breaks("length", "race", "not over after 3 plies")
def longer_than_it_says(game: Game) -> Game:
    return respec(game, max_plies=3)


@breaks("notation", "pig", "to_text gave 'two\\nlines'")
def a_text_of_two_lines(game: Game) -> Game:
    return dataclasses.replace(game, to_text=lambda state: "two\nlines")


@breaks("notation", "pig", "from_text refused it")
def a_text_it_cannot_read_itself(game: Game) -> Game:
    return dataclasses.replace(game, to_text=lambda state: "hello")


@breaks("notation", "tic_tac_toe", "from_text gave")
def a_text_that_loses_something(game: Game) -> Game:
    return dataclasses.replace(game, from_text=lambda text: game.from_text(".../.../... X"))


@breaks("notation errors", "tic_tac_toe", "'' raised IndexError")
def an_error_of_python(game: Game) -> Game:
    def from_text(text: str) -> State:
        return game.from_text(text[0] + text[1:])

    return dataclasses.replace(game, from_text=from_text)


@breaks("drawing", "pig", "draw gave ' '")
def an_empty_drawing(game: Game) -> Game:
    return dataclasses.replace(game, draw=lambda state: " ")


@breaks("names", "pig", "two actions share a name")
def two_actions_with_one_name(game: Game) -> Game:
    return dataclasses.replace(game, action_name=lambda state, action: "go on")


@breaks("names", "pig", "found the name ''")
def an_outcome_without_a_name(game: Game) -> Game:
    return dataclasses.replace(game, outcome_name=lambda state, outcome: "")


@breaks("spec", "pig", "the name None")
def no_name(game: Game) -> Game:
    return respec(game, name=None)


@breaks("spec", "pig", "observation_shape is 4")
def a_shape_that_is_a_number(game: Game) -> Game:
    return respec(game, observation_shape=4)


@breaks("spec", "pig", "observation_range is ('a', 'b')")
def a_range_of_letters(game: Game) -> Game:
    return respec(game, observation_range=("a", "b"))


@breaks("spec", "pig", "more than 1000000 features")
def an_endless_observation(game: Game) -> Game:
    return respec(game, observation_shape=(10**6, 10**6))


@breaks("state", "pig", "initial_state is a NoneType")
def no_first_position(game: Game) -> Game:
    return dataclasses.replace(game, initial_state=None)  # type: ignore


@breaks("state", "pig", "a field of dtype <U3 does not hold plain numbers")
def a_state_with_letters(game: Game) -> Game:
    return dataclasses.replace(game, initial_state=np.zeros(1, [("name", "U3")])[0])


@breaks("state", "pig", "bytes of a record belong to no field")
def a_gap_inside_a_field(game: Game) -> Game:
    inner = np.dtype([("small", np.int8), ("large", np.int32)], align=True)
    return dataclasses.replace(game, initial_state=np.zeros(1, [("inner", inner)])[0])


# The kernels below are our own, compiled: too small a number must not corrupt memory.


@breaks("sizes", "pig", "chance_probabilities_many wrote past the end of its last row")
def too_few_chance_outcomes(game: Game) -> Game:
    return respec(plainly_compiled(game), num_chance_outcomes=5)


@breaks("sizes", "pig", "observe_many wrote past the end of its last row")
def too_few_features(game: Game) -> Game:
    return respec(plainly_compiled(game), observation_shape=(3,))


@breaks("sizes", "tic_tac_toe", "legal_actions_many wrote past the end of its last row")
def too_few_legal_actions(game: Game) -> Game:
    return respec(plainly_compiled(game), max_legal_actions=3)


def plainly_compiled(game: Game) -> Game:
    """Skip where a write out of bounds is an error of its own: as plain Python, or if checked."""
    if not hasattr(game.apply_many, "py_func") or os.environ.get("NUMBA_BOUNDSCHECK"):
        pytest.skip("bounds are checked in this mode")
    return game


@breaks("calls", "pig", "apply_many raised ZeroDivisionError")
def a_kernel_that_raises(game: Game) -> Game:
    def apply_many(states: States, actions: Actions) -> None:
        raise ZeroDivisionError("no pig")

    return dataclasses.replace(game, apply_many=apply_many)


@breaks("calls", "pig", "returns_many raised")
def a_kernel_that_does_not_compile(game: Game) -> Game:
    return dataclasses.replace(game, returns_many=kernel(calls_nothing_known))


def calls_nothing_known(states: States, out: Floats) -> None:
    out[0, 0] = not_defined_anywhere(states)  # type: ignore[name-defined]  # noqa: F821


@breaks("calls", "pig", "draw raised KeyError")
def a_drawing_that_raises(game: Game) -> Game:
    def draw(state: State) -> str:
        raise KeyError("no pencil")

    return dataclasses.replace(game, draw=draw)


@breaks("drawing", "pig", "svg gave None")
def a_picture_of_nothing(game: Game) -> Game:
    return dataclasses.replace(game, svg=lambda state: None)  # type: ignore


@breaks("names", "pig", "found the name 7")
def a_name_that_is_a_number(game: Game) -> Game:
    return dataclasses.replace(game, outcome_name=lambda state, outcome: 7)  # type: ignore


@breaks("own row", "pig", "observe_many depends on the order of the rows")
def an_observation_of_the_first_row(game: Game) -> Game:
    def observe_many(states: States, players: Players, out: Floats) -> None:
        game.observe_many(states, players, out)
        out[:, 0] = out[0, 0]

    return dataclasses.replace(game, observe_many=observe_many)


@breaks("pure queries", "pig", "observe_many changed what it was given")
def an_observation_that_changes_the_players(game: Game) -> Game:
    def observe_many(states: States, players: Players, out: Floats) -> None:
        game.observe_many(states, players, out)
        players[:] = 0

    return dataclasses.replace(game, observe_many=observe_many)


@breaks("pure queries", "pig", "legal_actions_many changed what it was given")
def a_list_that_moves(game: Game) -> Game:
    def legal_actions_many(states: States, out: Actions, out_counts: Actions) -> None:
        game.legal_actions_many(states, out, out_counts)
        states["total"] += 1

    return dataclasses.replace(game, legal_actions_many=legal_actions_many)


@breaks("legal actions", "tic_tac_toe", "found [-1, 0")
def a_negative_action(game: Game) -> Game:
    def shift(legal: Actions, counts: Actions) -> None:
        legal -= 1

    return changed_legal_actions(game, shift)


@breaks("legal actions", "tic_tac_toe", "found [0, 0,")
def an_action_twice(game: Game) -> Game:
    def repeat(legal: Actions, counts: Actions) -> None:
        legal[counts > 1, 1] = legal[counts > 1, 0]

    return changed_legal_actions(game, repeat)


@breaks("returns", "pig", "for player -2")
def a_return_below_the_range(game: Game) -> Game:
    return respec(game, return_range=(-0.5, 1.0))


@breaks("notation", "race", "from_text gave")
def a_leftover_that_no_text_shows(game: Game) -> Game:
    def apply_many(states: States, actions: Actions) -> None:
        game.apply_many(states, actions)
        states["again"][(states["player"] == -1) & (actions != NO_ACTION)] = 1

    return dataclasses.replace(game, apply_many=apply_many)


@breaks("canonical action", "trictrac", "became -1")
def a_legal_action_without_a_canonical_one(game: Game) -> Game:
    return dataclasses.replace(game, canonical_action=lambda state, action: NO_ACTION)


@breaks("canonical action", "trictrac", "became")
def a_canonical_action_that_is_not_legal(game: Game) -> Game:
    return dataclasses.replace(game, canonical_action=lambda state, action: action)


@breaks("gains", "trictrac", "found [[-1.0")
def gains_that_are_losses(game: Game) -> Game:
    def gains_many(before: States, after: States, out: Floats) -> None:
        out[:] = 0.0
        out[:, :, 0] = -1.0

    return dataclasses.replace(game, gains_many=gains_many)


@breaks("win chances", "trictrac", "found 0.4 for the equity 0.0")
def chances_that_fall(game: Game) -> Game:
    def win_chances_many(states: States, equities: Probabilities, out: Probabilities) -> None:
        out[:] = 0.4 + 0.1 * (equities < 0)

    return dataclasses.replace(game, win_chances_many=win_chances_many)


@breaks("win chances", "trictrac", "found 1.5 for the equity 1.0")
def more_than_certain(game: Game) -> Game:
    def win_chances_many(states: States, equities: Probabilities, out: Probabilities) -> None:
        out[:] = (equities + 2.0) / 2.0

    return dataclasses.replace(game, win_chances_many=win_chances_many)
