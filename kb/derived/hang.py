"""What follows from the stacks of a run that hangs, and from its processes that are gone."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

_BUSY_CORES, _IDLE_CORES = 0.8, 0.2


def _waits(sheet: FactSheet) -> set[str]:
    """Kinds of the calls in which the program and its workers wait."""
    workers = sheet.get("run.workers_wait_in")
    return {str(sheet.get("run.waits_in"))} | set(workers if isinstance(workers, list) else [])


def _gone(sheet: FactSheet) -> float:
    return sum(read.number(sheet, path) or 0 for path in ("run.processes_lost", "run.processes_failed"))


@derived("derived.hung_in_validation", "boolean", needs=("run.hung", "run.phase"))
def hung_in_validation(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, and its stack shows that fit evaluates the validation data: the epoch's training is done."""
    return sheet.get("run.hung") is True and sheet.get("run.phase") == "validation"


@derived("derived.hung_in_tracing", "boolean", needs=("run.hung", "run.phase"))
def hung_in_tracing(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, and its stack shows that TensorFlow traces a function: it builds the graph from the Python code."""
    return sheet.get("run.hung") is True and sheet.get("run.phase") == "tracing"


@derived("derived.hung_in_step", "boolean", needs=("run.hung", "run.phase"), uses=("run.waits_in",))
def hung_in_step(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs inside a training step that TensorFlow runs. fit fetches the next batch there too."""
    hung = sheet.get("run.hung") is True
    return hung and sheet.get("run.phase") == "training" and sheet.get("run.waits_in") == "tensorflow"


@derived("derived.hung_at_exit", "boolean", needs=("run.hung", "run.phase"))
def hung_at_exit(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The program has run its last line and does not end: Python waits for a thread or a process that the program started."""
    return sheet.get("run.hung") is True and sheet.get("run.phase") == "exit"


@derived("derived.hang_at_exit_line", "text", needs=("derived.hung_at_exit",), uses=("run.thread_line", "run.worker_lines"))
def hang_at_exit_line(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The line of the user's code that still runs in another thread or process although the program has run its last line."""
    lines = sheet.get("run.worker_lines")
    worker = str(lines[0]) if isinstance(lines, list) and lines else None
    return read.text(sheet, "run.thread_line") or worker or UNKNOWN


@derived("derived.keeps_computing", "boolean", needs=("run.cores_busy",), uses=("run.waits_for", "derived.hung_in_tracing"))
def keeps_computing(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run keeps a processor core busy, or, if the machine gives it less than a core, its main thread never waits."""
    cores = read.number(sheet, "run.cores_busy")
    busy = cores is not None and cores >= _BUSY_CORES
    return busy or sheet.get("run.waits_for") == "nothing" or sheet.get("derived.hung_in_tracing") is True


@derived("derived.hung_at_cluster", "boolean", needs=("run.hung",), uses=("run.waits_in", "run.workers_wait_in"))
def hung_at_cluster(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, and the stacks show that one of its processes waits for the other workers of its cluster to start."""
    if not (sheet.known("run.waits_in") or sheet.known("run.workers_wait_in")):
        return UNKNOWN
    return sheet.get("run.hung") is True and "cluster" in _waits(sheet)


@derived(
    "derived.cluster_misses_worker",
    "boolean",
    needs=("derived.hung_at_cluster",),
    uses=("run.processes_lost", "run.processes_failed"),
)
def cluster_misses_worker(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A process of the run waits for a worker of its cluster, and no worker of this run has failed: the worker was never started,
    or it has a different address.
    """
    return sheet.get("derived.hung_at_cluster") is True and not _gone(sheet)


@derived(
    "derived.cluster_lost_worker",
    "boolean",
    needs=("derived.hung_at_cluster",),
    uses=("run.waits_in", "run.workers_wait_in", "run.processes_lost", "run.processes_failed"),
)
def cluster_lost_worker(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A process of the run waits for the other workers of its cluster, and another process of the run has failed or is gone."""
    return bool(_waits(sheet) & {"cluster", "collective"} and _gone(sheet))


@derived(
    "derived.pool_lost_worker",
    "boolean",
    needs=("run.hung", "run.processes_lost", "run.waits_in"),
    uses=("derived.hung_at_cluster",),
)
def pool_lost_worker(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run waits for the result of another process, and a process that it had started is gone without any message."""
    waits = sheet.get("run.waits_in") in ("process", "queue") and sheet.get("derived.hung_at_cluster") is not True
    return waits and (read.number(sheet, "run.processes_lost") or 0) >= 1


@derived(
    "derived.workers_apart",
    "boolean",
    needs=("run.hung", "run.worker_lines", "run.cores_busy", "run.workers_forked"),
    uses=("run.workers_wait_in", "run.waits_in", "run.processes_lost", "run.processes_failed"),
)
def workers_apart(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs, none of its processes computes, and its workers, which were not forked, wait at different lines: one of them
    in a TensorFlow operation that needs the others, which have gone on to something else.
    """
    cores, lines = read.number(sheet, "run.cores_busy"), sheet.get("run.worker_lines")
    if cores is None or not isinstance(lines, list):
        return UNKNOWN
    idle = cores < _IDLE_CORES and not _gone(sheet) and sheet.get("run.workers_forked") is False
    return idle and len(lines) >= 2 and bool(_waits(sheet) & {"tensorflow", "collective"})


@derived(
    "derived.worker_vanished",
    "boolean",
    needs=("run.processes_lost", "derived.ended_well"),
    uses=("run.processes_failed",),
)
def worker_vanished(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run failed, but none of its processes failed with an exception or a crash. One that it had started is gone without
    any message, while others finished: it was killed.
    """
    lost, failed = read.number(sheet, "run.processes_lost"), read.number(sheet, "run.processes_failed")
    return sheet.get("derived.ended_well") is False and bool(lost) and not failed


@derived("derived.crash_in_own_native_code", "boolean", needs=("run.crash_in",), uses=("run.crash_recursion",))
def crash_in_own_native_code(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The crash happened in native code that the program calls directly, without TensorFlow or another library."""
    return sheet.get("run.crash_in") == "own-code" and sheet.get("run.crash_recursion") is not True


@derived(
    "derived.failed_under_file_size_limit",
    "boolean",
    needs=("host.file_size_limit_mib", "run.seconds", "derived.ended_well"),
    uses=("log.exception",),
)
def failed_under_file_size_limit(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The observed run failed without naming an exception, and it had a limit on the size of the files that it writes."""
    limited = read.number(sheet, "host.file_size_limit_mib") is not None
    return limited and sheet.get("derived.ended_well") is False and read.text(sheet, "log.exception") is None
