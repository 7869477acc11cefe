"""Draw what a run's networks won against the ladder, without search: a picture of docs/strength.md.

Run: python -m tests.studies.run_curve STORE RUN PICTURE.svg
"""

import sys
from pathlib import Path

from spiel_bot.charts.curve import Curve
from spiel_bot.charts.svg import comparison_svg
from spiel_bot.storage.store import Store

OPPONENTS = ("greedy", "expert")
PERCENT = 100.0


def curves(path: Path, name: str) -> list[Curve]:
    """Return the share of the points won against each opponent; errors as if games were alone."""
    with Store(path, create=False) as store:
        run = store.runs.find(name)
        matches = store.matches.all(run.id)
    found = []
    for opponent in OPPONENTS:
        own = [match for match in matches if match.second == opponent]
        games = [match.wins + match.losses + match.draws for match in own]
        shares = [
            (match.wins + 0.5 * match.draws) / count
            for match, count in zip(own, games, strict=True)
        ]
        errors = [
            PERCENT * (share * (1.0 - share) / count) ** 0.5
            for share, count in zip(shares, games, strict=True)
        ]
        found.append(
            Curve(
                name=f"% of games against {opponent}",
                x=[float(match.iteration or 0) for match in own],
                y=[PERCENT * share for share in shares],
                errors=errors,
            )
        )
    return found


def main() -> None:
    store, run, picture = sys.argv[1:]
    drawn = comparison_svg(
        curves(Path(store), run), title="The network without search", x_label="iteration"
    )
    Path(picture).write_text(drawn, "utf-8")


if __name__ == "__main__":
    main()
