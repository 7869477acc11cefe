"""How stored games ended: positions found by replaying many games at once."""

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import NO_ACTION, Game, States
from spiel_bot.storage.games import Shard
from spiel_bot.storage.records import CHANCE, GameRecord
from spiel_bot.storage.store import Store

KEPT_SHARDS = 512


def last_positions(game: Game, records: Sequence[GameRecord]) -> States:
    """Return the last position of each game [B].

    Raises:
        SpielBotError: A first position is none of this game.
    """
    states = game.new_states(len(records))
    for row, record in enumerate(records):
        if record.start:
            states[row] = game.from_text(record.start)
    longest = max((record.num_plies for record in records), default=0)
    events = np.full((longest, len(records)), NO_ACTION, np.int32)
    is_roll = np.zeros((longest, len(records)), np.bool_)
    for row, record in enumerate(records):
        events[: record.num_plies, row] = record.events
        is_roll[: record.num_plies, row] = record.players == CHANCE
    for now, rolled in zip(events, is_roll, strict=True):
        if game.apply_chance_many is not None and rolled.any():
            game.apply_chance_many(states, np.where(rolled, now, NO_ACTION).astype(np.int32))
        if not rolled.all():
            game.apply_many(states, np.where(rolled, NO_ACTION, now).astype(np.int32))
    return states


class Endings:
    """Scores of stored games; those of the shards looked at last are remembered."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], list[str]] = OrderedDict()
        self._leads: OrderedDict[tuple[str, int], list[float]] = OrderedDict()

    def scores(self, store: Store, game: Game, shard: Shard) -> list[str]:
        """Return the final score of each game of a shard in a few signs; empty where unknown."""
        return self._look(store, game, shard)[0]

    def leads(self, store: Store, game: Game, shard: Shard) -> list[float]:
        """Return white's lead at the end of each game in the game's own measure, such as holes."""
        return self._look(store, game, shard)[1]

    def _look(self, store: Store, game: Game, shard: Shard) -> tuple[list[str], list[float]]:
        key = (str(store.path), shard.id)
        if key not in self._known:
            records = store.games.read_shard(shard)
            try:
                states = last_positions(game, records)
                found = [score_text(state) for state in states], leads_of(game, states)
            except SpielBotError:  # a game of other rules
                found = [""] * len(records), [0.0] * len(records)
            self._known[key], self._leads[key] = found
            while len(self._known) > KEPT_SHARDS:
                self._known.popitem(last=False)
                self._leads.popitem(last=False)
        return self._known[key], self._leads[key]


def score_text(state: np.void) -> str:
    """Return a score where the position has one: holes in trictrac."""
    if "holes" not in (state.dtype.names or ()):
        return ""
    white, black = (int(count) for count in state["holes"])
    return f"{white}-{black}"


def leads_of(game: Game, states: States) -> list[float]:
    """Return white's leads; zero in a game that knows none."""
    if game.leads_many is None:
        return [0.0] * len(states)
    out = np.empty(len(states), np.float32)
    game.leads_many(states, out)
    return [float(lead) for lead in out]
