"""Which records report the failure, and which of them is the primary one.

The form of a record decides (a traceback, a fatal log line, a shell's report of a signal); its meaning is left to
the index and the ranking. They use ``salience`` too, so that a signature on the failure itself counts more than
the same signature on a much earlier warning.
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.kb.text import Record

# How strongly a record of this form points to the failure, 0 to 1. A shell's last message is certainly a failure, but says
# less about it than an exception; prose is what the user chose to tell.
SALIENCE_BY_KIND = {
    "traceback": 1.0,
    "exception": 0.97,
    "shell": 0.8,
    "prose": 0.75,
    "output": 0.7,
    "progress": 0.5,
    "command": 0.3,
}
SALIENCE_BY_LEVEL = {"F": 1.0, "E": 0.7, "W": 0.5, "I": 0.35, "": 0.5}

# Exceptions that only show that something else ended the program, or that it was ended on purpose.
_CONSEQUENCES = {"KeyboardInterrupt", "SystemExit", "CancelledError", "BrokenPipeError", "GeneratorExit", "StopIteration"}
_IGNORED = ("Exception ignored in", "Exception in thread")
_PLAIN_FAILURE = 0.95
_ERROR_WORDS = Pattern(r"(?i)\berr!|\b(?:error|exception|failed|failure|fatal|panic|cannot|could not|unable to|denied|refused)\b")
_OP_FAILED = Pattern(r"(?i)op_requires failed|error|exception|fatal")  # a warning that reports a failure
LONGEST_CONDENSED = 600  # characters; about the encoder's window of 128 tokens


def salience(record: Record) -> float:
    """How strongly a record points to the failure, 0 to 1, by its form."""
    if record.kind == "log":
        return SALIENCE_BY_LEVEL[record.level]
    if record.kind == "traceback" and not record.exception:
        return 0.8
    if record.exception in _CONSEQUENCES or record.exception.endswith("Warning"):
        return 0.5
    if record.text.startswith(_IGNORED):
        return 0.6
    return SALIENCE_BY_KIND[record.kind]


def reports_error(record: Record) -> bool:
    """Return whether a record reports an error, in whatever form."""
    if record.kind == "log" and record.level in ("I", "W", ""):
        return record.level == "W" and bool(_OP_FAILED.search(record.message[:200]))
    return (
        record.kind != "prose"
        and (salience(record) >= 0.7 or record.level in ("E", "F"))
        and (record.kind != "output" or bool(_ERROR_WORDS.search(record.text[:2_000])))
    )


def plain_failure(record: Record) -> bool:
    """Return whether a record is a failure by its form, so that an answer has to explain it."""
    return salience(record) >= _PLAIN_FAILURE


def primary(records: list[Record]) -> Record | None:
    """The record that is most clearly the failure; of several equal ones, the first.

    In a chain of exceptions the cause of the last one matters, but the last one is what the program showed the
    person, so both rank high; the first fatal record wins over those that follow from it.
    """
    best: Record | None = None
    for record in records:
        if best is None or salience(record) > salience(best):
            best = record
    return best


def condense(records: list[Record], harmless: frozenset[int] = frozenset()) -> str:
    """The failure in a few words, for similarity search; empty if no record reports one.

    Prose is the user's own account. Without prose, the primary failure is used, and without that, all records that report an
    error. A text without log lines was typed by a person, so all of it counts.

    Args:
        records: all records of a text.
        harmless: ``id()`` of records that are known to be harmless.
    """
    telling = [record for record in records if id(record) not in harmless and record.kind != "command"]
    typed = not any(record.kind in ("log", "progress") for record in records)
    prose = [record for record in telling if record.kind == "prose"]
    others = [record for record in telling if record.kind != "prose" and (typed or reports_error(record))]
    if not prose and not others and not any(record.kind == "log" for record in records):
        # Only progress lines and words that form no sentence: then the last of those words count.
        others = [record for record in telling if record.kind == "output"][-1:]
    failure = primary(others)
    if failure is not None and prose and not plain_failure(failure):
        failure = None
    parts = [failure.message] if failure else []
    share = LONGEST_CONDENSED // (2 if failure and prose else 1)
    return " ".join([*(part[:share] for part in parts), *(record.text for record in prose)])[:LONGEST_CONDENSED]
