"""A program under observation: started, sampled, its output kept; and what of that is fact."""

import json
import os
import time
import typing

from tfhelp.collectors.gpu.kernel_log import oom_killed, read_kernel_log
from tfhelp.collectors.run import curves
from tfhelp.collectors.run.child import Child
from tfhelp.collectors.run.kept_output import KeptOutput
from tfhelp.collectors.run.sampler import Sample, Sampler
from tfhelp.collectors.run.waiting import waits_of_run
from tfhelp.kb.fact_sheet import Document, FactSheet

_CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS")
_SOURCE = "tfhelp run"
_END_SECONDS = 30.0


class Observation:
    """A running program.

    Attributes:
        command: program and arguments.
        output: what it said.
        child: the program.
        sampler: the readings.
    """

    def __init__(self, command: list[str], environment: dict[str, str] | None = None) -> None:
        """Start the program, in our environment or in another, and look at it.

        Raises:
            tfhelp.collectors.run.child.StartError: it cannot be started.
        """
        self.command = command
        self.output = KeptOutput()
        self._kills_before = _cgroup_kills()
        self.child = Child(command, self.output, environment)
        self.sampler = Sampler(self.child.pid, self.child.started_at)
        self.sampler.start()

    def finish(self) -> None:
        """After the child's end: take in the rest of the output, stop the readings."""
        self.child.finish_output()
        self.sampler.stop()

    def _silent_since(self) -> float:
        return self.output.last_at - self.child.started_at

    def facts(self, hung: bool = False) -> Document:
        """What is known by now, as a facts document.

        Args:
            hung: it is looked at because it makes no progress.
        """
        import psutil

        sheet = FactSheet()
        samples = self.sampler.samples[:]
        ended = self.child.ended.is_set()
        silent = (self.child.started_at + self.child.seconds if ended else time.monotonic()) - self.output.last_at
        limit = _memory_limit()
        spoke = curves.while_it_spoke(samples, self._silent_since())
        found: dict[str, typing.Any] = {
            "run.pid": self.child.pid,
            "run.seconds": round(self.child.seconds if ended else time.monotonic() - self.child.started_at, 1),
            "run.seconds_since_output": round(max(0.0, silent), 1),
            "run.memory_peak_mib": self._memory_peak(samples),
            "run.memory_limit_mib": limit,
            "run.memory_pattern": curves.memory_pattern(spoke, limit),
            "run.memory_slope_mib_per_minute": curves.memory_slope(spoke),
            "run.memory_grew_in_silence": curves.grew_in_silence(samples, self._silent_since()),
            # What was computed before a hang's last word says nothing of the hang.
            "run.cores_busy": curves.cores_at_end(samples, min(_END_SECONDS, silent) if hung else _END_SECONDS),
            "run.gpu_idle_share": curves.gpu_idle_share(samples, self._silent_since() if hung else None),
            "run.workers": _workers(os.environ.get("TF_CONFIG", "")),
            "run.gpus_held": curves.gpus_held(samples),
            "run.gpus_busy": curves.gpus_busy(samples),
            "run.processes": samples[-1].processes if samples else None,
            **_worst_of_machine(samples),
            "host.open_files_limit": self.sampler.open_files_limit,
            "host.address_space_limit_mib": self.sampler.address_space_limit_mib,
            "run.address_space_peak_mib": self.sampler.address_space_peak_mib if self.sampler.address_space_limit_mib else None,
        }
        if hung:
            found["run.hung"] = True
            if not ended:
                found["run.waits_for"], found["run.workers_wait_for"] = waits_of_run(psutil.Process(self.child.pid))
        for path, value in found.items():
            if value is not None:  # what was not read stays unknown
                sheet.put(path, value, _SOURCE)
        _put_limits(sheet)
        if ended:
            self._put_end(sheet)
        return sheet.document()

    def _memory_peak(self, samples: list[Sample]) -> float | None:
        known = [sample.memory for sample in samples]
        if self.child.peak_memory_mib is not None:
            known.append(self.child.peak_memory_mib)
        return round(max(known), 1) if known else None

    def _put_end(self, sheet: FactSheet) -> None:
        child = self.child
        sheet.put("run.exit_code", child.exit_code, _SOURCE)
        sheet.put("run.signal", child.signal or None, _SOURCE)
        # The machine's own counters may tell of an earlier run: what counts is what was added during this one.
        kills, killed = _cgroup_kills(), None
        messages = read_kernel_log()
        if messages is not None:
            killed = oom_killed([line for line in messages if self._names_us(line)])
            sheet.put("host.oom_killed", killed, "kernel log, during the run")
        added = kills - self._kills_before if kills is not None and self._kills_before is not None else None
        if added is not None:
            sheet.put("host.cgroup_oom_kills", added, "control group, during the run")
        if child.signal:
            sender = "itself" if child.signal in _CRASHES else "oom-killer" if added or killed else "outside"
            sheet.put("run.killed_by", sender, _SOURCE)

    def _names_us(self, line: str) -> bool:
        return any(f" {pid} " in line for pid in self.sampler.pids)


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
    """How many workers ``TF_CONFIG`` names, the chief among them; ``None`` where it names none, or is no JSON.

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
    """What the machine and the control group give: a limit below the machine's memory is a container's or a job's."""
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


def _cgroup_kills() -> int | None:
    kills = _control_group("host.cgroup_oom_kills")
    return None if kills is None else int(kills)


def _memory_limit() -> float:
    import psutil

    total = psutil.virtual_memory().total / (1 << 20)
    return round(min(total, _control_group("host.cgroup_limit_mib") or total), 1)
