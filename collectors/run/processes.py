"""What the hook ``stacks`` wrote in the processes of a run: their identity, how they ended, where they wait.

``tfhelp.collectors.run.injected.stacks`` describes its files. They come from inside the program, so none of them
is trusted to be complete.
"""

import ast
import json
import os
import re
import subprocess
import time
import typing

from tfhelp.collectors.run.python_stacks import Dump, ThreadStack, read_dumps, read_spy

_OF_HEADER = re.compile(r"^(parent|signal|rank|python|path|command) ([^\n]{0,30000})", re.MULTILINE)
_OWN = re.compile(r"^own ([^\n]{1,9000})", re.MULTILINE)
_TRACEBACK_FRAME = re.compile(r'  File "([^"\n]{1,1000})", line (\d{1,9}), in [^\n]{1,300}')
_MOST_BYTES = 1 << 20
_ANSWER_SECONDS, _STILL_SECONDS = 1.0, 0.1
_SPY_SECONDS = 10.0


class ProcessRecord:
    """One Python process of the run.

    Attributes:
        pid, parent: process ids.
        command: program and arguments.
        rank: ``worker 1`` if the environment numbers the processes, else empty.
        python: version of its interpreter.
        path: its ``sys.path`` at the start.
        own_files: the program's own modules that it had imported, known once it ended.
        signal: the signal that makes it write its stacks; 0 for none.
        dumps: its stacks, oldest first.
        ended: its interpreter reached its end.
        failure: traceback of the exception that ended it, else empty.
        failed_at: when it failed, in seconds since the epoch; 0.0 if it did not.
    """

    __slots__ = (
        "command",
        "dumps",
        "ended",
        "failed_at",
        "failure",
        "own_files",
        "parent",
        "path",
        "pid",
        "python",
        "rank",
        "signal",
    )

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.parent = 0
        self.command: list[str] = []
        self.rank = ""
        self.python = ""
        self.path: list[str] = []
        self.own_files: list[str] = []
        self.signal = 0
        self.dumps: list[Dump] = []
        self.ended = False
        self.failure = ""
        self.failed_at = 0.0

    def fatal(self) -> str:
        """The signal of its crash, or empty."""
        return next((dump.fatal for dump in self.dumps if dump.fatal), "")

    def crashed_thread(self) -> ThreadStack | None:
        """The thread in which it crashed, or the main one if that is not known."""
        return next((dump.crashed() or dump.main() for dump in self.dumps if dump.fatal), None)

    def failed(self) -> bool:
        """Return whether it failed in the reader's code: by an uncaught exception or by a crash.

        A probe of another program (``python -c "import x"``, pip) has none of the reader's files in its stack. The program that
        started it has to deal with it.
        """
        if self.failure:
            if self.failure.rstrip().rpartition("\n")[2].startswith("BrokenPipeError"):  # the reader of its pipe is gone
                return False
            return any(is_readers_file(found[1]) for found in _TRACEBACK_FRAME.finditer(self.failure))
        thread = self.crashed_thread()
        return thread is not None and any(is_readers_file(frame.file) for frame in thread.frames)

    def how(self) -> str:
        """Its end in words: ``ValueError: no data`` or ``SIGSEGV``."""
        return self.fatal() or exception_line(self.failure)[:300]

    def name(self) -> str:
        """``worker 1 (process 123, python train.py)``."""
        words = [os.path.basename(word) or word for word in self.command] or ["python"]
        own = "started by multiprocessing" if any("multiprocessing" in word for word in words) else " ".join(words)[:60]
        return f"{self.rank} (process {self.pid}, {own})" if self.rank else f"process {self.pid} ({own})"


def exception_line(traceback: str) -> str:
    """The line that names the exception; TensorFlow's messages have more lines after it.

    >>> exception_line('Traceback (most recent call last):\\n  File "t.py", line 3, in <module>\\nE: Graph error:\\n [Op:MatMul]')
    'E: Graph error:'
    """
    after = traceback.rstrip().rpartition("Traceback (most recent call last):\n")[2].splitlines()
    return next((line for line in after if line and not line[0].isspace()), after[-1] if after else "")


def is_readers_file(file: str) -> bool:
    """Return whether a file in a stack is one of the reader's, and not code from a command line."""
    from tfhelp.collectors.reading.origin import of_file  # not needed for a good run

    return not file.startswith("<") and of_file(file) == "user"


def read_processes(folder: str) -> list[ProcessRecord]:
    """All processes that wrote something: those that failed, in order of time, then the others by process id."""
    found: dict[int, ProcessRecord] = {}
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    for name in names:
        kind, _, number = name.removesuffix(".txt").partition("-")
        if kind not in ("stacks", "failed") or not number.isdigit():
            continue
        path = os.path.join(folder, name)
        record = found.setdefault(int(number), ProcessRecord(int(number)))
        text, written_at = _read(path)
        _put_header(record, text)
        if kind == "stacks":
            record.dumps = read_dumps(text)
            record.ended = "\nended\n" in text
            record.own_files = [str(name) for found in _OWN.findall(text) if (name := _literal(found))]
            failed = bool(record.fatal())
        else:
            record.failure = text[text.find("\n", text.find("\ncommand ") + 1) + 1 :]
            failed = True
        if failed and not record.failed_at:
            record.failed_at = written_at
    return sorted(found.values(), key=lambda record: (record.failed_at or float("inf"), record.pid))


def _read(path: str) -> tuple[str, float]:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace"), os.fstat(file.fileno()).st_mtime
    except OSError:
        return "", 0.0


def _put_header(record: ProcessRecord, text: str) -> None:
    """The last header counts: a process may become another program."""
    for name, value in _OF_HEADER.findall(text[:100000]):
        if name in ("parent", "signal") and value.isdigit():
            setattr(record, name, int(value[:9]))
        elif name in ("command", "path"):
            words = _literal(value)
            setattr(record, name, [str(word) for word in words] if isinstance(words, list) else [])
        elif name == "python":
            record.python = value[:40]
        elif name == "rank":
            record.rank = rank_of(str(_literal(value) or ""))


def _literal(value: str) -> typing.Any:
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def rank_of(setting: str) -> str:
    """A process's rank among its peers, from the environment variable that numbers them.

    >>> rank_of('RANK=3'), rank_of('TF_CONFIG={"task": {"type": "chief", "index": 0}}'), rank_of('TF_CONFIG={')
    ('rank 3', 'chief 0', '')
    """
    name, _, value = setting.partition("=")
    if name != "TF_CONFIG":
        return f"rank {value}" if value.isdigit() else ""
    try:
        task = json.loads(value)["task"]
        return f"{task['type']} {int(task['index'])}"[:40]
    except (ValueError, TypeError, KeyError):
        return ""


def failed_records(records: list[ProcessRecord]) -> list[ProcessRecord]:
    """The processes that failed in the reader's code, in the order of their failures."""
    return [record for record in records if record.failed()]


def ask_for_stacks(folder: str, pids: typing.Collection[int]) -> None:
    """Have the processes that can write their stacks do so now; return when they have, or after two seconds.

    A process gets the signal only if it currently has a handler for it: without a handler, the signal would kill it.
    """
    asked: dict[str, int] = {}
    for record in read_processes(folder):
        path = os.path.join(folder, f"stacks-{record.pid}.txt")
        if record.pid in pids and record.signal and _catches(record.pid, record.signal):
            try:
                size = os.path.getsize(path)
                os.kill(record.pid, record.signal)
            except OSError:
                continue
            asked[path] = size
    end = time.monotonic() + _ANSWER_SECONDS
    while time.monotonic() < end and any(_size(path) == size for path, size in asked.items()):
        time.sleep(0.02)
    sizes: list[int] = []
    while asked and time.monotonic() < end + _ANSWER_SECONDS and sizes != (sizes := [_size(path) for path in asked]):
        time.sleep(_STILL_SECONDS)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return -1


def _catches(pid: int, number: int, root: str = "/proc") -> bool:
    """Return whether a process has a handler for a signal. macOS has no ``/proc``, but the signal used there is harmless."""
    import signal

    if number == getattr(signal, "SIGINFO", 0):
        return True
    try:
        with open(f"{root}/{pid}/status", encoding="ascii", errors="replace") as file:
            caught = next((line.split()[1] for line in file if line.startswith("SigCgt:")), "0")
        return bool(int(caught, 16) >> (number - 1) & 1)
    except (OSError, ValueError, IndexError):
        return False


def spy_on(pid: int) -> Dump | None:
    """The stacks of a process, read by ``py-spy``; ``None`` if it is not installed, or the system does not allow it."""
    import shutil

    program = shutil.which("py-spy")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "dump", "--nonblocking", "--full-filenames", "--pid", str(pid)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SPY_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return read_spy(done.stdout.decode("utf-8", "replace"))
