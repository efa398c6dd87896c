"""The fingerprint of a failure: the same on another machine, rank, path or day, and different for other failures.

It is computed from the entry, the cause if it is confirmed, the exception, the message without its values, and the innermost
function of the user's own code and of a library. ``VERSION`` changes with the rules: a store then recomputes its fingerprints.
"""

import hashlib
import json
import typing

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.redaction import redact

Json = dict[str, typing.Any]

VERSION = 1
_LENGTH = 32  # hexadecimal digits
_LONGEST = 300  # characters of a message without its values
NAMING = ("diagnosed", "likely")
"""Verdicts that name one entry. The others list several, or none."""

# What follows is specific to one run: the graph's node, the arguments of a call, the stack of a compiled function.
_TAIL = Pattern(
    r"(?:\[\[\{\{|\[Op:__inference|Arguments received by |Call arguments received|Stack trace for op|"
    r"Original stack trace|Hint: If you want|Errors may have originated|To enable them in other operations)"
)
_VALUES: tuple[tuple[Pattern, str], ...] = (
    (Pattern(r"0x[0-9a-fA-F]{1,40}"), "#"),
    # A URL, an address with a port, a path of two parts or more, a Windows path, a file's name.
    (Pattern(r"[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s'\",;)\]}>]{1,500}"), "#"),
    (Pattern(r"[A-Za-z]:\\[^\s'\",;:)\]}>]{1,500}"), "#"),
    (Pattern(r"[\w.~$@<>{}*=+#:-]{0,200}(?:/[\w.~$@<>{}*=+#:-]{0,200})+"), "#"),
    (Pattern(r"[\w.-]{1,200}:[0-9]{2,5}(?![\w.])"), "#"),
    (
        Pattern(
            r"[\w#-]{1,200}\.(?:py|ipynb|cc|cu|h|so|csv|h5|hdf5|tfrecords?|npy|npz|json|txt|jpe?g|png|pb|ckpt|zip|gz|log)"
            r"(?:\.[\w-]{1,60})?(?![\w.])"
        ),
        "#",
    ),
    # Identifiers of runs and objects: letters a to f and digits, eight or more, with a digit among them.
    (Pattern(r"\b(?=[a-f-]{0,40}[0-9])[0-9a-f][0-9a-f-]{7,64}\b"), "#"),
    # A number or a version, but not the number in a type such as float32.
    (
        Pattern(
            r"(?<!float)(?<!int)(?<!complex)(?<![0-9])[-+]?[0-9]{1,80}(?:[._][0-9]{1,80})*(?:(?:rc|a|b|\.post|\.dev)[0-9]{1,6})?"
            r"(?:[eE][-+]?[0-9]{1,4})?"
        ),
        "#",
    ),
)
_MOST_READ = 20_000  # characters of a message; far fewer are kept, and each character takes some microseconds
_QUOTED = Pattern(r"(?<!\w)'([^'\n]{0,200})'(?!\w)|(?<!\w)\"([^\"\n]{0,200})\"")
_NAME = Pattern(r"[A-Za-z_][\w.]{0,100}")
_LIST = Pattern(r"(?:#|None|\?)(?:\s{0,3}[,x]\s{0,3}(?:#|None|\?)){1,40},?")
_COUNTED = Pattern(r"#(?:[\s_.,%\[\]()-]{0,20}#)+")
_UNIT = Pattern(r"#\s?(?:[KMGT]i?B|[kMG]?B|bytes|ms|us|ns|s|seconds|minutes|GB/s|%)(?![A-Za-z])")
_CELL = Pattern(r"<(?:cell line|ipython-input|module|string|lambda)[^>]{0,100}>(?:\(\))?")


class Fingerprint(typing.NamedTuple):
    """A fingerprint and its parts.

    Attributes:
        value: 32 hexadecimal digits.
        version: of the rules.
        entry, cause, exception: empty if they are not known; a cause only if it is confirmed, or if it is likely and the text has
            no message.
        message: without its values.
        own, library: the innermost functions.
    """

    value: str
    version: int
    entry: str
    cause: str
    exception: str
    message: str
    own: str
    library: str


def fingerprint(answer: Json) -> Fingerprint:
    """The fingerprint of an answer's failure.

    Args:
        answer: the document that the API sends, redacted or not; for an old one without ``failure``, ``condensed`` is used.
    """
    failure = answer.get("failure") or {"message": answer.get("condensed", "")}
    message = without_values(str(failure.get("message", "")))
    entry, cause = named(answer, ("confirmed",) if message else ("confirmed", "likely"))
    parts = (
        entry,
        (answer.get("memory") or {}).get("cause", cause),  # experience may have moved a different cause to first place since
        str(failure.get("exception", "")),
        message,
        _function(str(failure.get("own", ""))),
        _function(str(failure.get("library", ""))),
    )
    written = json.dumps([VERSION, *parts], ensure_ascii=True)
    return Fingerprint(hashlib.sha256(written.encode()).hexdigest()[:_LENGTH], VERSION, *parts)


def named(answer: Json, sure: tuple[str, ...]) -> tuple[str, str]:
    """The entry of an answer, and its one cause whose verdict is in ``sure``; each may be empty."""
    if answer.get("verdict") not in NAMING or not answer.get("matches"):
        return "", ""
    match = answer["matches"][0]
    causes = [row["cause"] for row in match["causes"] if row["verdict"] in sure]
    return match["entry"], causes[0] if len(causes) == 1 else ""


def without_values(message: str) -> str:
    """A message without numbers, paths, addresses and the names of values.

    >>> without_values("OOM when allocating tensor with shape[256,126,126,64] on /job:localhost/task:0/device:CPU:0")
    'OOM when allocating tensor with shape[#] on #'
    >>> without_values("No such file or directory: '/home/user/a.csv'")
    "No such file or directory: '#'"
    """
    found = _TAIL.search(message)
    text = (message[: found.start()] if found and found.start() > 0 else message)[:_MOST_READ]
    text = redact(text)
    for pattern, instead in _VALUES:
        text = pattern.sub(instead, text)
    text = _QUOTED.sub(_quoted, text)
    text = _COUNTED.sub("#", _LIST.sub("#", text))
    text = _UNIT.sub("#", text)
    return " ".join(text.split())[:_LONGEST].strip()


def _quoted(found: typing.Any) -> str:
    """The replacement for a quoted text: an identifier stays, anything else is a value."""
    inside = found[1] if found[1] is not None else found[2]
    mark = found[0][0]
    return found[0] if _NAME.fullmatch(inside.replace("#", "")) else f"{mark}#{mark}"


def _function(name: str) -> str:
    """A function's name without what AutoGraph, notebooks and counters add to it."""
    name = name.strip().removesuffix("()").removeprefix("tf__")
    if _CELL.match(name) or name.startswith("<"):
        return "<module>"
    return "".join("#" if character.isdigit() else character for character in name)
