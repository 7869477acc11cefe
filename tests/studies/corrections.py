"""How long do a network's errors last, and which lambda corrects them?

Run: python -m tests.studies.corrections [MODEL] [--games 2000] [--lambdas 0 0.5 0.8 0.9]

The network plays games as in the recipe `third`, but for returns, and every position that is played
is judged by the exact mean over its next roll. The gap between that and the network's own value is
what one roll tells; gaps of one sign that follow each other are an error that one roll does not
show. Then the network learns from four games of five, corrected by what was found later in them
(`luckless_returns`), and is asked about the fifth: how its squared error changes, times 10,000, by
the means alone and by what they come to in the long run (lambda 0.95).
"""

import argparse
import dataclasses
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tests.studies.refit import Judged, refitted, said_of, say

from spiel_bot import load
from spiel_bot.cluster.presets import recipe
from spiel_bot.games.base import Floats, Game
from spiel_bot.learning.judged_play import JudgedPlay, judged_samples, luckless_returns
from spiel_bot.networks.checkpoint import Checkpoint
from spiel_bot.networks.inference import OnnxEvaluator
from spiel_bot.networks.onnx_model import model_bytes
from spiel_bot.players.models import named_checkpoint
from spiel_bot.storage.records import GameRecord

HELD_OUT = 5
LAGS = (1, 2, 3, 4, 6, 8, 12)
ASKED_BY = (0.0, 0.95)
TEN_THOUSAND = 1e4


class Course(NamedTuple):
    """A game as it was judged: D decisions, S of them with a position behind."""

    record: GameRecord  # its values are the means alone
    own: npt.NDArray[np.float64]  # [D] white's, as the network saw the positions played
    is_best: npt.NDArray[np.bool_]  # [D]

    def values(self, game: Game, lambda_: float) -> Floats:
        """Return what each position judged is worth [S] to who left it."""
        return judged_samples(game, self.corrected(lambda_)).values

    def corrected(self, lambda_: float) -> GameRecord:
        """Return the game as it is learned from."""
        values = luckless_returns(self.record.root_values, self.own, self.is_best, lambda_)
        return dataclasses.replace(self.record, root_values=values)

    def gaps(self) -> npt.NDArray[np.float64]:
        """Return the mean less the network's own value [S], for white."""
        judged = self.record.is_full_search
        return (self.record.root_values - self.own)[judged]


class Chronicler(JudgedPlay):
    """Plays as the recipe does, and keeps what it thought."""

    def __init__(self, *arguments: object, **settings: object) -> None:
        super().__init__(*arguments, **settings)  # type: ignore[arg-type]
        self.courses: list[Course] = []

    def _finished(self, record: GameRecord) -> GameRecord:
        steps = self._courses.pop(record.number)
        own = np.array([step.value for step in steps])
        is_best = np.array([step.is_best for step in steps])
        self.courses.append(Course(record, own, is_best))
        return record


def courses(game: Game, checkpoint: Checkpoint, games: int, seed: int) -> list[Course]:
    """Return games of the network as the recipe plays them."""
    evaluator = OnnxEvaluator(model_bytes(checkpoint, "float"))
    config = dataclasses.replace(recipe("third").td.selfplay, judged_aim="returns")
    worker = Chronicler(game, evaluator, config, seed=seed)
    worker.play(iter(range(games)), lambda record: None)
    return worker.courses


def seen_by(game: Game, played: list[Course]) -> Floats:
    """Return what who left them sees of the positions judged [S, F]."""
    parts = []
    for course in played:
        samples = judged_samples(game, course.record)
        seen = np.empty((len(samples.states), game.spec.observation_size), np.float32)
        game.observe_many(samples.states, samples.movers, seen)
        parts.append(seen)
    return np.concatenate(parts)


def correlation(played: list[Course], lag: int) -> float:
    """Return how gaps go together that are so many decisions apart."""
    pairs = [(gaps[:-lag], gaps[lag:]) for gaps in (course.gaps() for course in played)]
    first, second = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return float(np.corrcoef(first, second)[0, 1])


def change(
    before: Floats, after: Floats, targets: Floats, numbers: npt.NDArray[np.int64]
) -> tuple[float, float]:
    """Return how the squared error changed, and the standard error of that, games being whole."""
    changes = (after - targets) ** 2 - (before - targets) ** 2
    mean = float(changes.mean())
    by_game = np.bincount(numbers, changes - mean)
    error = float(np.sqrt((by_game**2).sum())) / len(changes)
    return TEN_THOUSAND * mean, TEN_THOUSAND * error


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default="bot")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--lambdas", type=float, nargs="+", default=[0.0, 0.5, 0.8, 0.9])
    parser.add_argument("--uses", type=int, default=4)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--seed", type=int, default=78)
    given = parser.parse_args()
    _, checkpoint = named_checkpoint(given.model, "trictrac", None)
    game = load("trictrac", **checkpoint.header.options)
    played = courses(game, checkpoint, given.games, given.seed)
    gaps = np.concatenate([course.gaps() for course in played])
    say(f"{len(gaps):,} positions, squared gap {TEN_THOUSAND * (gaps**2).mean():.3f}")
    for lag in LAGS:
        say(f"gaps {lag} decisions apart: correlation {correlation(played, lag):+.3f}")
    learned = [course for course in played if course.record.number % HELD_OUT]
    others = [course for course in played if not course.record.number % HELD_OUT]
    seen, asked = seen_by(game, learned), seen_by(game, others)
    numbers = np.repeat(np.arange(len(others)), [len(course.gaps()) for course in others])
    before = said_of(checkpoint, asked)
    for lambda_ in given.lambdas:
        values = np.concatenate([course.values(game, lambda_) for course in learned])
        fitted = refitted(game, checkpoint, Judged(seen, values), given.uses, given.rate)
        after = said_of(fitted, asked)
        figures = []
        for by in ASKED_BY:
            targets = np.concatenate([course.values(game, by) for course in others])
            mean, error = change(before, after, targets, numbers)
            figures.append(f"{mean:+.3f} ± {error:.3f} by lambda {by}")
        say(f"learned with lambda {lambda_}: {', '.join(figures)}")


if __name__ == "__main__":
    main()
