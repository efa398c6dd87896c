"""Which records tell of the failure, and which of them is the primary one.

What a record looks like decides (a traceback, a fatal log line, a shell's report of a signal); what it means is for
the index and the ranking. ``standing`` is used there too, so that a signature on the failure itself counts more than
the same signature on a warning long before.
"""

from tfhelp.kb.record import Record

# How much a record of this look tells of the failure, 0 to 1. A shell's last word is sure to be a failure but says
# less about it than an exception; prose is what the person chose to tell.
STANDING_BY_KIND = {"traceback": 1.0, "exception": 0.97, "shell": 0.8, "prose": 0.75, "output": 0.7, "progress": 0.5, "command": 0.3}
STANDING_BY_LEVEL = {"F": 1.0, "E": 0.7, "W": 0.5, "I": 0.35, "": 0.5}

# Exceptions that tell that something else ended the program, or that it was ended on purpose.
_CONSEQUENCES = {"KeyboardInterrupt", "SystemExit", "CancelledError", "BrokenPipeError", "GeneratorExit", "StopIteration"}
_IGNORED = ("Exception ignored in", "Exception in thread")
_LONGEST_CONDENSED = 600  # characters; about the encoder's window of 128 tokens


def standing(record: Record) -> float:
    """How much a record tells of the failure, 0 to 1, by what it looks like."""
    if record.kind == "log":
        return STANDING_BY_LEVEL[record.level]
    if record.kind == "traceback" and not record.exception:
        return 0.8
    if record.exception in _CONSEQUENCES or record.exception.endswith("Warning"):
        return 0.5
    if record.text.startswith(_IGNORED):
        return 0.6
    return STANDING_BY_KIND[record.kind]


def primary(records: list[Record]) -> Record | None:
    """The record that most plainly is the failure; of several alike the one that stands first.

    Of a chain of exceptions it is the last one's cause that counts, but the last one is what the program said to the
    person, so both stand high; the first fatal record wins over what follows from it.
    """
    best: Record | None = None
    for record in records:
        if best is None or standing(record) > standing(best):
            best = record
    return best


def condense(records: list[Record], harmless: frozenset[int] = frozenset()) -> str:
    """The failure in a few words, for search by likeness.

    Args:
        records: all records of a text.
        harmless: ``id()`` of records that are known to be harmless.
    """
    telling = [record for record in records if id(record) not in harmless and record.kind not in ("command", "progress")]
    prose = [record for record in telling if record.kind == "prose"]
    failure = primary([record for record in telling if record.kind != "prose"])
    if failure is not None and standing(failure) < 0.7 and prose:
        failure = None
    parts = [failure.message] if failure else []
    parts += [record.text for record in prose]
    if not parts:
        parts = [record.message for record in telling[-3:]]
    return " ".join(part[: _LONGEST_CONDENSED // 2] if failure and prose else part for part in parts)[:_LONGEST_CONDENSED]
