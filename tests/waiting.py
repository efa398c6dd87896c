"""Waiting for what another process does."""

import time
import typing


def until(what: typing.Callable[[], bool], seconds: float = 120.0) -> bool:
    """Whether a condition becomes true; the timeout only ends a test that fails."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
