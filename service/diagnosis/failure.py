"""The failure itself in a few words, which are the same in every run of the program: exception, message, where it was raised.

A memory of answers recognises a failure by these words (``tfhelp.service.memory.fingerprint``).
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.condense import reports_error, salience
from tfhelp.collectors.reading.origin import of_file
from tfhelp.kb.text import Frame, Record

if typing.TYPE_CHECKING:
    from tfhelp.index.signatures import Hit
    from tfhelp.service.diagnosis.answer import Failure
    from tfhelp.service.diagnosis.candidates import Candidate

WRAPPERS = frozenset((
    "error_handler", "raise_from_not_ok_status", "autograph_handler", "tf__train_function", "quick_execute", "new_func", "wrapper",
    "_method_wrapper", "_call", "_call_flat", "_inference_function", "_do_call", "_do_run", "__exit__", "op_dispatch_handler",
    "call_function", "call_flat", "call_preflattened", "_fn", "reraise", "raise_with_traceback", "symbolic_call",
))  # fmt: skip
"""Functions that re-raise an exception, or only pass on a call: such a frame does not show where the exception came from."""

_LONGEST = 1_000  # characters of a message
_READ = 20_000  # characters of a message that are searched for its own words after the calls that it lists
_LISTS_CALLS = ("in user code:", "Graph execution error:", "most recent call ")
# TensorFlow and Keras put these above the message and above the calls that led to it.
_HEADING = Pattern(
    r"(?:[\w.]{1,120}: )?(?:in user code:|Graph execution error:|Exception encountered when calling [\w. ]{1,200}(?:\(\))?\.?)\s{0,9}"
)
_CALL = Pattern(r'File "[^"]{0,1000}", line [0-9]{1,9}(?:,? in \S{1,200})?\s{0,20}')
_EXCEPTION = Pattern(r"\b\w{0,80}(?:Error|Exception): ")


def failure_of(records: list[Record], named: "list[Hit]", harmless: "list[Candidate]") -> "Failure | None":
    """The failure of a text; None if it shows none.

    Args:
        records: the records of the text.
        named: the signatures that identify the first entry. A record with a decisive one takes precedence.
        harmless: the harmless entries that are certainly in the text; the records that they match are not failures.
    """
    known = {id(hit.record) for item in harmless for hit in item.hits}
    record = _most_salient([hit.record for hit in named if hit.signature.strength == "decisive"]) or _most_salient(
        [record for record in records if id(record) not in known and (record.kind == "prose" or reports_error(record))]
    )
    if record is None:
        return None
    return {
        "exception": record.exception,
        "message": _own_words(record.message),
        "own": _function([frame for frame in record.frames if of_file(frame.file) == "user"]),
        "library": _function([frame for frame in record.frames if of_file(frame.file) != "user"]),
    }


def only_begins(failure: "Failure") -> bool:
    """Return whether a failure's message is only its first line, and the lines that name the cause are missing.

    >>> only_begins({"exception": "ValueError", "message": "ValueError: in user code:", "own": "", "library": ""})
    True
    """
    return _HEADING.fullmatch(failure["message"]) is not None


def _most_salient(records: list[Record]) -> Record | None:
    """The record with the highest salience; among equal ones, the first that names an exception, then the first."""
    return max(records, key=lambda record: (salience(record), bool(record.exception)), default=None)


def _own_words(message: str) -> str:
    """A message without the calls that some messages list before the actual error."""
    text = message[:_READ]
    if any(sign in text for sign in _LISTS_CALLS) and (calls := list(_CALL.finditer(text))):
        rest = text[calls[-1].end() :]
        said = _EXCEPTION.search(rest)
        text = rest[said.start() :] if said else text[: calls[0].start()] + rest
    return text[:_LONGEST]


def _function(frames: list[Frame]) -> str:
    """The innermost function of the frames, without its class; empty if no frame names one."""
    functions = [frame.function.rpartition(".")[2] for frame in frames]
    return next((function for function in reversed(functions) if function and function not in WRAPPERS), "")
