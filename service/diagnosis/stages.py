"""Measure how long the parts of a diagnosis take, only while measuring is on."""

import contextlib
import contextvars
import time
import typing

STAGES = ("reading", "signs", "likeness", "scoring", "causes", "document")
"""The stages, in order."""

_measured: "contextvars.ContextVar[_Watch | None]" = contextvars.ContextVar("stages", default=None)


class _Watch:
    __slots__ = ("last", "seconds")

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.last = time.perf_counter()


@contextlib.contextmanager
def measured() -> typing.Iterator[dict[str, float]]:
    """Measure the diagnosis inside the block.

    Yields:
        seconds by stage; complete when the block ends.
    """
    watch = _Watch()
    token = _measured.set(watch)
    try:
        yield watch.seconds
    finally:
        _measured.reset(token)


def ended(stage: str) -> None:
    """Mark the end of a stage: the time since the previous one counts for it."""
    watch = _measured.get()
    if watch is None:
        return
    now = time.perf_counter()
    watch.seconds[stage] = watch.seconds.get(stage, 0.0) + now - watch.last
    watch.last = now
