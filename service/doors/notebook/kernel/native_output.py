"""What C++ code writes to file descriptor 2: kept in a file that outlives the kernel, and passed on to its original target.

The descriptor points straight at the file, so the file has the last words of a process that is killed. A thread reads the file
and passes on what is new.
"""

from __future__ import annotations

import os
import threading
import time
import typing

_LOOK_SECONDS, _REST_SECONDS = 0.1, 1.0
_LARGEST = 8 << 20  # bytes of the file, after which it starts again
_KEPT = 65_536  # bytes of a cell's output that are kept


class NativeOutput:
    """Active from ``start`` to ``stop``.

    Attributes:
        heard: called with each new piece of output.
    """

    def __init__(self, path: str, each_second: typing.Callable[[], None]) -> None:
        """Args:
        path: the file.
        each_second: called about once a second while a cell runs.
        """
        self._path = path
        self._each_second = each_second
        self._target = self._file = -1
        self._offset = 0
        self._of_cell = b""
        self._reading = threading.Lock()
        self._ended = threading.Event()
        self._working = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="tfhelp-output", daemon=True)
        self.heard: typing.Callable[[bytes], None] | None = None

    def start(self) -> None:
        """Point the descriptor at the file.

        Raises:
            OSError: there is no descriptor 2, or the file cannot be created.
        """
        self._target = os.dup(2)
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(self._file, 2)
        self._thread.start()

    def stop(self) -> None:
        """Restore the descriptor, and pass on what is left."""
        if self._target < 0:
            return
        self._ended.set()
        self._working.set()
        self._thread.join(5)
        if _is_same(2, self._file):  # otherwise other code has redirected it since
            os.dup2(self._target, 2)
        self.pass_on()
        os.close(self._target)
        os.close(self._file)
        self._target = -1

    def cell_begins(self) -> None:
        """Note that the output from now on belongs to the cell."""
        self.pass_on()
        self._of_cell = b""
        self._working.set()

    def cell_ends(self) -> str:
        """The output since the cell began, or the last part of it."""
        self.pass_on()
        if not self._ended.is_set():
            self._working.clear()
        return self._of_cell.decode("utf-8", "replace")

    def _follow(self) -> None:
        printed_at = 0.0
        while not self._ended.is_set():
            works = self._working.is_set()
            self.pass_on()
            if works and time.monotonic() - printed_at >= 1:
                printed_at = time.monotonic()
                self._each_second()
            if works:
                self._ended.wait(_LOOK_SECONDS)
            else:
                self._working.wait(_REST_SECONDS)

    def pass_on(self) -> None:
        """Read new output and write it to the original target."""
        with self._reading:
            try:
                self._read()
            except OSError:
                pass  # the disk is full, or the reader has gone

    def _read(self) -> None:
        while True:
            data = os.pread(self._file, 1 << 16, self._offset)
            if not data:
                break
            self._offset += len(data)
            self._of_cell = (self._of_cell + data)[-_KEPT:]
            if self.heard is not None:
                self.heard(data)
            left = data
            while left:
                left = left[os.write(self._target, left) :]
        if self._offset > _LARGEST:
            os.ftruncate(self._file, 0)
            self._offset = 0


def _is_same(first: int, second: int) -> bool:
    try:
        return os.path.sameopenfile(first, second)
    except OSError:
        return False
