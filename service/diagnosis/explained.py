"""What the atlas knows of a failure that no entry covers: who raises it, in which releases, with which of the reader's values.

Imported only where a text holds an exception and no entry is sure of it: the atlas takes some milliseconds to open.
"""

import re
import typing

from tfhelp.collectors.reading import read
from tfhelp.collectors.reading.condense import primary
from tfhelp.collectors.reading.origin import is_foreign, of_file
from tfhelp.kb.atlas.atlas import Explained as Found
from tfhelp.kb.atlas.atlas import Place, Span, shared
from tfhelp.kb.atlas.store import AtlasError
from tfhelp.kb.text import Frame, Record
from tfhelp.service.diagnosis import explained_words as words
from tfhelp.service.diagnosis.explained_here import Here, add_guard, prefer
from tfhelp.service.diagnosis.op_signs import names_an_op

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Explained, RaisedAt, ReadersLine, Releases, ValueSeen

NOWHERE = Here()
"""Nothing is known of what is installed."""

_MOST_RECORDS = 4
_MOST_OTHERS = 3
_MOST_VALUES = 8
_LONGEST_VALUE = 100  # characters; where a message ends with a value, what a person wrote behind it is read as the value too
_LONGEST_LINE = 200
_FEW_WORDS = 5  # fixed words of a message below which it is weak evidence, unless it is the whole message
_OLD = ("tensorflow", "keras")  # packages with releases from before the oldest that the atlas knows
_WRAPPERS = frozenset({"error_handler", "raise_from_not_ok_status", "autograph_handler", "tf__train_function", "quick_execute"})
"""Functions that raise again what another one raised: a traceback that ends in one does not say who was first."""
_CALLED = re.compile(r"([A-Za-z_][\w.]{0,120}) ?\(")
_OF_PYTHON = re.compile(
    r"object has no attribute|object is not \w|object does not support|object cannot be |positional arguments? but|has no attribute '"
    r"|unexpected keyword argument|required (?:positional|keyword-only) argument|multiple values for|No module named|cannot import name"
    r"|is not defined|unsupported operand type|referenced before assignment|values to unpack|index out of range|argument must be "
)
"""What Python itself says of any program's objects. TensorFlow says some of it too; only a traceback can tell."""


def explain(records: typing.Sequence[Record], here: Here = NOWHERE) -> "Explained | None":
    """What the atlas knows of the failure that records tell of; None where it knows nothing of it.

    Args:
        records: of the whole text. Those that another library or program raised are passed over, and the reader's own.
        here: what is installed, where that is known.
    """
    for record in _raised(records):
        try:
            found = _known(record, here)
        except AtlasError:
            return None  # the rest of the answer does not need it
        if found is not None:
            return found
    return None


def _known(record: Record, here: Here) -> "Explained | None":
    """What is known of the Python code that raises it, or else of the operation that a message of C++ names."""
    if not names_an_op(record.text):
        return _told(record, here) if _is_raised(record) else None
    from tfhelp.service.diagnosis import explained_ops

    found = _told(record, here) if _is_raised(record) and not explained_ops.is_of_cpp(record.text) else None
    if found is None:
        return explained_ops.explain(record, _readers_line(record.frames))
    found["says"] += explained_ops.beside_an_entry([record])
    return found


def _is_raised(record: Record) -> bool:
    return bool(record.exception) or record.kind == "exception"


def explain_message(message: str, here: Here = NOWHERE) -> "Explained | None":
    """The same of a message alone, as a person types it, with or without the exception's class.

    Raises:
        AtlasError: the atlas is missing or damaged.
    """
    records = [record for record in read(message).records if record.exception] or [Record("exception", message.strip(), 1, 1)]
    return next(filter(None, (_known(record, here) for record in records)), None)


def _raised(records: typing.Sequence[Record]) -> list[Record]:
    """The exceptions that TensorFlow or Keras can have raised: the one that ended the run first, then the latest.

    Behind them come lines of a log that name an operation.
    """
    raised = [record for record in reversed(records) if record.exception]
    raised += [record for record in reversed(records) if not record.exception and names_an_op(record.text)]
    first = primary(list(records))
    ordered = [first, *raised] if first is not None and first.exception else raised
    ours = [record for record in dict.fromkeys(ordered) if not is_foreign(record) and not _is_raised_by_the_reader(record)]
    return ours[:_MOST_RECORDS]


def _is_raised_by_the_reader(record: Record) -> bool:
    return bool(record.frames) and record.origin == "user" and record.frames[-1].source.startswith("raise")


def _told(record: Record, here: Here) -> "Explained | None":
    exception = record.exception
    for each in shared().explain(record.message, exception, record.frames):
        found = prefer(each, here, record.frames)
        confirmed = _is_confirmed(found, record.frames)
        told = (found.whole or found.fixed >= _FEW_WORDS) and not _OF_PYTHON.search(record.message[:_LONGEST_LINE])
        if confirmed or (confirmed is None and told):
            document = _document(found, record, bool(confirmed))
            add_guard(document, record, here)
            return document
    return None


def _is_confirmed(found: Found, frames: list[Frame]) -> bool | None:
    """Whether the frames name one of the places; None where they cannot tell."""
    places = (found.place, *found.others)
    if any(_stands_in(place, frame) for place in places for frame in frames):
        return True
    if not frames or frames[-1].function in _WRAPPERS or of_file(frames[-1].file) not in ("tensorflow", "keras"):
        return None
    # A release that the atlas does not know may have another function in the same file.
    return None if any(_file_of(place) in _path(frames[-1]) for place in places) else False


def _stands_in(place: Place, frame: Frame) -> bool:
    return frame.function.rpartition(".")[2] == place.function.rpartition(".")[2] and _file_of(place) in _path(frame)


def _file_of(place: Place) -> str:
    return "/".join(place.module.split(".")[-2:])


def _path(frame: Frame) -> str:
    return frame.file.replace("\\", "/").replace("/src/", "/")


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
        "weak": not confirmed and not found.whole and found.fixed < 2 * _FEW_WORDS,
        "says": [],
    }
    line = _readers_line(record.frames)
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
    """A release that moves a function to another folder or package keeps the name of its file, of its class or its public one."""
    if one.public and one.public == other.public:
        return True
    in_class = "." in one.function
    return one.function == other.function and (in_class or one.module.rpartition(".")[2] == other.module.rpartition(".")[2])


def releases(spans: typing.Iterable[Span]) -> "list[Releases]":
    """Releases package by package, each row of them once, rows that touch joined."""
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


def _readers_line(frames: list[Frame]) -> "ReadersLine | None":
    """The innermost line of the reader's own code, and what it called."""
    for number in range(len(frames) - 1, -1, -1):
        frame = frames[number]
        if of_file(frame.file) == "user":
            inside = frames[number + 1].function if number + 1 < len(frames) else ""
            source = frame.source[:_LONGEST_LINE]
            line: ReadersLine = {"file": frame.file, "line": frame.line, "source": source, "called": _called(source, inside)}
            return line
    return None


def _called(source: str, inside: str) -> str:
    """The name that a line calls: the one of the next frame where the line holds it, else the first."""
    names = _CALLED.findall(source)
    return next((name for name in names if name.rpartition(".")[2] == inside), names[0] if names else "")
