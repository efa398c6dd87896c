"""``%%tfhelp``: a cell's output while it runs, how long it has been silent, and which line it is on."""

from __future__ import annotations

import linecache
import sys
import threading
import time
import traceback
import types
import typing

from . import machine
from .failures import is_cell, with_cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .native_output import NativeOutput

_LOOK_SECONDS = 0.2
_HEAD, _TAIL = 64_000, 192_000  # characters of the output that are kept
_LONG_SILENCE = 30.0  # seconds without output after which Ctrl-C counts as ending a hang


class Watch:
    """Watches one cell, from ``begin`` to ``end``.

    Attributes:
        seconds: how long it ran.
        silence: seconds since its last output, at its end.
        peak_mib: the highest memory use of the kernel during that time.
    """

    def __init__(self, native: NativeOutput | None, hang_after: float | None, on_hang: typing.Callable[[Watch], None]) -> None:
        self._native = native
        self._hang_after = hang_after
        self._on_hang = on_hang
        self._head = self._tail = ""
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="tfhelp-watch", daemon=True)
        self._of = threading.current_thread().ident
        self._streams: list[_Heard] = []
        self._began = self._last = 0.0
        self.seconds = self.silence = self.peak_mib = 0.0

    def begin(self) -> None:
        """Start listening."""
        self._began = self._last = time.monotonic()
        self._streams = [_Heard(name, self._hear) for name in ("stdout", "stderr")]
        if self._native is not None:
            self._native.heard = lambda data: self._hear(data.decode("utf-8", "replace"))
        self._thread.start()

    def end(self) -> None:
        """Stop listening."""
        self._ended.set()
        self._thread.join()
        for stream in self._streams:
            stream.stop()
        if self._native is not None:
            self._native.pass_on()
            self._native.heard = None
        self.note_time()
        self.peak_mib = max(self.peak_mib, machine.memory_mib()[0])

    def note_time(self) -> None:
        """Note how long it has run, and how long it has been silent."""
        now = time.monotonic()
        self.seconds, self.silence = now - self._began, now - self._last

    @property
    def seemed_hung(self) -> bool:
        """Whether a user who interrupts it probably thinks that it hangs."""
        return self.silence >= (self._hang_after or _LONG_SILENCE)

    def output(self) -> str:
        """Its output; the middle of a very long one is left out."""
        with self._writing:
            return self._head + self._tail

    def place(self, numbers: typing.Mapping[str, int]) -> str:
        """The innermost line of a cell that is running now: ``In[3] line 2: time.sleep(9)``; empty if there is none."""
        for file, line, _ in self._calls():
            if is_cell(file, numbers):
                where = with_cells(file, numbers).replace("Cell ", "")
                return f"{where} line {line}: {linecache.getline(file, line).strip()[:100]}"
        return ""

    def _calls(self) -> list[tuple[str, int, str]]:
        """File, line and function of each call of the cell's thread, the innermost first."""
        frame = sys._current_frames().get(self._of or 0)
        return [_call(item, line) for item, line in traceback.walk_stack(frame)] if frame is not None else []

    def stack(self, numbers: typing.Mapping[str, int]) -> str:
        """The cell's current stack, as the fault handler writes it, from the innermost call to the cell."""
        calls = self._calls()
        last = max((place for place, call in enumerate(calls) if is_cell(call[0], numbers)), default=len(calls) - 1)
        lines = [f'  File "{file}", line {line} in {function}' for file, line, function in calls[: last + 1]]
        return "\n".join([f"Current thread 0x{self._of or 0:016x} (most recent call first):", *lines, ""])

    def _hear(self, text: str) -> None:
        with self._writing:
            self._last = time.monotonic()
            if len(self._head) < _HEAD:
                self._head += text
            else:
                self._tail = (self._tail + text)[-_TAIL:]

    def _look(self) -> None:
        printed_at = -1.0
        while not self._ended.wait(_LOOK_SECONDS):
            self.peak_mib = max(self.peak_mib, machine.memory_mib()[0])
            self.note_time()
            if self._hang_after and self.silence > self._hang_after and printed_at != self._last:
                printed_at = self._last
                self._on_hang(self)


def _call(frame: types.FrameType, line: int) -> tuple[str, int, str]:
    function = frame.f_code.co_name
    return frame.f_code.co_filename, line, "<module>" if function.startswith("<cell line") else function


class _Heard:
    """A standard stream that also reports what is written to it, even by code that got hold of it earlier."""

    def __init__(self, name: str, hear: typing.Callable[[str], None]) -> None:
        self._name = name
        self._stream = getattr(sys, name)
        write = self._stream.write

        def heard(text: str) -> typing.Any:
            if isinstance(text, str):
                hear(text)
            return write(text)

        try:
            self._stream.write = heard
            self._replaced = False
        except AttributeError:  # the method of a C file object cannot be replaced
            self._replaced = True
            setattr(sys, name, _Proxy(self._stream, heard))
        self._ours = getattr(sys, name)

    def stop(self) -> None:
        if not self._replaced:
            self._stream.__dict__.pop("write", None)
        elif getattr(sys, self._name) is self._ours:
            setattr(sys, self._name, self._stream)


class _Proxy:
    def __init__(self, stream: typing.Any, write: typing.Callable[[str], typing.Any]) -> None:
        self._stream = stream
        self.write = write

    def __getattr__(self, name: str) -> typing.Any:
        return getattr(self._stream, name)
