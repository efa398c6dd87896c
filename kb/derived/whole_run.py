"""What the course of the run means: whether anything failed, whether it just stopped, what may have killed it."""

import typing

from tfhelp.kb.derived import read
from tfhelp.kb.derived.registry import derived
from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.kb.tables import Tables

_FAILED = frozenset(("exception", "signal", "aborted", "waiting"))
_NOT_WELL = (  # a run that finished, but not well
    "log.loss_is_nan",
    "log.metrics_stand_still",
    "log.validation_diverges",
    "log.score_above_one",
    "log.memory_rises",
    "derived.memory_grew_though_it_ended_well",
    "derived.gpu_idle_though_it_ended_well",
    "derived.some_gpus_idle",
)
_ENDED = ("derived.ended_well", "derived.signal", "derived.stopped_early")  # how the process ended, apart from the text
_ANOTHER_QUESTION = ("log.loss_is_nan", "log.metrics_stand_still", "log.validation_diverges", "log.score_above_one")
_STATED = ("log line", "given")  # sources that the user pasted or stated, as opposed to facts collected on this machine


def _failed_outside_the_text(sheet: FactSheet) -> bool:
    """Return whether an exit code or a signal shows that the process did not end well, even if the text does not."""
    return sheet.get("derived.ended_well") is False or read.text(sheet, "derived.signal") is not None


@derived(
    "derived.completed_without_failure",
    "boolean",
    needs=("course.end", "course.failures"),
    uses=_ENDED,
)
def completed_without_failure(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run finished, and it survived every failure in the text. The user may still complain about the result (a NaN loss, a
    GPU that was not used).
    """
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
    """The text is only the output of a run that finished without a failure and without a NaN loss."""
    return (
        sheet.get("derived.completed_without_failure") is True
        and sheet.get("course.words") is False
        and not any(sheet.get(path) is True for path in _NOT_WELL)
    )


@derived("derived.allocation_survived", "boolean", needs=("derived.nothing_failed", "log.requested_mib"))
def allocation_survived(sheet: FactSheet, tables: Tables) -> typing.Any:
    """An allocation failed, and the run went on to its end: XLA and cuDNN try algorithms that need more memory than there is."""
    return sheet.get("derived.nothing_failed") is True


@derived(
    "derived.failure_is_shown",
    "boolean",
    needs=("course.end", "course.failures", "course.words"),
    uses=_ENDED,
)
def failure_is_shown(sheet: FactSheet, tables: Tables) -> typing.Any:
    """Something in the text clearly needs an explanation: a failure in a known form, a wait, a silent end, an exit code or
    signal, a user's words. If it is false, the text may still contain an error in an unknown form.
    """
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
    """The text breaks off before the announced work is done (in epoch 18 of 300), and nothing in it says why.

    A run that hangs has not ended.
    """
    told = sheet.get("course.failures") or read.text(sheet, "derived.signal") or sheet.known("log.data_ended_in_epoch")
    return sheet.get("course.end") == "silent" and not told and sheet.get("run.hung") is not True


@derived(
    "derived.silent_stop_without_words",
    "boolean",
    needs=("derived.silent_stop", "course.words"),
    uses=("course.started", *_ANOTHER_QUESTION),
)
def silent_stop_without_words(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The text is only the log of a training run, from its start, and it breaks off: the question can only be why the run
    stopped. People paste the epochs that show what they ask about, so an excerpt could be about anything, and so could a log
    whose numbers show another problem.
    """
    stopped = sheet.get("derived.silent_stop") is True and sheet.get("course.words") is False
    other = any(sheet.get(path) is True for path in _ANOTHER_QUESTION)
    return stopped and sheet.known("course.started") and not other


@derived(
    "derived.ended_in_wait", "boolean", needs=("course.end",), uses=("course.last", "course.done_epochs", "course.done_steps")
)
def ended_in_wait(sheet: FactSheet, tables: Tables) -> typing.Any:
    """The run waited for something that never came ("Waiting for 1/2 tasks"). A ``Killed`` or Ctrl-C after the wait shows how the
    user ended it, not what went wrong.
    """
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
    """The kernel's out-of-memory kill hit this run: SIGKILL ended the run, or the user pasted the kernel's line. A line
    that is only in this machine's kernel log may be weeks old and about another process.
    """
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
    """The process was ended by SIGKILL, and nothing from the kernel, a scheduler, a container or its memory shows what sent it.
    Lack of memory is the most common reason, but a bare ``Killed`` does not prove it.
    """
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
    """The word ``Killed`` in the text is the only sign of the SIGKILL: there is no exit code and no observation."""
    sources = [sheet.source(path) for path in ("run.signal", "run.exit_code") if sheet.known(path)]
    return sheet.get("derived.kill_sender_unknown") is True and all(source.startswith("log line") for source in sources)


@derived(
    "derived.killed_probably_for_memory",
    "boolean",
    needs=("derived.killed_perhaps_for_memory", "derived.kill_named_by_text_alone"),
)
def killed_probably_for_memory(sheet: FactSheet, tables: Tables) -> typing.Any:
    """SIGKILL ended the process, perhaps because memory ran out, and there is more evidence than the bare word ``Killed``."""
    return sheet.get("derived.killed_perhaps_for_memory") is True and sheet.get("derived.kill_named_by_text_alone") is False
