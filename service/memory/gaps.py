"""Gaps in the knowledge base: failures without an answer, or with the feedback "something else", grouped for a curator."""

import json
import pathlib
import re
import typing

import sqlalchemy as sa

from tfhelp.kb.load import ENTRIES
from tfhelp.service.curation.new_entry import begin_private
from tfhelp.service.errors import InputError
from tfhelp.service.memory.database import reading
from tfhelp.service.memory.store import ALIKE, TeamMemory
from tfhelp.service.memory.tables import FAILURES, FEEDBACK, INCIDENTS

_UNANSWERED = ("unknown", "explained")
_LENGTH = 8  # hexadecimal digits of a gap's id
_MOST_EXAMPLES = 3
_MOST_ROWS = 5  # newest diagnoses that are read of each failure
_BATCH = 500
MOST_FAILURES = 1_000
"""Maximum number of different failures that are read."""
_MOST_WORDS = 10
_NOT_IN_AN_ID = frozenset(
    [
        "error",
        "exception",
        "python",
        "framework",
        "tensorflow",
        "keras",
        "errors",
        "impl",
        "the",
        "and",
        "for",
        "not",
        "with",
        "from",
        "that",
        "this",
        "was",
    ]
)


class Gap(typing.NamedTuple):
    """Similar failures without a right answer.

    Attributes:
        id: the first eight digits of the most frequent fingerprint.
        met: how many diagnoses.
        unanswered: how many of them had no answer.
        something_else: how often the feedback was "something else".
        senders: how many senders there were.
        first, last: when, in seconds since 1970, UTC.
        message: of the most frequent failure, without its values.
        given_as: the wrong entries that were given as answers.
        words: the users' comments, newest first.
        examples: texts of such failures, redacted.
    """

    id: str
    met: int
    unanswered: int
    something_else: int
    senders: int
    first: float
    last: float
    message: str
    given_as: list[str]
    words: list[str]
    examples: list[str]


class _Group:
    """The failures of one fingerprint, or of several similar ones.

    Attributes:
        mark: the most frequent fingerprint.
        rows: the newest incidents, a few of each fingerprint.
    """

    def __init__(self, counted: sa.Row[typing.Any]) -> None:
        self.mark: str = counted.fingerprint
        self.met: int = counted.met
        self.unanswered = int(counted.unanswered)
        self.first: float = counted.first
        self.last: float = counted.last
        self.vector: bytes | None = counted.vector
        self.rows: list[sa.Row[typing.Any]] = []
        self.senders: set[str] = set()
        self.words: list[sa.Row[typing.Any]] = []

    def merge(self, other: "_Group") -> None:
        """Merge a smaller group into this one."""
        self.met, self.unanswered = self.met + other.met, self.unanswered + other.unanswered
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
        self.rows += other.rows
        self.senders |= other.senders
        self.words += other.words


def find(memory: TeamMemory) -> list[Gap]:
    """The gaps of a memory, most frequent first; only the ``MOST_FAILURES`` most frequent failures are read."""
    with reading(memory.engine) as connection:
        groups = {row.fingerprint: _Group(row) for row in connection.execute(_counted(memory))}
        marks = list(groups)
        for start in range(0, len(marks), _BATCH):
            for query, kind in _details(memory, marks[start : start + _BATCH]):
                for row in connection.execute(query):
                    group = groups[row.fingerprint]
                    group.senders.add(row.sender) if kind == "senders" else getattr(group, kind).append(row)
    gaps = [_gap(group) for group in _merged(list(groups.values()))]
    return sorted(gaps, key=lambda gap: (-gap.met, -gap.last))


def _is_open(memory: TeamMemory) -> sa.ColumnElement[bool]:
    """The condition that an incident had no answer, or the feedback "something else"."""
    said_otherwise = sa.select(FEEDBACK.c.incident).where(FEEDBACK.c.said == "something-else")
    wrong = sa.or_(INCIDENTS.c.verdict.in_(_UNANSWERED), INCIDENTS.c.id.in_(said_otherwise))
    return sa.and_(INCIDENTS.c.at >= memory.oldest(), sa.not_(INCIDENTS.c.again), wrong)


def _counted(memory: TeamMemory) -> "sa.Select[typing.Any]":
    """The query for how often each failure occurred, with its vector."""
    met = sa.func.count().label("met")
    last = sa.func.max(INCIDENTS.c.at).label("last")
    unanswered = sa.func.sum(sa.case((INCIDENTS.c.verdict.in_(_UNANSWERED), 1), else_=0)).label("unanswered")
    first = sa.func.min(INCIDENTS.c.at).label("first")
    groups = sa.select(INCIDENTS.c.fingerprint, met, unanswered, first, last).where(_is_open(memory))
    groups = groups.group_by(INCIDENTS.c.fingerprint).order_by(met.desc(), INCIDENTS.c.fingerprint).limit(MOST_FAILURES)
    most = groups.subquery()
    columns: list[typing.Any] = [*most.c, FAILURES.c.vector]
    both = most.outerjoin(FAILURES, FAILURES.c.fingerprint == most.c.fingerprint)
    return sa.select(*columns).select_from(both).order_by(most.c.met.desc(), most.c.fingerprint)


def _details(memory: TeamMemory, marks: list[str]) -> "list[tuple[sa.Select[typing.Any], str]]":
    """Queries for the newest incidents of some failures, their senders, and their feedback."""
    which = sa.and_(INCIDENTS.c.fingerprint.in_(marks), _is_open(memory))
    place = sa.func.row_number().over(partition_by=INCIDENTS.c.fingerprint, order_by=INCIDENTS.c.at.desc()).label("place")
    numbered = sa.select(INCIDENTS.c.id, place).where(which).subquery()
    shown: list[typing.Any] = [INCIDENTS.c[name] for name in ("id", "at", "fingerprint", "message", "entry", "condensed")]
    newest = sa.select(*shown).join(numbered, numbered.c.id == INCIDENTS.c.id).where(numbered.c.place <= _MOST_ROWS)
    senders = sa.select(INCIDENTS.c.fingerprint, INCIDENTS.c.sender).where(which).distinct()
    words = sa.select(FEEDBACK.c.fingerprint, FEEDBACK.c.at, FEEDBACK.c.words).where(
        FEEDBACK.c.fingerprint.in_(marks), FEEDBACK.c.said == "something-else"
    )
    return [(newest.order_by(INCIDENTS.c.at.desc()), "rows"), (senders, "senders"), (words, "words")]


def _merged(groups: list[_Group]) -> list[_Group]:
    """The groups, each merged into the first larger one that is similar."""
    import numpy

    leaders: list[_Group] = []
    matrix = numpy.zeros((len(groups), 384), dtype=numpy.float32)
    for group in groups:
        vector = numpy.frombuffer(group.vector, dtype="<f4") if group.vector and len(group.vector) == 4 * 384 else None
        likeness = matrix[: len(leaders)] @ vector if vector is not None and leaders else numpy.zeros(0)
        if likeness.size and likeness.max() >= ALIKE:
            leaders[int(likeness.argmax())].merge(group)
            continue
        if vector is not None:
            matrix[len(leaders)] = vector
        leaders.append(group)
    return leaders


def _gap(group: _Group) -> Gap:
    rows = sorted(group.rows, key=lambda row: -row.at)
    own = [row for row in rows if row.fingerprint == group.mark]
    words = [row.words for row in sorted(group.words, key=lambda row: -row.at)]
    return Gap(
        group.mark[:_LENGTH],
        group.met,
        group.unanswered,
        len(words),
        len(group.senders),
        group.first,
        group.last,
        own[0].message if own else "",
        sorted({row.entry for row in rows if row.entry}),
        list(dict.fromkeys(text for text in words if text))[:_MOST_WORDS],
        list(dict.fromkeys(row.condensed for row in [*own, *rows] if row.condensed))[:_MOST_EXAMPLES],
    )


def one(memory: TeamMemory, identifier: str) -> Gap:
    """The gap whose id begins with these digits.

    Raises:
        InputError: there is none, or there are several.
    """
    found = [gap for gap in find(memory) if identifier and gap.id.startswith(identifier.lower())]
    if len(found) == 1:
        return found[0]
    raise InputError(f"{'several gaps begin' if found else 'no gap begins'} with {identifier!r}; 'tfhelp memory gaps' lists them")


def draft(gap: Gap, folder: pathlib.Path, family: str, entry: str = "") -> list[pathlib.Path]:
    """Start an entry for a gap in a private folder, filled with the gap's data; return the paths of its files.

    Args:
        gap: the gap that the entry is for.
        folder: of the team's own entries. It is created if it is missing.
        family: of the entry.
        entry: its id; empty for one derived from the message's words.

    Raises:
        InputError: the folder is part of an installation, or the entry exists or its id is invalid.
    """
    if folder.resolve().is_relative_to(ENTRIES.resolve().parent) or "site-packages" in folder.resolve().parts:
        raise InputError(f"{folder} belongs to an installation of tfhelp; name a folder of your own with --into")
    paths = begin_private(str(folder), entry or suggested_id(gap), family)
    for path in paths:
        filled = _filled(path.read_text(encoding="utf-8"), gap)
        path.write_text(filled, encoding="utf-8")
    return paths


def suggested_id(gap: Gap) -> str:
    """An id for an entry, derived from the words of the gap's message."""
    words = [word for word in re.findall(r"[a-z]{3,20}", gap.message.lower().replace("error:", " ")) if word not in _NOT_IN_AN_ID]
    return "-".join(words[:4]) or f"gap-{gap.id}"


def _filled(text: str, gap: Gap) -> str:
    """A template filled with the gap's message, texts and words; JSON strings are valid YAML."""
    title = json.dumps(gap.message[:90], ensure_ascii=False)
    text = re.sub(r"(?m)^title:[^\n]*$", lambda _: f"title: {title}   # a draft: say it as the reader sees it", text, count=1)
    text = _with_rows(text, "  decisive:", "    ", [json.dumps(pattern_of(gap.message), ensure_ascii=False)])
    text = _with_rows(text, "  phrases:", "    ", [json.dumps(words, ensure_ascii=False) for words in gap.words])
    text = _with_rows(text, "must_match:", "  ", [f"text: {json.dumps(example, ensure_ascii=False)}" for example in gap.examples])
    return f"# A draft for gap {gap.id}: met {gap.met} times, {gap.unanswered} times without an answer.\n{text}"


def _with_rows(text: str, key: str, margin: str, rows: list[str]) -> str:
    """Put the rows under the first such key, in place of the template's empty row."""
    if not rows:
        return text
    listed = "".join(f"{margin}- {row}\n" for row in rows)
    pattern = rf"(?m)^({re.escape(key)}[^\n]*\n){re.escape(margin)}-[^\n]*\n"
    return re.sub(pattern, lambda found: found[1] + listed, text, count=1)


def pattern_of(message: str) -> str:
    r"""A regular expression for a message without its values.

    >>> pattern_of("FrobError: # of '#' (left)")
    "FrobError: .{1,120} of '.{1,120}' \\(left\\)"
    """
    return re.sub(r"[.^$*+?{}\[\]\\|()]", lambda found: "\\" + found[0], message[:160]).replace("#", ".{1,120}")
