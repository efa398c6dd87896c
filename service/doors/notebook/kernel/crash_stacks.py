"""Writes the fault handler's stacks to a file: at a fatal signal, and at the SIGTERM that stops a kernel."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import typing


class CrashStacks:
    """Active from ``start`` to ``stop``, which restores the fault handler as ipykernel set it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: typing.IO[str] | None = None
        self._was_enabled = False
        self._term = False

    def start(self) -> None:
        """Start writing. Raises: OSError: the file cannot be created."""
        self._was_enabled = faulthandler.is_enabled()
        self._file = open(  # noqa: SIM115 - for as long as the kernel lives
            os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", encoding="utf-8"
        )
        faulthandler.enable(self._file, all_threads=True)
        if hasattr(faulthandler, "register") and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            faulthandler.register(signal.SIGTERM, self._file, all_threads=True, chain=True)
            self._term = True

    def stop(self) -> None:
        """Stop, and close the file."""
        if self._file is None:
            return
        if self._term:
            faulthandler.unregister(signal.SIGTERM)
        faulthandler.disable()
        if self._was_enabled:
            copy = getattr(sys.stderr, "_original_stdstream_copy", None)  # where ipykernel makes the fault handler write
            faulthandler.enable(copy if isinstance(copy, int) else 2)
        self._file.close()
        self._file = None
