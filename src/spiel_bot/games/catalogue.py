"""Which games there are, by name. Light to import: the command line completes names with it."""

from importlib import metadata

ENTRY_POINT_GROUP = "spiel_bot.games"
"""Installed packages add games under this group: ``nim = "my_package.nim:nim"``."""

OWN_GAMES = {
    "tic_tac_toe": "spiel_bot.games.tic_tac_toe:tic_tac_toe",
    "pig": "spiel_bot.games.pig:pig",
    "race": "spiel_bot.games.race:race",
    "trictrac": "spiel_bot.games.trictrac.game:trictrac",
}
"""Games of this package, and where their functions are."""


def names() -> list[str]:
    """Return the names `load` knows, ours first, then those of installed packages."""
    installed = {entry.name for entry in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    return [*OWN_GAMES, *sorted(installed - OWN_GAMES.keys())]


def find(name: str) -> str | None:
    """Return ``module:attribute`` of a game with a name, ours or an installed one."""
    if name in OWN_GAMES:
        return OWN_GAMES[name]
    for entry in metadata.entry_points(group=ENTRY_POINT_GROUP, name=name):
        return f"{entry.module}:{entry.attr}" if entry.attr else f"{entry.module}:{entry.name}"
    return None
