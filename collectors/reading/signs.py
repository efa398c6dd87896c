"""Second signs: what shows that TensorFlow or Keras is at work, and what shows that other software wrote a text.

A signature whose words others print too needs one of the first kind.
"""

import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.reading.origin import of_file
from tfhelp.kb.text import Record, Text

_OURS = ("tensorflow", "keras")
_READ = 4_000  # characters of a line
# "(set TF_CPP_..." and "org_tensorflow" stand in what JAX prints, and TensorFlow.js is another library.
_IMPORTED = Pattern(r"(?:^|[\s>;])(?:import|from) {1,4}(tensorflow|keras|tf_keras)\b(?!js)")
_PACKAGE = Pattern(
    r"(?:^|[\s(|'\"/])((?:tensorflow|tf-nightly|tf-keras|keras|tensorflow_[a-z]{2,12})(?:-[a-z]{2,12}){0,3})(?:\[[\w,-]{1,40}\])?(?:==|>=|<=|~=|-|\s{1,60}\|?\s{0,4}|: ?)v?\d{1,2}\.\d"
)
_SPOKEN = Pattern(r"(?i)(?<![\w./-])(tensorflow|keras)(?![\w-]|\.js|[. ]?js\b|\.org)|\b(tf)\.[a-z_]|(?-i:\b(TF) ?[12]?\b)")
_GRAPH = Pattern(
    r"\[\[\{?\{?node |/job:(?:localhost|worker|chief|ps)/replica:|/physical_device:|\bby allocator (?:GPU|CPU|cpu|gpu|mklcpu)"
)


def signs_of_ours(text: Text) -> list[tuple[int, str]]:
    """Signs that TensorFlow or Keras is at work: (line as pasted, what), in the order of lines, each line once."""
    signs: dict[int, str] = {}
    for record in text.records:
        if sign := _of_record(record):
            signs.setdefault(record.first_line, sign)
    theirs = _lines_of(text.records, "person")
    for line in text.lines:
        if line.number not in signs and (sign := _of_line(line.text[:_READ], line.number in theirs)):
            signs[line.number] = sign
    return sorted(signs.items())


def signs_of_others(text: Text) -> list[tuple[int, str]]:
    """Records that a library or a program of others wrote or raised: (line as pasted, origin), in the order of lines."""
    return sorted(
        (record.first_line, record.origin) for record in text.records if record.origin.startswith(("library:", "program:"))
    )


def _lines_of(records: list[Record], origin: str) -> set[int]:
    numbers: set[int] = set()
    for record in records:
        if record.origin == origin and record.kind == "prose":
            numbers.update(range(record.first_line, record.last_line + 1))
    return numbers


def _of_record(record: Record) -> str:
    frame = next((origin for frame in record.frames if (origin := of_file(frame.file)) in _OURS), "")
    if frame:
        return f"a frame of {frame}"
    if record.origin not in _OURS:
        return ""
    return f"a log line of {record.origin}" if record.kind == "log" else f"{record.kind} of {record.origin}"


def _of_line(text: str, spoken: bool) -> str:
    small = text.lower()
    if not any(word in small for word in ("tensorflow", "keras", "tf", "node ", "/job:", "allocator", "physical_device")):
        return ""
    for pattern, what in _PATTERNS_OF_A_PERSON if spoken else _PATTERNS_OF_A_PROGRAM:
        if found := pattern.search(text):
            return f"{what} {next(filter(None, found.groups()), '')}".strip()
    return ""


_PATTERNS_OF_A_PROGRAM: typing.Final = (
    (_IMPORTED, "an import of"),
    (_GRAPH, "a name of TensorFlow's graph"),
    (_PACKAGE, "the package"),
)
_PATTERNS_OF_A_PERSON: typing.Final = (*_PATTERNS_OF_A_PROGRAM, (_SPOKEN, "the word"))
