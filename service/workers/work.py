"""What a worker does: it takes a function with its arguments from a connection, and sends back the result."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import typing

from tfhelp.service.faults import log_fault

if typing.TYPE_CHECKING:
    from multiprocessing.connection import Connection

Outcome = typing.Literal["result", "error", "memory"]


class Reply(typing.NamedTuple):
    """The result of one piece of work.

    Attributes:
        outcome: whether ``value`` is a result or an exception, or there was not enough memory.
        value: the result, the exception, or ``None``.
        resident: bytes of memory that the worker holds now; 0 if the system does not say.
    """

    outcome: Outcome
    value: typing.Any
    resident: int


def work(connection: Connection, memory_bytes: int) -> None:
    """Work until the other end is closed.

    Args:
        connection: delivers ``(function, arguments, seconds of processor time)`` as a pickle, and takes a pickled ``Reply``.
        memory_bytes: how much the process may allocate beyond what it has now.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the server decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _limit_memory(memory_bytes)
    while True:
        try:
            job = connection.recv_bytes()
        except (EOFError, OSError):
            return
        reply = _done(job)
        del job
        with contextlib.suppress(BrokenPipeError):
            connection.send_bytes(reply)


def _done(job: bytes) -> bytes:
    try:
        function, arguments, processor_s = pickle.loads(job)
        _stop_after(processor_s)
        try:
            return _packed("result", function(*arguments))
        except MemoryError:
            return _packed("memory", None)
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to the caller
            if not type(error).__module__.startswith("tfhelp."):
                log_fault("a worker", error)
            return _packed_error(error)
    except MemoryError:  # the work left too little memory to report anything else
        return _packed("memory", None)
    finally:
        _stop_after(0)


def _packed(outcome: Outcome, value: object) -> bytes:
    return pickle.dumps(Reply(outcome, value, _resident()), pickle.HIGHEST_PROTOCOL)


def _packed_error(error: Exception) -> bytes:
    error.__traceback__ = error.__cause__ = error.__context__ = None
    try:
        packed = _packed("error", error)
        pickle.loads(packed)
    except Exception:  # noqa: BLE001 - pickling an exception may raise anything
        return _packed("error", RuntimeError(f"{type(error).__name__} in a worker"))
    return packed


def _stop_after(processor_s: float) -> None:
    """Have the system end this process after this much processor time; 0 removes the limit.

    The limit holds even while a library holds the interpreter.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, processor_s)


def _resident() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def _limit_memory(memory_bytes: int) -> None:
    """Let the process allocate this much more private memory. Files that it maps do not count."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            held = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData:"))
    except (OSError, StopIteration, ValueError):
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = held + memory_bytes
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
