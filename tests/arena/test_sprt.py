import numpy as np
import pytest

from spiel_bot.arena.sprt import BOUND, LEAST_PAIRS, Sprt, expected_score
from spiel_bot.errors import BadRequestError


@pytest.mark.parametrize("text", ["5", "5,-5", "a,b", "1,2,3", "nan,5", "3,3"])
def test_two_differences_are_expected_the_lower_first(text: str) -> None:
    with pytest.raises(BadRequestError, match="expected"):
        Sprt.parse(text)


def test_the_expected_score_is_that_of_elo() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(-400) == pytest.approx(1 / 11)


def test_a_few_pairs_decide_nothing() -> None:
    assert Sprt(-5, 5).verdict(np.ones(LEAST_PAIRS - 1)) == "undecided"


def test_the_ratio_grows_with_every_point() -> None:
    test = Sprt(-20, 20)
    scores = np.array([0.0, 0.5, 0.5, 1.0] * 10)
    ratios = [test.log_likelihood_ratio(np.append(scores, last)) for last in (0.0, 0.5, 1.0)]
    assert ratios[0] < ratios[1] < ratios[2]
    assert test.log_likelihood_ratio(scores) == pytest.approx(0.0)


@pytest.mark.parametrize(("elo", "expected"), [(-5.0, "H0"), (5.0, "H1")])
def test_the_wrong_hypothesis_is_accepted_in_one_of_twenty_cases(elo: float, expected: str) -> None:
    rng = np.random.default_rng(5)
    test, verdicts = Sprt(-5, 5), []
    for _ in range(200):
        # Pairs of games with one chance to win each give 0, 0.5 or 1.
        scores = rng.binomial(2, expected_score(elo), 40_000) / 2
        for stop in range(200, len(scores) + 1, 200):
            if test.verdict(scores[:stop]) != "undecided":
                break
        verdicts.append(test.verdict(scores[:stop]))
    wrong = sum(verdict != expected for verdict in verdicts)
    assert wrong <= 20  # 10 expected, deviation 3
    assert pytest.approx(2.944, abs=0.001) == BOUND
