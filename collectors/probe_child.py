"""A child process with a time limit: whatever happens in it is an outcome, never a crash or a long wait in our process."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import typing

from tfhelp.kb.json_numbers import finite, refuse_constant

MARKER = "tfhelp-facts:"  # what the probes put before a line for us
_OUTPUT_LIMIT = 4 << 20  # bytes of each stream; a child that prints more is killed
_GRACE_SECONDS = 0.2  # how long to wait for a killed process to exit; one that hangs in a driver may never exit


class Outcome:
    """How a child process ended.

    Attributes:
        exit_code: as the system reports it, negative for a signal on POSIX; ``None`` if we ended it or it did not start.
        signal: name of the signal that ended it (``SIGSEGV``), else empty.
        timed_out: it was ended because its time was up.
        output, errors: what it wrote to standard output and standard error, undecodable bytes replaced.
        seconds: wall time.
        refused: why the system did not start it, else empty.
    """

    __slots__ = ("errors", "exit_code", "output", "refused", "seconds", "signal", "timed_out")

    def __init__(self) -> None:
        self.exit_code: int | None = None
        self.signal = ""
        self.timed_out = False
        self.output = ""
        self.errors = ""
        self.seconds = 0.0
        self.refused = ""

    def failure(self) -> str:
        """The failure in a few words; the empty string if the child ended by itself with exit code 0."""
        if self.refused:
            return f"could not be started: {self.refused}"
        if self.timed_out:
            return f"no answer in {self.seconds:.1f} s"
        if self.signal:
            return self.signal
        if self.exit_code is None:
            return "wrote more than it should"
        return f"exit code {self.exit_code}" if self.exit_code else ""


class _Stream(threading.Thread):
    """Reads one stream of a child, up to a limit."""

    def __init__(self, file: typing.IO[bytes], on_flood: typing.Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.file = file
        self.parts: list[bytes] = []
        self.on_flood = on_flood

    def run(self) -> None:
        size = 0
        while part := os.read(self.file.fileno(), 65536):
            self.parts.append(part)
            size += len(part)
            if size > _OUTPUT_LIMIT:
                self.on_flood()
                return

    def text(self) -> str:
        return b"".join(self.parts).decode("utf-8", "replace")


def run_child(command: list[str], budget_seconds: float, environment: dict[str, str] | None = None) -> Outcome:
    """Run a command without a shell, in its own process group, and end the whole group when the time is up.

    Args:
        command: the program and its arguments.
        budget_seconds: wall time for it to end by itself.
        environment: environment variables that replace ours.
    """
    outcome = Outcome()
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        outcome.refused = getattr(error, "strerror", None) or str(error)
        return outcome
    assert process.stdout is not None and process.stderr is not None
    streams = [_Stream(file, lambda: _end(process)) for file in (process.stdout, process.stderr)]
    ended_by_us = False
    try:
        for stream in streams:
            stream.start()
        outcome.timed_out = not _wait(process, streams, started + budget_seconds)
    finally:
        ended_by_us = _finish(process, streams)
    outcome.seconds = time.monotonic() - started
    outcome.output, outcome.errors = (stream.text() for stream in streams)
    flooded = any(sum(map(len, stream.parts)) > _OUTPUT_LIMIT for stream in streams)
    if not (ended_by_us or flooded or outcome.timed_out):
        outcome.exit_code = process.returncode
        outcome.signal = signal_name(process.returncode)
    return outcome


def _wait(process: "subprocess.Popen[bytes]", streams: list[_Stream], deadline: float) -> bool:
    """Return whether the child ended by itself before the deadline.

    A closed stream shows the end immediately; ``Popen.wait`` checks only every 50 ms. The slices are for a grandchild that
    keeps the streams open.
    """
    while time.monotonic() < deadline:
        slice_end = min(deadline, time.monotonic() + 0.1)
        for stream in streams:
            stream.join(max(slice_end - time.monotonic(), 0))
        if not any(stream.is_alive() for stream in streams):
            try:
                process.wait(max(deadline - time.monotonic(), 0.01))
            except subprocess.TimeoutExpired:
                return False
            return True
        if process.poll() is not None:
            return True
    return process.poll() is not None


def _finish(process: "subprocess.Popen[bytes]", streams: list[_Stream]) -> bool:
    """End whatever is still running and collect the output; return whether there was anything to end."""
    running = process.poll() is None
    if running:
        _end(process)
        try:
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
    for stream in streams:
        stream.join(_GRACE_SECONDS)
    if any(stream.is_alive() for stream in streams):  # a grandchild keeps the pipe open
        _end(process)
        for stream in streams:
            stream.join(_GRACE_SECONDS)
    for stream in streams:
        if not stream.is_alive():
            stream.file.close()
    return running


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except (OSError, PermissionError):
        pass


def signal_name(exit_code: int | None) -> str:
    """Name of the signal behind a negative exit code or a Windows status, else the empty string."""
    if exit_code is None or exit_code == 0:
        return ""
    windows = {0xC0000005: "SIGSEGV", 0xC000001D: "SIGILL", 0xC0000409: "SIGABRT"}
    if exit_code & 0xFFFFFFFF in windows and sys.platform == "win32":
        return windows[exit_code & 0xFFFFFFFF]
    if exit_code > 0:
        return ""
    try:
        return signal.Signals(-exit_code).name
    except ValueError:
        return f"signal {-exit_code}"


def probe_file(name: str) -> str:
    """Path of a probe, or of a folder that an interpreter runs as a whole, given its place under ``collectors``.

    Probes are not imported here: they would then be compiled twice on a cold start.
    """
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), *name.split("/"))


def answers(outcome: Outcome) -> list[dict[str, typing.Any]]:
    """The JSON documents that a probe printed, whatever else is in its output."""
    found = []
    for line in outcome.output.splitlines():
        if line.startswith(MARKER):
            try:
                document = _parsed(line[len(MARKER) :])
            except (ValueError, RecursionError):  # cut off when the process died, or not one of our lines
                continue
            if isinstance(document, dict):
                found.append(document)
    return found


def _parsed(written: str) -> typing.Any:
    """A line's JSON, without NaN and lone surrogates, which no document can encode.

    Raises:
        ValueError, RecursionError: it is not JSON.
    """
    document = json.loads(written, parse_constant=refuse_constant, parse_float=finite)
    if "\\ud" in written.lower():
        document = json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))
    return document
