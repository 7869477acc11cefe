"""The layouts by name. Their versions go into a game's spec, and so into every checkpoint."""

from collections.abc import Callable
from dataclasses import dataclass

from spiel_bot.games.base import Floats, Players, States
from spiel_bot.games.trictrac.observations import (
    champion,
    expert,
    master,
    planes,
    raw36,
    td204,
    td217,
    td227,
)
from spiel_bot.games.trictrac.observations.table import Row
from spiel_bot.games.trictrac.state import NUM_FIELDS

DEFAULT = "td217"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A layout: its numbers, its kernels for either perspective, its table."""

    summary: str
    """One line for tables and documents."""

    shape: tuple[int, ...]
    """Shape of an observation; kernels write it flat."""

    version: int
    """Raised when a feature changes its place or its meaning."""

    observe_many: Callable[[States, Players, Floats], None]
    """From the side of the player who asks."""

    observe_as_white_many: Callable[[States, Players, Floats], None]
    """From white's side, whoever asks."""

    rows: tuple[Row, ...]
    """What each index means."""

    value_range: tuple[float, float] = (0.0, 1.0)
    """Least and greatest value."""

    begins_with: str = ""
    """The layout whose features are its first ones."""


OBSERVATIONS: dict[str, Observation] = {
    "raw36": Observation(
        summary="the numbers of a position as they are, not scaled",
        shape=(raw36.NUM_FEATURES,),
        version=raw36.VERSION,
        observe_many=raw36.observe_raw36_many,
        observe_as_white_many=raw36.observe_raw36_as_white_many,
        rows=raw36.ROWS,
        value_range=raw36.RANGE,
    ),
    "td204": Observation(
        summary="each side's checkers by field in four numbers, course of the turn, marks",
        shape=(td204.NUM_FEATURES,),
        version=td204.VERSION,
        observe_many=td204.observe_td204_many,
        observe_as_white_many=td204.observe_td204_as_white_many,
        rows=td204.ROWS,
    ),
    "td217": Observation(
        summary="td204, filled quarters, exits, corners and the roll count; the default",
        shape=(td217.NUM_FEATURES,),
        version=td217.VERSION,
        observe_many=td217.observe_td217_many,
        observe_as_white_many=td217.observe_td217_as_white_many,
        rows=td217.ROWS,
        begins_with="td204",
    ),
    "td227": Observation(
        summary="td217, how far each quarter is filled, and the number of half-fields",
        shape=(td227.NUM_FEATURES,),
        version=td227.VERSION,
        observe_many=td227.observe_td227_many,
        observe_as_white_many=td227.observe_td227_as_white_many,
        rows=td227.ROWS,
        begins_with="td217",
    ),
    "planes": Observation(
        summary="channels over the 24 fields, and the other numbers as constant channels",
        shape=(planes.NUM_CHANNELS, NUM_FIELDS),
        version=planes.VERSION,
        observe_many=planes.observe_planes_many,
        observe_as_white_many=planes.observe_planes_as_white_many,
        rows=planes.ROWS,
    ),
    "quarters": Observation(
        summary="planes, as channels over 4 quarters of 6 fields",
        shape=(planes.NUM_CHANNELS, 4, 6),
        version=planes.VERSION,
        observe_many=planes.observe_planes_many,
        observe_as_white_many=planes.observe_planes_as_white_many,
        rows=planes.ROWS,
    ),
    "expert": Observation(
        summary="td227, and what the next roll of each side is worth over all 36 rolls",
        shape=(expert.NUM_FEATURES,),
        version=expert.VERSION,
        observe_many=expert.observe_expert_many,
        observe_as_white_many=expert.observe_expert_as_white_many,
        rows=expert.ROWS,
        begins_with="td227",
    ),
    "master": Observation(
        summary="expert, places for points, and the chances that the next rolls win holes",
        shape=(master.NUM_FEATURES,),
        version=master.VERSION,
        observe_many=master.observe_master_many,
        observe_as_white_many=master.observe_master_as_white_many,
        rows=master.ROWS,
        begins_with="expert",
    ),
    "champion": Observation(
        summary="master, and a place for each of the last four holes of either side",
        shape=(champion.NUM_FEATURES,),
        version=champion.VERSION,
        observe_many=champion.observe_champion_many,
        observe_as_white_many=champion.observe_champion_as_white_many,
        rows=champion.ROWS,
        begins_with="master",
    ),
}


def beginnings(name: str) -> dict[str, int]:
    """Return the layouts that a layout begins with, each with its version.

    >>> beginnings("td227")
    {'td217': 1, 'td204': 1}
    """
    found = {}
    while shorter := OBSERVATIONS[name].begins_with:
        found[shorter] = OBSERVATIONS[shorter].version
        name = shorter
    return found
