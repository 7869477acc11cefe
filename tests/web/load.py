"""Many games at once against a real server: how long does a move of the bot take?

    python -m tests.web.load --games 50

Each visitor plays a whole game of trictrac against the default player at full strength, with
plays drawn at random, and asks for the next thing as soon as he has an answer.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.web.browser.served import served


@dataclass
class Tally:
    """What was measured."""

    moves: list[float] = field(default_factory=list)
    """Seconds of each turn of the bot."""

    requests: int = 0
    finished: int = 0
    errors: list[str] = field(default_factory=list)

    def report(self, seconds: float) -> dict[str, Any]:
        """Return the figures."""
        ranked = sorted(self.moves)
        return {
            "games_finished": self.finished,
            "bot_moves": len(ranked),
            "requests": self.requests,
            "seconds": round(seconds, 1),
            "p50_ms": round(1000 * statistics.median(ranked), 1),
            "p95_ms": round(1000 * ranked[int(0.95 * len(ranked))], 1),
            "most_ms": round(1000 * ranked[-1], 1),
            "errors": len(self.errors),
        }


class Visitor:
    """One connection that stays open; a client so light that it hardly slows the server down."""

    def __init__(self, address: str, tally: Tally) -> None:
        self.host, _, port = address.removeprefix("http://").partition(":")
        self.port = int(port)
        self.tally = tally

    async def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Send one request; None if it was refused."""
        self.tally.requests += 1
        content = json.dumps(body).encode()
        self.writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: "
            f"application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = re.search(r"content-length: (\d+)", head)
        assert length is not None, head
        answer = await self.reader.readexactly(int(length[1]))
        if not head.startswith("http/1.1 2"):
            self.tally.errors.append(f"{path}: {head.splitlines()[0]} {answer.decode()}")
            return None
        found: dict[str, Any] = json.loads(answer)
        return found

    async def play(self, number: int, player: str | None, most_turns: int) -> None:
        """Play one game to its end, or for so many turns of the bot."""
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        rng = random.Random(number)
        body = {"people": ["white"], "seed": number, "player": player}
        state = await self.ask("/api/v1/games", body)
        turns = 0
        while state is not None and state["next"] != "over" and turns < most_turns:
            here = f"/api/v1/games/{state['id']}"
            if state["waits_for"] == "bot":
                before = time.perf_counter()
                state = await self.ask(f"{here}/bot", {})
                self.tally.moves.append(time.perf_counter() - before)
                turns += 1
            elif state["next"] == "roll":
                state = await self.ask(f"{here}/roll", {})
            else:
                chosen = rng.choice(state["plays"])["action"]
                state = await self.ask(f"{here}/play", {"action": chosen})
        if state is not None:
            self.tally.finished += state["next"] == "over"
        self.writer.close()


async def play_all(
    address: str, num_games: int, player: str | None = None, most_turns: int = 10**9
) -> dict[str, Any]:
    """Play all games at once; return the figures."""
    # Kernels are loaded first; no visitor of a server that has run for a minute waits for them.
    await Visitor(address, Tally()).play(10**6, player, 10)
    tally = Tally()
    before = time.perf_counter()
    await asyncio.gather(
        *(Visitor(address, tally).play(one, player, most_turns) for one in range(num_games))
    )
    return tally.report(time.perf_counter() - before) | {"first_errors": tally.errors[:3]}


def main() -> None:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--turns", type=int, default=10**9, help="Of the bot, in each game.")
    parser.add_argument("--player", default=None, help="Instead of the default one.")
    parser.add_argument("--store", type=Path, default=None, help="Instead of an empty one.")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(chosen.store or Path(folder, "store"), Path(folder, "log")) as address,
    ):
        figures = asyncio.run(play_all(address, chosen.games, chosen.player, chosen.turns))
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
