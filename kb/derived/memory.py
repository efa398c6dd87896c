"""Memory of GPUs and host, shared memory, disk. Sizes are in MiB."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Row, Tables

CONTAINER_SHM_MIB = 64.0  # the default size of /dev/shm in Docker and containerd
FULL_DISK_MIB = 64.0  # below this a checkpoint or even a log file no longer fits
LOW_SHARE, LOW_MIB = 0.05, 512.0
FULL_SHARE = 0.95


def _number(value: object) -> typing.Any:
    """A number as the sheet stores it. Without a fraction it becomes an integer, so that sentences show no ".0"."""
    found = read.finite(value)
    return UNKNOWN if found is None else int(found) if found.is_integer() else round(found, 1)


def _others(sheet: FactSheet) -> list[tuple[float, Row, Row]]:
    """(MiB held, process, GPU) for every process on a visible GPU except the training itself, the largest first."""
    own = sheet.get("run.pid")
    found = []
    for gpu in read.visible_gpus(sheet):
        processes = gpu.get("processes")
        for process in processes if isinstance(processes, list) else []:
            held = read.finite(process.get("memory_mib")) if isinstance(process, dict) else None
            if held is not None and (own is UNKNOWN or own is None or process.get("pid") != own):
                found.append((held, process, gpu))
    return sorted(found, key=lambda one: -one[0])


@derived("derived.gpu_memory_total_mib", "number", uses=("gpus", "env.CUDA_VISIBLE_DEVICES"))
def gpu_memory_total_mib(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Memory of the GPU with the most memory."""
    totals = [total for gpu in read.visible_gpus(sheet) if (total := read.finite(gpu.get("memory_total_mib")))]
    return _number(max(totals)) if totals else UNKNOWN


@derived("derived.gpu_memory_held_by_others_share", "number", uses=("gpus", "run.pid", "env.CUDA_VISIBLE_DEVICES"))
def gpu_memory_held_by_others_share(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Share (0 to 1) of a GPU's memory that other processes use, the largest over the GPUs. If the processes are not listed
    (containers hide them), all memory in use counts, because the facts are collected after the training has ended.
    """
    others = _others(sheet)
    shares = []
    for gpu in read.visible_gpus(sheet):
        total = read.finite(gpu.get("memory_total_mib"))
        listed = isinstance(gpu.get("processes"), list) and bool(gpu["processes"])
        held = [memory for memory, _, where in others if where is gpu]
        used = sum(held) if listed else read.finite(gpu.get("memory_used_mib"))
        if listed and not held and any(isinstance(one, dict) and one.get("memory_mib") is None for one in gpu["processes"]):
            used = read.finite(gpu.get("memory_used_mib"))  # listed without their sizes, as on Windows
        if total and used is not None:
            shares.append(min(1.0, used / total))
    return round(max(shares), 3) if shares else UNKNOWN


@derived("derived.other_process_pid", "integer", uses=("gpus", "run.pid", "env.CUDA_VISIBLE_DEVICES"))
def other_process_pid(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Process id of the other process that uses the most GPU memory."""
    return next((process["pid"] for _, process, _ in _others(sheet) if isinstance(process.get("pid"), int)), UNKNOWN)


@derived("derived.other_process_name", "text", uses=("gpus", "run.pid", "env.CUDA_VISIBLE_DEVICES"))
def other_process_name(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Name of the other process that uses the most GPU memory."""
    found = _others(sheet)
    name = found[0][1].get("name") if found else None
    return name if isinstance(name, str) and name else UNKNOWN


@derived("derived.other_process_memory_mib", "number", uses=("gpus", "run.pid", "env.CUDA_VISIBLE_DEVICES"))
def other_process_memory_mib(sheet: FactSheet, tables: Tables) -> typing.Any:
    """GPU memory that this other process uses."""
    found = _others(sheet)
    return _number(found[0][0]) if found else UNKNOWN


@derived("derived.other_process_gpu", "integer", uses=("gpus", "run.pid", "env.CUDA_VISIBLE_DEVICES"))
def other_process_gpu(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Number of the GPU whose memory this other process uses."""
    found = _others(sheet)
    return next((index for index, gpu in enumerate(read.gpus(sheet)) if found and gpu is found[0][2]), UNKNOWN)


@derived(
    "derived.gpu_device_memory_share",
    "number",
    uses=("log.gpu_device_memory_mib", "log.limit_mib", "derived.gpu_memory_total_mib"),
)
def gpu_device_memory_share(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Share (0 to 1) of the card's memory that TensorFlow got when it created the device, or that its allocator may use."""
    got, total = read.number(sheet, "log.gpu_device_memory_mib"), read.number(sheet, "derived.gpu_memory_total_mib")
    got = read.number(sheet, "log.limit_mib") if got is None else got
    return UNKNOWN if got is None or not total else round(min(1.0, got / total), 3)


@derived("derived.allocator_nearly_full", "boolean", needs=("log.limit_mib", "log.in_use_mib"))
def allocator_nearly_full(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The allocator's statistics show nine tenths or more of its limit in use."""
    limit, used = read.number(sheet, "log.limit_mib"), read.number(sheet, "log.in_use_mib")
    return UNKNOWN if not limit or used is None else used >= 0.9 * limit


@derived("derived.fragmented", "boolean", needs=("log.requested_mib", "log.limit_mib", "log.in_use_mib"))
def fragmented(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The failed request was smaller than the allocator's free memory: enough is free, but not in one piece."""
    asked, limit, used = (read.number(sheet, f"log.{name}_mib") for name in ("requested", "limit", "in_use"))
    return UNKNOWN if asked is None or not limit or used is None or used > limit else asked <= limit - used


@derived("derived.free_in_pieces", "boolean", needs=("derived.fragmented", "log.unreserved_mib"))
def free_in_pieces(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The allocator had reserved all that it may, and within it more was free than the failed request needed."""
    unreserved = read.number(sheet, "log.unreserved_mib")
    return UNKNOWN if unreserved is None else sheet.get("derived.fragmented") is True and unreserved < 1.0


@derived("derived.memory_limit_mib", "number", uses=("host.cgroup_limit_mib", "host.memory_total_mib"))
def memory_limit_mib(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Memory that the training may use: the machine's, or the container's or job's limit if that is lower."""
    known = [found for name in ("cgroup_limit", "memory_total") if (found := read.number(sheet, f"host.{name}_mib"))]
    return _number(min(known)) if known else UNKNOWN


@derived("derived.container_limits_memory", "boolean", needs=("host.memory_total_mib",), uses=("host.cgroup_limit_mib",))
def container_limits_memory(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A container or job limit is clearly below the machine's memory."""
    limit, total = read.number(sheet, "host.cgroup_limit_mib"), read.number(sheet, "host.memory_total_mib")
    if limit is None:
        return False if sheet.get("host.cgroup_limit_mib") is None else UNKNOWN
    return UNKNOWN if not total else limit < 0.95 * total


@derived(
    "derived.memory_low",
    "boolean",
    uses=("host.memory_available_mib", "host.memory_total_mib", "host.cgroup_used_mib", "host.cgroup_limit_mib"),
)
def memory_low(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Hardly any memory is left: less than 512 MiB or 5 % of the machine's, or 95 % of the container's limit is in use."""
    available, total = read.number(sheet, "host.memory_available_mib"), read.number(sheet, "host.memory_total_mib")
    used, limit = read.number(sheet, "host.cgroup_used_mib"), read.number(sheet, "host.cgroup_limit_mib")
    found = []
    if available is not None:
        found.append(available < LOW_MIB or bool(total and available < LOW_SHARE * total))
    if used is not None and limit:
        found.append(used > FULL_SHARE * limit)
    return any(found) if found else UNKNOWN


@derived(
    "derived.requested_exceeds_limit",
    "boolean",
    needs=("log.requested_mib",),
    uses=("log.limit_mib", "log.device", "log.gpu_index", "derived.gpu_memory_total_mib", "derived.memory_limit_mib"),
)
def requested_exceeds_limit(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A single request is larger than all memory: the allocator's limit, else the GPU's or the host's."""
    asked = read.number(sheet, "log.requested_mib")
    device = (read.text(sheet, "log.device") or "").upper()
    on_gpu = "GPU" in device or sheet.known("log.gpu_index")
    limit = read.number(sheet, "log.limit_mib")
    if limit is None:
        limit = read.number(sheet, "derived.gpu_memory_total_mib" if on_gpu else "derived.memory_limit_mib")
        if not on_gpu and "CPU" not in device and limit is not None and asked is not None and asked <= limit:
            return UNKNOWN  # it may have been a GPU's memory
    return UNKNOWN if asked is None or not limit else asked > limit


@derived("derived.oom_killed", "boolean", uses=("host.cgroup_oom_kills", "host.oom_killed"))
def oom_killed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The kernel killed a process because memory ran out, as its log or the counter of the control group shows."""
    kills = read.number(sheet, "host.cgroup_oom_kills")
    if read.text(sheet, "host.oom_killed") or kills:
        return True
    return False if kills == 0 or sheet.get("host.oom_killed") is None else UNKNOWN


@derived("derived.shm_small", "boolean", needs=("host.shm_total_mib",))
def shm_small(sheet: FactSheet, tables: Tables) -> typing.Any:
    """/dev/shm has only the 64 MiB that containers get by default, or less."""
    total = read.number(sheet, "host.shm_total_mib")
    return UNKNOWN if total is None else total <= CONTAINER_SHM_MIB * 1.05


@derived("derived.shm_full", "boolean", needs=("host.shm_free_mib",))
def shm_full(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Less than 8 MiB of /dev/shm is free."""
    free = read.number(sheet, "host.shm_free_mib")
    return UNKNOWN if free is None else free < 8


@derived("derived.disk_full", "boolean", uses=("host.disk_free_mib", "host.temporary_free_mib"))
def disk_full(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The working or the temporary folder has less than 64 MiB left."""
    known = [free for name in ("disk_free", "temporary_free") if (free := read.number(sheet, f"host.{name}_mib")) is not None]
    return min(known) < FULL_DISK_MIB if known else UNKNOWN
