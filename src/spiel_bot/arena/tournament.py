"""Tournaments: everybody meets everybody, and the store remembers who has met."""

import itertools
import json
from collections.abc import Callable, Sequence

from spiel_bot.arena.ratings import PairCounts
from spiel_bot.arena.result import MatchResult
from spiel_bot.games.base import Game
from spiel_bot.players.base import Recipe
from spiel_bot.storage.results import Match
from spiel_bot.storage.store import Store

MOST_MATCHES = 1_000_000
"""All matches of a store."""

PAIRS = "pairs"
OPTIONS = "options"
# What is stored of a match beyond its columns; matches without it, such as those that training
# plays against its best network so far, do not count for ratings.

Play = Callable[[tuple[Recipe, Recipe], int], MatchResult]
"""Plays a match of two players, with so many pairs."""


def stored_match(game: Game, result: MatchResult) -> Match:
    """Return a match as the store keeps it."""
    estimate = result.elo
    return Match(
        game=game.spec.name,
        first=result.players[0],
        second=result.players[1],
        wins=result.wins,
        losses=result.losses,
        draws=result.draws,
        seed=result.seed,
        margin=result.margin,
        elo=estimate.elo,
        elo_error=estimate.error,
        distinct_games=result.distinct_games,
        details={PAIRS: result.pair_counts, OPTIONS: rules_of(game)},
    )


def rated_matches(store: Store, game: Game) -> list[PairCounts]:
    """Return the stored matches of a game that count for ratings."""
    rules = rules_of(game)
    return [
        PairCounts(match.first, match.second, tuple(match.details[PAIRS]))
        for match in store.matches.all(limit=MOST_MATCHES)
        if match.game == game.spec.name
        and PAIRS in match.details
        and match.details.get(OPTIONS) == rules
    ]


def play_tournament(
    store: Store, game: Game, players: Sequence[Recipe], pairs: int, play: Play
) -> int:
    """Let everybody meet everybody, where the store has too few pairs; return the games played.

    A match is stored as soon as it is over, so a tournament that was stopped goes on later.

    Args:
        store: Where matches are kept.
        game: The game.
        players: Who takes part; the first of the same name counts.
        pairs: Pairs that each pairing shall have at least.
        play: Plays a match.
    """
    unique = list({player.name: player for player in players}.values())
    met: dict[frozenset[str], int] = {}
    for match in rated_matches(store, game):
        key = frozenset((match.first, match.second))
        met[key] = met.get(key, 0) + match.pairs
    games = 0
    for first, second in itertools.combinations(unique, 2):
        missing = pairs - met.get(frozenset((first.name, second.name)), 0)
        if missing > 0:
            result = play((first, second), missing)
            store.matches.add(stored_match(game, result))
            games += result.games
    return games


def rules_of(game: Game) -> dict[str, object]:
    """Return the options of a game that make it another game, as JSON gives them back."""
    options = {
        name: value
        for name, value in game.spec.options.items()
        if name not in game.spec.view_options
    }
    plain: dict[str, object] = json.loads(json.dumps(options))
    return plain
