"""What happened, told as a list: each roll with its jans and points, each play."""

from collections.abc import Iterable, Sequence
from html import escape

from spiel_bot.games.trictrac.explain import NOTHING, sentence
from spiel_bot.games.trictrac.play_notation import moves_text
from spiel_bot.players.words import Words
from spiel_bot.web.happenings import Happening
from spiel_bot.web.play.words import PlayWords
from spiel_bot.web.words.page_words import written

SIDE_CLASSES = ("sb-white", "sb-black")
LINES = 60
"""Happenings that the list shows; a game has some hundreds."""


def story_html(
    happenings: list[Happening], humans: tuple[int, ...], words: Words, texts: PlayWords
) -> str:
    """Return the list as HTML, the newest first."""
    shown = happenings[-LINES:]
    if not shown:
        return f'<p class="sb-quiet">{escape(texts("no_story"))}</p>'
    items = [happening_html(one, humans, words, texts) for one in reversed(shown)]
    return f'<ul class="sb-story">{"".join(items)}</ul>'


def happening_html(one: Happening, humans: tuple[int, ...], words: Words, texts: PlayWords) -> str:
    """Return one roll or play as an item of the list."""
    told = one.sentences(words)
    marks = told[len(told) - _mark_lines(one) :]
    is_other = len(humans) == 1 and one.side not in humans
    if is_other and one.moves and one.side is not None:
        seen = moves_text(seen_from_other_side(one.moves))
        told[0] = words("plays_seen", who=words.side(one.side), play=one.name, seen=seen)
    lines = [f"<b>{escape(told[0])}</b>"]
    if one.is_roll:
        lines += _jan_lines(one, humans, words, texts)
    lines += [f'<span class="sb-marks">{escape(text)}</span>' for text in marks]
    side = SIDE_CLASSES[one.side] if one.side is not None else ""
    kind = "sb-roll" if one.is_roll else "sb-play"
    dot = f'<i class="sb-dot {side}" aria-hidden="true"></i>'
    return f'<li class="{kind}">{dot}<div>{"<br>".join(lines)}</div></li>'


def seen_from_other_side(moves: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """Return moves in the numbers of who sits opposite; out stays out."""
    return [(25 - source, target and 25 - target) for source, target in moves]


def _mark_lines(one: Happening) -> int:
    return sum(2 if mark.holes else 1 for mark in one.marks)


def _jan_lines(
    one: Happening, humans: tuple[int, ...], words: Words, texts: PlayWords
) -> list[str]:
    """Return each jan with a chip for its points: gold for the roller, blue for the other."""
    if one.dice is None:
        return []
    if not one.jans:
        return [f'<span class="sb-quiet">{escape(NOTHING[words.language])}</span>']
    lines = []
    for jan in one.jans:
        kind = "sb-own" if jan.beneficiary == "mover" else "sb-other"
        text = written(sentence(jan, words.language), words.language)
        if jan.field and len(humans) == 1 and one.side not in humans:
            text += f" [{texts('own_field', field=25 - jan.field)}]"
        chip = f'<span class="sb-chip {kind}">+{jan.points}</span>'
        lines.append(f'{chip} {escape(text)} <span class="sb-rule">{escape(jan.rule)}</span>')
    return lines
