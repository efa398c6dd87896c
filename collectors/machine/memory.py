"""Memory of the machine and of this process's control group."""

import os
import re
import sys

from tfhelp.collectors.machine.files import read_file, whole_number
from tfhelp.kb.fact_sheet import FactSheet

_NO_LIMIT = 1 << 60  # bytes


def read_memory(sheet: FactSheet, root: str = "/") -> None:
    """``host.memory_*``, ``host.swap_*``, ``host.shm_*`` (MiB)."""
    if sys.platform == "win32":
        _read_windows_memory(sheet)
        return
    if sys.platform == "darwin":
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
        sheet.put("host.memory_total_mib", round(pages * size / 1048576.0, 1), "sysconf")
        return
    sizes = {}
    for line in read_file(os.path.join(root, "proc/meminfo")).splitlines():
        words = line.replace(":", " ").split()
        size = whole_number(words[1]) if len(words) > 1 else None
        if size is not None:
            sizes[words[0]] = round(size / 1024.0, 1)
    pairs = (
        ("memory_total", "MemTotal"),
        ("memory_available", "MemAvailable"),
        ("swap_total", "SwapTotal"),
        ("swap_free", "SwapFree"),
    )
    for name, key in pairs:
        if key in sizes:
            sheet.put(f"host.{name}_mib", sizes[key], "/proc/meminfo")
    try:
        shared = os.statvfs(os.path.join(root, "dev/shm"))
    except OSError:
        return
    sheet.put("host.shm_total_mib", round(shared.f_blocks * shared.f_frsize / 1048576.0, 1), "/dev/shm")
    sheet.put("host.shm_free_mib", round(shared.f_bavail * shared.f_frsize / 1048576.0, 1), "/dev/shm")


def _read_windows_memory(sheet: FactSheet) -> None:
    import ctypes

    # MEMORYSTATUSEX: two 32-bit fields (length, load), then seven 64-bit ones (total, available, page file total, ...).
    status = (ctypes.c_uint64 * 8)()
    ctypes.cast(status, ctypes.POINTER(ctypes.c_uint32))[0] = 64
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
    if kernel.GlobalMemoryStatusEx(ctypes.byref(status)):
        sheet.put("host.memory_total_mib", round(status[1] / 1048576.0, 1), "GlobalMemoryStatusEx")
        sheet.put("host.memory_available_mib", round(status[2] / 1048576.0, 1), "GlobalMemoryStatusEx")


def read_control_group(sheet: FactSheet, root: str = "/") -> None:
    """``host.cgroup_*``: the smallest memory limit of this process's control group or one above it, v1 and v2."""
    if not sys.platform.startswith("linux"):
        return
    narrowest, first = None, None
    for folder, limit_file, used_file, events_file in _control_group_folders(root):
        own = (folder, used_file, events_file)
        first = first or own
        limit = whole_number(read_file(os.path.join(folder, limit_file)).strip())
        # "no limit" is the word max in v2 and a number near 2^63 in v1.
        if limit is not None and limit < _NO_LIMIT and (narrowest is None or limit < narrowest[0]):
            narrowest = (limit, own)
    if first is None:
        return
    folder, used_file, events_file = narrowest[1] if narrowest else first
    sheet.put("host.cgroup_limit_mib", round(narrowest[0] / 1048576.0, 1) if narrowest else None, folder)
    used = whole_number(read_file(os.path.join(folder, used_file)).strip())
    if used is not None:
        sheet.put("host.cgroup_used_mib", round(used / 1048576.0, 1), folder)
    kills = re.search(r"^oom_kill (\d{1,18})$", read_file(os.path.join(folder, events_file)), re.MULTILINE | re.ASCII)
    if kills:
        sheet.put("host.cgroup_oom_kills", int(kills.group(1)), os.path.join(folder, events_file))


def _control_group_folders(root: str) -> list[tuple[str, str, str, str]]:
    """This process's control group and those above it: (folder, limit file, usage file, events file)."""
    found = []
    for line in read_file(os.path.join(root, "proc/self/cgroup")).splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            mounts, files = ["sys/fs/cgroup", "sys/fs/cgroup/unified"], ("memory.max", "memory.current", "memory.events")
        elif "memory" in controllers.split(","):
            mounts = ["sys/fs/cgroup/memory"]
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.oom_control")
        else:
            continue
        parts = [part for part in path.split("/") if part and part != ".."]
        # Inside a container the path may be the host's and not exist there; then the root of the mount is the group.
        for length in range(len(parts), -1, -1):
            for mount in mounts:
                folder = os.path.join(root, mount, *parts[:length])
                if os.path.exists(os.path.join(folder, files[0])):
                    found.append((folder,) + files)
    return found
