import numpy as np
import pytest
from tests.search.spies import Constant
from tests.search.trees import POSITIONS, game_of, position

from spiel_bot.games.base import Floats
from spiel_bot.search.evaluator import Evaluator, HashEvaluator, StateEvaluator, UniformEvaluator


def observations(name: str) -> Floats:
    return np.array(
        [position(name, index).observation(0).reshape(-1) for index in range(len(POSITIONS[name]))]
    )


def test_the_uniform_evaluator_knows_nothing() -> None:
    game = game_of("race")
    evaluator = UniformEvaluator(game)
    for count in (3, 1, 5):
        logits, values = evaluator.evaluate_batch(
            np.ones((count, game.spec.observation_size), np.float32)
        )
        assert logits.shape == (count, game.spec.num_actions)
        assert not logits.any()
        assert values.tolist() == [0.0] * count
    logits, value = evaluator.evaluate(observations("race")[0])
    assert (logits.tolist(), value) == ([0.0] * game.spec.num_actions, 0.0)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_hash_evaluator_gives_each_observation_numbers_of_its_own(name: str) -> None:
    game = game_of(name)
    seen = observations(name)
    logits, values = HashEvaluator(game).evaluate_batch(seen)
    assert logits.shape == (len(seen), game.spec.num_actions)
    assert ((logits >= 0) & (logits < 4)).all()
    assert ((values >= -1) & (values < 1)).all()
    assert len(set(values.tolist())) == len(seen)
    other = HashEvaluator(game, seed=1).evaluate_batch(seen)
    assert (values != other[1]).all()
    # Neighbours, order and single calls make no difference.
    mirrored = HashEvaluator(game).evaluate_batch(seen[::-1])
    np.testing.assert_array_equal(mirrored[0][::-1], logits)
    for row, observation in enumerate(seen):
        single, value = HashEvaluator(game).evaluate(observation)
        np.testing.assert_array_equal(single, logits[row])
        assert value == values[row]


def test_the_numbers_of_a_hash_stay_what_they_are() -> None:
    # A change here changes every test that stands on this evaluator, and the search signature.
    logits, value = HashEvaluator(game_of("tic_tac_toe")).evaluate(observations("tic_tac_toe")[0])
    assert value == 0.04726755619049072
    assert logits[:3].tolist() == [1.4360783100128174, 0.49939560890197754, 2.1906039714813232]


def test_a_batch_is_evaluated_one_by_one_unless_a_subclass_knows_better() -> None:
    game = game_of("tic_tac_toe")
    evaluator = Constant(game, 0.25, favourite=3)
    logits, values = evaluator.evaluate_batch(observations("tic_tac_toe"))
    assert logits.dtype == values.dtype == np.dtype(np.float32)
    assert logits.shape == (len(POSITIONS["tic_tac_toe"]), 9)
    assert logits.argmax(axis=1).tolist() == [3] * len(logits)
    assert values.tolist() == [0.25] * len(logits)


def test_an_evaluator_must_say_how_it_evaluates() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Evaluator()  # type: ignore[abstract]
    assert not isinstance(UniformEvaluator(game_of("pig")), StateEvaluator)
