"""Readings of a running program and its machine, at intervals that grow with the length of the run.

The sampler spends at most 0.4 % of a core, plus a small budget that lets it read often in a short run.
"""

import os
import sys
import tempfile
import threading
import time
import typing

from tfhelp.collectors.run.gpu_watch import GpuReading, GpuWatch
from tfhelp.collectors.run.open_files import OpenFiles

_SHORTEST, _LONGEST = 0.2, 60.0  # seconds between two readings
_SHARE = 0.004  # share of a core that sampling may use
_CREDIT = 0.1  # seconds of processor time that may be spent at once; a busy machine makes each reading cost more
_SLOW = 1.0  # seconds for which the list of processes and other expensive readings are reused
_READINGS_PER_DOUBLING = 300  # about this many readings each time the length of the run doubles
_MIB = float(1 << 20)
_LIMITS = ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_FSIZE")


class Sample(typing.NamedTuple):
    """One reading. Sizes are in MiB; values that this system does not report are ``None``."""

    seconds: float  # since the program's start
    memory: float  # resident, of the program and everything that it started
    processes: int
    cpu_cores: float  # busy since the previous reading: 1.0 is one core
    open_files: int | None  # of the process that holds the most
    available: float  # memory that the machine can still provide
    swap_used: float
    group_used: float | None  # memory of the control group
    shm_used: float | None
    shm_free: float | None
    disk_free: float | None  # working folder
    temporary_free: float | None
    gpus: tuple[GpuReading, ...]


class Held(typing.NamedTuple):
    """The memory of one process at one reading, in MiB. ``private`` is 0 on systems that do not report it."""

    resident: float
    addresses: float
    private: float


class Sampler(threading.Thread):
    """Reads until it is stopped.

    Attributes:
        samples: all readings, oldest first.
        interpreter: program file of the first Python that the command started, or of the command itself.
        open_files_limit: the program's own limit, if the system reports it.
        limits: its limits on address space (``ulimit -v``), private memory (``-d``) and file size (``-f``), if set, in MiB,
            by the name of the resource. A program may set them after its start, so they are read repeatedly.
        pids: all processes of the run that were ever seen.
        files: the data files that they were seen to read.
    """

    def __init__(self, pid: int, started_at: float, leave_out: str | None = None) -> None:
        super().__init__(daemon=True)
        self.samples: list[Sample] = []
        self.interpreter: str | None = None
        self.open_files_limit: int | None = None
        self.limits: dict[str, float] = {}
        self._most = Held(0.0, 0.0, 0.0)  # each the most that one process used
        self._largest = self._most  # the process with the most resident memory, at that reading
        self.pids = {pid}
        self.files = OpenFiles(leave_out)
        self._pid = pid
        self._started_at = started_at
        self._stop_now = threading.Event()
        self._gpus = GpuWatch()
        self._known: dict[int, typing.Any] = {}
        self._folder = os.getcwd()
        self._cpu_before: tuple[float, float] | None = None
        self._slow_at = -_SLOW
        self._slow: tuple[float, float | None] = 0.0, None  # swap in use, memory of the control group

    def run(self) -> None:
        import psutil

        self._gpus.start()
        wait, begun = 0.0, time.thread_time()
        while not self._stop_now.wait(wait):
            try:
                sample = self._read(psutil)
            except (psutil.Error, OSError):  # the program has ended
                sample = None
            if sample is not None:
                self.samples.append(sample)
            elapsed = time.monotonic() - self._started_at
            wait = min(_LONGEST, max(_SHORTEST, elapsed / _READINGS_PER_DOUBLING))
            wait = max(wait, (time.thread_time() - begun - _CREDIT) / _SHARE - elapsed)
        self._gpus.stop()

    def stop(self) -> None:
        """Stop reading, and wait for a reading in progress."""
        self._stop_now.set()
        self.join(2.0)

    def running(self) -> list[int]:
        """Process ids of the run that are alive now; a process that has ended and waits to be collected is not."""
        return [pid for pid, process in list(self._known.items()) if _is_alive(process)]

    def command(self, pid: int) -> list[str]:
        """Program and arguments of a process of the run; empty if it has ended."""
        try:
            return [str(word) for word in self._known[pid].cmdline()]
        except Exception:  # noqa: BLE001 - psutil's errors, whose module is loaded late, and a process that is no longer known
            return []

    def is_python(self, pid: int) -> bool:
        """Return whether a process of the run is a Python interpreter, by its name."""
        return is_python((self.command(pid) or [""])[0])

    def peaks(self, resident_mib: float | None) -> Held:
        """The most memory of each kind that one process used.

        A program that grows fast may reach a limit between two readings. The system reports only the peak of its resident memory,
        exactly, at its end; address space and private memory have grown by at least as much since the largest reading.

        Args:
            resident_mib: the peak that the system reports; ``None`` while the program runs, and on Windows.
        """
        missed = max(0.0, (resident_mib or 0.0) - self._largest.resident) if self._largest.resident else 0.0
        largest = Held(*(value + missed for value in self._largest))
        return Held(*(round(max(pair), 1) for pair in zip(self._most, largest, strict=True)))

    def _note(self, held: Held) -> None:
        self._most = Held(*map(max, self._most, held))
        self._largest = max(self._largest, held)

    def _read(self, psutil: typing.Any) -> Sample | None:
        processes = self._look_slowly(psutil)
        memory, cpu, files = 0.0, 0.0, []
        for process in processes:
            try:
                with process.oneshot():
                    info = process.memory_info()
                    memory += info.rss
                    self._note(Held(info.rss / _MIB, info.vms / _MIB, getattr(info, "data", 0) / _MIB))
                    cpu += sum(process.cpu_times()[:4])  # user, system, and those of children that have ended
                if hasattr(process, "num_fds"):
                    files.append(process.num_fds())
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        if not memory:
            return None
        now = time.monotonic()
        return Sample(
            seconds=round(now - self._started_at, 3),
            memory=round(memory / _MIB, 1),
            processes=len(processes),
            cpu_cores=self._cores(now, cpu),
            open_files=max(files, default=None),
            available=round(psutil.virtual_memory().available / _MIB, 1),
            swap_used=self._slow[0],
            group_used=self._slow[1],
            shm_used=_space("/dev/shm", used=True),
            shm_free=_space("/dev/shm"),
            disk_free=_space(self._folder),
            temporary_free=_space(tempfile.gettempdir()),
            gpus=tuple(self._gpus.fresh()),
        )

    def _look_slowly(self, psutil: typing.Any) -> list[typing.Any]:
        """The run's processes. Searching all of /proc for them happens only once a second, and more often at the start."""
        elapsed = time.monotonic() - self._started_at
        if elapsed > 2 * _SLOW and elapsed - self._slow_at < _SLOW:
            return [process for process in self._known.values() if process.is_running()]
        self._slow_at = elapsed
        for pid in self._known:
            self.files.look(pid)
        swap = round(psutil.swap_memory().used / _MIB, 1) if sys.platform != "win32" else 0.0
        self._slow = swap, _group_used()
        return self._processes(psutil)

    def _processes(self, psutil: typing.Any) -> list[typing.Any]:
        """The program and all processes that it started, including those that have since lost their parent."""
        if self._pid not in self._known:
            self._known[self._pid] = psutil.Process(self._pid)
            self.open_files_limit = _own_limit(psutil, self._known[self._pid], "RLIMIT_NOFILE")
        for process in list(self._known.values()):
            try:
                for child in process.children(recursive=process.pid == self._pid):
                    self._known.setdefault(child.pid, child)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        for name in _LIMITS:
            if (limit := _own_limit(psutil, self._known[self._pid], name)) is not None:
                self.limits[name] = round(limit / _MIB, 1)
        self._known = {pid: process for pid, process in self._known.items() if process.is_running()}
        self.pids |= self._known.keys()
        if self.interpreter is None:
            self.interpreter = next((found for one in self._known.values() if (found := _python_of(psutil, one))), None)
        return list(self._known.values())

    def _cores(self, now: float, cpu: float) -> float:
        before, self._cpu_before = self._cpu_before, (now, cpu)
        if before is None or now <= before[0]:
            return 0.0
        return round(max(0.0, cpu - before[1]) / (now - before[0]), 3)


def _own_limit(psutil: typing.Any, process: typing.Any, name: str) -> int | None:
    """A limit of a process; ``None`` if it has none, or this system does not report it."""
    try:
        limit = process.rlimit(getattr(psutil, name))[0]
    except (AttributeError, psutil.Error, OSError):
        return None
    return int(limit) if 0 < limit < 1 << 50 else None


def _python_of(psutil: typing.Any, process: typing.Any) -> str | None:
    """The interpreter that a process runs in, by the name it was started with, which may be in a virtual environment."""
    import shutil

    try:
        words = process.cmdline()
    except (psutil.Error, OSError):
        return None
    return shutil.which(words[0]) if words and is_python(words[0]) else None


def is_python(program: str) -> bool:
    """Return whether a program's name is that of a Python interpreter: python, python3.11, python.exe."""
    name = os.path.basename(program).lower().removesuffix(".exe")
    return name.startswith("python") and not name.strip("python0123456789.")


def _group_used() -> float | None:
    if not sys.platform.startswith("linux"):
        return None
    from tfhelp.collectors.machine.memory import read_control_group
    from tfhelp.kb.fact_sheet import FactSheet

    found = FactSheet()
    read_control_group(found)
    used = found.values.get("host.cgroup_used_mib")
    return float(used) if isinstance(used, (int, float)) else None


def _space(folder: str, used: bool = False) -> float | None:
    import shutil

    try:
        space = shutil.disk_usage(folder)
    except OSError:
        return None
    return round((space.used if used else space.free) / _MIB, 1)


def _is_alive(process: typing.Any) -> bool:
    import psutil

    try:
        return bool(process.is_running()) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
