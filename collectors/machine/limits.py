"""Limits of the process, and free space in its folders."""

import os

from tfhelp.kb.fact_sheet import FactSheet

# (fact, name in the module resource, how many units of the limit are one unit of the fact)
_LIMITS = (
    ("open_files_limit", "RLIMIT_NOFILE", 1),
    ("address_space_limit_mib", "RLIMIT_AS", 1048576),
    ("locked_memory_limit_kib", "RLIMIT_MEMLOCK", 1024),
    ("stack_limit_kib", "RLIMIT_STACK", 1024),
)


def read_limits(sheet: FactSheet, _root: str = "/") -> None:
    """Limits of the process (``ulimit``), and free space in the working folder and the temporary folder (MiB)."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        resource = None  # type: ignore[assignment, unused-ignore]
    if resource is not None:
        for name, constant, unit in _LIMITS:
            if hasattr(resource, constant):
                soft = resource.getrlimit(getattr(resource, constant))[0]
                unlimited = soft == resource.RLIM_INFINITY or soft < 0
                sheet.put("host." + name, None if unlimited else soft if unit == 1 else soft / unit, "getrlimit")
    temporary = os.environ.get("TMPDIR") or os.environ.get("TEMP") or ("C:\\Windows\\Temp" if os.name == "nt" else "/tmp")
    for name, folder in (("disk_free_mib", _working_folder()), ("temporary_free_mib", temporary)):
        free = _free_mib(folder)
        sheet.put("host." + name, free, folder, "ok" if free is not None else "not-readable")


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder was removed while a shell was in it
        return ""


def _free_mib(folder: str) -> float | None:
    try:
        if hasattr(os, "statvfs"):
            space = os.statvfs(folder)
            return round(space.f_bavail * space.f_frsize / 1048576.0, 1)
        import shutil

        return round(shutil.disk_usage(folder).free / 1048576.0, 1)
    except OSError:
        return None
