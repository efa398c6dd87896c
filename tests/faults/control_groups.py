"""Control groups that limit a fault program: the limits that a container or a job scheduler sets and rlimits cannot."""

import os
import time

from tests.faults.errors import UnsupportedError

_MIB = 1024 * 1024
_REMOVE_SECONDS = 2.0
# Where a group may be made, and the files that limit it: the limit's name in the program -> (folders, files, size of its unit).
_LIMITED = {
    # RLIMIT_NPROC does not bind root.
    "processes": (("/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"), ("pids.max",), 1),
    "group_memory_mib": (
        ("/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"),
        ("memory.max", "memory.limit_in_bytes"),
        _MIB,
    ),
}


def make_groups(limits: dict[str, int]) -> list[str]:
    """Make one control group for each limit that needs one.

    Returns:
        their folders; a process joins by writing its id to ``cgroup.procs``.

    Raises:
        UnsupportedError: this machine does not allow any.
    """
    made: list[str] = []
    try:
        for name, value in limits.items():
            if name in _LIMITED:
                made.append(_make(name, value))
    except UnsupportedError:
        remove_groups(made)
        raise
    return made


def _make(name: str, value: int) -> str:
    roots, files, unit = _LIMITED[name]
    for root in roots:
        folder = os.path.join(root, f"tfhelp-{os.getpid()}-{time.monotonic_ns()}")
        try:
            os.mkdir(folder)
        except OSError:
            continue
        present = [path for file in files if os.path.exists(path := os.path.join(folder, file))]
        if present:
            _write(present[0], value * unit)
            return folder
        os.rmdir(folder)
    raise UnsupportedError(f"{name} cannot be limited here: no control group for it can be made")


def _write(path: str, value: int) -> None:
    with open(path, "w") as file:
        file.write(str(value))


def join(folder: str) -> None:
    """Put this process, and everything that it starts from now on, into a group."""
    _write(os.path.join(folder, "cgroup.procs"), os.getpid())


def remove_groups(folders: list[str]) -> None:
    """Remove the groups; their processes have been ended, but the kernel needs a moment to notice it."""
    for folder in folders:
        until = time.monotonic() + _REMOVE_SECONDS
        while time.monotonic() < until:
            try:
                os.rmdir(folder)
                break
            except OSError:
                time.sleep(0.05)
