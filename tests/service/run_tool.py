"""``tfhelp run`` as a user runs it, for the tests: over pipes, or on its own terminal."""

import contextlib
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import threading
import time
import typing

import psutil

Json = dict[str, typing.Any]
TFHELP = [sys.executable, "-m", "tfhelp.service"]


class Ended(typing.NamedTuple):
    """How a command ended and what it wrote."""

    status: int
    out: bytes
    err: bytes


class MemoryPeak:
    """The peak memory of any single process so far, as Linux counts it, without its children and ours.

    ``getrusage`` would return the largest of all children that any earlier test had.

    Attributes:
        kibibytes: the peak resident size.
    """

    def __init__(self, pid: int) -> None:
        self.kibibytes = 0
        self._status = pathlib.Path(f"/proc/{pid}/status")
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._ended.wait(0.02):
            with contextlib.suppress(OSError):  # the process has gone
                lines = self._status.read_text().splitlines()
                self.kibibytes = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), self.kibibytes)

    def __enter__(self) -> typing.Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


class RunTool:
    """Runs programs under ``tfhelp run`` with a separate state folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.environment = os.environ | {"XDG_STATE_HOME": str(folder / "state")}

    def script(self, source: str, name: str = "train.py") -> str:
        """Write a program and return its path."""
        path = self.folder / name
        path.write_text(source)
        return str(path)

    def start(self, *command: str, options: tuple[str, ...] = (), prefix: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        """Start it with its output in pipes."""
        return subprocess.Popen(
            [*prefix, *TFHELP, "run", *options, "--", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
            start_new_session=True,
        )

    def run(self, *command: str, options: tuple[str, ...] = (), prefix: tuple[str, ...] = (), seconds: float = 120) -> Ended:
        """Run it to its end."""
        process = self.start(*command, options=options, prefix=prefix)
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return Ended(process.returncode, out, err)

    def python(self, source: str, options: tuple[str, ...] = (), prefix: tuple[str, ...] = ()) -> Ended:
        """Run a Python program to its end."""
        return self.run(sys.executable, "-u", self.script(source), options=options, prefix=prefix)

    def hang(self, words: bytes, *command: str, options: tuple[str, ...] = (), seconds: float = 120) -> Ended:
        """Run a program that hangs until it gets SIGUSR2, which comes once tfhelp has said these words of it.

        A time to hang would be too short on a busy machine.
        """
        process = self.start(*command, options=options)
        assert process.stderr is not None
        said, end = b"", time.monotonic() + seconds
        try:
            while words not in said:
                ready = select.select([process.stderr], [], [], max(0.0, end - time.monotonic()))[0]
                more = os.read(process.stderr.fileno(), 1 << 16) if ready else b""
                assert more, said.decode("utf-8", "replace")
                said += more
            for child in psutil.Process(process.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if any(word.endswith("train.py") for word in child.cmdline()):  # not a shell, and no worker
                        child.send_signal(signal.SIGUSR2)
            out, err = process.communicate(timeout=seconds)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return Ended(process.returncode, out, said + err)

    def runs(self) -> list[pathlib.Path]:
        """The folders of all runs, oldest first."""
        found = (self.folder / "state" / "tfhelp" / "runs").glob("*-*-*")
        return sorted(found, key=lambda path: (path.name.rpartition("-")[0], int(path.name.rpartition("-")[2])))

    def file(self, name: str) -> pathlib.Path:
        """A file of the last run."""
        return self.runs()[-1] / name

    def written(self, name: str) -> bytes:
        """What a file of the last run holds so far."""
        try:
            return self.file(name).read_bytes()
        except FileNotFoundError:
            return b""

    def answer(self) -> Json:
        """The answer of the last run."""
        answer: Json = json.loads(self.file("answer.json").read_text())
        return answer

    def first(self) -> tuple[str, str]:
        """The entry and cause that the last run's answer names first."""
        match = self.answer()["matches"][0]
        return match["entry"], match["causes"][0]["cause"]

    def pid_of_child(self, process: subprocess.Popen[bytes], seconds: float = 20) -> int:
        """The program's process id, as soon as it prints ``ready``."""
        assert process.stdout is not None
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            line = process.stdout.readline()
            if line.startswith(b"ready "):
                return int(line.split()[1])
        raise AssertionError("the program did not say that it is ready")


class Terminal:
    """A program on its controlling pseudo-terminal, as in a shell's foreground."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: pathlib.Path, size: tuple[int, int]) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.written = b""
        self.pid, self._ours = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
            os.execvpe(command[0], command, environment)

    def wait_for(self, text: bytes, times: int = 1, seconds: float = 120) -> None:
        """Read until a text has appeared this often."""
        end = time.monotonic() + seconds
        while self.written.count(text) < times:
            reading = self._read(0.2)
            there = self.written.count(text) >= times
            assert there or (reading and time.monotonic() < end), self.written.decode("utf-8", "replace")

    def _read(self, seconds: float) -> bool:
        if select.select([self._ours], [], [], seconds)[0]:
            try:
                data = os.read(self._ours, 1 << 16)
            except OSError:  # the other side has no holder any more
                return False
            self.written += data
            return bool(data)
        return True

    def press(self, keys: bytes) -> None:
        """Type something."""
        os.write(self._ours, keys)

    def end(self, seconds: float = 120) -> int:
        """Wait for its end and return the exit status."""
        end = time.monotonic() + seconds
        while self._read(0.2) and time.monotonic() < end:
            pass
        os.close(self._ours)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
