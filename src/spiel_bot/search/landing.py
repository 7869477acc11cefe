"""Landing: evaluated leaves become nodes with edges, and their values go up to the root."""

from spiel_bot._jit import kernel
from spiel_bot.games.base import Floats
from spiel_bot.search.backup import backup_expectations, backup_many, begin_roots
from spiel_bot.search.chance import Opened, Positions
from spiel_bot.search.config import EXPECT
from spiel_bot.search.expand import ALL_FINITE, expand_many
from spiel_bot.search.leaves import LAND_ROOTS, Progress
from spiel_bot.search.memory import Buffers
from spiel_bot.search.tree import Tree


@kernel
def land(
    tree: Tree,
    positions: Positions,
    opened: Opened,
    buffers: Buffers,
    logits: Floats,
    values: Floats,
    mode: int,
    progress: Progress,
) -> int:
    """Expand the decisions of a round and back up what its descents have found.

    Args:
        tree: Changed in place, unless the return says otherwise.
        positions: Of the round.
        opened: Rolls of the round whose outcomes were all made.
        buffers: Places, legal actions and counts of the decisions; `scratch` is overwritten.
        logits: [D, A] of the decisions.
        values: [D] from the movers' side.
        mode: How rolls are searched.
        progress: How many of all these are in use, and whether they are new roots, which no
            descent has come to.

    Returns:
        As `expand_many`: nothing is backed up unless it is `ALL_FINITE`.
    """
    if progress.decisions > 0:
        code = expand_many(
            tree,
            positions,
            buffers.places,
            progress.decisions,
            buffers.legal,
            buffers.counts,
            logits,
            values,
            buffers.scratch,
        )
        if code != ALL_FINITE:
            return code
    if progress.stage == LAND_ROOTS:
        begin_roots(tree.nodes, positions, progress.descents)
    elif mode == EXPECT:
        backup_expectations(
            tree, positions, progress.descents, progress.positions, opened, progress.opened
        )
    else:
        backup_many(tree.nodes, positions, progress.descents)
    return ALL_FINITE
