"""What follows from a run that was observed (``tfhelp run``). Pasted text alone makes none of these known."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

SPARE_SHARE = 0.7  # a run that never held more of its limit was not killed for memory
IDLE_CORES = 0.2
BUSY_CORES = 0.8


@derived("derived.run_memory_share", "number", needs=("run.memory_peak_mib", "run.memory_limit_mib"))
def run_memory_share(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Share (0 to 1) of the memory that it could have which the run held at most."""
    peak, limit = read.number(sheet, "run.memory_peak_mib"), read.number(sheet, "run.memory_limit_mib")
    return UNKNOWN if peak is None or not limit else round(peak / limit, 3)


@derived("derived.killed_by_oom_killer", "boolean", uses=("run.killed_by",))
def killed_by_oom_killer(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The kernel ended the observed run for want of memory."""
    sender = sheet.get("run.killed_by")
    return UNKNOWN if sender is UNKNOWN else sender == "oom-killer"


@derived(
    "derived.killed_with_memory_to_spare",
    "boolean",
    needs=("derived.killed",),
    uses=("run.killed_by", "derived.run_memory_share"),
)
def killed_with_memory_to_spare(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run was killed with SIGKILL although it held far less memory than it could: somebody else sent it."""
    share = read.number(sheet, "derived.run_memory_share")
    if share is None or sheet.get("run.killed_by") is UNKNOWN:
        return UNKNOWN
    return sheet.get("derived.killed") is True and sheet.get("run.killed_by") == "outside" and share < SPARE_SHARE


@derived(
    "derived.killed_perhaps_for_memory",
    "boolean",
    needs=("derived.killed",),
    uses=("derived.killed_with_memory_to_spare",),
)
def killed_perhaps_for_memory(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process was killed with SIGKILL, and no observation says that there was memory to spare."""
    return sheet.get("derived.killed") is True and sheet.get("derived.killed_with_memory_to_spare") is not True


@derived("derived.stopped_from_outside", "boolean", needs=("derived.asked_to_stop", "run.killed_by"))
def stopped_from_outside(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run was ended by a signal that asks a process to stop (SIGTERM, SIGHUP), sent by another process."""
    return sheet.get("derived.asked_to_stop") is True and sheet.get("run.killed_by") == "outside"


@derived("derived.memory_grew_steadily", "boolean", needs=("run.memory_pattern",))
def memory_grew_steadily(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run's memory grew all the time, as a leak does; a step or a level is something else."""
    return sheet.get("run.memory_pattern") == "steady-growth"


@derived(
    "derived.memory_grew_while_training",
    "boolean",
    needs=("derived.memory_grew_steadily", "run.seconds", "run.seconds_since_output"),
)
def memory_grew_while_training(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run's memory grew all the time while it went on to say something until its end: steps were done, so it
    leaks. Reading a data set also takes more and more, but in silence."""
    seconds, silent = read.number(sheet, "run.seconds"), read.number(sheet, "run.seconds_since_output")
    if seconds is None or silent is None:
        return UNKNOWN
    return sheet.get("derived.memory_grew_steadily") is True and silent <= max(5.0, 0.1 * seconds)


@derived("derived.workers_wait", "boolean", needs=("run.hung", "run.processes", "run.cores_busy"))
def workers_wait(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, it has started other processes, and none of them does anything: they wait for each other."""
    processes, cores = read.number(sheet, "run.processes"), read.number(sheet, "run.cores_busy")
    if processes is None or cores is None or sheet.get("run.hung") is not True:
        return UNKNOWN
    return processes >= 2 and cores < IDLE_CORES


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
    """The observed run failed after one of its processes had held nearly as many files as it may."""
    return sheet.get("derived.ended_well") is False and sheet.get("derived.open_files_near_limit") is True
