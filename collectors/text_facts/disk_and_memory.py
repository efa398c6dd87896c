"""``df`` and ``free`` as pasted.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '''              total        used        free      shared  buff/cache   available
... Mem:           7.7G        2.1G        3.2G        100M        2.4G        5.2G
... Swap:          2.0G          0B        2.0G''')
{'host.memory_total_mib': 7884.8, 'host.memory_available_mib': 5324.8, 'host.swap_total_mib': 2048.0, 'host.swap_free_mib': 2048.0}
>>> values_of(read, '''Filesystem      Size  Used Avail Use% Mounted on
... /dev/sda1       100G  100G     0 100% /
... shm              64M     0   64M   0% /dev/shm''')
{'host.shm_total_mib': 64.0, 'host.shm_free_mib': 64.0, 'host.disk_free_mib': 0.0}

``free`` without an option counts KiB; ``free -m`` and ``-g`` print numbers without a unit too, so the numbers decide: a
machine for training has at least 896 MiB and at most 64 TiB, and numbers of KiB are multiples of 4, the size of a page.

>>> values_of(read, "Mem: 515608 21000 301000 100 193608 490000")["host.memory_total_mib"]
515608.0
>>> values_of(read, "Mem: 1031167 21003 301001 101 193608 490003")["host.memory_total_mib"]
1031167.0
>>> values_of(read, "Mem: 1006900 421300 101200 800 484400 441200")["host.memory_total_mib"]
983.301
>>> values_of(read, "Mem: 377 21 301 1 55 352")["host.memory_total_mib"]
386048.0
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import Statements

_ROW = Pattern(r"^\s{0,8}(Mem|Swap):((?:\s{1,20}[0-9][0-9.]{0,14}[KMGTB]?i?B?){2,6})\s*$", re.ASCII)
_HEAD = Pattern(
    r"^\s{0,8}Filesystem\s{1,60}(?:Type\s{1,12})?(\S{1,12})\s{1,20}Used\s{1,20}Avail\S{0,8}\s{1,8}(?:Use%|Capacity)\s.{0,60}?Mounted on",
    re.ASCII,
)
_ENTRY = Pattern(
    r"^\s{0,8}\S.{0,200}?\s([0-9.]{1,16}[KMGTP]?i?)\s{1,20}([0-9.]{1,16}[KMGTP]?i?)\s{1,20}([0-9.]{1,16}[KMGTP]?i?)\s{1,8}[0-9]{1,3}%\s{1,8}(?:[0-9]{1,20}\s{1,20}[0-9]{1,20}\s{1,8}[0-9]{1,3}%\s{1,8})?(/\S{0,300})\s*$",
    re.ASCII,
)
_PROC = Pattern(r"^\s{0,8}(MemTotal|MemAvailable|SwapTotal|SwapFree):\s{1,30}([0-9]{1,15}) kB", re.ASCII)
_PROC_PATHS = {
    "MemTotal": "host.memory_total_mib",
    "MemAvailable": "host.memory_available_mib",
    "SwapTotal": "host.swap_total_mib",
    "SwapFree": "host.swap_free_mib",
}
_BLOCKS = {
    "1K-blocks": "K",
    "1024-blocks": "K",
    "512-blocks": "half",
    "1M-blocks": "M",
    "1G-blocks": "G",
    "1B-blocks": "B",
    "Size": "",
    "1MB-blocks": "M",
}
_LONGEST_TABLE = 200
_FULL_MIB = 64.0
_SMALLEST_MACHINE_MIB = 896.0  # a machine of 1 GB, less what the kernel keeps
_SMALL_MACHINE_MIB = 1024.0
_PAGE_KIB = 4
_LARGEST_MACHINE_MIB = 64.0 * 1048576


@reads(
    words="filesystem mem memavailable memtotal shm swapfree swaptotal",
    says=(
        "host.memory_total_mib",
        "host.memory_available_mib",
        "host.swap_total_mib",
        "host.swap_free_mib",
        "host.shm_total_mib",
        "host.shm_free_mib",
        "host.disk_free_mib",
        "host.temporary_free_mib",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State memory, swap and disk space."""
    unit = ""
    for number in at:
        line = lines[number]
        if row := _ROW.match(line):
            amounts = row[2].split()
            if row[1] == "Mem":
                unit = _unit_of_free(amounts)
                _say_memory(lines, number, amounts, unit, said)
        elif head := _HEAD.match(line):
            _table(lines, number + 1, head[1], said)
        elif entry := _PROC.match(line):
            said.say(_PROC_PATHS[entry[1]], mib(entry[2], "kB"), number)


def _unit_of_free(amounts: list[str]) -> str:
    """The unit of plain numbers, the total first: the first of K, M, G and B that gives a plausible size of a machine."""
    total = amounts[0]
    if not total.replace(".", "").isdigit():
        return ""
    for unit in ("K", "M", "G", "B"):
        amount = mib(total, unit)
        if amount is None or not _SMALLEST_MACHINE_MIB <= amount <= _LARGEST_MACHINE_MIB:
            continue
        if unit == "K" and amount < _SMALL_MACHINE_MIB and any(int(part) % _PAGE_KIB for part in amounts if part.isdigit()):
            continue
        return unit
    return "K"


def _say_memory(lines: Lines, number: int, amounts: list[str], unit: str, said: Statements) -> None:
    said.say("host.memory_total_mib", mib(amounts[0], unit), number)
    head = lines[number - 1].split() if number else []
    # Without the column "available" (old procps), the memory that a program could get is not known.
    if "available" in head and len(amounts) == len(head):
        said.say("host.memory_available_mib", mib(amounts[head.index("available")], unit), number)
    swap = _ROW.match(lines[number + 1]) if number + 1 < len(lines) else None
    if swap and swap[1] == "Swap":
        parts = swap[2].split()
        said.say("host.swap_total_mib", mib(parts[0], unit if parts[0].isdigit() else ""), number + 1)
        if len(parts) > 2:
            said.say("host.swap_free_mib", mib(parts[2], unit if parts[2].isdigit() else ""), number + 1)


def _table(lines: Lines, start: int, blocks: str, said: Statements) -> None:
    """The rows of ``df``. The disk of the working folder is known only if there is one disk, or if one is full."""
    unit = _BLOCKS.get(blocks, "")
    free: list[tuple[float, int]] = []
    for number in range(start, min(start + _LONGEST_TABLE, len(lines))):
        entry = _ENTRY.match(lines[number])
        if not entry:
            break
        total, available = (_amount(text, unit) for text in (entry[1], entry[3]))
        if total is None or available is None:
            continue
        mount = entry[4]
        if mount == "/dev/shm":
            said.say("host.shm_total_mib", total, number)
            said.say("host.shm_free_mib", available, number)
        elif mount == "/tmp":
            said.say("host.temporary_free_mib", available, number)
        elif mount in ("/", "/home", "/workspace", "/content", "/data", "/mnt") or mount.startswith(
            ("/home/", "/data/", "/mnt/", "/scratch")
        ):
            free.append((available, number))
    least = min(free, default=(0.0, 0))
    if len(free) == 1 or (free and least[0] < _FULL_MIB):
        said.say("host.disk_free_mib", least[0], least[1])


def _amount(text: str, unit: str) -> float | None:
    if unit == "half":
        blocks = mib(text, "K")
        return None if blocks is None else blocks / 2
    return mib(text, unit if text.isdigit() and unit else "")
