"""Games in progress: begin, look, roll, play, let the bot play, take back, give up, save."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from spiel_bot.analysis.decision import Decision
from spiel_bot.analysis.report import as_dict
from spiel_bot.games.played import SIDES
from spiel_bot.web.api import game_models as models
from spiel_bot.web.api.base_models import LanguageCode
from spiel_bot.web.api.errors import responses
from spiel_bot.web.api.game_view import game_state, plays_of
from spiel_bot.web.api.review_models import Review
from spiel_bot.web.hall import Hall
from spiel_bot.web.happenings import Happening
from spiel_bot.web.tables import Table

HINTS = 5

Id = Annotated[str, Path(max_length=60, description="The id that a new game was given.")]
Language = Annotated[LanguageCode, Query(description="Language of the sentences.")]


def router_of(hall: Hall) -> APIRouter:
    """Return the addresses under /games."""
    router = APIRouter(prefix="/games", tags=["games"])
    add_opening(router, hall)
    add_looking(router, hall)
    add_playing(router, hall)
    add_judging(router, hall)
    return router


def visitor_of(request: Request) -> str:
    """Return who asks: an address."""
    return request.client.host if request.client is not None else ""


def sides_of(names: list[str] | None) -> list[int] | None:
    """Return sides by their names."""
    return None if names is None else [SIDES.index(name) for name in names]


def add_opening(router: APIRouter, hall: Hall) -> None:
    """Add the addresses that begin and end games."""

    @router.post("", status_code=201, responses=responses())
    async def new_game(
        wanted: models.NewGame, request: Request, language: Language = "en"
    ) -> models.GameState:
        """Begin a game."""
        table = await hall.think(
            hall.new_table,
            wanted.game,
            humans=sides_of(list(wanted.people)) or [],
            against=wanted.player,
            level=wanted.level,
            seed=wanted.seed,
            start=wanted.start,
            visitor=visitor_of(request),
        )
        return await hall.act(game_state, table, language)

    @router.post("/load", status_code=201, responses=responses())
    async def load_game(
        wanted: models.LoadedGame, request: Request, language: Language = "en"
    ) -> models.GameState:
        """Go on with a saved game."""
        table = await hall.think(
            hall.load_table,
            wanted.text,
            humans=sides_of(None if wanted.people is None else list(wanted.people)),
            against=wanted.player,
            level=wanted.level,
            visitor=visitor_of(request),
        )
        return await hall.act(game_state, table, language)

    @router.delete("/{game_id}", status_code=204, responses=responses(404))
    async def delete_game(game_id: Id) -> Response:
        """Forget a game."""
        hall.tables.close(game_id)
        return Response(status_code=204)


def add_looking(router: APIRouter, hall: Hall) -> None:
    """Add the addresses that change nothing."""

    @router.get("/{game_id}", responses=responses(404))
    async def state(
        game_id: Id,
        language: Language = "en",
        since: Annotated[
            int | None,
            Query(ge=0, le=10**6, description="Events from this number on; else the last few."),
        ] = None,
    ) -> models.GameState:
        """Return how a game stands."""
        table = hall.tables.find(game_id)
        told = None if since is None else table.happenings[since:]
        return await hall.act(game_state, table, language, told)

    @router.get("/{game_id}/plays", responses=responses(404))
    async def plays(game_id: Id) -> models.PlayList:
        """Return the legal plays of who is to act; none while a roll is next."""
        return models.PlayList(plays=await hall.think(plays_of, hall.tables.find(game_id)))

    @router.get("/{game_id}/file", responses=responses(404))
    async def save(game_id: Id) -> models.GameFile:
        """Return the game as a game file, which load, the page and the terminal go on with."""
        return models.GameFile(text=await hall.think(hall.tables.find(game_id).text))


def add_playing(router: APIRouter, hall: Hall) -> None:
    """Add the addresses that let something happen."""

    @router.post("/{game_id}/roll", responses=responses(404, 409))
    async def roll(game_id: Id, language: Language = "en") -> models.GameState:
        """Let the dice fall, where a roll is next."""
        table = hall.tables.find(game_id)
        return await hall.act(told, table, language, lambda: [table.roll()])

    @router.post("/{game_id}/play", responses=responses(404, 409))
    async def play(
        game_id: Id, chosen: models.Chosen, language: Language = "en"
    ) -> models.GameState:
        """Play for the person who is to act."""
        table = hall.tables.find(game_id)
        what = chosen.action if chosen.play is None else chosen.play
        assert what is not None
        return await hall.act(told, table, language, lambda: [table.play(what)])

    @router.post("/{game_id}/bot", responses=responses(404, 409))
    async def bot(
        game_id: Id, turn: models.BotTurn | None = None, language: Language = "en"
    ) -> models.GameState:
        """Let the bot roll and play until a person is next, or the game is over."""
        table = hall.tables.find(game_id)
        if turn is not None and turn.single:
            return await hall.act(told, table, language, lambda: [table.bot_acts()])
        return await hall.act(told, table, language, table.bot_turn)

    @router.post("/{game_id}/undo", responses=responses(404, 409))
    async def undo(game_id: Id, language: Language = "en") -> models.GameState:
        """Go back to the last decision of a person; the dice to come stay the same."""
        table = hall.tables.find(game_id)
        return await hall.act(told, table, language, table.undo)

    @router.post("/{game_id}/resign", responses=responses(404, 409))
    async def resign(
        game_id: Id, who: models.Resigning | None = None, language: Language = "en"
    ) -> models.GameState:
        """Give the game up."""
        table = hall.tables.find(game_id)
        side = None if who is None or who.side is None else SIDES.index(who.side)
        return await hall.act(told, table, language, lambda: table.resign(side))


def told(
    table: Table, language: LanguageCode, act: Callable[[], list[Happening] | int | None]
) -> models.GameState:
    """Let something happen, and tell how the game stands then."""
    with table.lock:
        happenings = act()
        return game_state(table, language, happenings if isinstance(happenings, list) else None)


def add_judging(router: APIRouter, hall: Hall) -> None:
    """Add the addresses that say what a play is worth, or why it is none."""

    @router.post("/{game_id}/why", responses=responses(404, 409))
    async def why(game_id: Id, asked: models.WrittenPlay) -> models.Verdict:
        """Say whether a play is legal, and if not which rule it breaks."""
        table = hall.tables.find(game_id)
        reason = await hall.think(table.why_not, asked.play, asked.language)
        return models.Verdict(play=asked.play, legal=reason is None, reason=reason)

    @router.post("/{game_id}/hint", responses=responses(404, 409))
    async def hint(game_id: Id) -> models.Hint:
        """Return the best plays with their chance of winning."""
        table = hall.tables.find(game_id)
        return await hall.think(hint_of, hall, table)

    @router.post("/{game_id}/review", responses=responses(404))
    async def review(game_id: Id) -> Review:
        """Judge all that was decided and rolled so far; takes some seconds."""
        table = hall.tables.find(game_id)
        return await hall.think(review_of, hall, table)


def hint_of(hall: Hall, table: Table) -> models.Hint:
    """Return the best plays of a table."""
    judge = hall.shelf.judge(None, table.game)
    found: Decision = table.hint(judge)
    return models.Hint(
        judge=judge.name,
        plays=[
            models.JudgedPlay(
                action=one.action,
                text=one.name,
                equity=one.equity,
                win_chance=one.win_chance,
                loss=one.loss,
            )
            for one in found.actions[:HINTS]
        ],
    )


def review_of(hall: Hall, table: Table) -> Review:
    """Return the report on a game so far."""
    judge = hall.shelf.judge(None, table.game)
    return Review.model_validate(as_dict(table.review(judge)))
