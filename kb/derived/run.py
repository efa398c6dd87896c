"""What follows from an observed run (``tfhelp run``). Pasted text alone gives none of these facts."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

NEARLY_ALL = 0.95
SPARE_SHARE = 0.7  # a run that never used more of its limit was not killed for lack of memory
IDLE_CORES = 0.2
BUSY_CORES = 0.8
NEVER_IDLE, MOSTLY_IDLE = 0.1, 0.5
LONG_SECONDS = 60.0  # a shorter run is mostly imports, tracing and filling its caches


@derived("derived.run_memory_share", "number", needs=("run.memory_peak_mib", "run.memory_limit_mib"))
def run_memory_share(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The largest share (0 to 1) of the available memory that the run used."""
    peak, limit = read.number(sheet, "run.memory_peak_mib"), read.number(sheet, "run.memory_limit_mib")
    return UNKNOWN if peak is None or not limit else round(peak / limit, 3)


@derived("derived.killed_by_oom_killer", "boolean", uses=("run.killed_by",))
def killed_by_oom_killer(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The kernel killed the observed run because memory ran out."""
    sender = sheet.get("run.killed_by")
    return UNKNOWN if sender is UNKNOWN else sender == "oom-killer"


@derived(
    "derived.killed_with_memory_to_spare",
    "boolean",
    needs=("derived.killed",),
    uses=("run.killed_by", "derived.run_memory_share"),
)
def killed_with_memory_to_spare(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run was killed with SIGKILL although it used far less memory than it could: another process killed it."""
    share = read.number(sheet, "derived.run_memory_share")
    if share is None or sheet.get("run.killed_by") is UNKNOWN:
        return UNKNOWN
    return sheet.get("derived.killed") is True and sheet.get("run.killed_by") == "outside" and share < SPARE_SHARE


@derived(
    "derived.killed_perhaps_for_memory",
    "boolean",
    needs=("derived.killed",),
    uses=("derived.killed_with_memory_to_spare", "course.end"),
)
def killed_perhaps_for_memory(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process was killed with SIGKILL, nothing shows that there was memory to spare, and it was not waiting in vain before
    (in that case, a user stopped it).
    """
    spare = sheet.get("derived.killed_with_memory_to_spare") is True
    return sheet.get("derived.killed") is True and not spare and sheet.get("course.end") != "waiting"


@derived("derived.stopped_from_outside", "boolean", needs=("derived.asked_to_stop", "run.killed_by"))
def stopped_from_outside(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run was ended by a signal that asks a process to stop (SIGTERM, SIGHUP), sent by another process."""
    return sheet.get("derived.asked_to_stop") is True and sheet.get("run.killed_by") == "outside"


@derived("derived.memory_grew_steadily", "boolean", needs=("run.memory_pattern",))
def memory_grew_steadily(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run's memory grew all the time, as with a leak; a single step or a constant level is not growth."""
    return sheet.get("run.memory_pattern") == "steady-growth"


@derived(
    "derived.workers_wait",
    "boolean",
    needs=("run.hung", "run.processes", "run.cores_busy"),
    uses=("run.worker_processes", "derived.hung_at_cluster", "derived.workers_apart", "derived.hung_at_exit"),
)
def workers_wait(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, it has started other processes, and none of them does anything: they wait for each other. If the processes
    were inspected, a shell or a launcher around the training does not count as one of them.
    """
    processes, cores = read.number(sheet, "run.processes"), read.number(sheet, "run.cores_busy")
    if processes is None or cores is None or sheet.get("run.hung") is not True:
        return UNKNOWN
    if sheet.get("derived.hung_at_cluster") is True or sheet.get("derived.workers_apart") is True:  # the workers of a cluster
        return False
    if sheet.get("derived.hung_at_exit") is True:  # the program waits for its workers' end, and not for their work
        return False
    return processes >= 2 and cores < IDLE_CORES and read.number(sheet, "run.worker_processes") != 0


def _waits_in(sheet: FactSheet, path: str, *kinds: str) -> typing.Any:
    kind = sheet.get(path)
    return UNKNOWN if kind is UNKNOWN else kind in kinds


@derived(
    "derived.data_code_waits",
    "boolean",
    needs=("run.hung",),
    uses=("run.data_waits_in", "run.waits_in", "derived.hung_at_exit"),
)
def data_code_waits(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, and the stacks show that the user's code that makes the data waits for a queue, the network, another
    process or a sleep, or that the training itself waits for the next batch of a loader."""
    if sheet.get("derived.hung_at_exit") is True:
        return False
    found = _waits_in(sheet, "run.data_waits_in", "queue", "network", "process", "sleep", "input")
    return found if found is not UNKNOWN else _waits_in(sheet, "run.waits_in", "queue", "data", "network")


@derived(
    "derived.python_waits_for_lock",
    "boolean",
    needs=("run.hung",),
    uses=("run.data_waits_in", "run.waits_in", "run.waits_line", "run.waits_for", "derived.hung_at_exit"),
)
def python_waits_for_lock(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs in Python code that waits for a lock or a thread. The stacks show it, or, if no stack was read, the main
    thread waits for a lock in the kernel.
    """
    if sheet.get("derived.hung_at_exit") is True:
        return False
    found = _waits_in(sheet, "run.data_waits_in", "lock", "thread")
    if found is UNKNOWN:
        found = _waits_in(sheet, "run.waits_in", "lock", "thread")
    if found is UNKNOWN and sheet.get("run.waits_line") is not UNKNOWN:
        return False
    return found if found is not UNKNOWN else _waits_in(sheet, "run.waits_for", "lock")


@derived("derived.hang_line", "text", needs=("run.hung",), uses=("run.data_line", "run.waits_line"))
def hang_line(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The line of the user's code in which a run hangs: in the code that makes the data, else in the main thread."""
    return read.first_text(sheet, "run.data_line", "run.waits_line") or UNKNOWN


@derived("derived.workers_wait_in_tensorflow", "boolean", needs=("derived.workers_wait", "run.workers_wait_in"))
def workers_wait_in_tensorflow(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs and none of its processes works, and a worker process stays inside a TensorFlow operation, because a fork
    does not copy TensorFlow's threads.
    """
    kinds = sheet.get("run.workers_wait_in")
    return sheet.get("derived.workers_wait") is True and isinstance(kinds, list) and "tensorflow" in kinds


@derived("derived.workers_wait_for_locks", "boolean", needs=("run.hung", "run.workers_wait_for"))
def workers_wait_for_locks(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, and all processes that it has started wait for a lock. Among idle workers, one waits at the pipe that
    delivers the work; if all wait for locks, a fork copied a lock while it was held.
    """
    waits = sheet.get("run.workers_wait_for")
    return sheet.get("run.hung") is True and isinstance(waits, list) and set(waits) == {"lock"}


@derived("derived.hung_while_gpus_work", "boolean", needs=("run.hung", "run.gpu_idle_share"))
def hung_while_gpus_work(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, and its GPUs have been busy ever since its last output: a kernel on them waits for data."""
    idle = read.number(sheet, "run.gpu_idle_share")
    return UNKNOWN if idle is None else sheet.get("run.hung") is True and idle < NEVER_IDLE


@derived("derived.gpu_mostly_idle", "boolean", needs=("run.gpu_idle_share",), uses=("run.hung",))
def gpu_mostly_idle(sheet: FactSheet, tables: Tables) -> typing.Any:
    """In at least half of the samples of a run that did not hang, the GPUs whose memory it had filled were idle."""
    idle = read.number(sheet, "run.gpu_idle_share")
    return UNKNOWN if idle is None else sheet.get("run.hung") is not True and idle >= MOSTLY_IDLE


@derived("derived.gpu_waits_for_processor", "boolean", needs=("derived.gpu_mostly_idle", "run.cores_busy"))
def gpu_waits_for_processor(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The GPUs of the run were idle most of the time while at least one processor core was busy."""
    cores = read.number(sheet, "run.cores_busy")
    return UNKNOWN if cores is None else sheet.get("derived.gpu_mostly_idle") is True and cores >= BUSY_CORES


@derived(
    "derived.gpu_idle_though_it_ended_well", "boolean", needs=("derived.gpu_mostly_idle", "derived.ended_well", "run.seconds")
)
def gpu_idle_though_it_ended_well(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run took at least a minute and ended with exit code 0, and its GPUs were idle for at least half of the time."""
    seconds = read.number(sheet, "run.seconds")
    if seconds is None:
        return UNKNOWN
    return sheet.get("derived.gpu_mostly_idle") is True and sheet.get("derived.ended_well") is True and seconds >= LONG_SECONDS


@derived("derived.some_gpus_idle", "boolean", needs=("run.gpus_held", "run.gpus_busy"))
def some_gpus_idle(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run filled the memory of several GPUs and computed on only some of them."""
    held, busy = read.number(sheet, "run.gpus_held"), read.number(sheet, "run.gpus_busy")
    return UNKNOWN if held is None or busy is None else held >= 2 and 1 <= busy < held


_OBSERVED = ("run.seconds", "derived.ended_well")
_NOTHING_LEFT_MIB = 8.0


@derived("derived.run_failed_with_disk_full", "boolean", needs=_OBSERVED, uses=("host.disk_free_mib", "host.temporary_free_mib"))
def run_failed_with_disk_full(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run failed, and at its worst moment the working or the temporary folder had less than 8 MiB left."""
    known = [free for name in ("disk_free", "temporary_free") if (free := read.number(sheet, f"host.{name}_mib")) is not None]
    return sheet.get("derived.ended_well") is False and min(known) < _NOTHING_LEFT_MIB if known else UNKNOWN


@derived("derived.run_failed_with_shm_full", "boolean", needs=(*_OBSERVED, "host.shm_free_mib"))
def run_failed_with_shm_full(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run failed, and at its worst moment /dev/shm had less than 8 MiB left."""
    free = read.number(sheet, "host.shm_free_mib")
    return UNKNOWN if free is None else sheet.get("derived.ended_well") is False and free < _NOTHING_LEFT_MIB


@derived("derived.run_failed_with_files_used_up", "boolean", needs=(*_OBSERVED, "derived.open_files_near_limit"))
def run_failed_with_files_used_up(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run failed after one of its processes had nearly reached its limit on open files."""
    return sheet.get("derived.ended_well") is False and sheet.get("derived.open_files_near_limit") is True
