"""The strip of one side above or below the board: name, holes, points, bredouille, whose turn."""

from html import escape

from spiel_bot.games.base import State
from spiel_bot.players.words import Words
from spiel_bot.web.play.story import SIDE_CLASSES
from spiel_bot.web.play.words import PlayWords

HOLES = 12
NAMED = ("bot", "expert", "greedy", "random")


def strip_html(
    record: State, side: int, name: str, is_turn: bool, words: Words, texts: PlayWords
) -> str:
    """Return the strip of a side as HTML."""
    holes, points = int(record["holes"][side]), int(record["points"][side])
    pegs = "".join(
        f'<i class="{"sb-peg" if number <= holes else "sb-hole"}"></i>'
        for number in range(1, HOLES + 1)
    )
    unit = texts.count("holes", holes)
    chips = ""
    if int(record["bredouille"]) == side and points:
        chips += _chip(texts("bredouille"), texts("bredouille_help"))
    if int(record["flag"]) == side and holes:
        chips += _chip(texts("pavilion"), texts("pavilion_help"))
    return (
        f'<div class="sb-strip{" sb-turn" if is_turn else ""}">'
        f'<i class="sb-dot {SIDE_CLASSES[side]}" aria-hidden="true"></i>'
        f'<span class="sb-name"><b>{escape(words.side(side))}</b> {escape(name)}</span>'
        f'<span class="sb-pegs" aria-hidden="true">{pegs}</span>'
        f'<span class="sb-score"><b>{holes}</b> {escape(unit)}</span>'
        f'<span class="sb-score"><b>{points}</b> {escape(texts("points"))}</span>{chips}</div>'
    )


def player_name(name: str, texts: PlayWords) -> str:
    """Return a player's name in the visitor's language; the name of a model stays as it is.

    >>> player_name("expert,level=2", PlayWords("fr"))
    'Expert, niveau 2'
    """
    kind, *settings = name.removeprefix("bot=").split(",")
    shown = texts(f"name_{kind}") if kind in NAMED else kind
    level = dict(one.partition("=")[::2] for one in settings).get("level")
    return texts("name_level", name=shown, level=level) if level else shown


def _chip(text: str, title: str) -> str:
    return f'<span class="sb-chip sb-own" title="{escape(title)}">{escape(text)}</span>'
