"""A program under observation: start it, sample it, keep its output, and derive the facts."""

import json
import os
import signal
import time
import typing

from tfhelp.collectors.run import curves
from tfhelp.collectors.run.child import Child
from tfhelp.collectors.run.kept_output import KeptOutput
from tfhelp.collectors.run.kernel_evidence import KernelEvidence
from tfhelp.collectors.run.processes import ProcessRecord, ask_for_stacks, failed_records, read_processes, spy_on
from tfhelp.collectors.run.python_stacks import Dump
from tfhelp.collectors.run.sampler import Sample, Sampler
from tfhelp.collectors.run.waiting import waits_of_run
from tfhelp.kb.fact_sheet import Document, FactSheet

_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS")
_SOURCE = "tfhelp run"
_END_SECONDS = 30.0
_MOST_SPIED = 8  # each takes up to a few seconds


class Observation:
    """A running program.

    Attributes:
        command: program and arguments.
        output: what it printed.
        child: the program.
        sampler: the readings.
        place: folder in which the hook ``stacks`` writes; ``None`` without hooks.
        stopped: a signal asked it to stop, so whatever its processes do afterwards does not count as their failure.
    """

    def __init__(self, command: list[str], environment: dict[str, str] | None = None, place: str | None = None) -> None:
        """Start the program and observe it.

        Args:
            command: program and arguments.
            environment: the program's; ours by default.
            place: folder for the files of the hooks.

        Raises:
            tfhelp.collectors.run.child.StartError: it cannot be started.
        """
        self.command = command
        self.place = place
        self.stopped = False
        self._to_stop: list[typing.Any] = []
        self._asked_at: float | None = None  # seconds from the start to the last request for stacks
        self.output = KeptOutput()
        self._spied: dict[int, Dump] = {}
        self._kernel = KernelEvidence()
        self.child = Child(command, self.output, environment)
        self.sampler = Sampler(self.child.pid, self.child.started_at, place and os.path.dirname(place))
        self.sampler.start()

    def finish(self) -> None:
        """After the child's end: take in the rest of the output and the kernel's messages, stop the readings."""
        self.child.finish_output()
        self.sampler.stop()
        self._kernel.take(self.sampler.pids)

    def processes(self) -> list[ProcessRecord]:
        """The Python processes of the run: those that failed, in order of time, then the others by process id."""
        return read_processes(self.place) if self.place else []

    def hidden_failure(self, records: list[ProcessRecord]) -> ProcessRecord | None:
        """The process that failed first, if the program nevertheless ended with exit code 0 and was not stopped."""
        if self.stopped or not self.child.ended.is_set() or self.child.exit_code != 0:
            return None
        return next(iter(failed_records(records)), None)

    def take_stacks(self) -> None:
        """Have every process write its stacks; ``py-spy`` reads those that cannot, if it is installed and allowed."""
        self._asked_at = time.monotonic() - self.child.started_at
        running = set(self.sampler.running())
        if self.place:
            ask_for_stacks(self.place, running)
        told = {record.pid for record in self.processes() if record.dumps}
        others = [pid for pid in sorted(running - told) if self.sampler.is_python(pid)]
        for pid in others[:_MOST_SPIED]:
            if dump := spy_on(pid):
                self._spied[pid] = dump

    def waiting(self) -> list[ProcessRecord]:
        """The processes whose stacks were taken while they hung."""
        records = {record.pid: record for record in self.processes() if not self.child.ended.is_set() or not record.fatal()}
        for pid, dump in self._spied.items():
            record = records.setdefault(pid, ProcessRecord(pid))
            record.command = record.command or self.sampler.command(pid)
            record.dumps.append(dump)
        return [record for record in records.values() if record.dumps]

    def _silent_since(self) -> float:
        return self.output.last_at - self.child.started_at

    def _cores_in_silence(self, samples: list[Sample]) -> float | None:
        """The cores that the run keeps busy while it hangs: neither what it computed before its last output nor what it takes
        to write the stacks says anything about the hang.
        """
        began, asked = self._silent_since(), self._asked_at
        if asked is not None and asked > began:
            samples = [sample for sample in samples if sample.seconds <= asked]
        silent = samples[-1].seconds - began if samples else 0.0
        return curves.cores_at_end(samples, min(_END_SECONDS, silent))

    def facts(self, hung: bool = False) -> Document:
        """The facts known so far, as a facts document.

        Args:
            hung: the run is examined because it makes no progress, or was interrupted while it made none.
        """
        import psutil

        sheet = FactSheet()
        samples = self.sampler.samples[:]
        ended = self.child.ended.is_set()
        silent = (self.child.started_at + self.child.seconds if ended else time.monotonic()) - self.output.last_at
        limit = _memory_limit()
        active = curves.until_final_silence(samples, self._silent_since())
        found: dict[str, typing.Any] = {
            "run.pid": self.child.pid,
            "run.seconds": round(self.child.seconds if ended else time.monotonic() - self.child.started_at, 1),
            "run.seconds_since_output": round(max(0.0, silent), 1),
            "run.memory_peak_mib": self._memory_peak(samples),
            "run.memory_limit_mib": limit,
            "run.memory_pattern": curves.memory_pattern(active, limit),
            "run.memory_slope_mib_per_minute": curves.memory_slope(active),
            "run.memory_grew_in_silence": curves.grew_in_silence(samples, self._silent_since()),
            "run.cores_busy": self._cores_in_silence(samples) if hung else curves.cores_at_end(samples, _END_SECONDS),
            "run.gpu_idle_share": curves.gpu_idle_share(samples, self._silent_since() if hung else None),
            "run.workers": _workers(os.environ.get("TF_CONFIG", "")),
            "run.gpus_held": curves.gpus_held(samples),
            "run.gpus_busy": curves.gpus_busy(samples),
            "run.processes": samples[-1].processes if samples else None,
            **_worst_of_machine(samples),
            "host.open_files_limit": self.sampler.open_files_limit,
            **self._limits(),
        }
        if hung:
            from tfhelp.collectors.run.process_facts import put_failures, put_lost, put_waits

            found["run.hung"] = True
            put_waits(sheet, self.waiting(), self.child.pid)
            put_lost(sheet, self.processes(), {*self.sampler.running(), self.child.pid}, hung=True)
            put_failures(sheet, self.processes())
            if not ended:
                found["run.waits_for"], found["run.workers_wait_for"] = waits_of_run(psutil.Process(self.child.pid))
        for path, value in found.items():
            if value is not None:  # values that were not read stay unknown
                sheet.put(path, value, _SOURCE)
        _put_limits(sheet)
        if ended and not hung:
            self._put_end(sheet)
            self._put_failures(sheet)
        return sheet.document()

    def _put_failures(self, sheet: FactSheet) -> None:
        records = self.processes()
        if any(record.failed() or record.dumps or not record.ended for record in records):  # a good run has no evidence to read
            from tfhelp.collectors.run.process_facts import put_end_of, put_failures, put_lost

            put_failures(sheet, records)
            put_lost(sheet, records, {self.child.pid})
            if child_hid_it := self.hidden_failure(records):
                put_end_of(sheet, child_hid_it)

    def _memory_peak(self, samples: list[Sample]) -> float | None:
        known = [sample.memory for sample in samples]
        if self.child.peak_memory_mib is not None:
            known.append(self.child.peak_memory_mib)
        if not known and self.child.most_memory_mib is not None:
            known.append(self.child.most_memory_mib)  # it ended before the first sample
        return round(max(known), 1) if known else None

    def _limits(self) -> dict[str, typing.Any]:
        """The program's own limits, and how close it came to them."""
        limits, peaks = self.sampler.limits, self.sampler.peaks(self.child.peak_memory_mib)
        addresses, data = limits.get("RLIMIT_AS"), limits.get("RLIMIT_DATA")
        return {
            "host.address_space_limit_mib": addresses,
            "run.address_space_peak_mib": min(addresses, peaks.addresses) if addresses else None,
            "host.data_limit_mib": data,
            "run.data_peak_mib": min(data, peaks.private) if data else None,
            "host.file_size_limit_mib": limits.get("RLIMIT_FSIZE"),
        }

    def _put_end(self, sheet: FactSheet) -> None:
        child = self.child
        sheet.put("run.exit_code", child.exit_code, _SOURCE)
        sheet.put("run.signal", child.signal or None, _SOURCE)
        self._kernel.put(sheet)
        if child.signal:
            sender = "itself" if child.signal in _CRASHES else "oom-killer" if self._kernel.killed else "outside"
            sheet.put("run.killed_by", sender, _SOURCE)
        elif self.worker_killed_for_memory():  # an error in its parent is only a consequence
            sheet.put("run.killed_by", "oom-killer", _SOURCE)
            sheet.put("run.signal", "SIGKILL", _SOURCE)
            sheet.put("run.exit_code", 128 + signal.SIGKILL, _SOURCE)

    def note_processes(self) -> None:
        """A signal that ends the program is about to be passed on: record its processes, so that the others get it too."""
        import psutil

        try:
            self._to_stop = psutil.Process(self.child.pid).children(recursive=True)
        except psutil.Error:
            self._to_stop = []

    def stop_rest(self, number: int) -> None:
        """After the program's end: send the signal to the processes that it has left behind."""
        import psutil

        for process in self._to_stop:
            try:
                process.send_signal(number)  # psutil first checks that the number still belongs to the same process
            except psutil.Error:
                continue

    def worker_killed_for_memory(self) -> str:
        """The process that the kernel killed for lack of memory, if the program itself was not killed; else empty."""
        return "" if self.child.signal else self._kernel.killed


def _worst_of_machine(samples: list[Sample]) -> dict[str, typing.Any]:
    def values(name: str) -> list[float]:
        return [value for sample in samples if (value := getattr(sample, name)) is not None]

    return {
        "host.memory_available_mib": min(values("available"), default=None),
        "host.cgroup_used_mib": max(values("group_used"), default=None),
        "host.shm_free_mib": min(values("shm_free"), default=None),
        "host.disk_free_mib": min(values("disk_free"), default=None),
        "host.temporary_free_mib": min(values("temporary_free"), default=None),
        "host.open_files": max(values("open_files"), default=None),
    }


def _workers(configuration: str) -> int | None:
    """How many workers ``TF_CONFIG`` names, including the chief; ``None`` if it names none, or is not JSON.

    >>> _workers('{"cluster": {"chief": ["a:1"], "worker": ["b:1"]}, "task": {"type": "worker", "index": 0}}')
    2
    """
    try:
        cluster = json.loads(configuration)["cluster"]
        named = [address for role in ("chief", "worker") for address in cluster.get(role, [])]
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return len(named) or None


def _put_limits(sheet: FactSheet) -> None:
    """The limits of the machine and the control group: a limit below the machine's memory is that of a container or a job."""
    import psutil

    from tfhelp.collectors.machine.memory import read_control_group

    found = FactSheet()
    read_control_group(found)
    sheet.put("host.memory_total_mib", round(psutil.virtual_memory().total / (1 << 20), 1), _SOURCE)
    if "host.cgroup_limit_mib" in found.values:
        sheet.put("host.cgroup_limit_mib", found.values["host.cgroup_limit_mib"], _SOURCE)


def _control_group(path: str) -> float | None:
    from tfhelp.collectors.machine.memory import read_control_group

    found = FactSheet()
    read_control_group(found)
    value = found.values.get(path)
    return float(value) if isinstance(value, (int, float)) else None


def _memory_limit() -> float:
    import psutil

    total = psutil.virtual_memory().total / (1 << 20)
    return round(min(total, _control_group("host.cgroup_limit_mib") or total), 1)
