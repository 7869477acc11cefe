"""Every error as JSON with one clear sentence, and the status that fits it."""

import json
import logging
import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from spiel_bot import errors
from spiel_bot.web.api.base_models import Problem

STATUSES: tuple[tuple[type[errors.SpielBotError], int], ...] = (
    (errors.UnknownTableError, 404),
    (errors.UnknownRunError, 404),
    (errors.TableError, 409),
    (errors.StoreBusyError, 409),
    (errors.RecordError, 409),
    (errors.BusyError, 429),
    (errors.TrainingStartError, 422),
    (errors.StoreFullError, 507),
    (errors.StoreCorruptError, 503),
    (errors.StoreError, 404),
    (errors.SpielBotError, 422),
)
"""The first kind that fits tells the status."""

NO_JSON = "expected a body of JSON in UTF-8 that is not nested too deeply"
NO_OBJECT = "expected a JSON object as the body, sent with Content-Type: application/json"
LONGEST_SENTENCE = 600
DESCRIPTIONS = {
    404: "There is no such thing.",
    409: "Not now: it is not the time for it, or something else is under way.",
    413: "The request is too large.",
    422: "The request makes no sense; the sentence says why.",
    429: "Too much is asked for; try again later.",
}


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what an operation may answer instead, for the OpenAPI page."""
    return {
        status: {"model": Problem, "description": DESCRIPTIONS[status]}
        for status in sorted({*statuses, 413, 422, 429})
    }


def problem(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """Return an error; any text can be sent, also such as no file could hold."""
    short = " ".join(sentence.split())[:LONGEST_SENTENCE]
    return Response(json.dumps({"error": short}), status, headers, "application/json")


def status_of(error: errors.SpielBotError) -> int:
    """Return the status that fits an error of ours."""
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def add_handlers(api: FastAPI) -> None:
    """Answer every error in the same form."""

    @api.exception_handler(errors.SpielBotError)
    async def own(request: Request, error: errors.SpielBotError) -> Response:
        return problem(status_of(error), str(error))

    @api.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return problem(422, "; ".join(sentence_of(one) for one in error.errors()[:3]))

    @api.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return problem(404, "there is no such address; /api/docs lists all")
        if error.status_code == 405:
            sentence = f"{request.method} is not for this address; /api/docs lists all"
            return problem(405, sentence, {"Allow": ", ".join(methods_at(api, request))})
        return problem(422, NO_JSON)  # what is left is a body that cannot be read

    @api.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        logging.getLogger("spiel_bot.web").exception("an answer failed", exc_info=error)
        return problem(500, f"the server failed: {type(error).__name__}; its log says more")


def methods_at(api: FastAPI, request: Request) -> list[str]:
    """Return the methods of an address; the router names those of one operation alone."""
    paths: dict[str, dict[str, Any]] = api.openapi()["paths"]
    path = request.scope["path"].removeprefix(request.scope["root_path"])
    if path not in paths:
        patterns = {re.sub(r"{\w+}", "[^/]+", one): one for one in paths}
        path = next((patterns[one] for one in patterns if re.fullmatch(one, path)), path)
    return sorted(method.upper() for method in paths.get(path, ["get"]))


def sentence_of(error: dict[str, Any]) -> str:
    """Return one fault of a request in words."""
    if error["type"] == "json_invalid":
        return NO_JSON
    if error["type"] == "model_attributes_type" and len(error["loc"]) == 1:
        return NO_OBJECT
    place = ".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0])
    return f"{place}: {error['msg'].removeprefix('Value error, ')}"
