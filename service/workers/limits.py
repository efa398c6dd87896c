"""The limits of a worker, and the errors that are raised at a limit."""

import typing

MEBIBYTE = 1 << 20
DEADLINE_S = 20.0
QUEUE_FOR_EACH = 8
MEMORY_MIB = 1024


class Limits(typing.NamedTuple):
    """Limits of a pool of workers.

    Attributes:
        deadline_s: seconds from the moment when work is accepted until its result; half of them may be processor time.
        queue: how many pieces of work may wait for a worker.
        memory_bytes: how much a worker may allocate beyond what it has when it starts.
        most_jobs: a worker is replaced after this many pieces of work.
        most_growth_bytes: a worker is replaced when its memory has grown by this much.
    """

    deadline_s: float = DEADLINE_S
    queue: int = 2 * QUEUE_FOR_EACH
    memory_bytes: int = MEMORY_MIB * MEBIBYTE
    most_jobs: int = 5_000
    most_growth_bytes: int = 256 * MEBIBYTE

    @property
    def processor_s(self) -> float:
        """Seconds of processor time for one piece of work."""
        return self.deadline_s / 2


class UnavailableError(Exception):
    """The work was not done. The message is for the user who asked.

    Attributes:
        code: one of the codes of ``tfhelp.service.doors.http.errors``.
        retry_after_s: when it makes sense to ask again, in whole seconds.
    """

    code = "busy"
    retry_after_s = 1

    def __init__(self, reason: str, retry_after_s: int = 1) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class BusyError(UnavailableError):
    """There is no room: too much work is already waiting, or the service is shutting down."""


class DeadlineError(UnavailableError):
    """The work took longer than the deadline. Its worker was replaced."""

    code = "deadline"


class MemoryLimitError(UnavailableError):
    """The work needed more memory than a worker may use. Its worker was replaced."""

    code = "too-much-memory"


class WorkerLostError(UnavailableError):
    """Two workers ended while they did this work."""

    code = "worker-lost"


class NotStartedError(Exception):
    """Workers exit while they start."""
