"""A program that is run but not interfered with: we pass its output on, its terminal stays a terminal, and we report its end.

It shares our process group, so that Ctrl-C and Ctrl-Z reach it from the terminal as they would without tfhelp.
"""

import errno
import os
import select
import signal
import subprocess
import sys
import threading
import time
import typing

from tfhelp.collectors.errors import CollectorError
from tfhelp.collectors.probe_child import signal_name
from tfhelp.collectors.run.kept_output import KeptOutput

NOT_FOUND, NOT_EXECUTABLE = 127, 126  # what shells exit with
_GROUP_SECONDS = 0.05  # seconds after our signal within which the companion must have died by itself
_LEFT_OPEN_SECONDS = 1.0  # seconds for the rest of the output after the end, if a grandchild keeps the stream open


class StartError(CollectorError):
    """The program could not be started. ``exit_status`` is the status that a shell would end with."""

    def __init__(self, message: str, exit_status: int) -> None:
        super().__init__(message)
        self.exit_status = exit_status


def _start_error(program: str, error: OSError | ValueError, path: str) -> StartError:
    """What a shell would report about a program that could not be started."""
    reason = getattr(error, "strerror", None) or str(error)
    missing = isinstance(error, FileNotFoundError)
    # The system also reports "Permission denied" if a folder of the path is another user's, wherever it searches next.
    if isinstance(error, PermissionError) and not os.path.dirname(program):
        missing = not any(os.path.exists(os.path.join(folder, program)) for folder in path.split(os.pathsep))
        reason = os.strerror(errno.ENOENT) if missing else reason
    return StartError(f"cannot run {program}: {reason}", NOT_FOUND if missing else NOT_EXECUTABLE)


class _Channel(threading.Thread):
    """Copies what the child writes to one of our streams, and keeps it."""

    def __init__(self, source: int, target: int, kept: KeptOutput) -> None:
        super().__init__(daemon=True)
        self._source = source
        self._target = target
        self._kept = kept
        self._hears, self._tells = os.pipe() if sys.platform != "win32" else (-1, -1)
        self._left = False

    def leave(self) -> None:
        """When we exit: processes that the program left behind keep writing, as they would without tfhelp."""
        if sys.platform == "win32" or not self.is_alive():
            return
        os.write(self._tells, b"x")
        self.join()
        if self._left:
            with open(os.devnull, "wb") as nowhere:
                try:
                    subprocess.Popen(["cat"], stdin=self._source, stdout=self._target, stderr=nowhere, start_new_session=True)
                except OSError:
                    pass
            os.close(self._source)

    def _wait_for_data(self) -> bool:
        """Return whether there is data to read, or the end of the stream; false if we have to leave first."""
        if sys.platform == "win32":
            return True
        poll = select.poll()
        poll.register(self._source, select.POLLIN | select.POLLHUP)
        poll.register(self._hears, select.POLLIN)
        ready = {number for number, _ in poll.poll()}
        self._left = self._hears in ready
        return not self._left

    def run(self) -> None:
        try:
            while self._wait_for_data() and (data := os.read(self._source, 1 << 16)):
                self._kept.add(data, self._target)
                _write(self._target, data)
        except OSError:
            pass  # the other side of a terminal was closed, or nothing reads our stream any more
        if not self._left:
            # Closed here, so that a child whose output has no reader gets SIGPIPE as it would without tfhelp.
            os.close(self._source)

    def resize(self) -> None:
        """Give the child's terminal, if this is one, the size of ours."""
        if self.is_alive() and os.isatty(self._source):
            copy_window_size(self._target, self._source)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:  # another process that shares our stream made it non-blocking
            time.sleep(0.01)


class Child:
    """A running program.

    Attributes:
        pid: its process id.
        started_at: ``time.monotonic()`` of its start.
        ended: set when it has ended; then the following are known.
        exit_code: 0 to 255, or 128 + n after signal n, as in shells.
        signal: name of the signal that ended it, else empty.
        seconds: how long it ran.
        peak_memory_mib: the peak memory of the child or of one of the processes that it waited for; ``None`` on Windows, and if it
            is not more than ours: until the child starts its program, Linux counts our memory as the child's.
        most_memory_mib: the most that this peak can be, also if it is not more than ours; ``None`` on Windows.
    """

    def __init__(self, command: list[str], kept: KeptOutput, environment: dict[str, str] | None = None) -> None:
        """Start a program, in our environment or in a given one.

        Raises:
            StartError: the program does not exist or cannot be executed.
        """
        pairs, streams = _channels()
        self.started_at = time.monotonic()
        try:
            self._process = subprocess.Popen(command, stdout=streams[0], stderr=streams[1], close_fds=False, env=environment)
        except (OSError, ValueError) as error:
            for source, _, end in pairs:
                os.close(source)
                os.close(end)
            raise _start_error(command[0], error, (environment or os.environ).get("PATH", os.defpath)) from None
        self._own_peak = _peak_memory()
        self.pid = self._process.pid
        self.ended = threading.Event()
        self.exit_code = 0
        self.signal = ""
        self.seconds = 0.0
        self.peak_memory_mib: float | None = None
        self.most_memory_mib: float | None = None
        self._copiers = [_Channel(source, target, kept) for source, target, _ in pairs]
        for _, _, end in pairs:
            os.close(end)
        for thread in (*self._copiers, threading.Thread(target=self._wait, daemon=True)):
            thread.start()

    def _wait(self) -> None:
        if sys.platform == "win32":
            code = self._process.wait()
        else:
            _, status, usage = os.wait4(self.pid, 0)
            code = os.waitstatus_to_exitcode(status)
            self._process.returncode = code  # we waited for it here, to get its resource usage
            self.most_memory_mib = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
            if usage.ru_maxrss > self._own_peak:
                self.peak_memory_mib = self.most_memory_mib
        self.seconds = time.monotonic() - self.started_at
        self.signal = signal_name(code)
        self.exit_code = 128 - code if code < 0 else code
        self.ended.set()

    def finish_output(self) -> None:
        """After the end: wait until all output has been passed on, but not for grandchildren that keep writing."""
        end = time.monotonic() + _LEFT_OPEN_SECONDS
        for copier in self._copiers:
            copier.join(max(0.0, end - time.monotonic()))

    def leave_output(self) -> None:
        """When we exit: another process takes over the streams that are still written to, and continues copying."""
        for copier in self._copiers:
            copier.leave()

    def resize(self) -> None:
        """Our terminal has a new size: apply it to the child's."""
        for copier in self._copiers:
            copier.resize()

    def send(self, number: int) -> None:
        """Send the process a signal, if it still runs."""
        if not self.ended.is_set():
            try:
                os.kill(self.pid, number)
            except OSError:
                pass


def _peak_memory() -> int:
    """Our own peak so far, in the system's unit; 0 on Windows."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _channels() -> tuple[list[tuple[int, int, int]], tuple[int, int]]:
    """Channels from the child to our streams: (our side, our stream, the child's side), and the child's two streams.

    If a stream of ours is a terminal, the child gets a terminal too; streams that go to the same place stay one stream, so
    that their order is kept.
    """
    first = _open_channel(1)
    if (os.isatty(1) and os.isatty(2)) or _same_file(1, 2):
        return [(first[0], 1, first[1])], (first[1], first[1])
    second = _open_channel(2)
    return [(first[0], 1, first[1]), (second[0], 2, second[1])], (first[1], second[1])


def _same_file(first: int, second: int) -> bool:
    try:
        return os.path.sameopenfile(first, second)
    except OSError:
        return False


def _open_channel(target: int) -> tuple[int, int]:
    if os.isatty(target) and hasattr(os, "openpty"):
        try:
            return _open_terminal(target)
        except OSError:  # no pseudo-terminal available
            pass
    return os.pipe()


def _open_terminal(target: int) -> tuple[int, int]:
    import fcntl
    import termios

    ours, childs = os.openpty()
    settings = termios.tcgetattr(childs)
    settings[1] &= ~termios.OPOST  # our terminal converts the line ends, once
    termios.tcsetattr(childs, termios.TCSANOW, settings)
    copy_window_size(target, ours)
    fcntl.fcntl(ours, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    return ours, childs


def copy_window_size(source: int, target: int) -> None:
    """Give one terminal the size of another."""
    import fcntl
    import termios

    try:
        fcntl.ioctl(target, termios.TIOCSWINSZ, fcntl.ioctl(source, termios.TIOCGWINSZ, b"\0" * 8))
    except OSError:
        pass


class SignalRelay:
    """While a child runs, pass on the signals that are meant for it; they end us only after it has ended.

    The child itself gets those from the terminal (Ctrl-C, Ctrl-\\); a signal sent to our process alone is passed on. A signal
    that was ignored when we were started (nohup) stays ignored, for the child too.

    Args:
        when_received: called with a signal's name before it is passed on, once there is a child.

    Attributes:
        received: names of the signals received, in order.
        went_to_group: whether the last of them was sent to our whole process group, so that all processes of the run got it.
    """

    _NAMES = ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGBREAK")

    def __init__(self, when_received: typing.Callable[[str], None] = lambda _: None) -> None:
        self._companion: subprocess.Popen[bytes] | None = None
        self.received: list[str] = []
        self.went_to_group = False
        self._when_received = when_received
        self._child: Child | None = None
        self._early: list[tuple[int, float]] = []
        self._arriving: list[int] = []
        self._before: dict[int, typing.Any] = {}

    def __enter__(self) -> None:
        self._start_companion()
        for name in self._NAMES:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._arrived)
        if hasattr(signal, "SIGWINCH"):
            self._before[signal.SIGWINCH] = signal.signal(signal.SIGWINCH, self._resized)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._companion:
            self._companion.communicate()
            self._companion = None

    def _start_companion(self) -> None:
        """A process in our group that ends on any signal: its end shows which signals the whole group got."""
        try:
            self._companion = subprocess.Popen(
                ["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        except OSError:
            self._companion = None

    def _whole_group_got(self, number: int) -> bool:
        """Return whether a signal was sent to our group, so that the child already has it."""
        if sys.platform == "win32" or self._companion is None:
            return False
        try:
            got = self._companion.wait(_GROUP_SECONDS) == -number
        except subprocess.TimeoutExpired:
            if not _is_dying(self._companion.pid):
                return False
            got = self._companion.wait() == -number
        if self._companion.stdin:
            self._companion.stdin.close()
        self._start_companion()
        return got

    def follow(self, child: Child) -> None:
        """From now on, signals are passed on to this child. Those that came while it was started are passed on now."""
        self._child = child
        for number, came_at in self._early:
            self._pass_on(child, number, existed=came_at >= child.started_at)
        self._early.clear()

    def _resized(self, number: int, frame: object) -> None:
        if self._child:
            self._child.resize()

    def _arrived(self, number: int, frame: object) -> None:
        """Handle one signal at a time: while the next companion is started, there is none that could show what the group got."""
        self._arriving.append(number)
        if len(self._arriving) > 1:
            return  # the call that this signal interrupted handles it next
        try:
            while self._arriving:
                self._handle(self._arriving[0])
                del self._arriving[0]
        finally:
            self._arriving.clear()

    def _handle(self, number: int) -> None:
        self.received.append(signal.Signals(number).name)
        if self._child is None:
            self._early.append((number, time.monotonic()))
        else:
            self._pass_on(self._child, number)

    def _pass_on(self, child: Child, number: int, existed: bool = True) -> None:
        """Send a signal to the child, unless it has it already because the sender sent it to our whole group.

        Args:
            child: the child.
            number: the signal's number.
            existed: whether the child existed when the signal came.
        """
        name = signal.Signals(number).name
        self._when_received(name)
        if existed and name in ("SIGINT", "SIGQUIT", "SIGBREAK") and _terminal_sends_signals():
            return
        self.went_to_group = self._whole_group_got(number) and existed
        if not self.went_to_group:
            child.send(number)


def _is_dying(pid: int) -> bool:
    """Return whether a process has a pending signal. On a busy machine, it may take a while until the process runs."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            rows = dict(line.split(":", 1) for line in file if ":" in line)
    except OSError:
        return False
    return any(int(rows.get(name, "0").strip() or "0", 16) for name in ("SigPnd", "ShdPnd"))


def _terminal_sends_signals() -> bool:
    """Return whether we are the foreground group of a terminal, which then sends its signals to the child as well."""
    if sys.platform == "win32":
        return True
    for stream in (0, 1, 2):
        try:
            return os.tcgetpgrp(stream) == os.getpgrp()
        except OSError:
            continue
    return False
