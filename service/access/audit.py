"""The audit log: who kept, read, judged and deleted which diagnosis, and who made and revoked which token. No pasted text."""

import time
import typing

import sqlalchemy as sa

from tfhelp.service.access.identity import Caller
from tfhelp.service.access.tables import AUDIT
from tfhelp.service.memory.database import reading
from tfhelp.service.memory.rows import plain

Action = typing.Literal["kept", "read", "judged", "deleted", "token made", "token revoked"]
ACTIONS: tuple[str, ...] = typing.get_args(Action)
_LONGEST = 200


class Event(typing.NamedTuple):
    """Who did what to what.

    Attributes:
        at: when, in seconds since 1970, UTC.
        action: one of ``ACTIONS``.
        who: name of a person or a token; empty if the server did not ask who it was.
        address: the address the request came from; empty if unknown.
        subject: the id of a diagnosis, or the name of a token.
    """

    at: float
    action: str
    who: str
    address: str
    subject: str


def note(connection: sa.Connection, action: Action, subject: str, caller: Caller, at: float | None = None) -> None:
    """Write an event, in the transaction of a connection."""
    row = Event(
        time.time() if at is None else at, action, plain(caller.who.shown, _LONGEST), plain(caller.address, _LONGEST), subject
    )
    connection.execute(sa.insert(AUDIT).values(**row._asdict()))


def listed(
    engine: sa.Engine, subject: str = "", who: str = "", action: str = "", since: float = 0.0, most: int = 100
) -> list[Event]:
    """Events, the newest first.

    Args:
        engine: engine of a migrated database.
        subject: only events of a diagnosis or token whose id or name starts with this.
        who: only events of this person or token, as the log shows them.
        action: only this action.
        since: only events after this time.
        most: the most events to return.
    """
    query = sa.select(*(AUDIT.c[name] for name in Event._fields)).where(AUDIT.c.at >= since)
    if subject:
        query = query.where(AUDIT.c.subject.startswith(subject, autoescape=True))
    if who:
        query = query.where(AUDIT.c.who == who)
    if action:
        query = query.where(AUDIT.c.action == action)
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(AUDIT.c.at.desc(), AUDIT.c.id.desc()).limit(max(0, most)))
        return [Event(*row) for row in rows]


def purge(engine: sa.Engine, before: float) -> int:
    """Delete the events before a time. Return how many there were."""
    with engine.begin() as connection:
        return connection.execute(sa.delete(AUDIT).where(AUDIT.c.at < before)).rowcount
