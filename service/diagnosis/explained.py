"""What the atlas knows about a failure that no entry covers: what raises it, in which releases, with which values.

This module is only imported if a text has an exception that no entry explains with certainty, because the atlas takes some
milliseconds to open.
"""

import re
import typing

from tfhelp.collectors.reading import read
from tfhelp.collectors.reading.condense import primary
from tfhelp.collectors.reading.origin import is_foreign, of_file
from tfhelp.kb.atlas.atlas import Explained as Found
from tfhelp.kb.atlas.atlas import Place, Span, shared
from tfhelp.kb.atlas.likeliest import NATIVE, is_raised_as
from tfhelp.kb.atlas.store import AtlasError
from tfhelp.kb.text import Record
from tfhelp.service.diagnosis import explained_places as places
from tfhelp.service.diagnosis import explained_words as words
from tfhelp.service.diagnosis.explained_here import Here, add_guard
from tfhelp.service.diagnosis.op_signs import names_an_op
from tfhelp.service.diagnosis.readers_line import readers_line

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Explained, RaisedAt, Releases, ValueSeen

NOWHERE = Here()
"""It is not known what is installed."""

_MOST_RECORDS = 4
_MOST_OTHERS = 3
_MOST_VALUES = 8
_LONGEST_VALUE = 100  # characters; if a message ends with a value, text that the user wrote after it is read as part of the value
_LONGEST_LINE = 200
_FEW_WORDS = 5  # with fewer fixed words, a message is weak evidence: "Unknown layer: Mean"
_MANY_WORDS = 12  # fixed words that are enough if the class differs, or if the message names a node as C++ does
_NODE = re.compile(r"\[\[\{?\{?[Nn]ode[: ]|\[Op:|\{\{node |assertion failed: ")
_OLD = ("tensorflow", "keras")  # packages with releases older than the oldest in the atlas
_LONGEST_MENTION = 1000
_LONGEST_CODE = 10_000
_MENTIONED = re.compile(r"\b([A-Z][A-Za-z]{1,40}(?:Error|Exception)):\s{0,2}(?=\S)")
_ENDINGS = ("Error", "Exception", "StatusNotOK", "Interrupt", "Iteration", "Warning")
_USER_CODE = re.compile(r"(?:\w+: )?in (?:user|converted) code:")
_PYTHONS = frozenset({"KeyError", "IndexError", "ZeroDivisionError", "RecursionError", "UnicodeDecodeError", "StopIteration"})
"""Classes that hardly any ``raise`` in TensorFlow or Keras uses."""
_OF_PYTHON = re.compile(
    r"object has no attribute|object is not \w|object does not support|object cannot be |positional arguments? but|has no attribute '"
    r"|unexpected keyword argument|required (?:positional|keyword-only) argument|multiple values for|No module named|cannot import name"
    r"|is not defined|unsupported operand type|not supported between instances|referenced before assignment|values to unpack|index out of range|argument must be "
)
"""Messages of Python itself about any program's objects. TensorFlow has some of them too; only a traceback can show which it
is.
"""


def explain(records: typing.Sequence[Record], here: Here = NOWHERE) -> "Explained | None":
    """What the atlas knows about the failure in the records; None if it knows nothing about it.

    Args:
        records: all records of the text. Those raised by another library or program, or by the user's own code, are skipped.
        here: what is installed, if that is known.
    """
    code = _code(records)
    raised = _raised(records)
    try:
        # A known message is more informative than a place alone.
        messages = (_known(record, here, code) for record in [*raised, *_naming_an_op(records), *_mentioned(records)])
        return next(filter(None, messages), None) or next(filter(None, map(_placed, raised)), None)
    except AtlasError:
        return None  # the rest of the answer does not need it


def _known(record: Record, here: Here, code: str = "") -> "Explained | None":
    """What is known about the Python code that raises it, or else about the operation that a C++ message names."""
    if not names_an_op(record.text):
        return _from_message(record, here, code) if _is_raised(record) else None
    from tfhelp.service.diagnosis import explained_ops

    found = _from_message(record, here, code) if _is_raised(record) and not explained_ops.is_of_cpp(record.text) else None
    if found is None:
        return explained_ops.explain(record, readers_line(record.frames))
    found["says"] += explained_ops.beside_an_entry([record])
    return found


def _is_raised(record: Record) -> bool:
    return bool(record.exception) or record.kind == "exception"


def explain_message(message: str, here: Here = NOWHERE) -> "Explained | None":
    """Like ``explain``, but for a message alone, as a user types it, with or without the exception's class.

    Raises:
        AtlasError: the atlas is missing or damaged.
    """
    records = [record for record in read(message).records if record.exception] or [Record("exception", message.strip(), 1, 1)]
    return next(filter(None, (_known(record, here) for record in records)), None)


def _raised(records: typing.Sequence[Record]) -> list[Record]:
    """The exceptions that TensorFlow or Keras may have raised: first the one that ended the run, then the latest."""
    raised = [record for record in reversed(records) if record.exception]
    first = primary(list(records))
    ordered = [first, *raised] if first is not None and first.exception else raised
    ours = [record for record in dict.fromkeys(ordered) if not is_foreign(record) and not _is_raised_by_the_reader(record)]
    return ours[:_MOST_RECORDS]


def _naming_an_op(records: typing.Sequence[Record]) -> list[Record]:
    """Log lines that name an operation, latest first."""
    named = (record for record in reversed(records) if not record.exception and names_an_op(record.text))
    return [record for record in named if not is_foreign(record)][:_MOST_RECORDS]


def _mentioned(records: typing.Sequence[Record]) -> list[Record]:
    """Exceptions that a user mentions in a sentence: ``I get "ValueError: ..." since``."""
    found = []
    for record in records:
        mention = None if record.exception or is_foreign(record) else _MENTIONED.search(record.text)
        if mention:
            made = Record("exception", record.text[mention.start() :][:_LONGEST_MENTION], record.first_line, record.last_line)
            made.exception = mention[1]
            found.append(made)
    return found[:_MOST_RECORDS]


def _is_raised_by_the_reader(record: Record) -> bool:
    return bool(record.frames) and record.origin == "user" and record.frames[-1].source.startswith("raise")


def _code(records: typing.Sequence[Record]) -> str:
    """Lines of the user's own code in tracebacks, and the rest of the text without the messages."""
    own = [frame.source for record in records for frame in record.frames if of_file(frame.file) == "user"]
    beside = [record.text for record in records if not record.exception and "(" in record.text]
    return "\n".join([*own, *beside])[:_LONGEST_CODE]


def _from_message(record: Record, here: Here, code: str) -> "Explained | None":
    exception, message = record.exception, _without_user_code(record.message)
    for found in shared().explain(message, exception, record.frames, code=code, installed=here.versions):
        confirmed = places.is_confirmed((found.place, *found.others), record.frames)
        certain = _is_certain(found, record)
        if confirmed or (confirmed is None and certain):
            document = _document(found, record, bool(confirmed))
            add_guard(document, record, here)
            return document
    return None


def _without_user_code(message: str) -> str:
    """The message without the frames of user code that AutoGraph put before it."""
    mentions = list(_MENTIONED.finditer(message)) if _USER_CODE.match(message) else []
    return message[mentions[-1].start() :] if mentions else message


def _is_certain(found: Found, record: Record) -> bool:
    """Return whether a message that no traceback confirms is certain enough."""
    if _OF_PYTHON.search(record.message[:_LONGEST_LINE]):
        return False
    if record.exception in NATIVE and _NODE.search(record.message):
        return found.fixed >= _MANY_WORDS
    raised = any(is_raised_as(place.exception, record.exception) for place in (found.place, *found.others))
    if not raised and found.fixed < _MANY_WORDS:
        return False
    return found.fixed >= _FEW_WORDS or (found.whole and found.led)


def _placed(record: Record) -> "Explained | None":
    """What the traceback alone shows for an unknown message: where in TensorFlow or Keras it ended."""
    native = record.exception in NATIVE
    seen = places.innermost(record.frames, native) if record.exception.endswith(_ENDINGS) else None
    if seen is None:
        return None
    elsewhere = [] if native else shared().explain(record.message, record.exception, most=1)
    known = [one for one in elsewhere if one.whole and one.fixed >= _FEW_WORDS]
    kind: typing.Literal["raised", "python", "native"] = (
        "native" if native else "python" if _is_raised_by_python(record) else "raised"
    )
    package = seen.module.partition(".")[0]
    document: Explained = {
        "exception": record.exception,
        "function": seen.function,
        "module": seen.module,
        "public": shared().public_of(seen.module, seen.function),
        "package": package,
        "releases": releases(shared().module(seen.file)),
        "values": [],
        "others": [_raised_at(one.place) for one in known],
        "other_places": len(known),
        "confirmed": True,
        "weak": True,
        "only_place": "beneath" if kind == "raised" and not places.ours(record.frames[-1]) else kind,
        "says": [],
    }
    return _completed(document, record)


def _is_raised_by_python(record: Record) -> bool:
    return record.exception in _PYTHONS or _OF_PYTHON.search(record.message[:_LONGEST_LINE]) is not None


def _document(found: Found, record: Record, confirmed: bool) -> "Explained":
    same, others = _parted(found)
    place = found.place
    document: Explained = {
        "exception": record.exception or place.exception,
        "function": place.function,
        "module": place.module,
        "public": next((one.public for one in same if one.public), ""),
        "package": place.releases[0].package,
        "releases": releases([span for one in same for span in one.releases]),
        "values": _values(found.values),
        "others": [_raised_at(other) for other in others[:_MOST_OTHERS]],
        "other_places": len(others),
        "confirmed": confirmed,
        "weak": not confirmed and (found.fixed < _FEW_WORDS or (not found.whole and found.fixed < 2 * _FEW_WORDS)),
        "says": [],
    }
    return _completed(document, record)


def _completed(document: "Explained", record: Record) -> "Explained":
    line = readers_line(record.frames)
    if line:
        document["your_line"] = line
    document["says"] = words.sentences(document)
    return document


def _parted(found: Found) -> tuple[list[Place], list[Place]]:
    """(the function itself in all of its places and releases, other functions once each)."""
    same: list[Place] = [found.place]
    others: dict[typing.Hashable, Place] = {}
    for place in found.others:
        if _is_same(place, found.place):
            same.append(place)
        else:
            others.setdefault(place.public or (place.module.rpartition(".")[2], place.function), place)
    return same, list(others.values())


def _is_same(one: Place, other: Place) -> bool:
    """Return whether two places are the same function. A moved function keeps the name of its file or class, or its public name.

    A function of the same name in other releases has moved as well.
    """
    if one.public and one.public == other.public:
        return True
    if one.function != other.function:
        return False
    in_class = "." in one.function
    return in_class or one.module.rpartition(".")[2] == other.module.rpartition(".")[2] or not _overlap(one, other)


def _overlap(one: Place, other: Place) -> bool:
    """Return whether a release has both."""
    known = shared().numbers_of
    return any(a.package == b.package and known(a) & known(b) for a in one.releases for b in other.releases)


def releases(spans: typing.Iterable[Span]) -> "list[Releases]":
    """Releases by package, each span once; adjacent spans are merged."""
    rows: dict[str, list[list[int]]] = {}
    for span in spans:
        known = shared().releases(span.package)
        rows.setdefault(span.package, []).append([known.index(span.first), known.index(span.last)])
    found: list[Releases] = []
    for package, pairs in rows.items():
        known = shared().releases(package)
        for first, last in _joined(pairs):
            found.append(
                {
                    "package": package,
                    "first": known[first],
                    "last": known[last],
                    "oldest": first == 0 and package in _OLD,
                    "newest": last == len(known) - 1,
                }
            )
    return found


def _joined(pairs: list[list[int]]) -> list[list[int]]:
    joined: list[list[int]] = []
    for first, last in sorted(pairs):
        if joined and first <= joined[-1][1] + 1:
            joined[-1][1] = max(joined[-1][1], last)
        else:
            joined.append([first, last])
    return joined


def _values(pairs: tuple[tuple[str, str], ...]) -> "list[ValueSeen]":
    known = {name: text for name, text in pairs if name and text}
    return [
        {"name": name, "text": text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} \u2026"}
        for name, text in list(known.items())[:_MOST_VALUES]
    ]


def _raised_at(place: Place) -> "RaisedAt":
    return {"module": place.module, "function": place.function, "public": place.public}
