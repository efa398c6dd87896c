"""Python stacks as the fault handler and py-spy write them, and which of their frames are the reader's.

Sources of the two forms: ``Python/traceback.c`` (``_Py_DumpTracebackThreads``) of CPython 3.7 to 3.14, and the output of
``py-spy dump`` 0.3 and 0.4.
"""

import re
import typing

_FATAL = re.compile(r"(?:Fatal Python error|Windows fatal exception): ([^\n]{1,200})")
_THREAD = re.compile(
    r"(Current thread|Thread) (0x[0-9a-f]+)(?: \[([^\]\n]{0,60})\])? \(most recent call first\):|(Stack) \(most recent"
)
_FRAME = re.compile(r'  File "([^"\n]{1,1000})", line (\d{1,9}|\?{3}) in ([^\n]{1,300})')
# The fault handler writes ASCII: a character outside it in a file's or a function's name as \xfc, \u4e2d or \U0001f600. Halves of
# a pair stay as they are: they stand for bytes that are no text.
_ESCAPED = re.compile(r"\\(?:x([89a-f][0-9a-f])|u((?!d[89a-f])[0-9a-f]{4})|U(000[0-9a-f]{5}|0010[0-9a-f]{4}))")
_SPY_THREAD = re.compile(r'Thread (\S{1,40}) \(([^)\n]{1,40})\)(?:: "([^"\n]{0,100})")?')
_SPY_FRAME = re.compile(r"    ([^\n(]{1,300}) \(([^\n]{1,1000}):(\d{1,9})\)")
# What Python runs after a program's last line: end of the file's path, function.
_AT_EXIT = (
    ("/threading.py", "_shutdown"),
    ("/multiprocessing/util.py", "_exit_function"),
    ("/concurrent/futures/thread.py", "_python_exit"),
    ("/concurrent/futures/process.py", "_python_exit"),
)
_SIGNALS = {
    "Segmentation fault": "SIGSEGV",
    "Aborted": "SIGABRT",
    "Bus error": "SIGBUS",
    "Illegal instruction": "SIGILL",
    "Floating point exception": "SIGFPE",
    "Floating-point exception": "SIGFPE",
}


class StackFrame(typing.NamedTuple):
    """One call: file, line (0 if not known) and function."""

    file: str
    line: int
    function: str


class ThreadStack(typing.NamedTuple):
    """The calls of a thread, the innermost first. ``current``: it got the signal; in a crash, it is the one that crashed."""

    name: str
    current: bool
    frames: list[StackFrame]

    def own_line(self) -> StackFrame | None:
        """The innermost frame in the reader's code; ``None`` for a thread that runs only library code."""
        from tfhelp.collectors.reading.origin import of_file

        return next((frame for frame in self.frames if of_file(frame.file) == "user"), None)

    def is_main(self) -> bool:
        """Return whether it is the main thread. Others begin in ``threading``, unless they are a forked worker's main thread."""
        if not self.frames:
            return False
        first = self.frames[-1].function in ("<module>", "_run_module_as_main")
        worker = any(frame.file.replace("\\", "/").endswith("/multiprocessing/process.py") for frame in self.frames)
        return first or worker or self.is_ending()

    def is_ending(self) -> bool:
        """Return whether the program has run its last line, and Python waits for the threads and processes that still run.

        Nothing of the program is below the function that Python calls at its end: ``Py_FinalizeEx`` and the functions that the
        standard library registers with ``atexit`` (seen in stacks of CPython 3.7 to 3.13).
        """
        if not self.frames:
            return False
        path, name = self.frames[-1].file.replace("\\", "/"), self.frames[-1].function
        return any(path.endswith(end) and name == function for end, function in _AT_EXIT)


class Dump(typing.NamedTuple):
    """The stacks of a process at one moment; ``fatal`` is the signal of a crash, else empty."""

    fatal: str
    threads: list[ThreadStack]

    def main(self) -> ThreadStack | None:
        """The main thread."""
        return next((thread for thread in self.threads if thread.is_main()), None)

    def crashed(self) -> ThreadStack | None:
        """The thread that crashed, if the fault handler knew it."""
        return next((thread for thread in self.threads if thread.current), None) if self.fatal else None


def read_dumps(text: str) -> list[Dump]:
    """All dumps of the fault handler in a text, in order; other lines are ignored.

    No line separates requested dumps: a thread that occurs again begins the next dump.
    """
    dumps: list[Dump] = []
    seen: set[str] = set()
    frames: list[StackFrame] | None = None
    begins = True  # the next thread belongs to a new dump
    for line in text.splitlines():
        if fatal := _FATAL.match(line):
            dumps.append(Dump(_SIGNALS.get(fatal[1], fatal[1]), []))
            seen, frames, begins = set(), None, False
        elif thread := _THREAD.match(line):
            identity = thread[2] or "0"
            if begins or identity in seen:
                dumps.append(Dump("", []))
                seen, begins = set(), False
            seen.add(identity)
            frames = []
            dumps[-1].threads.append(ThreadStack(thread[3] or identity, thread[1] != "Thread", frames))
        elif frames is not None and (frame := _FRAME.match(line)):
            frames.append(StackFrame(_unescaped(frame[1]), 0 if frame[2] == "???" else int(frame[2]), _unescaped(frame[3])))
        elif line == "ended" or line.startswith("pid "):
            frames, begins = None, True
    return [dump for dump in dumps if dump.threads]


def _unescaped(name: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1] or found[2] or found[3], 16)), name) if "\\" in name else name


def read_spy(text: str) -> Dump | None:
    """The output of ``py-spy dump``; ``None`` if it printed no stack."""
    threads: list[ThreadStack] = []
    for line in text.splitlines():
        if thread := _SPY_THREAD.match(line):
            threads.append(ThreadStack(thread[3] or thread[1], False, []))
        elif threads and (frame := _SPY_FRAME.match(line)):
            name = frame[1].rpartition(".")[2]  # newer versions name the class too
            threads[-1].frames.append(StackFrame(frame[2], int(frame[3]), name))
    return Dump("", threads) if any(thread.frames for thread in threads) else None
