"""A round of the search in one kernel: from the evaluator's answer to its next question.

A thread needs the GIL once a round. To wait for it costs far more than to hold it: a thread that
finds it taken sleeps, and is woken much later than the GIL is free.
"""

from collections.abc import Callable

from spiel_bot._jit import kernel, specialise
from spiel_bot.games.base import Game
from spiel_bot.search.chance import Opened, Positions
from spiel_bot.search.config import KernelConfig
from spiel_bot.search.evaluator import Evaluation
from spiel_bot.search.expand import ALL_FINITE
from spiel_bot.search.landing import land
from spiel_bot.search.leaves import DESCEND, LAND, Numbers, Progress, leaf_kernel, make_leaves
from spiel_bot.search.memory import Buffers
from spiel_bot.search.select import Roots
from spiel_bot.search.tree import Bytes, Tree

DONE = -1
NOT_FINITE = -2
"""The answer is no evaluation; `decisions` says which one."""

Advance = Callable[
    [
        Tree,
        Roots,
        KernelConfig,
        Bytes,
        Positions,
        Opened,
        Buffers,
        bool,
        Evaluation,
        Progress,
    ],
    Numbers,
]


def round_kernel(game: Game) -> Advance:
    """Return `advance` for a game."""
    return specialise(advance, make_leaves=leaf_kernel(game))


@kernel
def advance(
    tree: Tree,
    roots: Roots,
    config: KernelConfig,
    node_states: Bytes,
    positions: Positions,
    opened: Opened,
    buffers: Buffers,
    is_observed: bool,
    answer: Evaluation,
    progress: Progress,
) -> Numbers:
    """Land the descents that were evaluated, then descend again in every tree.

    Called again with the progress it returned, once there is room, or the evaluator's answer.

    Args:
        tree: Changed in place.
        roots: Changed by descents.
        config: How to search.
        node_states: [B, N, S] positions of the nodes; those of new ones are written.
        positions: Of the round; those of the next one are written.
        opened: Rolls of the round whose outcomes were all made; as `positions`.
        buffers: As `positions`.
        is_observed: Whether the evaluator wants observations.
        answer: Logits [D, A] and values [D] of the decisions of the round, from the movers' side.
        progress: Where to go on.
    """
    stage = progress.stage
    if stage >= LAND:
        logits, values = answer
        code = land(tree, positions, opened, buffers, logits, values, config.mode, progress)
        if code < ALL_FINITE:
            return (
                stage,
                progress.descents,
                progress.positions,
                progress.decisions,
                0,
                progress.opened,
                0,
                ALL_FINITE - code,
                0,
            )
        if code > ALL_FINITE:
            return NOT_FINITE, 0, 0, code, 0, 0, 0, 0, 0
        if stage != LAND:
            return DONE, 0, 0, 0, 0, 0, 0, 0, 0
        stage = DESCEND
    return make_leaves(
        tree,
        roots,
        config,
        node_states,
        positions,
        opened,
        buffers,
        is_observed,
        stage,
        progress,
    )
