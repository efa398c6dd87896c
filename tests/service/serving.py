"""A server in a separate process, on a free port, with its output kept."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
# These timeouts only end a test that fails.
_STARTUP_SECONDS = 180
_PRINT_SECONDS = 120
_END_SECONDS = 60


class Server:
    """A running server.

    Attributes:
        url: where it listens, without a slash at the end.
        process: its process.
    """

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        # A file, not a pipe: the server does not need a reader to continue. Each side opens the file for itself: if both used one
        # descriptor, they would share its position, and the server would write over its first lines while we read them.
        self._folder = tempfile.TemporaryDirectory(prefix="server-")
        self._output = pathlib.Path(self._folder.name, "output")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLACK_", "TFHELP_"))}
        with self._output.open("wb") as theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                cwd=ROOT,
                env={**kept, **(environment or {}), "PYTHONUNBUFFERED": "1"},
                stdout=theirs,
                stderr=subprocess.STDOUT,
            )
        self.url = self._wait_for_url()

    @classmethod
    def small(cls, *arguments: str, environment: dict[str, str] | None = None) -> Server:
        """The doors over the small knowledge base."""
        return cls("tests.service.small_server", *arguments, environment=environment)

    @classmethod
    def real(cls, *arguments: str, environment: dict[str, str] | None = None) -> Server:
        """``tfhelp serve`` as people start it, with more time for an answer: a busy machine must not fail a test."""
        return cls("tfhelp.service", "serve", "--port", "0", "--deadline", "120", *arguments, environment=environment)

    def output(self) -> str:
        """All that it has printed so far."""
        return self._output.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, words: str) -> None:
        """Wait until it has printed these words: it may print after it has answered.

        Raises:
            AssertionError: it has not printed them within two minutes; the message says what its threads do.
        """
        end = time.monotonic() + _PRINT_SECONDS
        while words not in self.output():
            assert time.monotonic() < end, f"the server has not printed {words!r}: {self.output()}\n{self._stacks()}"
            time.sleep(0.05)

    def _stacks(self) -> str:
        """What every thread of the server does now, if the system lets another process look."""
        program = shutil.which("py-spy")
        if program is None:
            return "py-spy is not installed, so nothing is known of its threads"
        dump = [program, "dump", "--pid", str(self.process.pid)]
        return subprocess.run(dump, capture_output=True, text=True, check=False, timeout=_END_SECONDS).stdout

    def stop(self, number: int = signal.SIGINT) -> int:
        """End it as Ctrl-C does; return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(timeout=_END_SECONDS)
        finally:
            self.process.kill()

    def __enter__(self) -> typing.Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None) -> None:
        self.stop()
        self._folder.cleanup()

    def _wait_for_url(self) -> str:
        end = time.monotonic() + _STARTUP_SECONDS
        while time.monotonic() < end:
            found = re.search(r"http://\S+:\d+(?=\D)", self.output())  # all digits of the port
            if found:
                return found[0]
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.process.kill()
        said = self.output()
        self._folder.cleanup()
        raise AssertionError(f"the server did not start: {said}")
