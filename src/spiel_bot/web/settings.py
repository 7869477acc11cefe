"""How the page is served: where, to whom, and how much one visitor may ask for."""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

LONGEST_FILE = 100_000
"""Letters of a game file; a game of trictrac has some thousand, and more would be judged for
minutes."""

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much may be asked for. What is beyond is refused with a sentence."""

    body_bytes: int = 1_000_000
    """Of one request."""

    tables: int = 500
    """Games in progress, of all visitors."""

    tables_per_visitor: int = 100
    """Games in progress of one visitor, which is one address."""

    idle_seconds: float = 24 * 3600.0
    """A game that nobody has touched for so long may be forgotten."""

    simulations: int = 5_000
    """Of one tree search beside the referee: a second of one core."""

    player_simulations: int = 500
    """Of a player's tree search, which may open every roll whole: a second of one core."""

    plies: int = 2
    """Of one exact lookahead: three seconds of one core, with the most candidates and replies."""

    rollout_simulations: int = 500
    """Of a search by random games: they take ten times as long as a network."""

    rollout_plies: int = 1
    """Of a lookahead by random games; two would take minutes."""

    waiting: int = 200
    """Searches that may wait for a free core; the next one is told to come again."""

    players: int = 16
    """Players kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """Everything the server is told at its start."""

    store_path: Path | None = None
    """Folder of the run store; None for the user's own."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    """What visitors must show; None where only this machine can reach the page."""

    bounds: Bounds = field(default_factory=Bounds)


def is_local(host: str) -> bool:
    """Tell whether an address is one of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOCAL_HOSTS
