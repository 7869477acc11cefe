"""Values that are kept as JSON or as text because a column has no type for them."""

import json
from collections.abc import Mapping
from typing import Any

from spiel_bot.errors import RecordError


def to_json(what: str, value: Mapping[str, Any]) -> str:
    """Return a JSON object.

    Raises:
        RecordError: `value` holds something that JSON cannot.
    """
    try:
        return json.dumps(dict(value), ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise RecordError(f"{what} cannot be stored as JSON: {error}") from None


def from_json(text: str) -> dict[str, Any]:
    """Return the object of a column."""
    found: dict[str, Any] = json.loads(text)
    return found
