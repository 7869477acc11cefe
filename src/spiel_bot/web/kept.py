"""A small store of things that are slow to make: the newest few are kept, and looked at again."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

FRESH_SECONDS = 60.0
"""After so long a name such as `bot` or `RUN@latest` is looked up again: training goes on."""

Key = tuple[str, str]
Thing = TypeVar("Thing")


class Kept(Generic[Thing]):
    """The things asked for last, by key; any thread may ask."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._things: OrderedDict[Key, tuple[float, Thing]] = OrderedDict()

    def get(
        self, key: Key, make: Callable[[], Thing], is_same: Callable[[Thing, Thing], bool]
    ) -> Thing:
        """Return a thing, made now if it is not there or was not looked at for a while.

        Args:
            key: Its name.
            make: Makes it; one at a time, so that many who wait for one thing get the same.
            is_same: Tells whether a new thing is but the old one once more, which then stays.
        """
        with self._lock:
            made, thing = self._things.get(key, (0.0, None))
            if thing is None or time.monotonic() - made > FRESH_SECONDS:
                new = make()
                if thing is None or not is_same(thing, new):
                    thing = new
                self._things[key] = (time.monotonic(), thing)
            self._things.move_to_end(key)
            while len(self._things) > self._most:
                self._things.popitem(last=False)
            return thing
