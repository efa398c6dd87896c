"""The table of ``nvidia-smi``, in its old and its new layout, complete or truncated.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> facts = values_of(read, '''
... | NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |
... |   0  NVIDIA GeForce RTX 3060        Off | 00000000:01:00.0  On |                  N/A |
... |  0%   45C    P8              15W / 170W |    512MiB / 12288MiB |      3%      Default |
... |    0   N/A  N/A      1234      C   python                                      400MiB |''')
>>> facts["driver.version"], facts["driver.cuda_version"]
('535.104.05', '12.2')
>>> facts["gpus"][0]["memory_total_mib"], facts["gpus"][0]["processes"]
(12288.0, [{'pid': 1234, 'name': 'python', 'memory_mib': 400.0}])

Every row is recognised by its own form, so a table without its header is read too. A new header starts a new table; the last
table with a GPU counts (``watch nvidia-smi``).
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.gpu_lists import GpuFacts
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import Statements

_HEAD = Pattern(r"NVIDIA-SMI\s{1,8}[0-9][0-9.]{2,14}\s{1,60}Driver Version:\s{1,8}([0-9][0-9.]{2,14})", re.ASCII)
_CUDA = Pattern(r"CUDA Version:\s{1,8}([0-9]{1,2}\.[0-9]{1,2})", re.ASCII)
_NAME_ROW = Pattern(
    r"^\s{0,8}\|\s{1,6}([0-9]{1,3})\s{1,4}(\S.{2,60}?)\s{1,30}(?:On|Off|WDDM|TCC|MCDM|N/A)\s{0,6}\|\s{1,8}[0-9A-Fa-f]{4,8}:\S{4,10}\s[^|]{0,20}\|\s{0,30}(\S{1,8})\s{0,10}\|",
    re.ASCII,
)
_MEMORY = Pattern(
    r"\|\s{1,20}([0-9]{1,8})MiB\s{0,4}/\s{0,4}([0-9]{1,8})MiB\s{0,6}\|\s{0,12}(?:([0-9]{1,3})%|N/A|ERR!)?\s{0,12}([\w. ]{3,14})?",
    re.ASCII,
)
_TEMPERATURE = Pattern(r"\s([0-9]{1,3})C\s", re.ASCII)
_PROCESS = Pattern(
    r"^\s{0,8}\|\s{1,8}([0-9]{1,3})\s{1,8}(?:(?:N/A|[0-9]{1,3})\s{1,8}(?:N/A|[0-9]{1,3})\s{1,12})?([0-9]{1,10})\s{1,12}(?:C\+G|M\+C|C|G)\s{1,8}(\S.{0,100}?)\s{1,80}([0-9]{1,8})MiB\s{0,6}\|",
    re.ASCII,
)
_MIG_ROW = Pattern(r"^\s{0,8}\|[ ]{20,60}\|[ ]{10,40}\|[ ]{1,40}(Disabled|Enabled)\*? ?\|")
_COMPUTE_MODES = {"Default": "default", "E. Process": "exclusive-process", "Prohibited": "prohibited"}


@reads(
    words="disabled enabled mib running smi",
    says=(
        "driver.version",
        "driver.cuda_version",
        "driver.state",
        "gpus",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the driver, the CUDA version, the GPUs and the processes on them."""
    tables: list[dict[int, GpuFacts]] = [{}]
    last = 0
    for number in at:
        line = lines[number]
        if "NVIDIA-SMI" in line:
            if _head(line, number, said):
                tables.append({})
        elif "|" not in line:
            continue
        elif memory := (_MEMORY.search(line) if "MiB /" in line else None):
            # Only a GPU's row has the power before its memory ("15W / 170W"); the rows of MIG devices have not.
            if "/" in line[: memory.start()]:
                _gpu(lines, number, memory, tables[-1])
                last = number
        elif process := (_PROCESS.match(line) if "MiB" in line else None):
            gpu = tables[-1].setdefault(int(process[1]), {})
            pid, memory_mib = int(process[2]), float(process[4])
            gpu.setdefault("processes", []).append({"pid": pid, "name": process[3], "memory_mib": memory_mib})
            last = number
        elif "No running processes found" in line:
            for gpu in tables[-1].values():
                gpu.setdefault("processes", [])
        elif (mig := _MIG_ROW.match(line)) and tables[-1]:
            tables[-1][max(tables[-1])]["mig_mode"] = mig[1] == "Enabled"
    table = next((table for table in reversed(tables) if any("memory_total_mib" in gpu for gpu in table.values())), None)
    if table:
        said.say("gpus", [table[index] for index in sorted(table) if "memory_total_mib" in table[index]], last)


def _head(line: str, number: int, said: Statements) -> bool:
    head = _HEAD.search(line)
    if not head:
        return False
    said.say("driver.version", head[1], number)
    said.say("driver.state", "ok", number)
    if cuda := _CUDA.search(line):
        said.say("driver.cuda_version", cuda[1], number)
    return True


def _gpu(lines: Lines, number: int, memory: re.Match[str], table: dict[int, GpuFacts]) -> None:
    """A GPU has a row with its name above the row with its memory."""
    name = _NAME_ROW.match(lines[number - 1]) if number else None
    index = int(name[1]) if name else max(table, default=-1) + 1
    gpu: GpuFacts = {"memory_used_mib": float(memory[1]), "memory_total_mib": float(memory[2])}
    if name:
        gpu = {"name": name[2], **gpu}
        if name[3].isdigit():
            gpu["ecc_uncorrected"] = int(name[3])
    if memory[3]:
        gpu["utilization_percent"] = float(memory[3])
    if temperature := _TEMPERATURE.search(memory.string[: memory.start()]):
        gpu["temperature_celsius"] = float(temperature[1])
    mode = _COMPUTE_MODES.get((memory[4] or "").strip())
    if mode:
        gpu["compute_mode"] = mode
    table[index] = gpu
