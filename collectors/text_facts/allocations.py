"""Failed allocations and the allocator's statistics.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "OOM when allocating tensor with shape[32,224,224,64] and type float on /job:localhost/device:GPU:0 by allocator GPU_0_bfc")
{'log.failed_shape': '32,224,224,64', 'log.failed_dtype': 'float', 'log.device': '/device:GPU:0', 'log.gpu_index': '0', 'log.requested_mib': 392.0}
>>> values_of(read, "Limit:                      6966476800\\nInUse:                      6882123776\\nMaxInUse:   6953165824")
{'log.limit_mib': 6643.75, 'log.in_use_mib': 6563.305, 'log.peak_in_use_mib': 6631.056}
>>> values_of(read, "Total size in pool: 1.00GiB memory_limit_: 1.00GiB available size: 0B curr_region_allocation_bytes_: 2.00GiB")
{'log.limit_mib': 1024.0, 'log.unreserved_mib': 0.0}
>>> values_of(read, "numpy.core._exceptions.MemoryError: Unable to allocate 14.9 GiB for an array with shape (2000000, 1000) and data type float64")
{'log.requested_mib': 15257.6, 'log.failed_shape': '2000000,1000', 'log.failed_dtype': 'float64', 'log.device': 'host'}
"""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.sizes import mib
from tfhelp.collectors.text_facts.statements import Statements

_TENSOR = Pattern(
    r"allocating tensor (?:with|of) shape ?[\[(]([0-9, ]{0,200})[\])](?: and type (\w{1,20}))?(?: on (\S{1,120}))?", re.ASCII
)
_DEVICE = Pattern(r"device:(GPU|CPU|TPU):([0-9]{1,3})", re.ASCII | re.IGNORECASE)
_BFC = Pattern(r"trying to allocate ([0-9.]{1,12} ?[KMGT]?i?B)\b", re.ASCII)
_REQUESTED_BY = Pattern(r"requested by op (\S{1,200})", re.ASCII)
_BYTES = Pattern(
    r"(?:trying to allocate|memory allocating|failed to allocate|[Ff]ailed to allocate request for|Allocation of) ([0-9]{3,20})(?: bytes| ?B\b| exceeds)",
    re.ASCII,
)
_FROM_DEVICE = Pattern(r"failed to a?lloc(?:ate)? (?:[0-9.]{1,12}[KMGT]?i?B? \()?([0-9]{3,20}) bytes", re.ASCII)
_NUMPY = Pattern(
    r"Unable to allocate ([0-9.]{1,12} ?[KMGTP]?i?B) for an array with shape \(([0-9, ]{0,200})\) and data type (\S{1,30})",
    re.ASCII,
)
_STATISTIC = Pattern(r"(?:^|\s)(Limit|InUse|MaxInUse):\s{1,60}([0-9]{1,20}|[0-9.]{1,12} ?[KMGT]iB)\s*$", re.ASCII)
_REGION = Pattern(r"memory_limit_: ([0-9.]{1,12} ?[KMGT]?i?B|[0-9]{1,20}\b)", re.ASCII)
_UNRESERVED = Pattern(r"available (?:bytes|size): ([0-9.]{1,12} ?[KMGT]?i?B|[0-9]{1,20}\b)", re.ASCII)
_STATISTICS = {"Limit": "log.limit_mib", "InUse": "log.in_use_mib", "MaxInUse": "log.peak_in_use_mib"}
_BYTES_OF = {"half": 2, "bfloat16": 2, "float16": 2, "float": 4, "float32": 4, "double": 8, "float64": 8, "int32": 4, "int64": 8}
_BYTES_OF |= {"uint8": 1, "int8": 1, "bool": 1, "int16": 2, "complex64": 8, "complex128": 16, "uint32": 4, "uint64": 8}


@reads(
    words="allocate allocating allocation allocator inuse limit maxinuse memory memory_limit_ oom",
    says=(
        "log.failed_shape",
        "log.failed_dtype",
        "log.device",
        "log.gpu_index",
        "log.requested_mib",
        "log.failed_op",
        "log.limit_mib",
        "log.in_use_mib",
        "log.peak_in_use_mib",
        "log.unreserved_mib",
        "log.host_allocation_mib",
    ),
)
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State what was requested, what the allocator held, and where."""
    for number in at:
        line = lines[number]
        if statistic := (_STATISTIC.search(line[-120:]) if "Limit:" in line or "InUse:" in line else None):
            amount = mib(statistic[2])
            # An allocator without a limit prints Limit: 0.
            if amount is not None and (amount or statistic[1] != "Limit"):
                said.say(_STATISTICS[statistic[1]], amount, number)
        elif region := (_REGION.search(line) if "memory_limit_" in line else None):
            said.say("log.limit_mib", mib(region[1]), number)
            if unreserved := _UNRESERVED.search(line):
                said.say("log.unreserved_mib", mib(unreserved[1]), number)
        elif "lloc" in line:
            _request(line, number, said)


def _request(line: str, number: int, said: Statements) -> None:
    if array := (_NUMPY.search(line) if "Unable to" in line else None):
        said.say("log.requested_mib", mib(array[1]), number)
        said.say("log.failed_shape", array[2].replace(" ", "").rstrip(","), number)
        said.say("log.failed_dtype", array[3], number)
        said.say("log.device", "host", number)
        return
    if "this is not a failure" in line:
        return
    if tensor := _TENSOR.search(line):
        _failed_tensor(tensor, number, said)
    size = _BFC.search(line) or _BYTES.search(line) or _FROM_DEVICE.search(line)
    amount = mib(size[1]) if size else None
    if amount is not None:
        # Allocation of N exceeds 10% of free system memory: a notice, not yet a failure.
        said.say("log.host_allocation_mib" if "% of" in line else "log.requested_mib", amount, number)
    if requested_by := _REQUESTED_BY.search(line):
        said.say("log.failed_op", requested_by[1], number)


def _failed_tensor(tensor: re.Match[str], number: int, said: Statements) -> None:
    shape = tensor[1].replace(" ", "").rstrip(",")
    said.say("log.failed_shape", shape, number)
    if tensor[2]:
        said.say("log.failed_dtype", tensor[2], number)
    if device := _DEVICE.search(tensor[3] or ""):
        said.say("log.device", f"/device:{device[1].upper()}:{device[2]}", number)
        if device[1].upper() == "GPU":
            said.say("log.gpu_index", device[2], number)
    width = _BYTES_OF.get(tensor[2] or "")
    if width and not said.said("log.requested_mib"):
        elements = 1
        for size in shape.split(",")[:16]:
            elements *= int(size[:12] or 1)
        said.say("log.requested_mib", round(elements * width / 1048576, 3), number)
