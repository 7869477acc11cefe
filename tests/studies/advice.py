"""Does a player agree with the old treatises? The last figure of docs/strength.md.

Run: python -m tests.studies.advice PLAYER [PLAYER ...]

The positions are the cases of kind `advice`. Nothing is trained or tuned on them. A player agrees
if its play leaves the position that the book recommends, or, where the book only warns, none of
those it warns of. Marks that a case leaves open are those of a new game; a case that says `partial`
shows one side only, and is counted apart.
"""

import sys
from pathlib import Path

import numpy as np

from spiel_bot import Environment, load
from spiel_bot.games.trictrac.cases import Case, read_cases
from spiel_bot.games.trictrac.dice import outcome_of
from spiel_bot.games.trictrac.notation import board_text, seen_by_white
from spiel_bot.games.trictrac.position import moved
from spiel_bot.players.base import Player
from spiel_bot.players.spec import new_player
from spiel_bot.rng import Purpose, streams

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "cases.jsonl"


def advice() -> list[Case]:
    """Return the cases that recommend a play, or warn of one."""
    return [case for case in read_cases(CASES) if case.get("kind") == "advice"]


def decision_of(case: Case) -> Environment:
    """Return the position of a case after its roll; the mover is white."""
    text = f"{board_text(case['board'])}; white rolls"
    scores = case.get("scores")
    if scores:
        for what in ("points", "holes"):
            text += f"; {what} {scores['mover'][what]}-{scores['opponent'][what]}"
    state = load("trictrac").from_notation(text, seed=0)
    state.apply_outcome(outcome_of(*case["dice"]))
    return state


def agrees(player: Player, case: Case) -> bool:
    """Return whether a player plays what the book says."""
    state = decision_of(case)
    action = int(player.choose(state.record.reshape(1), streams(0, Purpose.PLAY, [0]))[0])
    state.apply(action)
    left = tuple(seen_by_white(state.record))
    expected = case["expect"]
    if expected.get("best"):
        return left in [moved(case["board"], play) for play in expected["best"]]
    return left not in [moved(case["board"], play) for play in expected["avoid"]]


def main() -> None:
    game = load("trictrac")
    cases = advice()
    for text in sys.argv[1:]:
        player = new_player(text, game)
        found = np.array([agrees(player, case) for case in cases])
        whole = np.array([not case.get("partial") for case in cases])
        failed = [case["id"] for case, good in zip(cases, found, strict=True) if not good]
        print(  # noqa: T201
            f"{player.name}: {found.sum()} of {len(cases)}, of those with a whole position "
            f"{found[whole].sum()} of {whole.sum()}; otherwise: {', '.join(failed) or 'none'}"
        )


if __name__ == "__main__":
    main()
