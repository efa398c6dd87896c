"""What a curator or an owner can look up in a memory: lists, one diagnosis, counts."""

import datetime
import re
import typing

import sqlalchemy as sa

from tfhelp.service.errors import InputError
from tfhelp.service.memory.database import reading
from tfhelp.service.memory.rows import hashed, unpacked
from tfhelp.service.memory.store import DAY_S, TeamMemory
from tfhelp.service.memory.tables import FEEDBACK, INCIDENTS

Json = dict[str, typing.Any]

_MOST = 10
_ABSTAINING = ("unknown", "explained")
_LISTED = ("uid", "at", "fingerprint", "verdict", "entry", "cause", "job", "message")


def listed(memory: TeamMemory, entry: str | None = None, mark: str | None = None, most: int = 50) -> list[Json]:
    """Kept diagnoses, the newest first: ``id``, ``at``, ``fingerprint``, ``verdict``, ``entry``, ``cause``, ``job``, ``message``
    and ``said``."""
    query = sa.select(INCIDENTS.c.id, *(INCIDENTS.c[name] for name in _LISTED)).order_by(
        INCIDENTS.c.at.desc(), INCIDENTS.c.id.desc()
    )
    if entry:
        query = query.where(INCIDENTS.c.entry == entry)
    if mark:
        query = query.where(_begins(INCIDENTS.c.fingerprint, mark))
    with reading(memory.engine) as connection:
        rows = connection.execute(query.limit(max(0, most))).all()
        words = sa.select(FEEDBACK.c.incident, FEEDBACK.c.said).where(FEEDBACK.c.incident.in_([row.id for row in rows]))
        said: dict[int, list[str]] = {}
        for one in connection.execute(words.order_by(FEEDBACK.c.at)):
            said.setdefault(one.incident, []).append(one.said)
    return [{"id": row.uid, **{name: getattr(row, name) for name in _LISTED[1:]}, "said": said.get(row.id, [])} for row in rows]


def shown(memory: TeamMemory, identifier: str) -> Json:
    """One diagnosis with its answer and its feedback.

    Raises:
        InputError: none begins with these digits, or several do.
    """
    query = sa.select(INCIDENTS).where(_begins(INCIDENTS.c.uid, identifier)).limit(2)
    with reading(memory.engine) as connection:
        rows = connection.execute(query).all()
        if len(rows) != 1:
            raise InputError(f"{'several diagnoses begin' if rows else 'no diagnosis begins'} with {identifier!r}")
        said = connection.execute(sa.select(FEEDBACK).where(FEEDBACK.c.incident == rows[0].id).order_by(FEEDBACK.c.at)).mappings()
        words = [{name: one[name] for name in ("at", "said", "words", "by", "cause")} for one in said]
    row = rows[0]
    return {
        "id": row.uid,
        **{name: getattr(row, name) for name in _LISTED[1:]},
        "feedback": words,
        "answer": unpacked(row.answer),
    }


def meant(
    memory: TeamMemory, identifiers: list[str], mark: str | None, sender: str | None, everything: bool
) -> "sa.ColumnElement[bool]":
    """The condition for the diagnoses to delete.

    Raises:
        InputError: nothing is named, or an id does not exist or is not unique.
    """
    if not (identifiers or mark or sender or everything):
        raise InputError("name what to delete: ids, --fingerprint, --sender or --all")
    for identifier in identifiers:
        shown(memory, identifier)
    conditions = [_begins(INCIDENTS.c.uid, identifier) for identifier in identifiers]
    conditions += [_begins(INCIDENTS.c.fingerprint, mark)] if mark else []
    conditions += [INCIDENTS.c.sender == hashed(sender, "sender")] if sender else []
    conditions += [INCIDENTS.c.id > 0] if everything else []
    return sa.or_(*conditions)


def count_feedback(memory: TeamMemory, sender: str | None) -> int:
    """How often a sender gave feedback."""
    if not sender:
        return 0
    query = sa.select(sa.func.count()).where(FEEDBACK.c.sender == hashed(sender, "sender"))
    with reading(memory.engine) as connection:
        return connection.scalar(query) or 0


def delete_feedback(memory: TeamMemory, sender: str | None) -> int:
    """Delete a sender's feedback; return how many rows it had."""
    if not sender:
        return 0
    with memory.engine.begin() as connection:
        return connection.execute(sa.delete(FEEDBACK).where(FEEDBACK.c.sender == hashed(sender, "sender"))).rowcount


def older(memory: TeamMemory) -> "sa.ColumnElement[bool]":
    """The condition for diagnoses older than the memory's limit."""
    return INCIDENTS.c.at < memory.oldest()


def count(memory: TeamMemory, which: "sa.ColumnElement[bool]") -> int:
    """How many diagnoses meet a condition."""
    with reading(memory.engine) as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(INCIDENTS).where(which)) or 0


def stats(memory: TeamMemory) -> Json:
    """Figures of a memory: number of diagnoses and failures, share of answered ones, feedback, the most frequent failures."""
    counted = sa.not_(INCIDENTS.c.again)
    many = sa.func.count().label("count")
    first = sa.func.min(INCIDENTS.c.at).label("first")
    last = sa.func.max(INCIDENTS.c.at).label("last")
    groups = sa.select(INCIDENTS.c.fingerprint, many, first, last).where(counted).group_by(INCIDENTS.c.fingerprint).subquery()
    is_new = sa.case((groups.c.first >= memory.clock() - 7 * DAY_S, 1), else_=0)
    whole = sa.select(
        sa.func.count().label("failures"), sa.func.sum(groups.c.count).label("diagnoses"), sa.func.sum(is_new).label("new")
    ).add_columns(sa.func.min(groups.c.first).label("first"), sa.func.max(groups.c.last).label("last"))
    most = sa.select(groups.c.fingerprint, groups.c.count).order_by(groups.c.count.desc(), groups.c.last.desc()).limit(_MOST)
    unanswered = sa.select(sa.func.count()).select_from(INCIDENTS).where(counted, INCIDENTS.c.verdict.in_(_ABSTAINING))
    with reading(memory.engine) as connection:
        found = connection.execute(whole).one()
        without = connection.scalar(unanswered) or 0
        said = {row.said: row.count for row in connection.execute(sa.select(FEEDBACK.c.said, many).group_by(FEEDBACK.c.said))}
        rows = [_named(connection, mark, times) for mark, times in connection.execute(most).all()]
    total = int(found.diagnoses or 0)
    return {
        "diagnoses": total,
        "failures": found.failures,
        "new this week": int(found.new or 0),
        "first": found.first,
        "last": found.last,
        "answered": 1 - without / total if total else None,
        "said": dict(sorted(said.items())),
        "most": rows,
    }


def _named(connection: sa.Connection, mark: str, times: int) -> Json:
    """A failure with the entry and the message of its newest diagnosis."""
    newest = sa.select(INCIDENTS.c.entry, INCIDENTS.c.message).where(INCIDENTS.c.fingerprint == mark)
    row = connection.execute(newest.order_by(INCIDENTS.c.at.desc()).limit(1)).one_or_none()
    return {"fingerprint": mark, "count": times, "entry": row.entry if row else "", "message": row.message if row else ""}


def minute(at: float) -> str:
    """A time to the minute, UTC.

    >>> minute(0.0)
    '1970-01-01 00:00'
    """
    return datetime.datetime.fromtimestamp(at, datetime.UTC).strftime("%Y-%m-%d %H:%M")


def _begins(column: typing.Any, digits: str) -> "sa.ColumnElement[bool]":
    """The condition that an id begins with these digits.

    Raises:
        InputError: these are not hexadecimal digits, or are fewer than four.
    """
    if not re.fullmatch("[0-9a-f]{4,32}", digits.lower()):
        raise InputError(f"{digits!r} is not an id: an id has 4 to 32 hexadecimal digits, as 'tfhelp memory list' shows")
    begun = digits.lower()
    condition: sa.ColumnElement[bool] = column.between(begun.ljust(32, "0"), begun.ljust(32, "f"))  # this can use an index
    return condition
