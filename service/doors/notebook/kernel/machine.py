"""The memory of this process, and the Linux kernel's reports of killed processes; empty if a system provides none."""

from __future__ import annotations

import os
import re
import sys

_GROUP_EVENTS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")
_GROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_NO_LIMIT = 1 << 50
_LOG_BYTES = 1 << 22


def memory_mib() -> tuple[float, float]:
    """Resident memory of this process now, and its peak, in MiB."""
    status = _read("/proc/self/status")
    if status:
        return _kibibytes(status, "VmRSS") / 1024, _kibibytes(status, "VmHWM") / 1024
    if sys.platform == "win32":
        return 0.0, 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return peak, peak


def memory_limit_mib() -> float:
    """How much memory this process may use: that of the machine or of its control group; 0 for unknown."""
    total = _kibibytes(_read("/proc/meminfo"), "MemTotal") / 1024
    limits = [_read(path).strip() for path in _GROUP_LIMITS]
    known = [int(limit) / (1 << 20) for limit in limits if limit.isdigit() and int(limit) < _NO_LIMIT]
    return min([total, *known]) if total else min(known, default=0.0)


def kills_for_memory() -> int | None:
    """How many processes of this control group were killed for lack of memory; ``None`` if the system does not count them."""
    for path in _GROUP_EVENTS:
        found = re.search(r"^oom_kill (\d+)$", _read(path), re.MULTILINE)
        if found:
            return int(found.group(1))
    return None


def killed_for_memory(pid: int, path: str = "/dev/kmsg") -> str:
    """The kernel log's line about a killed process; empty if there is none or the log may not be read."""
    for line in reversed(_kernel_log(path)):
        if re.search(r"\bKilled process %d\b" % pid, line):
            return line
    return ""


def _kernel_log(path: str) -> list[str]:
    try:
        log = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return []
    lines, size = [], 0
    try:
        while size < _LOG_BYTES:
            try:
                record = os.read(log, 8192)
            except BrokenPipeError:  # the record was overwritten before it was read; the next one is there
                continue
            if not record:
                break
            size += len(record)
            lines += [part.rpartition(";")[2] for part in record.decode("utf-8", "replace").split("\n") if part]
    except OSError:  # no more records
        pass
    finally:
        os.close(log)
    return lines


def _kibibytes(text: str, name: str) -> float:
    found = re.search(r"^%s:\s+(\d+) kB$" % name, text, re.MULTILINE)
    return float(found.group(1)) if found else 0.0


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""
