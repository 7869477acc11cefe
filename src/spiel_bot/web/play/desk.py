"""A table as one visitor sees it: the board, what is asked, what happened, and the buttons."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from nicegui import ui

from spiel_bot.errors import SpielBotError
from spiel_bot.games.base import WHITE
from spiel_bot.games.trictrac.actions import GO_ACTION
from spiel_bot.games.trictrac.play_notation import NO_MOVE, moves_text
from spiel_bot.games.trictrac.step_faults import why_no_step
from spiel_bot.players.telling import result_text, who
from spiel_bot.players.words import Language
from spiel_bot.web.board.component import TrictracBoard
from spiel_bot.web.board.scene import Move, Scene, seen_by_white
from spiel_bot.web.hall import Hall
from spiel_bot.web.happenings import Happening
from spiel_bot.web.play.asking import Asking
from spiel_bot.web.play.preferences import Preferences
from spiel_bot.web.play.review import build_review
from spiel_bot.web.play.scenes import scene_of_table, side_below
from spiel_bot.web.play.story import story_html
from spiel_bot.web.play.strip import player_name, strip_html
from spiel_bot.web.play.words import PlayWords
from spiel_bot.web.tables import Table
from spiel_bot.web.words.page_words import PageWords

NO_TARGET = -1
"""Where a checker goes that was lifted and can go nowhere."""


class Desk:
    """Shows a table and lets people play at it."""

    def __init__(
        self,
        hall: Hall,
        table: Table,
        language: Language,
        preferences: Preferences,
        on_new_game: Callable[[], None],
    ) -> None:
        """Build it where the page stands.

        Args:
            hall: Where the table is.
            table: The game.
            language: Of the visitor.
            preferences: Of the visitor.
            on_new_game: Called when he wants another game.
        """
        self.hall = hall
        self.table = table
        self.words = PageWords(language)
        self.texts = PlayWords(language)
        self.preferences = preferences
        self.on_new_game = on_new_game
        self._holds = False
        self._is_busy = False
        self.only_in_play: list[ui.button] = []
        """Buttons that mean nothing once the game is over."""
        with ui.element("section").classes("sb-boardside"):
            self._above = ui.html("", sanitize=False)
            self.board = TrictracBoard(
                self._scene(),
                language=language,
                speed=preferences.speed,
                on_play=self.play,
                on_refused=self.refuse,
            )
            self._below = ui.html("", sanitize=False)
        with ui.element("aside").classes("sb-side"):
            with ui.element("div").classes("sb-card sb-now"):
                self.asking = Asking(self.words, self.texts)
                self.message = ui.label().classes("sb-message").props('role="alert"')
            self.tools = ui.element("div").classes("sb-tools")
            with ui.element("div").classes("sb-card sb-storycard"):
                ui.label(self.texts("story")).classes("sb-title")
                self._story = ui.html("", sanitize=False).props('role="log" tabindex="0"')
        self.review = ui.element("section").classes("sb-review")
        self._tell()

    def _scene(self, *, is_new: bool = False) -> Scene:
        return scene_of_table(
            self.table,
            below=side_below(self.table),
            can_move=self.may_move,
            is_new=is_new,
        )

    @property
    def may_move(self) -> bool:
        """Whether the visitor may move checkers now."""
        table = self.table
        if not table.waits_for_person or table.waits_for_roll:
            return False
        return self._holds or not table.state.record["can_go"]

    async def advance(self) -> None:
        """Let happen what needs nobody's answer, then ask."""
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while not self.board.is_deleted and (happening := await self._next()) is not None:
                self._happened(happening)
                await asyncio.sleep(self.preferences.pause)
        except SpielBotError as error:
            self.complain(str(error))
        finally:
            self._is_busy = False

    async def _next(self) -> Happening | None:
        """Return what has just happened of itself, None if somebody must answer."""
        table, texts = self.table, self.texts
        for button in self.only_in_play:
            button.set_enabled(not table.is_over)
        if table.is_over:
            text = result_text(table.session, self.words)
            self.asking.over(text, self.show_review, self.on_new_game)
            return None
        if table.waits_for_roll:
            return self._next_roll()
        if table.state.current_player not in table.humans:
            self.asking.say(texts("thinking", who=self._who(table.state.current_player)))
            return await self.hall.act(table.bot_acts)
        self._ask_decision()
        return None

    def _next_roll(self) -> Happening | None:
        table, texts = self.table, self.texts
        roller = table.roller
        is_own = roller is None or roller in table.humans
        if not is_own or self.preferences.auto_roll:
            return table.roll()
        if roller is None:
            text, label = texts("first_throw"), texts("roll_first")
        else:
            text, label = texts("to_roll", who=self._who(roller)), texts("roll")
        self.asking.button(text, label, self.roll, "casino")
        return None

    def _ask_decision(self) -> None:
        table, texts = self.table, self.texts
        record = table.state.record
        if record["can_go"] and not self._holds:
            self.asking.hold_or_go(record, self.hold, self.go)
        elif table.state.action_name(table.state.legal_actions[-1]) == NO_MOVE:
            who_acts = self._who(table.state.current_player)
            text = self.words("no_move", who=who_acts)
            self.asking.button(text, texts("pass"), self.no_move, "skip_next")
        else:
            roll = "{}-{}".format(*record["dice"])
            text = texts("your_turn", who=self._who(table.state.current_player), roll=roll)
            self.asking.play(text)

    async def roll(self) -> None:
        """Let the visitor's dice fall."""
        await self._do(self.table.roll)

    async def play(self, moves: list[Move]) -> None:
        """Make the play that the visitor has put on the board."""
        text = moves_text(seen_by_white(moves, self.table.state.current_player))
        await self._do(lambda: self.table.play(text))

    async def no_move(self) -> None:
        """Pass a roll that cannot be played."""
        await self._do(lambda: self.table.play(NO_MOVE))

    async def go(self) -> None:
        """Leave after a hole."""
        await self._do(lambda: self.table.play(GO_ACTION))

    async def hold(self) -> None:
        """Stay after a hole: now the roll is played."""
        self._holds = True
        self.show()
        self._ask_decision()

    async def _do(self, work: Callable[[], Happening]) -> None:
        """Let the visitor do something, then go on."""
        if self._is_busy:
            return
        trouble = ""
        self._is_busy = True
        try:
            happening = work()
            self.asking.say("")
            self._happened(happening)
            if happening.is_roll:
                await asyncio.sleep(self.preferences.pause / 2)
        except SpielBotError as error:
            trouble = str(error)
            self.show()
        finally:
            self._is_busy = False
        await self.advance()  # after trouble too: another window of this game may have gone on
        if trouble:
            self.complain(trouble)

    def refuse(self, moves: list[Move]) -> None:
        """Say why checkers cannot be put there."""
        record = self.table.state.record
        side = self.table.state.current_player
        *made, (source, target) = moves
        own = seen_by_white([*made, (source, max(target, 0))], side)
        *done, (start, end) = own
        wanted = None if target == NO_TARGET else end
        reason = why_no_step(
            record["board"].tolist(),
            record["dice"].tolist(),
            done,
            (start, wanted),
            self.words.language,
        )
        play = str(start) if wanted is None else moves_text([(start, end)])
        is_named = reason.startswith(play)
        self.complain(reason if is_named else self.texts("refused_play", play=play, reason=reason))

    async def undo(self) -> None:
        """Take the visitor's last decision back."""
        if self._is_busy:
            return
        try:
            self.table.undo()
        except SpielBotError:
            self.complain(self.words("no_undo"))
            return
        self._holds = False
        self.review.clear()
        self.show()
        self._tell()
        self.say(self.texts("undone"))
        await self.advance()

    async def resign(self) -> None:
        """Give the game up."""
        try:
            side = self.table.resign()
        except SpielBotError as error:
            self.complain(str(error))
            return
        self.show()
        self.say(self.words("resigned", who=self._who(side)))
        await self.advance()

    async def hint(self) -> None:
        """Show what the best judge at hand would play."""
        if self.table.is_over or self.table.waits_for_roll:
            self.say(self.words("no_choice"))
            return
        try:
            judge = await self.hall.think(self.hall.shelf.judge, None, self.table.game)
            found = await self.hall.think(self.table.hint, judge)
        except SpielBotError as error:
            self.complain(str(error))
            return
        name = player_name(judge.name, self.texts)
        best = found.best
        self.say(
            "\n".join(
                self.texts(
                    "hint_best" if one is best else "hint_other",
                    judge=name,
                    play=self._play_name(one.name),
                    chance=self.texts.chance(one.win_chance),
                )
                for one in found.actions[:3]
            )
        )
        details = self.table.game.action_details
        if details is not None and best.action != GO_ACTION and self.may_move:
            moves = details(found.state, best.action)["moves"]
            self.show(advice=seen_by_white(moves, found.player))

    async def show_review(self) -> None:
        """Judge the whole game and show it below the board."""
        self.say(self.texts("reviewing"))
        try:
            judge = await self.hall.think(self.hall.shelf.judge, None, self.table.game)
            analysis = await self.hall.think(self.table.review, judge)
        except SpielBotError as error:
            self.complain(str(error))
            return
        with suppress(RuntimeError):  # the visitor may have left
            self.say("")
            self.review.clear()
            with self.review:
                build_review(analysis, self.table, self.words, self.texts)
                ui.run_javascript(f"getHtmlElement({self.review.id})?.scrollIntoView()")

    def set_speed(self, speed: str) -> None:
        """Move faster or slower from now on."""
        self.preferences = self.preferences.with_speed(speed)
        self.board.set_speed(speed)

    async def set_auto_roll(self, auto_roll: bool) -> None:
        """Let the visitor's dice fall of themselves, or not."""
        self.preferences = self.preferences.with_auto_roll(auto_roll)
        await self.advance()

    def say(self, text: str) -> None:
        """Show a message."""
        self.message.set_text(text)
        self.message.classes(remove="sb-alert")

    def complain(self, text: str) -> None:
        """Show why something is not possible."""
        self.message.set_text(text)
        self.message.classes("sb-alert")

    def show(self, *, is_new: bool = False, advice: list[Move] | None = None) -> None:
        """Bring the board and the strips up to date."""
        scene = self._scene(is_new=is_new)
        if advice:
            scene = replace(scene, advice=advice)
        self.board.show(scene)
        self._show_strips()

    def _happened(self, happening: Happening) -> None:
        self._holds = False
        self.say("")
        self.show(is_new=True)
        self._tell()

    def _tell(self) -> None:
        table = self.table
        self._story.set_content(story_html(table.happenings, table.humans, self.words, self.texts))
        self._show_strips()

    def _show_strips(self) -> None:
        table = self.table
        below = side_below(table)
        turn = table.roller if table.waits_for_roll else table.state.current_player
        for side, strip in ((1 - below, self._above), (below, self._below)):
            is_turn = not table.is_over and turn == side
            name = self._name(side)
            record = table.state.record
            strip.set_content(strip_html(record, side, name, is_turn, self.words, self.texts))

    def _name(self, side: int) -> str:
        if side in self.table.humans:
            return f"({self.words('you')})" if len(self.table.humans) == 1 else ""
        return player_name(self.table.names[side], self.texts) or self.texts("opponent")

    def _who(self, side: int) -> str:
        return who(self.table.session, side, self.words) if side >= WHITE else ""

    def _play_name(self, name: str) -> str:
        return self.words("go") if name == "go" else self.words.phrase(name)
