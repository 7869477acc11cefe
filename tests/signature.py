"""The search signature: one number that follows from every visit of a set of searches.

A change that leaves searches as they are leaves it as it is. A change that alters it says so in its
commit message (`Signature: 1a2b3c4d`) and writes it again:
    python -m tests.signature
"""

import hashlib
from pathlib import Path

import numpy as np
from tests.search.trees import (
    CHANCES,
    POSITIONS,
    SELECTIONS,
    batch_of,
    game_of,
    position,
    streams_of,
    tree_of,
)

from spiel_bot.search.batch import Search
from spiel_bot.search.config import MctsConfig
from spiel_bot.search.evaluator import HashEvaluator

FILE = Path(__file__).parent / "data" / "search_signature.txt"
SIMULATIONS = {"tic_tac_toe": 24, "pig": 24, "race": 16, "trictrac": 32}


def part(name: str, config: MctsConfig) -> str:
    """Return the signature of the searches of one game in one way.

    Whole numbers only: players, visits, labels and children of all nodes, and the actions chosen.
    """
    game = game_of(name)
    states = [position(name, index) for index in range(len(POSITIONS[name]))]
    search = Search(game, HashEvaluator(game), config)
    found = hashlib.sha256()
    result = search.run(batch_of(*states), streams_of(seed=11, count=len(states)))
    for row in range(len(states)):
        nodes, edges, _ = tree_of(search, row)
        for numbers in (nodes["player"], nodes["visits"], edges["label"], edges["child"]):
            found.update(np.ascontiguousarray(numbers, "<i4").tobytes())
    found.update(result.action.astype("<i4").tobytes())
    return found.hexdigest()[:8]


def parts(name: str) -> list[str]:
    """Return the signatures of a game, one for each way to search it."""
    lines = []
    for selection in SELECTIONS:
        for chance in CHANCES:
            config = MctsConfig(
                n_simulations=SIMULATIONS[name],
                selection=selection,
                chance=chance,
                eval_batch_size=4,
            )
            lines.append(f"{part(name, config)} {name} {selection} {chance}")
    return lines


def whole(lines: list[str]) -> str:
    """Return the one number that follows from those of all parts."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


if __name__ == "__main__":
    all_parts = [line for name in POSITIONS for line in parts(name)]
    FILE.write_text("\n".join([whole(all_parts), *all_parts, ""]))
