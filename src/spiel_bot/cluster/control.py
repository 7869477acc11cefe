"""Being asked to stop or to pause, and saying that the run is alive."""

import threading
import time
from collections.abc import Callable
from typing import Any

from spiel_bot.errors import StoreError
from spiel_bot.storage.runs import RunState
from spiel_bot.storage.store import Store

BEAT_SECONDS = 2.0


class Control:
    """Listens to requests in the store and to `stop`, while others ask `should_stop`."""

    def __init__(self, store: Store, run: int) -> None:
        self._store = store
        self._run = run
        self._stopped = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._ended = threading.Event()
        self.progress: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._listen, name="control", daemon=True)

    def __enter__(self) -> "Control":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._going.set()
        self._thread.join()

    def stop(self) -> None:
        """Ask everybody to stop soon."""
        self._stopped.set()
        self._going.set()

    def should_stop(self) -> bool:
        """Return whether to stop; waits here while the run is paused."""
        if not self._going.is_set():
            self._going.wait()
        return self._stopped.is_set()

    def _listen(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            try:
                self._store.runs.beat(self._run, self.progress)
                for request in self._store.requests.take(self._run):
                    self._obey(request.command)
                    self._store.requests.answer(request, "done")
            except StoreError:  # a store that is busy for once is asked again
                time.sleep(BEAT_SECONDS)

    def _obey(self, command: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "stop": self.stop,
            "pause": self._pause,
            "continue": self._continue,
        }
        if command in actions:
            actions[command]()

    def _pause(self) -> None:
        self._going.clear()
        self._store.runs.set_state(self._run, RunState.PAUSED)

    def _continue(self) -> None:
        self._store.runs.set_state(self._run, RunState.RUNNING)
        self._going.set()
