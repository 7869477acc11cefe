"""What a visitor likes, remembered in his browser: speed of the animation, who rolls."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nicegui import ui

from spiel_bot.web.board.component import SPEEDS

SPEED_COOKIE = "spiel_bot_speed"
ROLL_COOKIE = "spiel_bot_auto_roll"
YEAR_SECONDS = 365 * 24 * 3600
PAUSES = {"off": 0.0, "normal": 0.9, "slow": 2.2}
"""Seconds between what players do, so that one can follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """How a visitor likes to play."""

    speed: str = "normal"
    auto_roll: bool = False

    @property
    def pause(self) -> float:
        """Seconds to wait after something has happened."""
        return PAUSES[self.speed]

    @classmethod
    def of(cls, cookies: Mapping[str, str]) -> "Preferences":
        """Return what a browser remembers; strange values are as none."""
        speed = cookies.get(SPEED_COOKIE, "")
        return cls(
            speed=speed if speed in SPEEDS else "normal",
            auto_roll=cookies.get(ROLL_COOKIE) == "1",
        )

    def with_speed(self, speed: str) -> "Preferences":
        """Return these with another speed, and remember it."""
        remember(SPEED_COOKIE, speed)
        return replace(self, speed=speed)

    def with_auto_roll(self, auto_roll: bool) -> "Preferences":
        """Return these with another roller, and remember it."""
        remember(ROLL_COOKIE, str(int(auto_roll)))
        return replace(self, auto_roll=auto_roll)


def remember(name: str, value: str) -> None:
    """Keep a value in the visitor's browser."""
    cookie = f"{name}={value}; path=/; max-age={YEAR_SECONDS}; samesite=lax"
    ui.run_javascript(f"document.cookie = {cookie!r}")
