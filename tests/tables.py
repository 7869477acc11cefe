"""The tables of docs/observations.md, from the layouts themselves.

Rewrite the document after a change that was meant: python -m tests.tables
"""

from pathlib import Path

from spiel_bot.games.trictrac.observations.catalogue import DEFAULT, OBSERVATIONS, Observation
from spiel_bot.games.trictrac.observations.table import Row
from spiel_bot.games.trictrac.state import NUM_FIELDS

PATH = Path(__file__).parents[1] / "docs" / "observations.md"

HEAD = """\
# Observations of trictrac, index by index

This page is written from the code by `python -m tests.tables`; a test checks that it is fresh.

`load("trictrac", observation="td217")` chooses what a player sees. All numbers lie from 0 to 1,
but those of `raw36`. Fields are counted from the observer's own talon, 1 to 24, also for the
opponent's checkers. The same position with the sides switched gives the same observation.

With `perspective="white"` both players see what white sees: *own* is then white, *opponent* black,
and the colour of the mover tells whose turn it is. Actions are named from the mover's side in
either perspective.

Shape, version and range of a layout are in `game.spec`, its name in `game.spec.options`. A version
is raised when an index changes its meaning.

"""


def summary() -> str:
    """Return the table of all layouts."""
    lines = ["| name | shape | version | what it holds |", "|---|---|---|---|"]
    for name, layout in OBSERVATIONS.items():
        shape = " x ".join(str(size) for size in layout.shape)
        lines.append(f"| [{name}](#{name}) | {shape} | {layout.version} | {layout.summary} |")
    return "\n".join(lines)


def places(row: Row, layout: Observation) -> str:
    """Return the indices of a row; the channel where a layout has channels."""
    if len(layout.shape) > 1:
        return str(row.first // NUM_FIELDS)
    return str(row.first) if row.first == row.last else f"{row.first}-{row.last}"


def section(name: str, layout: Observation) -> str:
    """Return the part of the document about one layout."""
    default = ", the default" if name == DEFAULT else ""
    lines = [f"## {name}", "", f"Version {layout.version}{default}: {layout.summary}.", ""]
    if name == "quarters":
        return "\n".join([*lines, "The channels are those of [planes](#planes)."])
    if len(layout.shape) > 1:
        lines += [
            f"Flat index: {NUM_FIELDS} x channel + field - 1. A number that belongs to no field "
            "stands on all 24.",
            "",
            "| channel | meaning | value |",
        ]
    else:
        lines.append("| index | meaning | value |")
    lines.append("|---|---|---|")
    lines += [f"| {places(row, layout)} | {row.meaning} | {row.value} |" for row in layout.rows]
    if name in NOTES:
        lines += ["", NOTES[name]]
    return "\n".join(lines)


NOTES = {
    "expert": """\
The last fourteen take the position as it stands, as if the side were to roll now: a roll in hand
is not played first. A corner counts as taken where some legal play takes it.""",
    "master": """\
Chances are of the marks as the rules will mark them, what is owed for the roll in hand included.
The race is what the marks are worth beyond the holes won so far, in holes: by the exact solution of
a game in which every roll gives points as rolls do on average. The last number first lets both
sides roll on the board as it stands; whoever wins a hole by his own roll goes where that is
better.""",
}


def text() -> str:
    """Return the whole document."""
    parts = [section(name, layout) for name, layout in OBSERVATIONS.items()]
    return HEAD + "\n\n".join([summary(), *parts]) + "\n"


if __name__ == "__main__":
    PATH.write_text(text())
