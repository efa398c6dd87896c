"""Training on several devices or machines, and how such a run ended."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.derived.run import IDLE_CORES
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

_SEVERAL = ("log.replicas", "log.cluster_workers", "log.workers")


@derived("derived.distributed", "boolean", uses=("log.strategy", *_SEVERAL))
def distributed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The training runs under a tf.distribute strategy, or the text shows several replicas or worker processes."""
    counts = [count for path in _SEVERAL if (count := read.number(sheet, path)) is not None]
    strategy = read.text(sheet, "log.strategy")
    if any(count > 1 for count in counts) or (strategy and not strategy.startswith(("OneDevice", "_Default"))):
        return True
    return False if counts or strategy else UNKNOWN


@derived("derived.segfault_when_distributed", "boolean", uses=("derived.signal", "derived.distributed"))
def segfault_when_distributed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A process of a distributed training run died with a segmentation fault."""
    if sheet.get("derived.signal") is UNKNOWN:
        return UNKNOWN
    return sheet.get("derived.signal") == "SIGSEGV" and sheet.get("derived.distributed") is True


@derived("derived.aborted_at_exit", "boolean", needs=("derived.signal", "derived.all_epochs_done"))
def aborted_at_exit(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process was aborted (SIGABRT) although all announced epochs were done."""
    return sheet.get("derived.signal") == "SIGABRT" and sheet.get("derived.all_epochs_done") is True


@derived(
    "derived.waits_for_cluster",
    "boolean",
    needs=("log.server_target",),
    uses=(
        "derived.training_started",
        "derived.signal",
        "course.end",
        "course.last",
        "log.exception",
        "log.cluster_ready",
        "run.exit_code",
    ),
)
def waits_for_cluster(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The text ends after this worker's server has started: it shows no step, no exception and no end of the process. A
    ``Killed`` or Ctrl-C after the wait only shows how the user ended it.
    """
    stopped = read.text(sheet, "derived.signal") is not None or sheet.known("run.exit_code")
    in_wait = sheet.get("course.end") == "waiting" or (sheet.get("course.end"), sheet.get("course.last")) == (
        "interrupted",
        "wait",
    )
    ended = read.text(sheet, "log.exception") is not None or (stopped and not in_wait)
    return not ended and sheet.get("log.cluster_ready") is not True and sheet.get("derived.training_started") is not True


@derived(
    "derived.waits_for_tasks", "boolean", needs=("log.tasks_missing",), uses=("derived.training_started", "log.cluster_ready")
)
def waits_for_tasks(sheet: FactSheet, tables: Tables) -> typing.Any:
    """A worker waited for tasks of its cluster, and nothing shows that they arrived: no step was done afterwards."""
    return sheet.get("log.cluster_ready") is not True and sheet.get("derived.training_started") is not True


@derived("derived.stuck_when_distributed", "boolean", needs=("log.stuck_for",), uses=("derived.distributed",))
def stuck_when_distributed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The fault handler's timer printed the stacks of a distributed training run that made no progress."""
    return sheet.get("derived.distributed") is True


@derived(
    "derived.hung_among_workers",
    "boolean",
    needs=("run.hung", "run.cores_busy"),
    uses=("log.cluster_workers", "run.workers", "log.cluster_ready", "derived.training_started"),
)
def hung_among_workers(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run hangs without computing anything, and is one of several workers that had connected to each other or had trained."""
    cores = read.number(sheet, "run.cores_busy")
    named = [read.number(sheet, path) for path in ("log.cluster_workers", "run.workers")]
    workers = [count for count in named if count is not None]
    met = sheet.get("log.cluster_ready") is True or sheet.get("derived.training_started") is True
    if cores is None or not workers or not met:
        return UNKNOWN
    return sheet.get("run.hung") is True and max(workers) >= 2 and cores < IDLE_CORES
