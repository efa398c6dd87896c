"""What the learning hooks share: the watches, the current roles, and how our own code is called."""

from __future__ import annotations

import atexit
import os
import threading
import typing

if typing.TYPE_CHECKING or __name__.startswith("tfhelp."):
    from tfhelp.collectors.run.injected.learning_watch import Shared, Watch
else:
    from _tfhelp_learning_watch import Shared, Watch

Any = typing.Any
shared = Shared()
here: Any = threading.local()  # what the current step of a loop has shown so far
_pid = os.getpid()


def roles() -> list[tuple[Watch, str]]:
    """(watch, role) of the calls of fit, evaluate and predict that are running in this thread."""
    if not hasattr(here, "roles"):
        here.roles = []
    return typing.cast("list[tuple[Watch, str]]", here.roles)


def quietly(function: typing.Callable[..., Any], *arguments: Any) -> Any:
    """Call our own code: an exception in it is dropped."""
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001 - the program must not notice
        if os.environ.get("TFHELP_LEARNING_DEBUG"):
            import traceback

            traceback.print_exception(type(error), error, error.__traceback__)
        return None


def _at_end() -> None:
    if os.getpid() == _pid and shared.watches:
        quietly(_finish)


def _finish() -> None:
    for watch in shared.watches:
        if watch.kind == "loop":
            quietly(watch.finish)
    shared.save(now=True)


if not __name__.startswith("tfhelp."):  # under that name it is only imported, not used
    atexit.register(_at_end)
