"""What the kernel log reports about GPUs and about processes killed for lack of memory, if this user may read it."""

import os
import re
import time

_XID = re.compile(r"NVRM: Xid \([^)]*\): (\d{1,9})\b", re.ASCII)
_KILLED = re.compile(
    r"(?:[Oo]ut of memory|oom-kill).*?: Kill(?:ed)? process (\d+),? \(([^)]*)\)|^Killed process (\d+),? \(([^)]*)\)"
)
_SECONDS = 0.25
_RECORD = 8192  # bytes; the kernel's own limit on a record


def open_kernel_log(path: str = "/dev/kmsg", at_end: bool = False) -> int | None:
    """The kernel's buffer as a file descriptor; ``None`` if there is none, or no permission to read it.

    Args:
        path: the buffer.
        at_end: read only the messages from now on.
    """
    if not hasattr(os, "O_NONBLOCK"):
        return None
    try:
        log = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    if at_end:
        try:
            os.lseek(log, 0, os.SEEK_END)
        except OSError:
            os.close(log)
            return None
    return log


def read_kernel_log(path: str = "/dev/kmsg") -> list[str] | None:
    """The messages in the kernel's buffer, oldest first; ``None`` if there is none, or no permission to read it.

    Reading never waits for new messages and ends after a quarter of a second.
    """
    log = open_kernel_log(path)
    if log is None:
        return None
    try:
        return read_messages(log)
    finally:
        os.close(log)


def read_messages(log: int) -> list[str] | None:
    """The messages that an open kernel log has not returned yet (``read_kernel_log`` describes how they are read)."""
    lines: list[str] = []
    end = time.monotonic() + _SECONDS
    try:
        while time.monotonic() < end:
            try:
                record = os.read(log, _RECORD)
            except BlockingIOError:  # no more messages
                break
            except BrokenPipeError:  # a record was overwritten before it was read
                continue
            if not record:
                break
            for line in record.decode("utf-8", "replace").splitlines():
                if not line.startswith(" "):  # those are key=value pairs of the record before
                    lines.append(line.partition(";")[2] or line)
    except OSError:
        return None
    return lines


def xid_codes(lines: list[str]) -> list[int]:
    """Codes of NVIDIA's Xid messages, oldest first: ``NVRM: Xid (PCI:0000:3b:00): 79, ... has fallen off the bus.``"""
    return [int(found[1]) for line in lines if (found := _XID.search(line))]


def oom_killed(lines: list[str]) -> str | None:
    """The last process that the kernel killed for lack of memory, as ``python3 (pid 4711)``.

    >>> oom_killed(["Memory cgroup out of memory: Killed process 4711 (python3) total-vm:9000kB, anon-rss:8000kB"])
    'python3 (pid 4711)'
    """
    for line in reversed(lines):
        found = _KILLED.search(line)
        if found:
            return f"{found[2] or found[4]} (pid {found[1] or found[3]})"
    return None
