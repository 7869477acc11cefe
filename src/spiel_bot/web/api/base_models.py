"""What the forms of all requests and answers share."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Side = Literal["white", "black"]
LanguageCode = Literal["en", "fr"]

MOST_LETTERS = 1000
Line = Annotated[str, Field(max_length=MOST_LETTERS, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One line of text."""

GameName = Annotated[str, Field(max_length=60, examples=["trictrac"])]
Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]
Language = Annotated[LanguageCode, Field(description="Language of the sentences.")]


def with_examples(*examples: dict[str, Any]) -> ConfigDict:
    """Return the configuration of a form whose page shows these examples."""
    return ConfigDict(json_schema_extra={"examples": list(examples)})


class Asked(BaseModel):
    """A request: unknown fields and wrong types are refused, so that no slip goes unnoticed."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Told(BaseModel):
    """An answer."""

    model_config = ConfigDict(extra="forbid")


class Problem(Told):
    """What is answered instead when something is wrong."""

    model_config = with_examples({"error": "no run 'x'; the store has none"})

    error: str = Field(description="One clear sentence.")
