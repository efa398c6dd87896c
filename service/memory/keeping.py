"""A server's memory: opened as configured, purged once a day, closed at the end."""

import contextlib
import math
import os
import sys
import threading
import typing

from tfhelp.service.errors import InputError
from tfhelp.service.version import how_to_install

if typing.TYPE_CHECKING:
    from tfhelp.service.memory.store import TeamMemory

VARIABLE = "TFHELP_MEMORY"
FILE_VARIABLE = "TFHELP_MEMORY_FILE"
"""The variable that names a file with the path or URL, so that a password does not appear in a process list or a variable."""
DEFAULT_DAYS = 180.0
_MOST_DAYS = 36_500.0
_DAY_S = 86_400.0
_PATIENCE_S = 2.0  # an answer that cannot be kept is sent without a link; nobody waits half a minute for a link


@contextlib.contextmanager
def memory_of_server(
    where: str | None, keep_days: float = DEFAULT_DAYS, weighs: bool = True, every_s: float = _DAY_S
) -> "typing.Iterator[TeamMemory | None]":
    """The memory that ``--memory`` or ``TFHELP_MEMORY`` names, or none; it is purged immediately and then daily.

    Args:
        where: the value of ``--memory``; None reads the variables, and an empty value keeps nothing.
        keep_days: how long a diagnosis is kept.
        weighs: whether feedback moves the causes of later answers.
        every_s: seconds between two purges.

    Raises:
        InputError: it cannot be opened, or ``keep_days`` is invalid.
    """
    named = where_by_environment() if where is None else where
    days = checked_days(keep_days)
    if not named:
        yield None
        return
    from tfhelp.service.memory.database import PATIENCE_S

    memory = _open(named, days, weighs)
    memory.engine = memory.engine.execution_options(**{PATIENCE_S: _PATIENCE_S})
    for note in memory.notes:
        print(f"tfhelp serve: {note}", file=sys.stderr, flush=True)
    ended = threading.Event()
    purging = threading.Thread(target=_purge_repeatedly, args=(memory, ended, every_s), name="purge", daemon=True)
    purging.start()
    try:
        yield memory
    finally:
        ended.set()
        purging.join(timeout=5)
        memory.close()


def where_by_environment() -> str:
    """The path or URL in ``TFHELP_MEMORY``, or in the file that ``TFHELP_MEMORY_FILE`` names; empty for none.

    Raises:
        InputError: the file cannot be read, or both variables are set.
    """
    named, file = os.environ.get(VARIABLE, "").strip(), os.environ.get(FILE_VARIABLE, "").strip()
    if named and file:
        raise InputError(f"{VARIABLE} and {FILE_VARIABLE} are both set; unset one of them")
    if not file:
        return named
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"{FILE_VARIABLE} names {file}, which cannot be read: {why}") from None


def checked_days(days: float) -> float:
    """The number of days, checked.

    Raises:
        InputError: it is not above 0, or it is more than a hundred years.
    """
    if not (math.isfinite(days) and 0 < days <= _MOST_DAYS):
        raise InputError(f"--keep-days is {days:g}; it takes a number of days from above 0 to {_MOST_DAYS:g}")
    return days


def _open(where: str, days: float, weighs: bool) -> "TeamMemory":
    try:
        from tfhelp.service.memory.store import TeamMemory
    except ImportError as error:
        raise InputError(f"a memory needs {error.name}, which is not installed: {how_to_install('memory')}") from None
    return TeamMemory.open(where, days, weighs)


def _purge_repeatedly(memory: "TeamMemory", ended: threading.Event, every_s: float) -> None:
    """Purge repeatedly. If a purge fails, the server logs it, goes on, and tries again the next time."""
    from tfhelp.service.access.purging import purge_access

    while True:
        try:
            memory.purge()
            purge_access(memory.engine, memory.oldest())
        except Exception as error:  # noqa: BLE001 - a database driver has its own classes, and none of them may end the thread
            print(f"tfhelp serve: the memory could not be purged ({type(error).__name__})", file=sys.stderr, flush=True)
        if ended.wait(every_s):
            return
