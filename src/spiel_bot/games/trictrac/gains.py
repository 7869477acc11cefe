"""What one roll or play has brought each side, read from the marks before and after it."""

from spiel_bot._jit import kernel
from spiel_bot.games.base import Floats, States
from spiel_bot.games.trictrac.marks import POINTS_OF_A_HOLE


@kernel
def gains_many(before: States, after: States, out: Floats) -> None:
    """Write points, a hole being 1, and the kind of the first hole won (`Game.gains_many`)."""
    for b in range(before.shape[0]):
        for side in range(2):
            won = int(after[b]["holes"][side]) - int(before[b]["holes"][side])
            # Each twelve points are two holes, but for a simple one, which can only come first.
            twelves = (won + 1) // 2
            points = int(after[b]["points"][side]) - int(before[b]["points"][side])
            gain = POINTS_OF_A_HOLE * twelves + points
            # Points taken away by the other side's hole, or by leaving, are not marked again.
            out[b, side, 0] = max(gain, 0) / POINTS_OF_A_HOLE
            out[b, side, 1] = 0.0 if won == 0 else 2.0 - won % 2
