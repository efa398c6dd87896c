"""The patterns that a long text is sieved with, and their Hyperscan databases, which the index build keeps.

Patterns are written against records, where line ends have become spaces. The sieve sees the raw bytes, possibly after a
launcher's prefix. So ``^`` and ``$`` are widened here. The reader of records discards whatever the sieve keeps unnecessarily.
"""

import json
import os
import re
import typing
import zlib

from tfhelp.kb.build_products import ArtefactError
from tfhelp.kb.compiled import Knowledge
from tfhelp.kb.marks import ENDS
from tfhelp.kb.whole_file import write_whole

ARTEFACTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "artefacts")
DATABASES = {"all": "sieve.hsdb", "edges": "sieve-edges.hsdb"}
_FORMAT = 3
_LONGEST_PATTERN = 600  # characters
_RARE_LITERAL = 12  # characters of a check's literal, so that looking for it everywhere costs nearly nothing
_WIDER = {
    "^": r"(?:^|[\]:|> ])",  # after a launcher's prefix
    "$": r"(?:$|\s)",
    r"\A": "",
    r"\z": "",
}
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)


class SievePattern(typing.NamedTuple):
    """A pattern that the sieve looks for.

    ``literals``: groups of lower-case literals; wherever the pattern matches, one literal of each group occurs. ``first``,
    ``last``: how many of its matches are kept from each end of the text. ``end``: words; if the pattern matches in a block, the last
    place of these words in the block counts too. Empty if only the first match of a block counts.
    """

    pattern: str
    literals: list[list[str]]
    first: int
    last: int
    end: str = ""


def widened(pattern: str) -> str:
    r"""A signature's pattern as the sieve looks for it: a record may begin and end inside a line.

    >>> widened(r"^Killed(?: \d+)?$")
    '(?:^|[\\]:|> ])Killed(?: \\d+)?(?:$|\\s)'
    >>> widened(r"[^$]2\^31")
    '[^$]2\\^31'
    """
    return "".join(_WIDER.get(token, token) for token in _TOKEN.findall(pattern))


def everywhere(knowledge: Knowledge, marks: typing.Sequence[str]) -> list[SievePattern]:
    """The patterns for all bytes: signatures of program output, marks, and checks with a rare literal.

    Args:
        knowledge: all its entries are parsed.
        marks: those of ``tfhelp.kb.marks``.
    """
    signatures = [SievePattern(widened(row.pattern), row.literals, 2, 2) for row in knowledge.signatures if not row.said]
    others = [SievePattern(mark, _literals(mark), 2, 2, ENDS.get(mark, "")) for mark in marks]
    known = {row.pattern for row in knowledge.signatures}
    checks = [SievePattern(widened(text), literals, 1, 0) for text, literals in _rare_checks(knowledge) if text not in known]
    return signatures + others + checks


def on_edges(knowledge: Knowledge) -> list[SievePattern]:
    """The patterns for the text's edges: signatures of what people write."""
    return [SievePattern(widened(row.pattern), row.literals, 2, 2) for row in knowledge.signatures if row.said]


def _rare_checks(knowledge: Knowledge) -> list[tuple[str, list[list[str]]]]:
    found: dict[str, list[list[str]]] = {}
    for name in knowledge.entries():
        for cause in knowledge.entry(name)["causes"]:
            for check in cause["checks"]:
                literals = check.get("literals") or []
                rare = any(min(map(len, group)) >= _RARE_LITERAL for group in literals)
                if check.get("text") and rare and len(check["text"]) <= _LONGEST_PATTERN:
                    found.setdefault(check["text"], literals)
    return sorted(found.items())


def _literals(mark: str) -> list[list[str]]:
    from tfhelp.kb.patterns import required_literals

    return required_literals(mark)


def digest(patterns: list[SievePattern]) -> str:
    """The hash of the patterns that a database was made from."""
    import hashlib  # reading a database does not need it, and importing it takes as long as loading a database

    return hashlib.sha256(json.dumps([_FORMAT, *patterns], ensure_ascii=False).encode()).hexdigest()


def build(knowledge: Knowledge, marks: typing.Sequence[str], folder: str = ARTEFACTS) -> list[str]:
    """Compile the databases that are missing or stale, and write each with its head.

    The head is one line of JSON: the knowledge base's version, the patterns' hash, the content's checksum, how many matches of each
    pattern are kept, and the words at the end of some.

    Returns:
        The names of the files that were written.

    Raises:
        ImportError: there is no Hyperscan for this Python and machine; long texts are then sieved by literals.
        ArtefactError: Hyperscan does not accept a pattern.
    """
    written = []
    for name, patterns in (("all", everywhere(knowledge, marks)), ("edges", on_edges(knowledge))):
        path = os.path.join(folder, DATABASES[name])
        made_from = digest(patterns)
        head = _head(path)
        if head is not None and head.get("patterns_sha256") == made_from and head.get("knowledge") == knowledge.version:
            continue
        content = _content(path) if head is not None and head.get("patterns_sha256") == made_from else compiled_database(patterns)
        write(path, knowledge.version, patterns, content)
        written.append(DATABASES[name])
    return written


def compiled_database(patterns: list[SievePattern]) -> bytes:
    """Hyperscan's database of the patterns, serialised.

    Raises:
        ImportError: there is no Hyperscan here.
        ArtefactError: RE2 accepts a pattern that Hyperscan does not, such as a ``$`` in the middle of one.
    """
    import hyperscan

    try:
        content: bytes = hyperscan.dumpb(_compiled(patterns))
    except hyperscan.error as error:
        for row in patterns:
            try:
                _compiled([row])
            except hyperscan.error as fault:
                raise ArtefactError(f"a signature cannot be used in long texts: {fault}: {row.pattern}") from None
        raise ArtefactError(f"the signatures cannot be compiled for long texts: {error}") from None
    return content


def _compiled(patterns: list[SievePattern]) -> typing.Any:
    import hyperscan

    flags = hyperscan.HS_FLAG_DOTALL | hyperscan.HS_FLAG_MULTILINE | hyperscan.HS_FLAG_SINGLEMATCH
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[row.pattern.encode() for row in patterns],
        ids=list(range(len(patterns))),
        flags=[flags | (0 if row.pattern.isascii() else hyperscan.HS_FLAG_UTF8) for row in patterns],
    )
    return database


def write(path: str | os.PathLike[str], knowledge: str, patterns: list[SievePattern], content: bytes) -> None:
    """Write a database with its head.

    Args:
        path: the file.
        knowledge: version of the knowledge base that it belongs to.
        patterns: what it was made from.
        content: Hyperscan's own bytes.
    """
    head = {
        "format": _FORMAT,
        "knowledge": knowledge,
        "patterns_sha256": digest(patterns),
        "crc32": zlib.crc32(content),
        "kept": [(row.first, row.last) for row in patterns],
        "ends": ends_of(patterns),
    }
    write_whole(path, json.dumps(head).encode() + b"\n" + content)


def ends_of(patterns: list[SievePattern]) -> list[tuple[int, str]]:
    """(number of a pattern, the words whose last place in a block counts too) of the patterns that have such words."""
    return [(number, row.end) for number, row in enumerate(patterns) if row.end]


def _head(path: str) -> dict[str, typing.Any] | None:
    try:
        with open(path, "rb") as file:
            head = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    return head if isinstance(head, dict) and head.get("format") == _FORMAT else None


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        file.readline()
        return file.read()


class Serialised(typing.NamedTuple):
    """A database as stored.

    Attributes:
        kept: how many matches of each pattern count from each end.
        content: Hyperscan's own bytes.
        ends: as ``ends_of`` returns them.
    """

    kept: list[tuple[int, int]]
    content: bytes
    ends: list[tuple[int, str]]


def read(name: str, knowledge: str, folder: str = ARTEFACTS) -> Serialised | None:
    """A database of the index; ``None`` if it is missing, damaged, or from a different knowledge base.

    Args:
        name: one of ``DATABASES``.
        knowledge: version of the knowledge base that it has to belong to.
        folder: the folder of the index.
    """
    path = os.path.join(folder, DATABASES[name])
    head = _head(path)
    if head is None or head.get("knowledge") != knowledge:
        return None
    content = _content(path)
    if zlib.crc32(content) != head["crc32"]:
        return None
    return Serialised(
        [(first, last) for first, last in head["kept"]], content, [(number, words) for number, words in head["ends"]]
    )
