"""The search as a whole: against its slow twin, and what must hold for every tree."""

import numpy as np
import pytest
from tests.search.spies import Broken, Constant, Spy, StateSpy
from tests.search.trees import (
    CHANCES,
    POSITIONS,
    SELECTIONS,
    assert_same_trees,
    batch_of,
    check_sums,
    game_of,
    position,
    run_both,
    streams_of,
    tree_of,
)

from spiel_bot import CHANCE, TERMINAL, Environment
from spiel_bot.errors import BadRequestError, EvaluationError
from spiel_bot.search.batch import Search
from spiel_bot.search.config import Chance, MctsConfig, Selection
from spiel_bot.search.evaluator import HashEvaluator
from spiel_bot.search.tree import NO_NODE, ROOT

# Plain Python takes seconds for what is compiled in milliseconds.
COMPILED = pytest.mark.compiled
EVERY_GAME = ["tic_tac_toe", "pig", "race", pytest.param("trictrac", marks=COMPILED)]
EVERY_WAY = [(selection, chance) for selection in SELECTIONS for chance in CHANCES]


def all_positions(name: str) -> list[Environment]:
    return [position(name, index) for index in range(len(POSITIONS[name]))]


# Against the slow twin


@pytest.mark.parametrize(("selection", "chance"), EVERY_WAY)
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
@pytest.mark.parametrize(
    ("simulations", "leaves"),
    [
        pytest.param(1, 1, marks=COMPILED),
        pytest.param(2, 1, marks=COMPILED),
        (3, 2),
        pytest.param(3, 1, marks=COMPILED),
        pytest.param(16, 1, marks=COMPILED),
    ],
)
def test_short_searches_equal_the_slow_search_node_by_node(
    name: str, selection: Selection, chance: Chance, simulations: int, leaves: int
) -> None:
    config = MctsConfig(
        selection=selection,
        chance=chance,
        n_simulations=simulations,
        eval_batch_size=leaves,
        dirichlet_alpha="auto",
        temperature=0.7,
    )
    run_both(config, all_positions(name), seed=simulations)


@pytest.mark.compiled
@pytest.mark.parametrize(("selection", "chance"), EVERY_WAY)
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
@pytest.mark.parametrize(("leaves", "seed"), [(1, 0), (1, 1), (5, 2), (16, 3)])
def test_searches_equal_the_slow_search_node_by_node(
    name: str, selection: Selection, chance: Chance, leaves: int, seed: int
) -> None:
    config = MctsConfig(
        selection=selection, chance=chance, n_simulations=64, eval_batch_size=leaves
    )
    run_both(config, all_positions(name), seed)


@pytest.mark.compiled
@pytest.mark.parametrize(("selection", "chance"), EVERY_WAY)
@pytest.mark.parametrize(("simulations", "leaves"), [(32, 1), (17, 6)])
def test_searches_of_trictrac_equal_the_slow_search_node_by_node(
    selection: Selection, chance: Chance, simulations: int, leaves: int
) -> None:
    config = MctsConfig(
        selection=selection, chance=chance, n_simulations=simulations, eval_batch_size=leaves
    )
    run_both(config, all_positions("trictrac"), seed=4)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_short_search_of_trictrac_equals_the_slow_search(selection: Selection) -> None:
    config = MctsConfig(selection=selection, chance="quota", n_simulations=4, eval_batch_size=3)
    run_both(config, all_positions("trictrac")[:2], seed=9)


@pytest.mark.parametrize(
    "changes",
    [
        {"c_puct": 0.0},
        {"c_puct": 4.0, "fpu_reduction": 0.0},
        {"fpu_reduction": 1.0, "dirichlet_eps": 0.0},
        {"dirichlet_eps": 1.0, "dirichlet_alpha": 1.5},
        {"temperature": 0.0, "target": "completed_q"},
        {"selection": "gumbel", "gumbel_actions": 3},
        {"selection": "gumbel", "gumbel_actions": 1, "gumbel_scale": 0.0},
        {"selection": "gumbel", "gumbel_visit_scale": 1.0, "gumbel_value_scale": 0.1},
        {"selection": "gumbel", "target": "visits"},
    ],
)
def test_every_setting_means_what_the_slow_search_makes_of_it(changes: dict[str, object]) -> None:
    config = MctsConfig(n_simulations=16, eval_batch_size=4).replace(**changes)
    run_both(config, [position("race", 0), position("race", 2)], seed=6)


# What holds for every tree


@pytest.mark.parametrize(("selection", "chance"), EVERY_WAY)
@pytest.mark.parametrize("name", EVERY_GAME)
def test_every_node_is_a_position_of_the_engine_with_its_actions_or_outcomes(
    name: str, selection: Selection, chance: Chance
) -> None:
    states = all_positions(name)[:2]
    config = MctsConfig(selection=selection, chance=chance, n_simulations=5, eval_batch_size=4)
    search = Search(game_of(name), HashEvaluator(game_of(name)), config)
    search.run(batch_of(*states), streams_of(seed=3, count=2))
    for row in range(2):
        nodes, edges, records = tree_of(search, row)
        for node, record in zip(nodes, records, strict=True):
            state = Environment(search.game, np.array([record]), 0)
            own = edges[node["first_edge"] : node["first_edge"] + node["num_edges"]]
            assert node["player"] == state.current_player
            if node["player"] == CHANCE:
                found = dict(zip(own["label"].tolist(), own["prior"].tolist(), strict=True))
                assert found == pytest.approx(dict(state.chance_outcomes))
            else:
                assert own["label"].tolist() == state.legal_actions
                assert own["prior"].sum() == pytest.approx(1.0 if state.legal_actions else 0.0)
            for edge in own[own["child"] != NO_NODE]:
                after = state.clone()
                if node["player"] == CHANCE:
                    after.apply_outcome(int(edge["label"]))
                else:
                    after.apply(int(edge["label"]))
                assert after.record == records[edge["child"]]


@pytest.mark.parametrize(("selection", "chance"), EVERY_WAY)
@pytest.mark.parametrize("name", EVERY_GAME)
def test_visits_and_sums_fit_together(name: str, selection: Selection, chance: Chance) -> None:
    states = all_positions(name)
    simulations = 11
    config = MctsConfig(
        selection=selection, chance=chance, n_simulations=simulations, eval_batch_size=3
    )
    search = Search(game_of(name), HashEvaluator(game_of(name)), config)
    result = search.run(batch_of(*states), streams_of(seed=1, count=len(states)))
    for row, state in enumerate(states):
        check_sums(search, row)
        root = search.forest.tree.nodes[row, ROOT]
        assert result.simulations[row] == simulations
        assert result.actions[row, : result.num_actions[row]].tolist() == state.legal_actions
        if state.current_player == CHANCE:
            assert root["visits"] == simulations
            assert (result.action[row], result.num_actions[row]) == (-1, 0)
        else:
            assert result.visits[row].sum() == simulations
            assert root["visits"] == 1 + simulations
            assert result.action[row] in state.legal_actions
            assert result.policy[row].sum() == pytest.approx(1)
        assert (result.visits[row, result.num_actions[row] :] == 0).all()


def test_a_search_does_not_read_the_dice_of_the_game() -> None:
    config = MctsConfig(n_simulations=24, chance="sample")
    trees = []
    for game_seed in (1, 2):
        state = position("race", 0, seed=game_seed)
        untouched = position("race", 0, seed=game_seed)
        search = Search(state.game, HashEvaluator(state.game), config)
        search.run(batch_of(state), streams_of(seed=7))
        trees.append(tree_of(search))
        for one in (state, untouched):
            while one.current_player != CHANCE:
                one.apply(one.legal_actions[0])
        assert [state.clone().apply_chance() for _ in range(3)] == [
            untouched.clone().apply_chance() for _ in range(3)
        ]
    assert_same_trees(*trees)


def test_positions_that_are_searched_stay_as_they_are() -> None:
    states = batch_of(*all_positions("race"))
    before = states.copy()
    search = Search(game_of("race"), HashEvaluator(game_of("race")), MctsConfig(n_simulations=9))
    search.run(states, streams_of(seed=7, count=len(states)))
    assert (states == before).all()


@pytest.mark.parametrize(("selection", "chance"), EVERY_WAY)
def test_games_of_a_batch_do_not_influence_each_other(selection: Selection, chance: Chance) -> None:
    config = MctsConfig(selection=selection, chance=chance, n_simulations=9, eval_batch_size=2)
    states = all_positions("race") + all_positions("race")[::-1]
    together = Search(game_of("race"), HashEvaluator(game_of("race")), config)
    result = together.run(batch_of(*states), streams_of(seed=2, count=len(states)))
    alone = Search(game_of("race"), HashEvaluator(game_of("race")), config)
    for row, state in enumerate(states):
        one = alone.run(batch_of(state), streams_of(seed=2, first=row))
        assert_same_trees(tree_of(together, row), tree_of(alone))
        assert one.action[0] == result.action[row]
        np.testing.assert_array_equal(one.policy[0], result.policy[row])


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["pig", "race", "trictrac"])
def test_one_game_and_256_games_give_the_same_trees(name: str) -> None:
    config = MctsConfig(n_simulations=24, eval_batch_size=4)
    states = (all_positions(name) * 256)[:256]
    together = Search(game_of(name), HashEvaluator(game_of(name)), config)
    together.run(batch_of(*states), streams_of(seed=8, count=256))
    alone = Search(game_of(name), HashEvaluator(game_of(name)), config)
    for row, state in enumerate(states):
        alone.run(batch_of(state), streams_of(seed=8, first=row))
        assert_same_trees(tree_of(together, row), tree_of(alone))


def test_a_batch_without_games_is_searched_at_once() -> None:
    game = game_of("race")
    for config in (MctsConfig(), MctsConfig(selection="gumbel", memory_limit_mb=None)):
        result = Search(game, HashEvaluator(game), config).run(
            game.new_states(0), streams_of(seed=1, count=0)
        )
        assert (len(result.action), result.evaluations) == (0, 0)


# Sides


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize(
    ("name", "index"),
    [("pig", 1), ("race", 0), ("race", 2), pytest.param("trictrac", 1, marks=COMPILED)],
)
def test_a_side_that_acts_twice_keeps_its_own_value(name: str, index: int, chance: Chance) -> None:
    # The evaluator gives half a win to whoever decides: white's value says who that is.
    state = position(name, index)
    config = MctsConfig(n_simulations=8, chance=chance, dirichlet_eps=0.0)
    search = Search(state.game, Constant(state.game, 0.5), config)
    search.run(batch_of(state), streams_of(seed=1))
    nodes = tree_of(search).nodes
    decisions = nodes[(nodes["player"] == 0) | (nodes["player"] == 1)]
    assert (decisions["value"] == np.where(decisions["player"] == 0, 0.5, -0.5)).all()
    has_parent = nodes["parent"] != NO_NODE
    parents = nodes["player"][nodes["parent"][has_parent]]
    twice = (nodes["player"][has_parent] == parents) & (parents >= 0)
    if name == "race":
        assert twice.any()  # two numbers, two decisions
    check_sums(search)


def test_going_on_in_trictrac_keeps_the_side_to_move() -> None:
    state = position("trictrac", 1)
    go = state.legal_actions[0]
    assert state.action_name(go) == "go"
    after = state.clone()
    after.apply(go)
    assert (after.current_player, int(after.record["mover"])) == (CHANCE, 0)
    for outcome, _ in after.chance_outcomes:
        rolled = after.clone()
        rolled.apply_outcome(outcome)
        assert rolled.current_player in (0, TERMINAL)
    config = MctsConfig(n_simulations=1, chance="expect", selection="gumbel", gumbel_scale=0.0)
    search = Search(state.game, Constant(state.game, 0.5, favourite=go), config)
    result = search.run(batch_of(state), streams_of(seed=1))
    assert result.action[0] == go
    # All 21 rolls after going are white's own decisions, so white's value stays his.
    assert result.values[0, 0] == pytest.approx(0.5)


# Batched leaves


@pytest.mark.parametrize("chance", CHANCES)
def test_leaves_are_gathered_and_the_rest_is_not_forgotten(chance: Chance) -> None:
    state = position("race")
    for simulations, leaves in ((10, 4), (7, 8), (5, 5), (3, 1)):
        config = MctsConfig(n_simulations=simulations, eval_batch_size=leaves, chance=chance)
        spy = Spy(HashEvaluator(state.game))
        result = Search(state.game, spy, config).run(batch_of(state), streams_of(seed=1))
        assert result.simulations[0] == result.visits.sum() == simulations
        assert spy.batches[0] == 1  # the root
        assert result.evaluations == sum(spy.batches)
        if chance != "expect":
            assert max(spy.batches) <= leaves
    assert len(spy.batches) <= 1 + 3


@pytest.mark.compiled
def test_several_leaves_need_fewer_calls_of_the_evaluator() -> None:
    state = position("trictrac")
    calls = []
    for leaves in (1, 8):
        spy = Spy(HashEvaluator(state.game))
        config = MctsConfig(n_simulations=16, eval_batch_size=leaves)
        Search(state.game, spy, config).run(batch_of(state), streams_of(seed=1))
        calls.append(len(spy.batches))
    assert calls[0] == 17
    assert calls[1] <= 6


# The evaluator


@pytest.mark.parametrize(("selection", "chance"), EVERY_WAY)
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
def test_only_decisions_are_sent_to_the_evaluator(
    name: str, selection: Selection, chance: Chance
) -> None:
    states = all_positions(name)
    spy = StateSpy(game_of(name))
    config = MctsConfig(selection=selection, chance=chance, n_simulations=16)
    search = Search(game_of(name), spy, config)
    search.run(batch_of(*states), streams_of(seed=1, count=len(states)))
    players = search.forest.tree.nodes["player"]
    assert any(
        (players[row, : search.forest.tree.num_nodes[row]] == TERMINAL).any()
        for row in range(len(states))
    ) or (chance == "leaf")
    assert spy.players == {0, 1}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("logits", r"expected logits \(1, 12\) and values \(1,\) .*got \(1, 11\) and \(1,\)"),
        ("values", r"expected logits \(1, 12\) and values \(1,\) .*got \(1, 12\) and \(1, 1\)"),
        ("nan value", r"numbers that are not finite for 'white 0,0,0,0,1,1,1"),
        ("nan logit", r"numbers that are not finite for 'white 0,0,0,0,1,1,1"),
        ("infinite logit", r"numbers that are not finite for 'white 0,0,0,0,1,1,1"),
    ],
)
def test_what_is_no_evaluation_is_refused_in_one_line(fault: str, message: str) -> None:
    state = position("race")
    search = Search(state.game, Broken(state.game, fault), MctsConfig(n_simulations=4))
    with pytest.raises(EvaluationError, match=message) as caught:
        search.run(batch_of(state), streams_of(seed=1))
    assert "\n" not in str(caught.value)


def test_logits_of_illegal_actions_do_not_matter() -> None:
    state = position("race")
    config = MctsConfig(n_simulations=12)
    search = Search(state.game, Broken(state.game, "nan where illegal"), config)
    search.run(batch_of(state), streams_of(seed=1))
    plain = Search(state.game, HashEvaluator(state.game), config)
    plain.run(batch_of(state), streams_of(seed=1))
    assert_same_trees(tree_of(search), tree_of(plain))


@pytest.mark.parametrize("good_calls", [0, 3])
def test_a_search_can_be_used_again_after_the_evaluator_failed(good_calls: int) -> None:
    states = batch_of(position("race"), position("race", 2))
    game, config = game_of("race"), MctsConfig(n_simulations=20, eval_batch_size=3)
    search = Search(game, Broken(game, "nan once", good_calls=good_calls), config)
    with pytest.raises(EvaluationError):
        search.run(states, streams_of(seed=1, count=2))
    result = search.run(states, streams_of(seed=1, count=2), reuse=True)
    assert result.simulations.tolist() == [20, 20]
    assert result.visits.sum(axis=1).tolist() == [20, 20]
    check_sums(search, 0)
    check_sums(search, 1)


# Requests and limits


def test_a_game_that_is_over_is_refused() -> None:
    over = game_of("tic_tac_toe").from_notation("XXX/OO./... -")
    search = Search(over.game, HashEvaluator(over.game), MctsConfig(n_simulations=2))
    with pytest.raises(BadRequestError, match=r"the game is over in 'XXX/OO\./\.\.\. -'; there is"):
        search.run(batch_of(position("tic_tac_toe"), over), streams_of(seed=1, count=2))


def test_a_stream_for_each_position_is_asked_for() -> None:
    state = position("tic_tac_toe")
    search = Search(state.game, HashEvaluator(state.game))
    with pytest.raises(BadRequestError, match=r"expected positions \[B\] and streams \[B, 4\]"):
        search.run(batch_of(state), streams_of(seed=1, count=2))


@pytest.mark.parametrize("is_other_game", [True, False])
def test_what_is_not_of_this_game_is_refused(is_other_game: bool) -> None:
    state = position("tic_tac_toe")
    search = Search(state.game, HashEvaluator(state.game), MctsConfig(n_simulations=2))
    states = batch_of(position("race") if is_other_game else state)
    numbers = streams_of(seed=1, count=1).astype(np.int64 if is_other_game else np.float64)
    with pytest.raises(BadRequestError, match="expected positions of tic_tac_toe and streams of"):
        search.run(states, numbers)  # type: ignore[arg-type]


def test_streams_that_cannot_be_advanced_are_refused() -> None:
    state = position("tic_tac_toe")
    search = Search(state.game, HashEvaluator(state.game), MctsConfig(n_simulations=2))
    every_second = np.repeat(streams_of(seed=1, count=1), 2, axis=1)[:, ::2]
    with pytest.raises(BadRequestError, match="next to each other and writable"):
        search.run(batch_of(state), every_second)


def test_a_search_stops_with_a_valid_result_when_its_time_is_up() -> None:
    state = position("race")
    config = MctsConfig(n_simulations=10**6, time_limit_seconds=1e-6, eval_batch_size=4)
    search = Search(state.game, HashEvaluator(state.game), config)
    result = search.run(batch_of(state), streams_of(seed=1))
    assert 0 < result.simulations[0] <= 4
    assert result.visits.sum() == result.simulations[0]
    assert result.action[0] in state.legal_actions
    check_sums(search)


def test_a_watcher_sees_every_descent_once() -> None:
    state = position("pig")
    seen: list[int] = []
    for chance in CHANCES:
        config = MctsConfig(n_simulations=11, eval_batch_size=4, chance=chance)
        search = Search(state.game, HashEvaluator(state.game), config)
        seen.clear()
        search.run(
            batch_of(state),
            streams_of(seed=1),
            watcher=lambda _tree, games, _leaves, _values: seen.append(len(games)),
        )
        assert sum(seen) == 11
