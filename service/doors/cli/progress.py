"""What goes on, for a person at a terminal, once it takes a while: one line on standard error, taken away at the end."""

import sys
import time
import typing

PATIENCE = 2.0  # seconds without a word
_BETWEEN = 0.5  # seconds between two updates


class Activity:
    """A line that says what goes on and for how long; nothing where standard error is no terminal.

    A thread writes it, since the work itself may be one long call.

    Attributes:
        what: the words, which may change meanwhile.
    """

    def __init__(self, what: str, after: float = PATIENCE, updates: bool = True) -> None:
        """Args: what: the words. after: seconds of silence. updates: write it again and again, with the time that it took."""
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
            self._teller = threading.Thread(target=self._tell, daemon=True)
            self._teller.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._teller is not None:
            self._end.set()
            self._teller.join()

    def __call__(self, done: int) -> None:
        """Tell of so many bytes read."""
        megabytes = done / 1e6
        seconds = max(time.monotonic() - self._started, 1e-3)
        self.what = f"read {megabytes:,.0f} MB, {megabytes / seconds:,.0f} MB/s"

    def close(self) -> None:
        """All is read; what was read is now looked at."""
        self.what = "looking for an answer"

    def _tell(self) -> None:
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
