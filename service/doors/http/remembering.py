"""Work that waits for a memory: in its own threads, with a deadline, with a pause after a missed deadline, and with one error.

A database can hang without an error: its process is stopped, its disk stalls, or another session holds a lock. Python cannot end a
thread that waits for it. So the request continues without the thread, and for some seconds no other request uses the database.
"""

import sys
import time
import typing

import anyio
import anyio.to_thread

from tfhelp.service.faults import log_fault
from tfhelp.service.workers.limits import UnavailableError

PATIENCE_S = 10.0
_PAUSE_S = 10.0
_AFTER_A_FAULT_S = 5
_MOST_AT_ONCE = 4  # threads; a database writes one answer at a time anyway


class MemoryAwayError(UnavailableError):
    """The memory failed, or it did not answer in time, now or a moment ago."""

    code = "memory-away"


class Remembering:
    """Runs functions that wait for a memory."""

    __slots__ = ("_at_once", "_away_until")

    def __init__(self) -> None:
        self._at_once = anyio.CapacityLimiter(_MOST_AT_ONCE)
        self._away_until = 0.0

    async def run(self, function: typing.Callable[..., typing.Any], *arguments: object) -> typing.Any:
        """Run a function in a thread.

        Raises:
            MemoryAwayError: the function took longer than ``PATIENCE_S`` seconds. It may still end later. Also raised, without a
                wait, for some seconds afterwards; and if the database fails, for example because its disk is full.
        """
        self._check()
        try:
            with anyio.move_on_after(PATIENCE_S):
                return await anyio.to_thread.run_sync(
                    self._checked, function, arguments, limiter=self._at_once, abandon_on_cancel=True
                )
        except Exception as error:
            if not _is_of_a_database(error):
                raise
            log_fault("asking the memory", error)
            raise MemoryAwayError(
                "The memory of this server is not working at the moment. Try again soon.", _AFTER_A_FAULT_S
            ) from None
        self._away_until = time.monotonic() + _PAUSE_S
        raise self._error()

    def _checked(self, function: typing.Callable[..., typing.Any], arguments: tuple[object, ...]) -> typing.Any:
        # A request that had to wait for a thread must not begin to wait for the database now.
        self._check()
        return function(*arguments)

    def _check(self) -> None:
        if time.monotonic() < self._away_until:
            raise self._error()

    @staticmethod
    def _error() -> MemoryAwayError:
        return MemoryAwayError("The memory of this server does not answer. Try again in a moment.", max(1, round(_PAUSE_S)))


def _is_of_a_database(error: Exception) -> bool:
    """Return whether a database raised an error. A server without a database has not loaded the library, and may lack it."""
    library = sys.modules.get("sqlalchemy.exc")
    return library is not None and isinstance(error, library.SQLAlchemyError)
