import numpy as np
import pytest

from spiel_bot.arena.elo import elo_of_scores
from spiel_bot.arena.ratings import PAIR_POINTS, PairCounts, rate
from spiel_bot.arena.sprt import expected_score
from spiel_bot.errors import BadRequestError

TRUE = {"random": 0.0, "weak": 120.0, "good": 300.0, "better": 340.0, "best": 500.0}


def play(
    rng: np.random.Generator, first: str, second: str, pairs: int, shared: float = 0.3
) -> PairCounts:
    """Return pairs of games with a true chance to win; some pairs have both games alike."""
    chance = expected_score(TRUE[first] - TRUE[second])
    games = rng.random((pairs, 2)) < chance
    alike = rng.random(pairs) < shared
    games[alike, 1] = games[alike, 0]
    points = 2 * games.sum(axis=1)
    return PairCounts(first, second, tuple(np.bincount(points, minlength=5).tolist()))


def tournament(seed: int, pairs: int = 150) -> list[PairCounts]:
    rng = np.random.default_rng(seed)
    names = list(TRUE)
    return [
        play(rng, first, second, pairs)
        for i, first in enumerate(names)
        for second in names[i + 1 :]
    ]


def test_known_strengths_are_recovered_within_their_error() -> None:
    deviations = []
    for seed in range(60):
        for one in rate(tournament(seed), "random"):
            if one.player == "random":
                assert (one.elo, one.error) == (0.0, 0.0)
                continue
            deviations.append((one.elo - TRUE[one.player]) / one.error)
    # Errors that say how far off a rating is make deviations of size 1, all over the place.
    assert abs(np.mean(deviations)) < 0.35
    assert np.std(deviations) == pytest.approx(1.0, abs=0.2)
    assert max(map(abs, deviations)) < 4.5


def test_the_best_comes_first_and_games_are_counted() -> None:
    rated = rate(tournament(1, pairs=1000), "random")
    assert [one.player for one in rated] == ["best", "better", "good", "weak", "random"]
    assert {one.games for one in rated} == {4 * 2 * 1000}


def test_one_pairing_gives_the_elo_of_the_match() -> None:
    counts = (10, 0, 30, 0, 60)
    by_match = elo_of_scores(np.repeat(PAIR_POINTS, counts))
    best, anchor = rate([PairCounts("a", "random", counts)], "random")
    assert best.elo == pytest.approx(by_match.elo, abs=0.01)
    assert best.error == pytest.approx(by_match.error, rel=0.01)
    assert anchor.player == "random"


def test_who_is_named_first_does_not_matter_and_matches_add_up() -> None:
    turned = [PairCounts(m.second, m.first, m.counts[::-1]) for m in tournament(3)]
    for one, other in zip(
        rate(tournament(3), "random"), rate(turned + tournament(4), "random"), strict=True
    ):
        assert other.games == 2 * one.games
    assert rate(turned, "random") == rate(tournament(3), "random")


def test_a_player_who_never_lost_has_a_finite_rating() -> None:
    best, middle, _ = rate(
        [PairCounts("b", "a", (0, 0, 0, 0, 50)), PairCounts("a", "random", (0, 0, 0, 0, 50))],
        "random",
    )
    assert 300 < middle.elo < 1500
    assert middle.elo + 300 < best.elo < 3000
    assert np.isfinite(best.error)


def test_players_without_a_chain_to_the_anchor_are_left_out() -> None:
    island = PairCounts("x", "y", (1, 0, 1, 0, 1))
    rated = rate([*tournament(1), island, PairCounts("x", "x", (0, 0, 9, 0, 0))], "random")
    assert {one.player for one in rated} == set(TRUE)
    with pytest.raises(BadRequestError, match="no match of random"):
        rate([island], "random")
