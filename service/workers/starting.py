"""How workers are started and ended: forked from a template if the system can fork, else started one by one."""

from __future__ import annotations

import contextlib
import errno
import functools
import multiprocessing
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import typing
from multiprocessing.connection import Connection

from tfhelp.service.workers.limits import NotStartedError
from tfhelp.service.workers.template import ANSWER, COMMAND, END, READY, START, packed, read
from tfhelp.service.workers.work import work

MakeReady = typing.Callable[[], object]
_ENDED = "the processes that diagnose end as they start; what they say stands above"
_WAIT_FOR_TEMPLATE_S = 5.0
_WAIT_FOR_WORKER_S = 30


class Worker:
    """A worker process.

    Attributes:
        connection: takes work and returns replies; the other end is closed when the process has ended.
        end: ends the process, and returns the number of the signal that ended it, 0 for none.
        resident: bytes of memory that it held after its first piece of work; 0 before.
    """

    __slots__ = ("connection", "end", "resident")

    def __init__(self, connection: Connection, end: typing.Callable[[], int]) -> None:
        self.connection = connection
        self.end = end
        self.resident = 0


class Starter(typing.Protocol):
    """Starts workers. Thread-safe."""

    def start(self) -> Worker:
        """Start a worker. Raises: NotStartedError: the worker exits while it starts."""

    def close(self) -> None:
        """End every process that was started."""


class Template:
    """Workers forked from a template. The template starts with the first worker, and is started again if it was ended.

    Args:
        make_ready: loads what every worker needs; a function that a new process can import.
        memory_bytes: how much a worker may allocate beyond what it has when it starts.
    """

    def __init__(self, make_ready: MakeReady, memory_bytes: int) -> None:
        self._order = (make_ready, memory_bytes)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._closed = False

    def start(self) -> Worker:
        """As in ``Starter``. Raises: OSError: the system allows no further process or file at the moment; other workers stay."""
        with self._lock:
            for _ in range(2):  # if the template was killed, it is replaced once
                control = self._control or self._new()
                try:
                    control.sendall(COMMAND.pack(START, 0))
                    answer, descriptors, _, _ = socket.recv_fds(control, ANSWER.size, 1)
                except OSError:
                    answer, descriptors = b"", []
                number = ANSWER.unpack(answer)[0] if len(answer) == ANSWER.size else 0
                if number > 0 and descriptors:
                    return Worker(_patient(descriptors[0]), functools.partial(self._end, control, number))
                if number < 0:
                    raise OSError(-number, os.strerror(-number))
                if number > 0:  # this process can open no more files
                    self._tell_end(control, number)
                    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
                self._drop()
        raise NotStartedError(_ENDED)

    def close(self) -> None:
        """End the template, and its workers with it."""
        with self._lock:
            self._closed = True
            self._drop()

    def _new(self) -> socket.socket:
        if self._closed:
            raise NotStartedError("the service is ending")
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tfhelp.service.workers.template", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # A template whose libraries had started threads could not be forked, and each worker has one processor anyway.
                env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            )
        self._control = ours
        try:
            ours.sendall(packed((sys.path, pickle.dumps(self._order))))
            if read(ours, len(READY)) == READY:
                return ours
        except (OSError, EOFError):
            pass
        self._drop()
        raise NotStartedError(_ENDED)

    def _end(self, control: socket.socket, pid: int) -> int:
        with self._lock:
            if control is not self._control:
                return signal.SIGKILL  # it ended earlier, together with the template
            status = self._tell_end(control, pid)
        return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0

    def _tell_end(self, control: socket.socket, pid: int) -> int:
        """Have the template end a worker. Return its status, as ``os.waitpid`` does."""
        try:
            control.sendall(COMMAND.pack(END, pid))
            return int(ANSWER.unpack(read(control, ANSWER.size))[0])
        except (OSError, EOFError):
            self._drop()
            return signal.SIGKILL

    def _drop(self) -> None:
        control, process = self._control, self._process
        self._control = self._process = None
        if control is not None:
            control.close()
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_WAIT_FOR_TEMPLATE_S)
            process.kill()
            process.wait()


def _patient(descriptor: int) -> Connection:
    """A connection with a timeout, for a worker that stops in the middle of a message."""
    with socket.socket(fileno=descriptor) as end:
        for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
            end.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", _WAIT_FOR_WORKER_S, 0))
        return Connection(end.detach())


class Alone:
    """Workers that each load what they need, for systems that cannot fork.

    Args:
        make_ready, memory_bytes: as for ``Template``.
    """

    def __init__(self, make_ready: MakeReady, memory_bytes: int) -> None:
        self._order = (make_ready, memory_bytes)
        self._context = multiprocessing.get_context("spawn")

    def start(self) -> Worker:
        """As in ``Starter``."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_alone, args=(theirs, *self._order), daemon=True)
        process.start()
        theirs.close()

        def end() -> int:
            process.kill()
            process.join()
            return max(0, -(process.exitcode or 0))

        try:
            ours.recv_bytes()
        except (EOFError, OSError):
            end()
            raise NotStartedError(_ENDED) from None
        return Worker(ours, end)

    def close(self) -> None:
        """Do nothing: each worker ends when its connection is closed."""


def _alone(connection: Connection, make_ready: MakeReady, memory_bytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    make_ready()
    connection.send_bytes(READY)
    work(connection, memory_bytes)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def starter(make_ready: MakeReady, memory_bytes: int) -> Starter:
    """The starter for this system."""
    return (Template if sys.platform.startswith("linux") else Alone)(make_ready, memory_bytes)
