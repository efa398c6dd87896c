"""The kernel log (``dmesg``, ``journalctl -k``): killed processes, Xid errors of the GPU, segfaults.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "[8123.4] Out of memory: Killed process 4242 (python3) total-vm:61204512kB, anon-rss:31457280kB, file-rss:0kB")
{'host.oom_killed': 'python3', 'log.killed_resident_mib': 30720.0}
>>> values_of(read, "NVRM: Xid (PCI:0000:01:00): 79, pid=1234, GPU has fallen off the bus.")
{'driver.xid': [79]}
>>> values_of(read, "python[4242]: segfault at 0 ip 00007f2a sp 00007ffd error 4 in libtensorflow_framework.so.2[7f2a+100000]")
{'log.segfault_in': 'libtensorflow_framework.so.2'}
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_KILLED = Pattern(r"(?:Out of memory|Memory cgroup out of memory): Kill(?:ed)? process [0-9]{1,10} \(([^)]{1,40})\)", re.ASCII)
_RESIDENT = Pattern(r"anon-rss:([0-9]{1,12})kB", re.ASCII)
_XID = Pattern(r"NVRM: Xid \(([^)]{1,60})\): ([0-9]{1,4})\b", re.ASCII)
_SEGFAULT = Pattern(r"(?:segfault at|trap invalid opcode|traps:).{0,120}? in ([\w.+-]{2,80})\[", re.ASCII)


@reads(
    words="kill killed oom oom_kill_process oom_reaper segfault trap traps xid",
    signs=(
        "Xid",
        "ut of memory: Kill",
        "segfault at",
        "trap invalid",
        "traps:",
    ),
    says=(
        "host.oom_killed",
        "log.killed_resident_mib",
        "host.cgroup_oom_kills",
        "driver.xid",
        "log.segfault_in",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State which process was killed for lack of memory, the Xid codes from oldest to newest, and where a segfault happened."""
    codes: list[int] = []
    cgroup_kills = 0
    last = 0
    for number in at:
        line = lines[number]
        if killed := _KILLED.search(line):
            said.say("host.oom_killed", killed[1], number)
            if "cgroup" in line:
                cgroup_kills += 1
                said.say("host.cgroup_oom_kills", cgroup_kills, number)
            if resident := _RESIDENT.search(line):
                said.say("log.killed_resident_mib", int(resident[1]) / 1024, number)
        elif xid := _XID.search(line):
            codes.append(int(xid[2]))
            last = number
        elif segfault := _SEGFAULT.search(line):
            said.say("log.segfault_in", segfault[1], number)
    if codes:
        said.say("driver.xid", codes, last)
