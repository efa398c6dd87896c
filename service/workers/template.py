"""The template of all workers: a process that loads what they need once, and forks itself for each worker.

The workers share the memory pages of what was loaded. The template never processes a user's text, and forks from its only Python
thread. When the server is gone, it ends its workers and itself: the control socket is closed then, however the server ended.

Run as ``python -m tfhelp.service.workers.template DESCRIPTOR``.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gc
import multiprocessing.connection
import os
import pickle
import signal
import socket
import struct
import sys
import typing
import warnings

from tfhelp.kb.build_products import ArtefactError

COMMAND = struct.Struct("!cI")  # what to do, and the process to do it to
ANSWER = struct.Struct("!i")  # a process id, or a negative errno; or a process's status as os.waitpid returns it
LENGTH = struct.Struct("!Q")
START, END = b"s", b"e"
READY = b"r"
_PR_SET_PDEATHSIG = 1
_CANNOT_START = 3


def main() -> int:
    """Load, then fork on command until the control socket is closed. Return the exit status."""
    # Python 3.12 warns of a fork beside other threads. The only one is ONNX Runtime's: it waits, and holds no lock of a worker.
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=int(sys.argv[1]))
    path, order = pickle.loads(read(control, LENGTH.unpack(read(control, LENGTH.size))[0]))
    sys.path[:] = path
    make_ready, memory_bytes = pickle.loads(order)
    try:
        make_ready()
    except ArtefactError as error:
        print(f"tfhelp serve: {error}", file=sys.stderr, flush=True)
        return _CANNOT_START
    gc.collect()
    gc.freeze()  # a garbage collection would write to every page of what was loaded, and so copy it
    control.sendall(READY)
    _obey(control, memory_bytes)
    return 0


def _obey(control: socket.socket, memory_bytes: int) -> None:
    children: set[int] = set()
    try:
        while True:
            command, pid = COMMAND.unpack(read(control, COMMAND.size))
            if command == START:
                pid = _start(control, memory_bytes)
                if pid:
                    children.add(pid)
            elif pid in children:
                children.discard(pid)
                control.sendall(ANSWER.pack(_end(pid)))
    except (EOFError, OSError):
        pass
    finally:
        for pid in children:
            _end(pid)


def _start(control: socket.socket, memory_bytes: int) -> int:
    """Fork a worker and return its id; 0 if the system allows no further process or file at the moment."""
    template = os.getpid()
    try:
        theirs, ours = socket.socketpair()
        try:
            pid = os.fork()
        except OSError:
            theirs.close()
            ours.close()
            raise
    except OSError as error:
        control.sendall(ANSWER.pack(-(error.errno or errno.EAGAIN)))
        return 0
    if not pid:
        status = 1
        try:
            control.close()
            theirs.close()
            _end_with(template)
            _work(ours, memory_bytes)
            status = 0
        finally:
            os._exit(status)
    ours.close()
    socket.send_fds(control, [ANSWER.pack(pid)], [theirs.fileno()])
    theirs.close()
    return pid


def _work(ours: socket.socket, memory_bytes: int) -> None:
    from tfhelp.service.workers.work import work

    work(multiprocessing.connection.Connection(ours.detach()), memory_bytes)


def _end_with(template: int) -> None:
    """Have the system end this process together with its template, even while a library holds the interpreter (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != template:
        os._exit(1)


def _end(pid: int) -> int:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return 0


def read(control: socket.socket, count: int) -> bytes:
    """Read exactly ``count`` bytes from a socket.

    Raises:
        EOFError: the socket was closed before that.
    """
    data = bytearray()
    while len(data) < count:
        piece = control.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def packed(value: typing.Any) -> bytes:
    """A pickle preceded by its length."""
    data = pickle.dumps(value)
    return LENGTH.pack(len(data)) + data


if __name__ == "__main__":
    sys.exit(main())
