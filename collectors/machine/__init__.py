"""The machine: facts that do not need the user's interpreter. Each module reads one part of it into a sheet of facts.

A file system that hangs must not delay an answer, so everything is read in a thread with a time limit.
"""

import threading
import typing

from tfhelp.collectors.machine.limits import read_limits
from tfhelp.collectors.machine.memory import read_control_group, read_memory
from tfhelp.collectors.machine.operating_system import read_operating_system
from tfhelp.collectors.machine.processor import read_processor
from tfhelp.collectors.machine.variables import read_environment_variables
from tfhelp.kb.fact_sheet import FactSheet

FACTS = (
    "os.name",
    "os.release",
    "os.wsl",
    "os.container",
    "os.architecture",
    "os.glibc",
    "os.virtual_machine",
    "host.memory_total_mib",
    "host.memory_available_mib",
    "host.swap_total_mib",
    "host.swap_free_mib",
    "host.cgroup_limit_mib",
    "host.cgroup_used_mib",
    "host.cgroup_oom_kills",
    "host.shm_total_mib",
    "host.shm_free_mib",
    "host.disk_free_mib",
    "host.temporary_free_mib",
    "host.open_files_limit",
    "host.address_space_limit_mib",
    "host.locked_memory_limit_kib",
    "host.stack_limit_kib",
    "host.cpu_count",
    "host.cpu_model",
    "host.avx",
    "host.avx2",
    "host.fma",
    "env.*",
)
"""The fact paths that this collector makes; ``*`` stands for any name."""

_READERS: tuple[tuple[str, typing.Callable[[FactSheet, str], None]], ...] = (
    ("os", read_operating_system),
    ("host", read_processor),
    ("host", read_memory),
    ("host", read_control_group),
    ("host", read_limits),
    ("env", read_environment_variables),
)


def read_machine(sheet: FactSheet, root: str = "/") -> None:
    """Read everything into a sheet. If a reader fails, its facts are marked unreadable, and the others continue.

    Args:
        sheet: takes the facts.
        root: where /proc, /sys and /etc are found (the tests bring their own).
    """
    for group, reader in _READERS:
        try:
            reader(sheet, root)
        except Exception as error:  # noqa: BLE001 - whatever one reader runs into, the others must go on
            sheet.about[group] = {"source": f"{type(error).__name__}: {error}", "state": "not-readable"}


def read_machine_within(sheet: FactSheet, seconds: float) -> None:
    """``read_machine`` with a time limit; a reader that hangs is marked as timed out, and its thread is left behind.

    Args:
        sheet: takes the facts.
        seconds: wall time, above zero.
    """
    found = FactSheet()
    thread = threading.Thread(target=read_machine, args=(found,), daemon=True)
    thread.start()
    thread.join(seconds)
    sheet.add(_snapshot(found))
    if thread.is_alive():
        sheet.about["host"] = {"source": f"no answer in {seconds:.1f} s", "state": "timed-out"}


def _snapshot(found: FactSheet) -> FactSheet:
    """A copy of the facts so far; the thread may continue."""
    snapshot = FactSheet()
    snapshot.values, snapshot.about = dict(found.values), dict(found.about)
    return snapshot
