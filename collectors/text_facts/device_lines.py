"""GPUs that TensorFlow's own log names.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, '''I tensorflow/core/common_runtime/gpu/gpu_device.cc:1616] Created device \\
... /job:localhost/replica:0/task:0/device:GPU:0 with 6645 MB memory:  -> device: 0, name: NVIDIA GeForce RTX 2070, \\
... pci bus id: 0000:01:00.0, compute capability: 7.5'''.replace("\\\\\\n", ""))["gpus"]
[{'name': 'NVIDIA GeForce RTX 2070', 'compute_capability': '7.5'}]
>>> values_of(read, '''Found device 0 with properties:
... name: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.7335
... pciBusID: 0000:01:00.0
... totalMemory: 7.92GiB freeMemory: 1.92GiB''')["gpus"]
[{'name': 'GeForce GTX 1080', 'compute_capability': '6.1', 'memory_total_mib': 8110.08, 'memory_used_mib': 6144.0}]
"""

import re
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import Statements

_DEVICE = Pattern(
    r"device: ([0-9]{1,3}), name: ([^,]{1,80}), pci bus id: [^,)]{1,40}(?:, compute capability: ([0-9]{1,2}\.[0-9]))?", re.ASCII
)
_CREATED_MEMORY = Pattern(r"GPU:[0-9]{1,3} with ([0-9]{1,9}) MB memory", re.ASCII)
_FOUND = Pattern(r"Found device ([0-9]{1,3}) with properties", re.ASCII)
_PROPERTIES = {
    "name": Pattern(r"\bname: (.{1,60}?)(?: major:| computeCapability:|$)", re.ASCII),
    "major": Pattern(r"\bmajor: ([0-9]{1,2}) minor: ([0-9])", re.ASCII),
    "capability": Pattern(r"\bcomputeCapability: ([0-9]{1,2}\.[0-9])", re.ASCII),
    "total": Pattern(r"(?:totalMemory:|Total memory:|deviceMemorySize:) ?([0-9.]{1,12}) ?([KMGT]iB)", re.ASCII),
    "free": Pattern(r"(?:freeMemory:|Free memory:) ?([0-9.]{1,12}) ?([KMGT]iB)", re.ASCII),
}
_PROPERTY_LINES = 6
_STREAM_EXECUTOR = Pattern(
    r"StreamExecutor device \(([0-9]{1,3})\): ([^,]{1,60}), Compute Capability ([0-9]{1,2}\.[0-9])", re.ASCII
)
_LISTED = Pattern(
    r"(?:Num GPUs?(?: Available)?|Number of GPUs?(?: available)?|GPUs? found)\s{0,4}[:=]?\s{1,8}([0-9]{1,3})\s*$",
    re.ASCII | re.IGNORECASE,
)
_QUESTION = Pattern(
    r"(list_physical_devices\((?:device_type ?= ?)?['\"]GPU['\"]\)|is_gpu_available\(|is_built_with_cuda\()[^\[\n]{0,40}?"
    r"(?:(?:returns?|gives?|prints?|->|=>|is|:|=)\s{0,4}(\[\]|an empty list|empty|True|False)|$)"
)


@reads(
    words="""created creating found get_available_gpus gpu gpus ignoring is_built_with_cuda is_gpu_available
        list_physical_devices physical_device skipping streamexecutor""",
    signs=(
        "pci bus id",
        "Found device",
        "Created device",
        "TensorFlow device (",
        "Skipping registering",
        "Ignoring visible",
        "StreamExecutor device",
        "hysical_device",
        "is_gpu_av",
        "is_built_with",
        "available_gpus",
        "um GPU",
        "umber of GPU",
        "um gpu",
        "umber of gpu",
        "GPUs found",
        "GPU found",
    ),
    says=(
        "gpus",
        "log.gpu_created",
        "log.gpu_device_memory_mib",
        "log.gpu_ignored",
        "tensorflow.visible_gpus",
        "tensorflow.cuda_build",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State which GPUs were found, which became devices, and which were left out."""
    devices: dict[int, dict[str, typing.Any]] = {}
    last = 0
    for number in at:
        line = lines[number]
        device = _device(line) or _properties(lines, number, line) or _stream_executor(line)
        if device:
            index, facts = device
            devices.setdefault(index, {}).update(facts)
            last = number
        _device_events(line, number, said)
        _answers(lines, number, line, said)
    if devices:
        said.say("gpus", [devices[index] for index in sorted(devices)], last)


def _device(line: str) -> tuple[int, dict[str, typing.Any]] | None:
    found = _DEVICE.search(line) if "pci bus id" in line else None
    if not found:
        return None
    facts = {"name": found[2].strip()}
    if found[3]:
        facts["compute_capability"] = found[3]
    return int(found[1]), facts


def _stream_executor(line: str) -> tuple[int, dict[str, typing.Any]] | None:
    found = _STREAM_EXECUTOR.search(line) if "StreamExecutor device" in line else None
    return (int(found[1]), {"name": found[2].strip(), "compute_capability": found[3]}) if found else None


def _properties(lines: Lines, number: int, line: str) -> tuple[int, dict[str, typing.Any]] | None:
    """The properties are on the lines below; their layout changed between releases, but their names hardly did."""
    found = _FOUND.search(line) if "Found device" in line else None
    if not found:
        return None
    text = [line[found.end() :]]
    for following in lines[number + 1 : number + _PROPERTY_LINES]:
        if "Found device" in following:
            break
        text.append(following)
    values = {key: next(filter(None, map(pattern.search, text)), None) for key, pattern in _PROPERTIES.items()}
    facts: dict[str, typing.Any] = {}
    if name := values["name"]:
        facts["name"] = name[1].strip()
    if capability := values["capability"]:
        facts["compute_capability"] = capability[1]
    elif major := values["major"]:
        facts["compute_capability"] = f"{major[1]}.{major[2]}"
    total = mib(values["total"][1], values["total"][2]) if values["total"] else None
    free = mib(values["free"][1], values["free"][2]) if values["free"] else None
    if total is not None:
        facts["memory_total_mib"] = total
        if free is not None:
            facts["memory_used_mib"] = round(total - free, 3)
    return (int(found[1]), facts) if facts else None


def _device_events(line: str, number: int, said: Statements) -> None:
    if "Created" in line or "Creating" in line:
        if "TensorFlow device (" in line or "Created device /" in line:
            if "GPU:" in line or "/gpu:" in line:
                said.say("log.gpu_created", True, number)
            if memory := _CREATED_MEMORY.search(line):
                said.say("log.gpu_device_memory_mib", float(memory[1]), number)
    elif "Skipping registering GPU devices" in line:
        said.say("log.gpu_created", False, number)
    elif "Ignoring visible gpu device" in line:
        said.say("log.gpu_ignored", True, number)


def _answers(lines: Lines, number: int, line: str, said: Statements) -> None:
    """The answers to what the user asked TensorFlow at a prompt or printed: how many GPUs, built with CUDA or not."""
    if "PhysicalDevice(name='/physical_device:GPU" in line:
        said.say("tensorflow.visible_gpus", _names(line.count("physical_device:GPU")), number)
        return
    if listed := (_LISTED.search(line[-120:]) if "GPU" in line and line.rstrip()[-1:].isdigit() else None):
        said.say("tensorflow.visible_gpus", _names(int(listed[1])), number)
        return
    question = _QUESTION.search(line) if "list_physical_devices(" in line or "is_gpu_av" in line or "is_built_w" in line else None
    if not question:
        return
    answer = question[2] or _next_line(lines, number)
    if "is_built_with_cuda" in question[1]:
        if answer in ("True", "False"):
            said.say("tensorflow.cuda_build", answer == "True", number)
    elif answer in ("[]", "an empty list", "empty", "False"):
        said.say("tensorflow.visible_gpus", [], number)


def _names(count: int) -> list[str]:
    """TensorFlow numbers the GPUs that it sees without gaps, so their count gives the names."""
    return [f"/physical_device:GPU:{index}" for index in range(min(count, 64))]


def _next_line(lines: Lines, number: int) -> str:
    """The answer at a prompt: the next line that is not a log line (TensorFlow logs during the query)."""
    for line in lines[number + 1 : number + 40]:
        text = line.strip(" `\t\r")
        if text in ("[]", "True", "False"):
            return text
        if text.endswith(" []") and len(text) < 24:
            return "[]"
        if text.startswith((">>>", "In [", "$")):
            return ""
    return ""
