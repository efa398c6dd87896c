"""Work that continues after Slack was acknowledged, in a limited number of threads; and a record of delivered events."""

import collections
import concurrent.futures
import threading
import time
import typing

from tfhelp.service.faults import log_fault

_THREADS = 8
_MOST_WAITING = 64
_EVENT_KEPT_S = 3600.0  # Slack delivers an event again up to about an hour later
_MOST_EVENTS = 20_000


class Background:
    """Threads that work on answers after Slack has its acknowledgement."""

    def __init__(self) -> None:
        self._threads = concurrent.futures.ThreadPoolExecutor(_THREADS, "slack")
        self._room = threading.BoundedSemaphore(_THREADS + _MOST_WAITING)

    def start(self, where: str, function: typing.Callable[[], None]) -> bool:
        """Run a function later. Return whether there is room for it. An error goes to the log, without pasted text."""
        if not self._room.acquire(blocking=False):
            return False

        def work() -> None:
            try:
                function()
            except Exception as error:  # noqa: BLE001 - no caller waits for it, so the log must have it
                log_fault(f"Slack, {where}", error)
            finally:
                self._room.release()

        try:
            self._threads.submit(work)
        except RuntimeError:  # it is shutting down
            self._room.release()
            return False
        return True

    def close(self) -> None:
        """Take no more work, and drop the work that has not begun."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class Delivered:
    """Events that were delivered before: Slack repeats an event if its acknowledgement was late or lost."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: collections.OrderedDict[str, float] = collections.OrderedDict()

    def is_new(self, identifier: str) -> bool:
        """Return whether this id appears for the first time; an event without an id is always new."""
        if not identifier:
            return True
        now = time.monotonic()
        with self._lock:
            while self._seen and (len(self._seen) >= _MOST_EVENTS or next(iter(self._seen.values())) < now - _EVENT_KEPT_S):
                self._seen.popitem(last=False)
            if identifier in self._seen:
                return False
            self._seen[identifier] = now
            return True
