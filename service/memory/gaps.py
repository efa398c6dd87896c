"""Gaps of the knowledge base: what nobody answered, and what people said was something else, grouped for a curator."""

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
    """Failures that are alike and have no right answer.

    Attributes:
        id: the first eight digits of the fingerprint that is met most often.
        met: how many diagnoses.
        unanswered: how many of them had no answer.
        something_else: how many people said that it was something else.
        senders: how many senders there were.
        first, last: when, in seconds since 1970, UTC.
        message: of the failure that is met most often, without its values.
        given_as: the entries that were named wrongly.
        words: what people said, the newest first.
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
    """The incidents of one fingerprint, or of several that are alike."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.rows: list[sa.Row[typing.Any]] = []
        self.vector: bytes | None = None


def find(memory: TeamMemory) -> list[Gap]:
    """All gaps of a memory, the one that is met most often first."""
    said_otherwise = sa.select(FEEDBACK.c.incident).where(FEEDBACK.c.said == "something-else")
    names = ("id", "at", "fingerprint", "message", "verdict", "entry", "sender", "condensed")
    both = INCIDENTS.outerjoin(FAILURES, FAILURES.c.fingerprint == INCIDENTS.c.fingerprint)
    query = (
        sa.select(*(INCIDENTS.c[name] for name in names), FAILURES.c.vector)
        .select_from(both)
        .where(
            INCIDENTS.c.at >= memory.oldest(),
            sa.not_(INCIDENTS.c.again),
            sa.or_(INCIDENTS.c.verdict.in_(_UNANSWERED), INCIDENTS.c.id.in_(said_otherwise)),
        )
    )
    words = (
        sa.select(FEEDBACK.c.incident, FEEDBACK.c.words).where(FEEDBACK.c.said == "something-else").order_by(FEEDBACK.c.at.desc())
    )
    with reading(memory.engine) as connection:
        rows = connection.execute(query.order_by(INCIDENTS.c.at.desc())).all()
        said: dict[int, list[str]] = {}
        for row in connection.execute(words):
            said.setdefault(row.incident, []).append(row.words)
    gaps = [_gap(group, said) for group in _merged(_by_fingerprint(rows))]
    return sorted(gaps, key=lambda gap: (-gap.met, -gap.last))


def _by_fingerprint(rows: typing.Iterable[typing.Any]) -> list[_Group]:
    groups: dict[str, _Group] = {}
    for row in rows:
        group = groups.setdefault(row.fingerprint, _Group(row.fingerprint))
        group.rows.append(row)
        group.vector = group.vector or row.vector
    return sorted(groups.values(), key=lambda group: (-len(group.rows), group.mark))


def _merged(groups: list[_Group]) -> list[_Group]:
    """The groups, each joined to the first larger one that is like it."""
    import numpy

    leaders: list[_Group] = []
    matrix = numpy.zeros((len(groups), 384), dtype=numpy.float32)
    for group in groups:
        vector = numpy.frombuffer(group.vector, dtype="<f4") if group.vector and len(group.vector) == 4 * 384 else None
        likeness = matrix[: len(leaders)] @ vector if vector is not None and leaders else numpy.zeros(0)
        if likeness.size and likeness.max() >= ALIKE:
            leaders[int(likeness.argmax())].rows += group.rows
            continue
        if vector is not None:
            matrix[len(leaders)] = vector
        leaders.append(group)
    return leaders


def _gap(group: _Group, said: dict[int, list[str]]) -> Gap:
    rows = sorted(group.rows, key=lambda row: -row.at)
    words = [text for row in rows for text in said.get(row.id, [])]
    own = [row for row in rows if row.fingerprint == group.mark]
    return Gap(
        group.mark[:_LENGTH],
        len(rows),
        sum(row.verdict in _UNANSWERED for row in rows),
        len(words),
        len({row.sender for row in rows}),
        rows[-1].at,
        rows[0].at,
        own[0].message,
        sorted({row.entry for row in rows if row.entry}),
        list(dict.fromkeys(text for text in words if text))[:_MOST_WORDS],
        list(dict.fromkeys(row.condensed for row in [*own, *rows] if row.condensed))[:_MOST_EXAMPLES],
    )


def one(memory: TeamMemory, identifier: str) -> Gap:
    """The gap whose id begins so.

    Raises:
        InputError: there is none, or there are several.
    """
    found = [gap for gap in find(memory) if identifier and gap.id.startswith(identifier.lower())]
    if len(found) == 1:
        return found[0]
    raise InputError(f"{'several gaps begin' if found else 'no gap begins'} with {identifier!r}; 'tfhelp memory gaps' lists them")


def draft(gap: Gap, folder: pathlib.Path, family: str, entry: str = "") -> list[pathlib.Path]:
    """Begin an entry for a gap in a private folder, filled with what the gap tells; the paths of its files.

    Args:
        gap: what the entry is for.
        folder: of the team's own entries. It is made where there is none.
        family: of the entry.
        entry: its id; empty for one made of the message's words.

    Raises:
        InputError: the folder is a part of an installation, or the entry exists or its id is none.
    """
    if folder.resolve().is_relative_to(ENTRIES.resolve().parent) or "site-packages" in folder.resolve().parts:
        raise InputError(f"{folder} belongs to an installation of tfhelp; name a folder of your own with --into")
    paths = begin_private(str(folder), entry or suggested_id(gap), family)
    for path in paths:
        filled = _filled(path.read_text(encoding="utf-8"), gap)
        path.write_text(filled, encoding="utf-8")
    return paths


def suggested_id(gap: Gap) -> str:
    """An id for an entry, made of the words of the gap's message."""
    words = [word for word in re.findall(r"[a-z]{3,20}", gap.message.lower().replace("error:", " ")) if word not in _NOT_IN_AN_ID]
    return "-".join(words[:4]) or f"gap-{gap.id}"


def _filled(text: str, gap: Gap) -> str:
    """A template with the gap's message, texts and words in its places; JSON's strings are YAML's too."""
    title = json.dumps(gap.message[:90], ensure_ascii=False)
    text = re.sub(r"(?m)^title:[^\n]*$", lambda _: f"title: {title}   # a draft: say it as the reader sees it", text, count=1)
    text = _with_rows(text, "  decisive:", "    ", [json.dumps(pattern_of(gap.message), ensure_ascii=False)])
    text = _with_rows(text, "  phrases:", "    ", [json.dumps(words, ensure_ascii=False) for words in gap.words])
    text = _with_rows(text, "must_match:", "  ", [f"text: {json.dumps(example, ensure_ascii=False)}" for example in gap.examples])
    return f"# A draft for gap {gap.id}: met {gap.met} times, {gap.unanswered} times without an answer.\n{text}"


def _with_rows(text: str, key: str, margin: str, rows: list[str]) -> str:
    """The rows under the first such key, in place of the empty one that the template has there."""
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
