"""One running process of a fault program, with the bash that started it."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
import typing

import psutil

from tests.faults import control_groups
from tfhelp.kb.programs import Program

_MIB = 1024 * 1024
# name of the limit -> (resource, size of its unit)
_RESOURCES = {
    "address_space_mib": (resource.RLIMIT_AS, _MIB),
    "data_mib": (resource.RLIMIT_DATA, _MIB),
    "open_files": (resource.RLIMIT_NOFILE, 1),
    "stack_kib": (resource.RLIMIT_STACK, 1024),
    "file_size_mib": (resource.RLIMIT_FSIZE, _MIB),
    "cpu_seconds": (resource.RLIMIT_CPU, 1),
}
# bash runs the program as a job in the foreground and then ends with its status. An interactive shell would announce "exit",
# but not for a subshell. With the trap, bash continues after Ctrl-C and still knows the status.
_SCRIPT = 'trap : INT; "$@"; (exit $?)'
_OBSERVER = pathlib.Path(__file__).with_name("observer.py")
# A program that hangs has been silent for this long when it is examined. Imports are slow too: the last silence counts.
_HANG_SECONDS = 12.0
_DRAIN_SECONDS = 2.0
# After the expected text, the rest of its line arrives within this time: unbuffered output comes in pieces.
_LINE_SECONDS = 0.1


class Worker:
    """A program's process under an interactive bash with its own terminal; its output comes through a pipe.

    Attributes:
        pipe: file descriptor to read from.
        exit_code: as the shell reports it, ``None`` while it runs.
        at_end: all writers have closed the pipe.
    """

    def __init__(self, program: Program, folder: str, environment: dict[str, str], index: int, facts: str | None = None) -> None:
        """Start the process.

        Args:
            program: what to run.
            folder: working folder, which holds it.
            environment: its environment variables.
            index: its number among the workers.
            facts: file for the observations of the run; ``None`` if the run is not observed.
        """
        self.exit_code: int | None = None
        self.at_end = False
        self._program = program
        self._index = index
        self._line = b""
        self._seen = b""
        self._send_at: float | None = None
        self._sent = False
        self._ended = False
        self._observed = facts is not None
        self._groups = control_groups.make_groups(program.limits)
        observer = [sys.executable, "-I", str(_OBSERVER), facts, str(_HANG_SECONDS)] if facts is not None else []
        self.pipe, write_end = os.pipe()
        os.set_blocking(self.pipe, False)
        self._terminal, slave = pty.openpty()
        with tempfile.TemporaryFile() as stdin:
            stdin.write(program.stdin.encode())
            stdin.seek(0)
            self._bash = subprocess.Popen(
                ["bash", "--norc", "--noprofile", "-i", "-c", _SCRIPT, "bash", *observer, "python", program.name, *program.args],
                stdin=stdin,
                stdout=write_end,
                stderr=write_end,
                cwd=folder,
                env=environment,
                start_new_session=True,
                preexec_fn=lambda: self._prepare(slave),
            )
        os.close(write_end)
        os.close(slave)
        if program.send_signal is not None and not program.send_signal.when:
            self._send_at = time.monotonic() + program.send_signal.after

    def _prepare(self, terminal: int) -> None:
        """Set the terminal and the limits, in the new process, before bash starts."""
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        for name, value in self._program.limits.items():
            if name in _RESOURCES:
                kind, unit = _RESOURCES[name]
                resource.setrlimit(kind, (value * unit, value * unit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for group in self._groups:
            control_groups.join(group)

    def read(self) -> bytes:
        """The output so far, up to the last line break, so that the lines of several workers stay whole."""
        try:
            chunk = os.read(self.pipe, 1 << 16)
        except BlockingIOError:
            return b""
        if not chunk:
            self.at_end = True
            return self.rest()
        self._notice(chunk)
        self._line += chunk
        end = self._line.rfind(b"\n") + 1
        whole, self._line = self._line[:end], self._line[end:]
        return whole

    def rest(self) -> bytes:
        """The output after the last line break."""
        rest, self._line = self._line, b""
        return rest

    def _notice(self, chunk: bytes) -> None:
        """Start the clock of a signal that waits for a text in the output."""
        sent = self._program.send_signal
        if sent is None or not sent.when or self._send_at is not None:
            return
        wanted = sent.when.encode()
        self._seen = self._seen[-len(wanted) :] + chunk
        if wanted in self._seen:
            self._send_at = time.monotonic() + max(sent.after, _LINE_SECONDS)

    def tend(self) -> None:
        """Send the signals that are due, end the process if it holds too much memory, and check whether it has ended."""
        if self.exit_code is not None:
            return
        self._send()
        if self._program.memory_mib is not None:
            self._kill_above(self._program.memory_mib * _MIB)
        code = self._bash.poll()
        if code is not None:
            self.exit_code = code if code >= 0 else 128 - code

    def _send(self) -> None:
        sent = self._program.send_signal
        if sent is None or self._sent or self._send_at is None or time.monotonic() < self._send_at:
            return
        if sent.worker is not None and sent.worker != self._index:
            return
        python = self._python()
        if python is None:
            return
        self._sent = True
        number = getattr(signal, sent.name)
        with contextlib.suppress(ProcessLookupError):
            # A terminal sends Ctrl-C and Ctrl-\ to the whole foreground group; "kill" reaches one process.
            if sent.name in ("SIGINT", "SIGQUIT"):
                os.killpg(os.getpgid(python.pid), number)
            else:
                os.kill(python.pid, number)

    def _python(self) -> psutil.Process | None:
        """The program's process; ``None`` before bash has started it or after it has ended."""
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self._bash.pid).children():
                if os.getpgid(child.pid) == child.pid:
                    return self._under_observation(child) if self._observed else child
        return None

    @staticmethod
    def _under_observation(observer: psutil.Process) -> psutil.Process | None:
        """The program; an observer's other child is a ``cat``, which shows it which signals the whole group gets."""
        return next((child for child in observer.children() if child.name() != "cat"), None)

    def _kill_above(self, limit: int) -> None:
        """Act like an out-of-memory killer: kill the largest process if all together hold more than the limit (bytes)."""
        sizes = []
        for process in self._session():
            with contextlib.suppress(psutil.NoSuchProcess):
                sizes.append((process.memory_info().rss, process.pid))
        if sum(size for size, _ in sizes) > limit:
            with contextlib.suppress(ProcessLookupError):
                os.kill(max(sizes)[1], signal.SIGKILL)

    def _session(self) -> typing.Iterator[psutil.Process]:
        """All processes that bash and its children have started, without bash itself."""
        for pid in psutil.pids():
            with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
                if pid != self._bash.pid and os.getsid(pid) == self._bash.pid:
                    yield psutil.Process(pid)

    def freeze(self) -> None:
        """Stop all processes that still run, so that they cannot notice and report the end of another worker."""
        if self._bash.poll() is None:
            self._bash.send_signal(signal.SIGSTOP)  # first, so that it does not report what happens to its child
        for process in list(self._session()):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.suspend()

    def end(self) -> None:
        """End bash and everything that it has started, collect the rest of the pipe, and close what was opened."""
        if self._ended:
            return
        self._ended = True
        if self._bash.poll() is None:
            self._bash.send_signal(signal.SIGSTOP)  # first, so that it does not report what happens to its child
        # Before bash: its end lets stopped processes continue, and one that ignores SIGHUP (nohup) would print once more.
        self._kill_session()
        if self._bash.poll() is None:
            self._bash.kill()
            self._bash.wait()
        self._kill_session()
        self._drain()
        os.close(self.pipe)
        os.close(self._terminal)
        control_groups.remove_groups(self._groups)

    def _kill_session(self) -> None:
        for process in list(self._session()):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def _drain(self) -> None:
        until = time.monotonic() + _DRAIN_SECONDS
        while not self.at_end and time.monotonic() < until:
            try:
                chunk = os.read(self.pipe, 1 << 16)
            except BlockingIOError:
                time.sleep(0.01)
                continue
            self.at_end = not chunk
            self._line += chunk


def cluster(workers: int) -> list[dict[str, str]]:
    """``TF_CONFIG`` for each of this many workers, with ports of the loopback device that are free now."""
    sockets = [socket.socket() for _ in range(workers)]
    for opened in sockets:
        opened.bind(("127.0.0.1", 0))
    addresses = [f"127.0.0.1:{opened.getsockname()[1]}" for opened in sockets]
    for opened in sockets:
        opened.close()
    return [
        {"TF_CONFIG": json.dumps({"cluster": {"worker": addresses}, "task": {"type": "worker", "index": index}})}
        for index in range(workers)
    ]
