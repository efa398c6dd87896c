"""Failures by form: what counts as a failure, whatever it means.

A failure by form is a traceback with its exception, the last line of one, a fatal log line (level F, CRITICAL, FATAL), a
shell's report of a signal, an exit code other than 0, a line in which a program that is about to end prints ``error:``
in its own form (pip, make, git, argparse, compilers), and a failed test.

Not a failure by form: a warning; a log line of level E (healthy runs print several: cuInit, cuDNN factories); an
exception that Python ignores ("Exception ignored in"); a ``SystemExit`` and a ``StopIteration``.
"""

from tfhelp.collectors.course.events import Event
from tfhelp.kb.text import Line, Record

SIGNALS = {
    "killed": "SIGKILL",
    "segmentation fault": "SIGSEGV",
    "aborted": "SIGABRT",
    "abort": "SIGABRT",
    "iot instruction": "SIGABRT",
    "bus error": "SIGBUS",
    "illegal instruction": "SIGILL",
    "illegal hardware instruction": "SIGILL",
    "terminated": "SIGTERM",
    "hangup": "SIGHUP",
    "floating point exception": "SIGFPE",
    "trace/breakpoint trap": "SIGTRAP",
    "trace trap": "SIGTRAP",
}
_NO_FAILURES = frozenset(("SystemExit", "StopIteration", "GeneratorExit", "StopAsyncIteration"))
_ABORTS = ("terminate called", "free(): ", "malloc", "double free", "corrupted ", "munmap_chunk", "*** SIGABRT", "*** Aborted")
_SCHEDULER = ("slurmstepd: ", "srun: ")
_WAITING_FUNCTIONS = frozenset(("wait", "acquire", "get", "join", "poll", "select", "recv", "accept", "_wait_for_tstate_lock"))


def of_exception(name: str) -> Event | None:
    """The event that an exception's class stands for."""
    name = name.rpartition(".")[2]
    if name == "KeyboardInterrupt":
        return Event("interrupt", name)
    if name in _NO_FAILURES or name.endswith("Warning"):
        return None
    return Event("failure", name or "exception", done=True)


def of_record(record: Record) -> Event | None:
    """The failure that a record's form shows. If a traceback's lines are read one by one, ``Tracebacks`` finds it."""
    event = None
    if record.kind == "exception":
        event = of_exception(record.exception)
    elif record.kind == "log" and record.level == "F":
        event = Event("failure", "fatal log line", done=True)
    elif record.kind == "shell":
        event = of_shell(record.text)
    elif record.kind == "traceback" and not record.text.startswith("Exception ignored"):
        event = of_exception(record.exception)
    if event is not None:
        event.line = record.first_line if record.kind != "traceback" else record.line
    return event


def of_shell(text: str) -> Event | None:
    """What a shell, a launcher or the C library reports about a process that ended."""
    small = text.lower()
    if text.startswith(_SCHEDULER) or "exit" in small:
        return None  # the readers for schedulers and for exit codes know more
    if text.startswith(_ABORTS) or "fatal python error: aborted" in small:
        return Event("signal", "SIGABRT", done=True)
    for words, name in SIGNALS.items():
        if words in small:
            return Event("signal", name, done=True)
    return Event("failure", "fatal", done=True)


_OUTERMOST = ("<module>", "_bootstrap", "_run_module_as_main")


class Tracebacks:
    """Follows the tracebacks of one process line by line, so that the line of the exception itself is known.

    A record of a traceback may contain lines that the program printed after it; the exception's line shows which came later.
    """

    __slots__ = ("_chained", "_header", "_inside", "_notebook", "_started", "_waiting", "uncaught", "worker")

    def __init__(self) -> None:
        self._inside = False
        self._chained = False
        self._header = ""
        self._notebook = False
        self._waiting = False
        self._started = 0
        self.uncaught = False
        self.worker: str | None = None

    @property
    def inside(self) -> bool:
        """Whether the next line may belong to a traceback."""
        return self._inside

    def opens(self, text: str, before: str) -> bool:
        """Take the line that opens a traceback; ``before`` is the line above it."""
        head, found, _ = text.partition("Traceback (most recent call")
        if not found or before.startswith("Exception ignored"):
            return False
        self._inside, self._started, self._waiting = True, 0, False
        self._header = head.strip().rpartition(" ")[2]
        self._notebook = bool(self._header) and self._header.isidentifier()
        self.uncaught = False
        process = before.startswith("Process ") and before.rstrip().endswith(":")
        self.worker = before.strip()[8:-1] if process else None
        return True

    def chains(self, text: str) -> None:
        """Note that the next traceback belongs to the one before."""
        if text.startswith(("During handling of the above", "The above exception was the direct")):
            self._chained = True

    def take(self, line: Line) -> Event | None:
        """Take a line inside a traceback; return the event if it is the exception's own line."""
        text = line.text
        stripped = text.strip()
        if not stripped:
            return None
        self._started += 1
        if self._is_frame(text, stripped):
            if self._started <= 2:
                self.uncaught |= any(name in stripped for name in _OUTERMOST)
            if "file" in stripped[:5].lower():
                self._waiting = stripped.rpartition(" in ")[2].rstrip("()") in _WAITING_FUNCTIONS
            return None
        self._inside = False
        return self._exception(stripped)

    def _is_frame(self, text: str, stripped: str) -> bool:
        if self._notebook:
            return not stripped.startswith(self._header)
        return text[:1].isspace() or stripped.startswith(("File ", "[Previous", "<frozen", "..."))

    def _exception(self, stripped: str) -> Event | None:
        name = stripped.partition(":")[0].partition(" ")[0]
        event = of_exception(name if name.replace(".", "").isidentifier() else "exception")
        if event is None:
            return None
        event.done = self._notebook or not self.uncaught
        if self._chained and event.kind == "failure":
            event.kind, self._chained = "chained", False
        event.worker = self.worker
        if event.kind == "interrupt" and self._waiting:
            event.done, event.name = True, "wait"
        return event

    def broken_off(self) -> Event | None:
        """The event of a traceback whose end the text does not show."""
        return Event("failure", "traceback") if self._inside else None
