"""``tfhelp`` at a pseudo-terminal, as a user has it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
import typing

_SECONDS = 120


class Terminal:
    """A command whose standard streams are a terminal.

    Attributes:
        status: exit status, once ``rest`` came to the end.
    """

    def __init__(
        self,
        arguments: typing.Sequence[str],
        rows: int = 24,
        columns: int = 100,
        program: typing.Sequence[str] = (sys.executable, "-m", "tfhelp.service"),
        stdin: int | None = None,
        **environment: str,
    ) -> None:
        self._own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        unwanted = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PAGER", "NO_PAGER", "TFHELP_PAGER", "CI")
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        self.status: int | None = None
        self._process = subprocess.Popen(
            [*program, *arguments],
            stdin=theirs if stdin is None else stdin,
            stdout=theirs,
            stderr=theirs,
            env={**kept, "TERM": "xterm", **environment},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._own)

    def write(self, text: str) -> None:
        """Type it; ``\\x03`` is Ctrl-C."""
        os.write(self._own, text.encode())

    def until(self, words: str) -> str:
        """The output until these words appear."""
        said = ""
        while words not in said:
            more = self._read()
            assert more is not None, f"ended without {words!r}: {said}"
            said += more
        return said

    def rest(self) -> str:
        """The output until the command ends."""
        said = ""
        while (more := self._read()) is not None:
            said += more
        self.status = self._process.wait(_SECONDS)
        return said

    def _read(self) -> str | None:
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            if select.select([self._own], [], [], 1.0)[0]:
                try:
                    return os.read(self._own, 65536).decode(errors="replace") or None
                except OSError:  # Linux says so when the other side is closed
                    return None
        raise AssertionError("the command says nothing more and does not end")
