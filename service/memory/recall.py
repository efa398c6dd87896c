"""Add what a memory knows about a failure to the answer: how often it was seen, what helped, whether a retry will help."""

import datetime
import typing

from tfhelp.service.diagnosis.experience import weigh
from tfhelp.service.memory.fingerprint import fingerprint
from tfhelp.service.memory.priors import shifts, times
from tfhelp.service.memory.retry import retry
from tfhelp.service.memory.rows import redacted

if typing.TYPE_CHECKING:
    from tfhelp.service.memory.memory import Memory, Seen
    from tfhelp.service.memory.store import SimilarFailure, TeamMemory

Json = dict[str, typing.Any]

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def recalled_by(memory: "Memory | None", answer: Json, given: Json, sender: str = "") -> Json:
    """The answer with what a memory recalls about its failure; unchanged if the memory recalls nothing, or if there is none.

    Args:
        memory: any; only one that has ``recall`` is asked.
        answer: the document that the API sends. It is not changed.
        given: see ``tfhelp.service.memory.memory.Kept``.
        sender: the sender, as an opaque identifier.
    """
    recall = getattr(memory, "recall", None)
    answered: Json = recall(answer, given, sender) if recall else answer
    return answered


def recalled(memory: "TeamMemory", answer: Json, given: Json, sender: str) -> Json:
    """The answer with ``memory``, with causes moved by the team's feedback, and with notes about what is recalled.

    Call it once for an answer, before the answer is kept.
    """
    seen = memory.seen(answer)
    alike = [] if seen or answer["verdict"] == "nothing-failed" else memory.alike(answer)
    again = retry(memory, answer, redacted(given), sender)
    notes = [*_of_alike(alike), *([again.says] if again.says else [])]
    mark = fingerprint(answer)
    answered: Json = dict(_weighed(memory, answer))
    answered["memory"] = {
        "fingerprint": mark.value,
        "cause": mark.cause,
        "times": seen.times if seen else 0,
        "alike": len(alike),
        "retry": again.helps,
        "says": [*_of_seen(seen, answer), *notes],
    }
    if notes:  # each door shows in its own way how often the failure was seen
        answered["notes"] = [*answer.get("notes", []), *notes]
    return answered


def _weighed(memory: "TeamMemory", answer: Json) -> Json:
    entries = {match["entry"] for match in answer["matches"]}
    if not memory.weighs or not entries:
        return answer
    answered: typing.Any = weigh(typing.cast(typing.Any, answer), shifts(memory.votes(entries)))
    return typing.cast(Json, answered)


def _of_seen(seen: "Seen | None", answer: Json) -> list[str]:
    if seen is None:
        return []
    first, last = day(seen.first), day(seen.last)
    when = f"on {first}" if first == last else f"first on {first} and last on {last}"
    return [" ".join([f"Your team has met this failure {times(seen.times)} before, {when}.", *helped(seen, answer)])]


def helped(seen: "Seen", answer: Json) -> list[str]:
    """The sentence about what helped the last time; none if there is no such feedback."""
    if not (seen.helped or seen.words):
        return []
    who = f", says {seen.by}" if seen.by else ""
    words = f"“{seen.words}”" if seen.words else ""
    what = f"{_title(seen.helped, answer)} ({words})" if seen.helped and words else words or _title(seen.helped, answer)
    return [f"What helped the last time{who}: {what}."]


def _title(cause: str, answer: Json) -> str:
    """The title of a cause, if the answer has it."""
    for match in answer["matches"]:
        for row in match["causes"]:
            if f"{match['entry']}/{row['cause']}" == cause:
                return str(row["title"])
    return cause


def _of_alike(alike: "list[SimilarFailure]") -> list[str]:
    if not alike:
        return []
    best = alike[0]
    count = "a failure" if len(alike) == 1 else f"{len(alike)} failures"
    entry = f" It was diagnosed as {best.entry}." if best.entry else ""
    which = "It reads" if len(alike) == 1 else "The nearest one reads"
    return [f"Your team has met {count} like this one. {which}: “{best.message[:120]}” ({day(best.at)}).{entry}"]


def day(at: float) -> str:
    """A date in words.

    >>> day(0.0)
    '1 January 1970'
    """
    when = datetime.datetime.fromtimestamp(at, datetime.UTC)
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"
