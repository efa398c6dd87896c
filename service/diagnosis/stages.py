"""How long the parts of a diagnosis take, measured only while somebody wants to know."""

import contextlib
import contextvars
import time
import typing

STAGES = ("reading", "signs", "likeness", "scoring", "causes", "document")
"""In the order in which they follow each other."""

_measured: "contextvars.ContextVar[_Watch | None]" = contextvars.ContextVar("stages", default=None)


class _Watch:
    __slots__ = ("last", "seconds")

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.last = time.perf_counter()


@contextlib.contextmanager
def measured() -> typing.Iterator[dict[str, float]]:
    """Measure the diagnosis inside.

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
    """Say that a stage is over: what has passed since the one before it counts for this one."""
    watch = _measured.get()
    if watch is None:
        return
    now = time.perf_counter()
    watch.seconds[stage] = watch.seconds.get(stage, 0.0) + now - watch.last
    watch.last = now
