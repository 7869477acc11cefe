"""What is to be searched, and how; it travels in the address of the search viewer."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args
from urllib.parse import urlencode

from spiel_bot.errors import BadRequestError
from spiel_bot.search.config import Chance, MctsConfig, Selection

MOST_SIMULATIONS = 2_000
"""Each of them is sent to the browser, to be shown one by one."""

SECONDS = 20.0
"""A search of a page ends after so long with what it has."""

LONGEST_TEXT = 500
LARGEST_SEED = 2**31


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A position and the settings of a search. Same request, same tree."""

    game: str = "trictrac"
    position: str = ""
    """In the game's notation; empty for the start."""

    dice: str = ""
    """The roll, such as 6-5, where the position waits for one."""

    judge: str = ""
    """Who judges positions: expert, rollout, uniform, RUN or RUN@ITERATION; empty for the best."""

    selection: str = "puct"
    chance: str = "quota"
    simulations: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be searched.

        Raises:
            BadRequestError: A value means nothing here.
        """
        for name, kind in (("selection", Selection), ("chance", Chance)):
            known = get_args(kind)
            value = getattr(self, name)
            if value not in known:
                raise BadRequestError(
                    f"{name}: expected one of {', '.join(known)}, got {value[:50]!r}"
                )
        if not 1 <= self.simulations <= MOST_SIMULATIONS:
            raise BadRequestError(
                f"simulations: expected 1 to {MOST_SIMULATIONS}, got {self.simulations}"
            )
        if not 0 <= self.seed < LARGEST_SEED:
            raise BadRequestError(f"seed: expected 0 to {LARGEST_SEED - 1}, got {self.seed}")

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "SearchRequest":
        """Return the request of an address.

        Raises:
            BadRequestError: A value means nothing.
        """
        found: dict[str, Any] = {}
        for field in fields(cls):
            text = query.get(field.name, "").strip()
            if not text:
                continue
            if len(text) > LONGEST_TEXT:
                raise BadRequestError(f"{field.name}: expected at most {LONGEST_TEXT} letters")
            found[field.name] = _number(field.name, text) if field.type is int else text
        return cls(**found)

    def query(self, **changes: Any) -> str:
        """Return the request as the part of an address behind the question mark."""
        usual = type(self)()
        values = {field.name: getattr(self, field.name) for field in fields(self)} | changes
        shown = {
            key: value
            for key, value in values.items()
            if key in ("game", "position") or value != getattr(usual, key, None)
        }
        return urlencode({key: value for key, value in shown.items() if value != ""})

    def config(self) -> MctsConfig:
        """Return the settings of the search; one leaf at a time, so that each step is exact."""
        selection: Any = self.selection
        chance: Any = self.chance
        return MctsConfig(
            n_simulations=self.simulations,
            selection=selection,
            chance=chance,
            eval_batch_size=1,
            time_limit_seconds=SECONDS,
            memory_limit_mb=256.0,
        ).without_exploration()


def _number(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        raise BadRequestError(f"{name}: expected a whole number, got {text[:50]!r}")
    return int(text)
