"""Presets: training runs that are ready to go, as changes to the defaults."""

import dataclasses
from collections.abc import Mapping

from spiel_bot.cluster.config import TrainConfig
from spiel_bot.errors import SettingsError
from spiel_bot.settings import from_plain

# Keys as on the command line. Figures for two cores of a small machine.
PRESETS: dict[str, dict[str, object]] = {
    "quick": {
        "iterations": 36,
        "games": 384,
        "steps": 200,
        "eval_every": 6,
        "eval_pairs": 200,
        "alphazero": {
            "network": {"hidden_sizes": [256, 128]},
            "selfplay": {"games_at_once": 192, "search": {"n_simulations": 16}},
            "replay": {"capacity": 60_000},
        },
    },
    # As many games as keep the workers busy while the learner takes its steps.
    "standard": {
        "iterations": 60,
        "games": 1536,
        "steps": 300,
        "eval_every": 5,
    },
    "long": {
        "iterations": 400,
        "games": 2048,
        "steps": 800,
        "eval_every": 10,
        "alphazero": {"replay": {"capacity": 400_000, "growth": 0.02}},
    },
}


MARGINS: dict[str, object] = {
    "options": {"observation": "master", "returns": "margin"},
    "algorithm": "td",
    "eval_pairs": 200,
}

# Many games from nothing.
BASE: dict[str, object] = MARGINS | {
    "seed": 1,
    "games": 1024,
    "steps": 600,
    "eval_every": 20,
    "td": {"network": {"hidden_sizes": [512]}},
}

# A deeper network goes on from there; positions are judged by the exact mean over the next roll,
# those of games against expert too.
JUDGED: dict[str, object] = MARGINS | {
    "seed": 2,
    "games": 512,
    "td": {
        "network": {"hidden_sizes": [512, 256]},
        "selfplay": {
            "judged_share": 0.2,
            "random_share": 0.03,
            "temperature": 0.03,
            "sparring": "expert",
        },
        "replay": {"capacity": 400_000, "max_reuse": 16},
        "learner": {"learning_rate": 6e-4},
        "precision": "float",
    },
}

# The mean of two such networks goes on by chances of winning, and sees which holes are the last.
CHANCES: dict[str, object] = MARGINS | {
    "options": {"observation": "champion", "returns": "margin"},
    "games": 256,
    "steps": 280,
}
TO_WIN: dict[str, object] = {
    "judged_share": 1.0,
    "judged_aim": "win",
    "random_share": 0.1,
    "temperature": 0.05,
    "sparring": "expert",
    "sparring_share": 0.4,
}


def to_win(selfplay: dict[str, object], learning_rate: float) -> dict[str, object]:
    """Return settings of td that learn from every decision how to win."""
    return {
        "network": {"hidden_sizes": [512, 512]},
        "selfplay": TO_WIN | selfplay,
        "replay": {"capacity": 300_000, "max_reuse": 8},
        "learner": {"learning_rate": learning_rate},
        "precision": "float",
    }


LEAST_ITERATIONS = 3
"""Of a run that is shorter than its recipe: the first has nothing to learn from."""

RECIPES: dict[str, dict[str, object]] = {
    # How the shipped models were made; docs/strength.md has the reasons and the figures.
    # What errors last for long is learned first, with the noise of what is found later, and then
    # the exact means without it.
    "bot": CHANCES
    | {
        "start": "third",
        "seed": 10,
        "iterations": 24,
        "eval_every": 24,
        "td": to_win({"judged_temperature": 0.06}, 3e-4),
    },
    "third": CHANCES
    | {
        "start": "first+second",
        "seed": 9,
        "iterations": 75,
        "eval_every": 25,
        "td": to_win({"judged_lambda": 0.85}, 6e-4),
    },
    "long_base": BASE | {"iterations": 400},
    "base": BASE | {"iterations": 200},
    "first": JUDGED | {"start": "long_base", "iterations": 120, "steps": 400, "eval_every": 10},
    "second": JUDGED | {"start": "base", "iterations": 180, "steps": 240, "eval_every": 30},
    # The quick one that chooses the replies to look at: inputs that cost next to nothing.
    "scout": {
        "options": {"observation": "td217", "returns": "margin", "start": "random"},
        "algorithm": "td",
        "seed": 1,
        "iterations": 60,
        "games": 1024,
        "steps": 300,
        "eval_every": 60,
        "eval_pairs": 200,
        "td": {"network": {"hidden_sizes": [128]}},
    },
}


def preset(name: str) -> TrainConfig:
    """Return a preset by its name.

    Raises:
        SettingsError: There is none of this name.
    """
    return _named("preset", PRESETS, name)


def recipe(name: str, share: float = 1.0) -> TrainConfig:
    """Return the run that made a shipped model, or came before it, by its name.

    Args:
        name: Of the recipe.
        share: Part of its iterations that the run gets, but at least `LEAST_ITERATIONS`.

    Raises:
        SettingsError: There is none of this name, or this is no part of it.
    """
    if not 0.0 < share <= 1.0:
        raise SettingsError(f"share: expected more than 0 and at most 1, got {share}")
    whole = _named("recipe", RECIPES, name)
    shorter = max(round(share * whole.iterations), LEAST_ITERATIONS)
    return dataclasses.replace(whole, iterations=min(shorter, whole.iterations))


def _named(what: str, known: Mapping[str, dict[str, object]], name: str) -> TrainConfig:
    if name not in known:
        raise SettingsError(f"{what} {name!r} is unknown; expected one of {', '.join(known)}")
    return from_plain(TrainConfig(), known[name])
