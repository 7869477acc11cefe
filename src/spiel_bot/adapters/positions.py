"""A position that can be copied deeply, and stored by pickle as a line of our notation."""

from typing import Any, Self

from spiel_bot.games.base import Environment, Game


class StoredPosition:
    """A position, opened when it is first used.

    What is stored are two texts, so that a stored position has no memory layout in it and is
    checked when it is read.
    """

    def __init__(self, start: str | None, text: str | None = None) -> None:
        """Take where the game started and where it stands; None is the first position."""
        self.start = start
        self.text = text if text is not None else start
        self.environment: Environment | None = None

    def open(self, game: Game) -> Environment:
        """Return the position as an environment of a game; further calls are needless.

        Raises:
            NotationError: The text is not a position of this game.
        """
        # Whoever uses this draws chance outcomes himself: the dice of the environment are idle.
        self.environment = (
            game.new_game(seed=0) if self.text is None else game.from_notation(self.text, seed=0)
        )
        return self.environment

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = type(self)(self.start, self.text)
        if self.environment is not None:
            copy.environment = self.environment.clone()
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        text = self.text if self.environment is None else self.environment.notation
        return type(self), (self.start, text)
