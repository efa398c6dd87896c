"""A progress line for slow work, at a terminal: one line on standard error, removed at the end."""

import sys
import time
import typing

PATIENCE = 2.0  # seconds of silence
_BETWEEN = 0.5  # seconds between two updates


class Activity:
    """A line that says what is happening and for how long; nothing if standard error is not a terminal.

    A thread writes it, since the work itself may be one long call.

    Attributes:
        what: the text of the line, which may change meanwhile.
    """

    def __init__(self, what: str, after: float = PATIENCE, updates: bool = True) -> None:
        """Args: what: the text. after: seconds of silence first. updates: rewrite the line with the elapsed time."""
        self.what = what
        self._after = after
        self._updates = updates
        self._started = time.monotonic()
        self._end: typing.Any = None
        self._teller: typing.Any = None

    def __enter__(self) -> "Activity":
        if sys.stderr is not None and sys.stderr.isatty():
            import threading

            self._end = threading.Event()
            self._teller = threading.Thread(target=self._write_line, daemon=True)
            self._teller.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._teller is not None:
            self._end.set()
            self._teller.join()

    def __call__(self, done: int) -> None:
        """Report how many bytes are read so far."""
        megabytes = done / 1e6
        seconds = max(time.monotonic() - self._started, 1e-3)
        self.what = f"read {megabytes:,.0f} MB, {megabytes / seconds:,.0f} MB/s"

    def close(self) -> None:
        """Report that all is read, and that the search for an answer begins."""
        self.what = "looking for an answer"

    def _write_line(self) -> None:
        if self._end.wait(self._after):
            return
        try:
            while True:
                seconds = f" ({time.monotonic() - self._started:.0f} s)" if self._updates else ""
                sys.stderr.write(f"\rtfhelp: {self.what}{seconds}\x1b[K")
                sys.stderr.flush()
                if self._end.wait(_BETWEEN if self._updates else None):
                    break
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # the terminal is gone
