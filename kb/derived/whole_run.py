"""What the course of the run means: whether anything failed, whether it just stopped, who can have killed it."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

_FAILED = frozenset(("exception", "signal", "aborted", "waiting"))
_NOT_WELL = (  # a run that came to its end and did not do well
    "log.loss_is_nan",
    "log.memory_rises",
    "derived.memory_grew_though_it_ended_well",
    "derived.gpu_idle_though_it_ended_well",
    "derived.some_gpus_idle",
)
_ENDED = ("derived.ended_well", "derived.signal", "derived.stopped_early")  # how the process ended, whatever the text shows
_NO_EXCERPT = 5  # epochs
_STATED = ("log line", "given")  # sources of what the user pasted or said, against what was collected on this machine


def _failed_outside_the_text(sheet: FactSheet) -> bool:
    """Whether an exit code or a signal says that the process did not end well, whatever the text shows."""
    return sheet.get("derived.ended_well") is False or read.text(sheet, "derived.signal") is not None


@derived(
    "derived.completed_without_failure",
    "boolean",
    needs=("course.end", "course.failures"),
    uses=_ENDED,
)
def completed_without_failure(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run came to its end, and it survived every failure that the text records. A person may still complain
    of what it did (a loss that is NaN, a GPU that was not used)."""
    if sheet.get("course.failures") or _failed_outside_the_text(sheet) or sheet.get("derived.stopped_early") is True:
        return False
    end = sheet.get("course.end")
    return end == "completed" or (end == "unknown" and sheet.get("derived.ended_well") is True)


@derived(
    "derived.nothing_failed",
    "boolean",
    needs=("derived.completed_without_failure", "course.words"),
    uses=_NOT_WELL,
)
def nothing_failed(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The text is nothing but the output of a run that came to its end without a failure and without a loss that is NaN."""
    return (
        sheet.get("derived.completed_without_failure") is True
        and sheet.get("course.words") is False
        and not any(sheet.get(path) is True for path in _NOT_WELL)
    )


@derived(
    "derived.failure_is_shown",
    "boolean",
    needs=("course.end", "course.failures", "course.words"),
    uses=_ENDED,
)
def failure_is_shown(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Something in the text plainly wants an explanation: a failure by form, a wait, a silent end, an exit code or signal, a
    person's words. Where it is false the text may still hold an error in a form of its own."""
    if sheet.get("course.failures") or sheet.get("course.words") is True or _failed_outside_the_text(sheet):
        return True
    return sheet.get("course.end") in (*_FAILED, "silent", "interrupted") or sheet.get("derived.stopped_early") is True


@derived(
    "derived.silent_stop",
    "boolean",
    needs=("course.end",),
    uses=("derived.signal", "course.failures", "log.data_ended_in_epoch", "run.hung"),
)
def silent_stop(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The text breaks off before what was announced is done (in epoch 18 of 300), and nothing in it says why.

    A run that hangs has not ended.
    """
    told = sheet.get("course.failures") or read.text(sheet, "derived.signal") or sheet.known("log.data_ended_in_epoch")
    return sheet.get("course.end") == "silent" and not told and sheet.get("run.hung") is not True


@derived(
    "derived.silent_stop_without_words",
    "boolean",
    needs=("derived.silent_stop", "course.words"),
    uses=("course.started", "course.done_epochs", "log.loss_is_nan"),
)
def silent_stop_without_words(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The text is the log of a training and nothing else, long enough to be no excerpt, and it breaks off: what else can be
    asked than why it stopped? Of an excerpt of a few lines anything can be asked."""
    whole = sheet.known("course.started") or (read.number(sheet, "course.done_epochs") or 0) >= _NO_EXCERPT
    stopped = sheet.get("derived.silent_stop") is True and sheet.get("course.words") is False
    return stopped and whole and sheet.get("log.loss_is_nan") is not True


@derived(
    "derived.ended_in_wait", "boolean", needs=("course.end",), uses=("course.last", "course.done_epochs", "course.done_steps")
)
def ended_in_wait(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run waited for something that never came ("Waiting for 1/2 tasks"). A ``Killed`` or Ctrl-C behind the wait is how
    somebody ended it, not what went wrong."""
    if sheet.get("course.end") == "waiting":
        return True
    nothing_done = not read.number(sheet, "course.done_epochs") and not read.number(sheet, "course.done_steps")
    return sheet.get("course.end") == "interrupted" and sheet.get("course.last") == "wait" and nothing_done


@derived(
    "derived.oom_kill_was_this_run",
    "boolean",
    needs=("derived.oom_killed",),
    uses=("derived.killed", "run.killed_by", "host.oom_killed", "host.cgroup_oom_kills"),
)
def oom_kill_was_this_run(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The kernel's kill for memory was of this run: the run ended by SIGKILL, or the user brought the kernel's line. A line
    that this machine's kernel log happens to hold may be weeks old and of another process."""
    if sheet.get("derived.oom_killed") is not True:
        return False
    if sheet.get("derived.killed") is True or sheet.get("run.killed_by") == "oom-killer":
        return True
    stated = any(sheet.source(path).startswith(_STATED) for path in ("host.oom_killed", "host.cgroup_oom_kills"))
    return True if stated else UNKNOWN


@derived(
    "derived.kill_sender_unknown",
    "boolean",
    needs=("derived.killed",),
    uses=(
        "run.killed_by",
        "log.scheduler",
        "log.scheduler_verdict",
        "derived.oom_kill_was_this_run",
        "derived.container_limits_memory",
        "derived.run_memory_share",
        "log.host_allocation_mib",
        "run.memory_pattern",
        "derived.ended_in_wait",
    ),
)
def kill_sender_unknown(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process was ended by SIGKILL, and nothing of the kernel, a scheduler, a container or its memory says who sent it.
    Want of memory is the most common reason; a bare ``Killed`` does not prove it."""
    if sheet.get("derived.killed") is not True:
        return False
    told = ("run.killed_by", "log.scheduler", "log.scheduler_verdict", "derived.run_memory_share", "log.host_allocation_mib")
    if any(sheet.known(path) for path in (*told, "run.memory_pattern")):
        return False
    signs = ("derived.oom_kill_was_this_run", "derived.container_limits_memory", "derived.ended_in_wait")
    return not any(sheet.get(path) is True for path in signs)


@derived(
    "derived.kill_named_by_text_alone",
    "boolean",
    needs=("derived.kill_sender_unknown",),
    uses=("run.signal", "run.exit_code"),
)
def kill_named_by_text_alone(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The word ``Killed`` of the text is all that is known of the SIGKILL: neither an exit code nor an observation was given."""
    sources = [sheet.source(path) for path in ("run.signal", "run.exit_code") if sheet.known(path)]
    return sheet.get("derived.kill_sender_unknown") is True and all(source.startswith("log line") for source in sources)


@derived(
    "derived.killed_probably_for_memory",
    "boolean",
    needs=("derived.killed_perhaps_for_memory", "derived.kill_named_by_text_alone"),
)
def killed_probably_for_memory(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The process was ended by SIGKILL perhaps for memory, and more than the bare word ``Killed`` says so."""
    return sheet.get("derived.killed_perhaps_for_memory") is True and sheet.get("derived.kill_named_by_text_alone") is False
