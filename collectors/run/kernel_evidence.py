"""What the kernel reports about a run: kills for lack of memory and driver faults, during this run alone.

The machine's counters and its log also cover earlier runs and other programs. So the counter is read at the start and
at the end, the log from the start on, and a killed process counts only if it belongs to the run.
"""

import os
import typing

from tfhelp.collectors.gpu.kernel_log import oom_killed, open_kernel_log, read_messages, xid_codes
from tfhelp.kb.fact_sheet import FactSheet


class KernelEvidence:
    """Evidence from the kernel; create it before the program starts.

    Attributes:
        killed: the last process of the run that the kernel killed for lack of memory, as ``python3 (pid 4711)``, ``a process of the
            run`` if only the control group's counter shows it, or empty.
        kills: how many kills the control group counted; ``None`` if it does not count.
    """

    def __init__(self, path: str = "/dev/kmsg") -> None:
        self.killed = ""
        self.kills: int | None = None
        self._xids: list[int] | None = None
        self._before = control_group_kills()
        self._log = open_kernel_log(path, at_end=True)

    def take(self, pids: typing.Collection[int]) -> None:
        """After the program's end: collect the reports about its processes."""
        messages = None
        if self._log is not None:
            messages = read_messages(self._log)
            os.close(self._log)
            self._log = None
        after = control_group_kills()
        if after is not None and self._before is not None:
            self.kills = max(0, after - self._before)
        if messages is not None:
            self._xids = xid_codes(messages)
            self.killed = oom_killed([line for line in messages if any(f" {pid} " in line for pid in pids)]) or ""
        if self.kills and not self.killed and not (messages and oom_killed(messages)):  # else it was another program's process
            self.killed = "a process of the run"

    def put(self, sheet: FactSheet) -> None:
        """Put the machine's facts, as far as they were read."""
        if self._xids is not None:
            known = self.killed if "pid" in self.killed else None
            sheet.put("host.oom_killed", known, "kernel log, during the run")
            sheet.put("driver.xid", self._xids, "kernel log, during the run")
        if self.kills is not None:
            sheet.put("host.cgroup_oom_kills", self.kills, "control group, during the run")


def control_group_kills() -> int | None:
    """How many processes of our control group the kernel has killed for lack of memory."""
    from tfhelp.collectors.machine.memory import read_control_group

    found = FactSheet()
    read_control_group(found)
    value = found.values.get("host.cgroup_oom_kills")
    return int(value) if isinstance(value, (int, float)) else None
