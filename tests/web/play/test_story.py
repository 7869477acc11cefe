"""What the page tells of a game, and the scene it shows, without a browser."""

import xml.etree.ElementTree as ET

import pytest

from spiel_bot.games.base import BLACK, WHITE
from spiel_bot.games.registry import load
from spiel_bot.players.session import Session
from spiel_bot.players.uniform import RandomPlayer
from spiel_bot.players.words import Language, Words
from spiel_bot.web.play.scenes import moves_of, scene_of_table, side_below
from spiel_bot.web.play.story import LINES, story_html
from spiel_bot.web.play.strip import strip_html
from spiel_bot.web.play.words import TEXTS, PlayWords
from spiel_bot.web.tables import Table, new_game, with_names

HIT = "white 1*7 3 5*2 6*2 8*2 9, black 1*9 5 6*2 8*2 10; white rolls; points 10-2; run white"


def table_of(start: str = "", humans: tuple[int, ...] = (WHITE,), seed: int = 1) -> Table:
    game = load("trictrac")
    players = {side: RandomPlayer(game) for side in (0, 1) if side not in humans}
    played = with_names(new_game(game, "trictrac", seed, start), players)
    return Table("t", Session(played, players, seed))


def played_on(table: Table, events: int) -> Table:
    while len(table.happenings) < events and not table.is_over:
        if table.waits_for_roll:
            table.roll()
        elif table.state.current_player in table.humans:
            table.play(table.state.legal_actions[-1])
        else:
            table.bot_acts()
    return table


@pytest.mark.parametrize("language", list(Language))
def test_the_story_is_well_formed_and_newest_first(language: Language) -> None:
    table = played_on(table_of(), 2 * LINES)
    html = story_html(table.happenings, table.humans, Words(language), PlayWords(language))
    items = list(ET.fromstring(html.replace("<br>", "<br/>")))
    assert len(items) == LINES
    newest = "".join(items[0].itertext())
    assert newest.startswith(table.happenings[-1].sentences(Words(language))[0])


def test_each_jan_has_its_points_its_sentence_and_its_rule() -> None:
    for seed in range(100):
        table = table_of(HIT, seed=seed)
        if table.roll().jans:
            break
    assert table.happenings[-1].jans
    words, texts = Words(Language.EN), PlayWords("en")
    html = story_html(table.happenings, table.humans, words, texts)
    for jan in table.happenings[-1].jans:
        assert f"+{jan.points}</span>" in html
        assert jan.rule in html


def test_an_empty_story_says_so() -> None:
    table = table_of()
    html = story_html(table.happenings, table.humans, Words(Language.EN), PlayWords("en"))
    assert "Nothing yet." in html


def test_the_strip_shows_holes_points_and_bredouille() -> None:
    record = table_of("white 1*15, black 1*15; white rolls; points 4-0; holes 3-0").state.record
    words, texts = Words(Language.EN), PlayWords("en")
    own = strip_html(record, WHITE, "(you)", True, words, texts)
    assert own.count('class="sb-peg"') == 3
    assert "bredouille" in own
    assert "flag" in own
    assert "sb-turn" in own
    other = strip_html(record, BLACK, "<b>", False, words, texts)
    assert "&lt;b&gt;" in other
    assert "bredouille" not in other


def test_the_dice_lie_there_until_the_next_roll() -> None:
    table = played_on(table_of(seed=5), 2)
    roll, play = table.happenings
    scene = scene_of_table(table, below=WHITE, is_new=True)
    assert scene.view.dice == roll.dice
    assert scene.view.player == roll.side
    assert list(scene.came_by) == moves_of(play)
    assert list(scene.trail) == moves_of(play)
    assert scene.mover is None


def test_plays_are_offered_only_to_who_may_move() -> None:
    table = table_of(seed=2, humans=(WHITE, BLACK))
    table.roll()
    scene = scene_of_table(table, below=WHITE, can_move=True)
    assert scene.plays
    assert scene.mover == table.state.current_player
    assert scene_of_table(table, below=WHITE).plays == ()


def test_two_people_see_the_board_from_whose_turn_it_is() -> None:
    table = table_of(seed=2, humans=(WHITE, BLACK))
    table.roll()
    assert side_below(table) == table.state.current_player
    assert side_below(table_of(humans=(BLACK,))) == BLACK


def test_both_languages_say_everything() -> None:
    assert TEXTS["en"].keys() == TEXTS["fr"].keys()
