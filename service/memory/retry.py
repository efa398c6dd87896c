"""Will a retry help? If two attempts have the same root cause and made no progress, it will not."""

import typing

from tfhelp.service.memory.fingerprint import fingerprint, named
from tfhelp.service.memory.rows import hashed, job_of, log_of, progress

if typing.TYPE_CHECKING:
    from tfhelp.service.memory.store import TeamMemory

Json = dict[str, typing.Any]

TRANSIENT = frozenset((
    "download-failed", "gpu-lost", "job-killed-by-scheduler", "multi-worker-cannot-connect", "nccl-failure", "parameter-server-failed",
    "tpu-unavailable",
))  # fmt: skip
"""Entries whose problem may be transient or on another machine: the same program may succeed the next time."""


class Retry(typing.NamedTuple):
    """``no``, ``maybe``, or empty if no earlier attempt is known; and a sentence."""

    helps: typing.Literal["no", "maybe", ""]
    says: str


UNKNOWN = Retry("", "")


def retry(memory: "TeamMemory", answer: Json, given: Json, sender: str) -> Retry:
    """Return whether a retry will help, by the newest earlier attempt of the last day with the same failure.

    An attempt counts if it is of a different log, and has the same job or the same sender. If no job and no sender is known for
    either attempt, the different log is enough.

    Args:
        memory: the memory with earlier attempts.
        answer: the document that the API sends.
        given: the input, redacted.
        sender: the sender, as an opaque identifier.
    """
    if answer["verdict"] == "nothing-failed" or not (answer.get("failure") or answer.get("condensed")):
        return UNKNOWN
    log, job, who = log_of(given, fingerprint(answer)), job_of(given), hashed(sender, "sender")
    for row in memory.attempts(answer):
        is_theirs = (job and row.job == job) or (who and row.sender == who)
        if (is_theirs or not (job or who or row.job or row.sender)) and row.log != log:
            return _judged(answer, _done(*progress(answer)), _done(row.epochs, row.steps), ago(memory.clock() - row.at))
    return UNKNOWN


def _judged(answer: Json, now: tuple[int, int], before: tuple[int, int], when: str) -> Retry:
    """Compare two attempts by the epochs and steps that each completed."""
    earlier = f"The same failure was kept {when}"
    if now > before:
        return Retry(
            "maybe",
            f"{earlier}. That run ended {_progress_in_words(*before)}, and this one {_progress_in_words(*now)}: a retry may help.",
        )
    entry, _ = named(answer, ())
    if entry in TRANSIENT:
        return Retry("maybe", f"{earlier}. Trouble of this kind can pass by itself: a retry may help.")
    where = f" and ended {'at the same place, ' if now == before else ''}{_progress_in_words(*before)}" if any(before) else ""
    return Retry("no", f"{earlier}{where}. To run it again unchanged will not help.")


def _done(epochs: int | None, steps: int | None) -> tuple[int, int]:
    """Epochs and steps, with 0 for unknown: a run that shows no progress failed before it made any."""
    return epochs or 0, steps or 0


def _progress_in_words(epochs: int, steps: int) -> str:
    """``after 3 epochs and 120 steps``, or ``before the first step``."""
    parts = [counted(count, word) for count, word in ((epochs, "epoch"), (steps, "step")) if count]
    return f"after {' and '.join(parts)}" if parts else "before the first step"


def counted(count: int, word: str) -> str:
    """``1 step`` or ``2 steps``."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def ago(seconds: float) -> str:
    """The elapsed time in minutes or hours."""
    minutes = max(0, int(seconds // 60))
    if minutes < 1:
        return "less than a minute ago"
    return f"{counted(minutes, 'minute')} ago" if minutes < 120 else f"{minutes // 60} hours ago"
