"""What a chart shows, and which round numbers its axes carry."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from spiel_bot.errors import BadRequestError

LEAST_EXPONENT, MOST_EXPONENT = -4, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One line of a chart. Points that are not finite leave a gap."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    errors: Sequence[float] | None = None
    """Half the length of each error bar; NaN for none."""

    def points(self) -> list[tuple[float, float, float]]:
        """Return x, y and error of every point; the error is 0 where there is none.

        Raises:
            BadRequestError: The lists are not equally long.
        """
        errors = [0.0] * len(self.x) if self.errors is None else self.errors
        if not len(self.x) == len(self.y) == len(errors):
            raise BadRequestError(f"the curve {self.name!r} needs as many x, y and errors")
        return [
            (float(x), float(y), float(error) if math.isfinite(error) else 0.0)
            for x, y, error in zip(self.x, self.y, errors, strict=True)
        ]

    def finite_points(self) -> list[tuple[float, float, float]]:
        """Return the points that can be drawn."""
        return [point for point in self.points() if all(map(math.isfinite, point))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A stretch of numbers with marks on it."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """Return where a value lies, 0 at the low end and 1 at the high one."""
        return (value - self.low) / (self.high - self.low)


def axis_over(values: Sequence[float], most_ticks: int, *, is_snug: bool = False) -> Axis:
    """Return an axis that holds all values, marked at multiples of 1, 2 or 5.

    Args:
        values: At least one finite number.
        most_ticks: About so many marks.
        is_snug: End at the values instead of at a mark.
    """
    low, high = min(values), max(values)
    if low == high:
        margin = abs(low) * 0.5 or 1.0
        low, high = low - margin, high + margin
    step = round_step((high - low) / most_ticks)
    first = math.ceil(low / step - 1e-9) if is_snug else math.floor(low / step + 1e-9)
    last = math.floor(high / step + 1e-9) if is_snug else math.ceil(high / step - 1e-9)
    ticks = tuple(number * step for number in range(first, last + 1))
    return (
        Axis(low=low, high=high, ticks=ticks)
        if is_snug
        else Axis(low=ticks[0], high=ticks[-1], ticks=ticks)
    )


def round_step(least: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(
        (power * factor for factor in (1, 2, 5) if power * factor >= least * 0.999), power * 10
    )


def tick_text(value: float) -> str:
    """Return a number for an axis: short, without a tail of noise."""
    if abs(value) < 1e-12:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if exponent < LEAST_EXPONENT or exponent >= MOST_EXPONENT:
        return f"{value:.3g}"
    text = f"{value:,.6f}".rstrip("0").rstrip(".")
    return text.replace(",", "\u2009")
