"""The reason why a checker cannot be put somewhere is the rule that forbids it."""

import random

import pytest

from spiel_bot import load
from spiel_bot.games.trictrac.notation import from_text
from spiel_bot.games.trictrac.step_faults import why_no_step
from spiel_bot.games.trictrac.ways import ways


def board(text: str) -> list[int]:
    fields: list[int] = from_text(f"{text}; white rolls")["board"].tolist()
    return fields


START = board("white 1*15, black 1*15")
FULL = board("white 1 3 4 7*2 8*2 9*2 10*2 11*2 12*2, black 1*7 5*2 6*2 9*2 12*2")


@pytest.mark.parametrize(
    ("fields", "dice", "step", "rule"),
    [
        (START, (6, 4), (1, 9), "R4.1"),  # no number of the dice
        (START, (6, 5), (1, None), ""),  # it can move, so there is nothing to say
        (board("white 1*13 6 7, black 1*15"), (5, 3), (7, 12), "R6.1"),  # the corner by one
        (board("white 1*13 9 10, black 1*15"), (4, 3), (9, 13), "R5.1"),  # the other corner
        (board("white 1*14 12, black 1*13 11*2"), (2, 1), (12, 14), "R4.2"),  # held by two
        (FULL, (3, 1), (8, 9), "R8.2"),  # the big jan must be conserved
        (board("white 6 20*14, black 1*15"), (6, 5), (20, 0), "R9.1"),
    ],
)
def test_the_rule_is_named(
    fields: list[int], dice: tuple[int, int], step: tuple[int, int | None], rule: str
) -> None:
    for language in ("en", "fr"):
        reason = why_no_step(fields, dice, [], step, language)
        assert rule in reason


def test_a_checker_that_can_go_nowhere_is_told_why_for_each_number() -> None:
    fields = board("white 1 8*14, black 1*11 18*2 23*2")
    reason = why_no_step(fields, (6, 1), [], (1, None))
    assert reason.startswith("7 is held")
    assert "; 2 is held" in reason


def test_both_numbers_with_one_checker_need_a_rest() -> None:
    fields = board("white 1*15, black 1*11 18*2 20*2")  # his 18 and 20 are white's 7 and 5
    assert "R4.2" in why_no_step(fields, (6, 4), [], (1, 11))


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(6))
def test_every_refusal_has_a_reason_and_no_legal_step_has_one(seed: int) -> None:
    state = load("trictrac").new_game(seed)
    rng = random.Random(seed)
    for _ in range(120):
        if state.is_terminal:
            break
        if not state.legal_actions:
            state.apply_chance()
            continue
        fields, dice = state.record["board"].tolist(), state.record["dice"].tolist()
        found = ways(fields, dice)
        first = {play[0] for play in found if play}
        for source in range(1, 25):
            if fields[source - 1] <= 0:
                continue
            for target in (0, *range(1, 25)):
                is_chain = any(
                    len(play) == 2 and play[0][0] == source and play[1] == (play[0][1], target)
                    for play in found
                )
                if (source, target) not in first and not is_chain:
                    assert why_no_step(fields, dice, [], (source, target)), (source, target)
        state.apply(rng.choice(state.legal_actions))
