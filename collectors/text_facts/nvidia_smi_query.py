"""``nvidia-smi -L``, ``nvidia-smi -q`` and its tables in CSV form.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5c5a)\\nGPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-8d1e)")["gpus"]
[{'name': 'NVIDIA A100-SXM4-40GB'}, {'name': 'NVIDIA A100-SXM4-40GB'}]
>>> values_of(read, "name, driver_version, memory.total [MiB]\\nTesla T4, 525.85.12, 15360 MiB")
{'driver.version': '525.85.12', 'gpus': [{'name': 'Tesla T4', 'memory_total_mib': 15360.0}]}
>>> values_of(read, "pid, process_name, used_gpu_memory [MiB]\\n4242, /usr/bin/python3, 9000 MiB")["gpus"]
[{'processes': [{'pid': 4242, 'name': '/usr/bin/python3', 'memory_mib': 9000.0}]}]
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.gpu_lists import GpuFacts
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import Statements

_LISTED = Pattern(r"^\s{0,8}GPU ([0-9]{1,3}): (.{2,80}?) \(UUID: ", re.ASCII)
_PAIR = Pattern(r"^(\s{0,40})([A-Z][\w ./()-]{1,60}?)\s{1,60}: (.{0,200})$", re.ASCII)
_GPU_HEAD = Pattern(r"^GPU [0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:\S{2,8}\s*$")
_COLUMN_HEAD = Pattern(r"^\s{0,8}[a-z_.]{3,40}(?: \[\S{1,6}\])?(?:, [a-z_.]{3,60}(?: \[\S{1,6}\])?){1,40}\s*$", re.ASCII)
_LONGEST_QUERY = 4000
_LONGEST_TABLE = 200

_NUMBERS = {"memory.total": "memory_total_mib", "memory.used": "memory_used_mib"}
_READINGS = {"utilization.gpu": "utilization_percent", "temperature.gpu": "temperature_celsius"}

_NUMERIC = frozenset((*_NUMBERS, *_READINGS, "driver_version", "compute_cap"))
_KEYS = ("index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id")


@reads(
    words="compute_cap driver_version mib nvsmi used_gpu_memory used_memory uuid",
    says=(
        "driver.version",
        "driver.cuda_version",
        "gpus",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State the results that the queries print."""
    listed: dict[int, GpuFacts] = {}
    last = 0
    for number in at:
        line = lines[number]
        if gpu := (_LISTED.match(line) if "UUID" in line else None):
            listed[int(gpu[1])] = {"name": gpu[2]}
            last = number
        elif "NVSMI LOG" in line:
            _query(lines, number + 1, said)
        elif ", " in line and _COLUMN_HEAD.match(line):
            _table(lines, number, said)
    if listed:
        said.say("gpus", [listed[index] for index in sorted(listed)], last)


def _query(lines: Lines, start: int, said: Statements) -> None:
    """The long form: names with values, indented under the heading of their section."""
    gpus: list[GpuFacts] = []
    section = ""
    number = start
    for number in range(start, min(start + _LONGEST_QUERY, len(lines))):
        line = lines[number]
        if "NVSMI LOG" in line:
            break
        if _GPU_HEAD.match(line):
            gpus.append({})
            continue
        pair = _PAIR.match(line)
        if not pair:
            section = line.strip() or section
            continue
        if not gpus:
            _machine(pair[2], pair[3].strip(), number, said)
        else:
            _property(gpus[-1], section, pair[2], pair[3].strip())
    if any(gpus):
        said.say("gpus", gpus, number)


def _machine(name: str, value: str, number: int, said: Statements) -> None:
    if name == "Driver Version" and value[:1].isdigit():
        said.say("driver.version", value, number)
    elif name == "CUDA Version" and value[:1].isdigit():
        said.say("driver.cuda_version", value, number)


def _property(gpu: GpuFacts, section: str, name: str, value: str) -> None:
    if name == "Product Name":
        gpu["name"] = value
    elif section == "FB Memory Usage" and name in ("Total", "Used"):
        amount = mib(value)
        if amount is not None:
            gpu[f"memory_{name.lower()}_mib"] = amount
    elif name == "Compute Mode":
        gpu["compute_mode"] = value.lower().replace("_", "-")
    elif name == "GPU Current Temp" and value.endswith(" C") and value[:-2].isdigit():
        gpu["temperature_celsius"] = float(value[:-2])
    elif name == "Gpu" and section == "Utilization" and value.endswith(" %") and value[:-2].isdigit():
        gpu["utilization_percent"] = float(value[:-2])
    elif section == "MIG Mode" and name == "Current" and value in ("Enabled", "Disabled"):
        gpu["mig_mode"] = value == "Enabled"


def _table(lines: Lines, head: int, said: Statements) -> None:
    columns = [column.strip().partition(" [")[0] for column in lines[head].split(",")]
    gpus: dict[str, GpuFacts] = {}
    sampled = ""
    processes: list[GpuFacts] = []
    number = head
    for number in range(head + 1, min(head + _LONGEST_TABLE, len(lines))):
        cells = [cell.strip() for cell in lines[number].split(",")]
        if len(cells) != len(columns):
            break
        row = dict(zip(columns, cells, strict=True))
        if not all(row[column][:1].isdigit() or row[column][:1] in "[N" for column in _NUMERIC.intersection(row)):
            break  # a sentence with as many commas
        if "pid" in row:
            processes += _process(row)
            continue
        second = row.get("timestamp", "").partition(".")[0]
        if second != sampled:
            gpus, sampled = {}, second  # with -l the query is repeated: the last sample counts
        gpus[next((row[key] for key in _KEYS if key in row), str(number))] = _gpu(row, number, said)
    if any(gpus.values()):
        said.say("gpus", list(gpus.values()), number)
    elif processes:
        # The table does not name the GPU; the value is a list of one GPU, which is merged with the first of other lists.
        said.say("gpus", [{"processes": processes}], number)


def _process(row: dict[str, str]) -> list[GpuFacts]:
    if not row["pid"].isdigit() or len(row["pid"]) > 10:
        return []
    process: GpuFacts = {"pid": int(row["pid"])}
    name = row.get("process_name") or row.get("name")
    if name:
        process["name"] = name
    amount = mib(row.get("used_gpu_memory") or row.get("used_memory") or "")
    if amount is not None:
        process["memory_mib"] = amount
    return [process]


def _gpu(row: dict[str, str], number: int, said: Statements) -> GpuFacts:
    gpu: GpuFacts = {}
    if name := row.get("name") or row.get("gpu_name"):
        gpu["name"] = name
    if capability := row.get("compute_cap"):
        gpu["compute_capability"] = capability
    for column, key in _NUMBERS.items():
        text = row.get(column, "")
        # With --format=csv,nounits only the header has the unit.
        amount = mib(text, "MiB" if text.isdigit() else "")
        if text and amount is not None:
            gpu[key] = amount
    for column, key in _READINGS.items():
        digits = row.get(column, "").removesuffix(" %")
        if digits.isascii() and digits.isdigit() and len(digits) < 5:
            gpu[key] = float(digits)
    if version := row.get("driver_version"):
        said.say("driver.version", version, number)
    return gpu
