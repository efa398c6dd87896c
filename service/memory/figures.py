"""Figures of the last few days for the operator of a memory: what was answered, what helped, what fails most, what is new.

``read`` queries the database; its work grows with the diagnoses of the requested time, not with the table. ``FreshFigures``
queries it at most once a minute, so that a page or a scraper may ask as often as it likes.
"""

import threading
import time
import typing

import sqlalchemy as sa

from tfhelp.service.memory.database import reading
from tfhelp.service.memory.store import DAY_S, TeamMemory
from tfhelp.service.memory.tables import FEEDBACK, INCIDENTS

WEEK_DAYS = 7.0
MOST = 10
"""Maximum number of listed entries and failures."""
FRESH_S = 60.0
ABSTAINING = ("unknown", "explained")


class EntryCount(typing.NamedTuple):
    """An entry of the knowledge base, and how often diagnoses named it."""

    entry: str
    times: int


class Failure(typing.NamedTuple):
    """A failure that occurred. ``message`` is redacted and without values, but may contain users' words, so it may be shown on a
    page but never in a metric.
    """

    fingerprint: str
    times: int
    entry: str
    message: str


class Figures(typing.NamedTuple):
    """The figures of the days up to a point in time. The same log from the same sender within ten minutes counts once.

    Attributes:
        since, until: in seconds since 1970, UTC.
        diagnoses: how many.
        verdicts: how many of each verdict; only those that occurred.
        said: how often the feedback was ``helped``, ``did-not-help`` and ``something-else``; all three are present.
        entries: the most frequent entries, at most ``MOST``.
        failures: the most frequent failures, at most ``MOST``.
        new: how many different failures occurred for the first time.
        newest: the most frequent of these, at most ``MOST``.
    """

    since: float
    until: float
    diagnoses: int
    verdicts: dict[str, int]
    said: dict[str, int]
    entries: list[EntryCount]
    failures: list[Failure]
    new: int
    newest: list[Failure]

    @property
    def answered(self) -> float | None:
        """The share of the diagnoses with an answer; None if there was no diagnosis."""
        without = sum(self.verdicts.get(verdict, 0) for verdict in ABSTAINING)
        return 1 - without / self.diagnoses if self.diagnoses else None

    @property
    def helped(self) -> float | None:
        """The share of "it helped" in the feedback; None if there was no feedback."""
        words = sum(self.said.values())
        return self.said["helped"] / words if words else None


def read(memory: TeamMemory, days: float = WEEK_DAYS, most: int = MOST) -> Figures:
    """The current figures of the last ``days``; at most ``most`` rows in each list."""
    until = memory.clock()
    since = max(until - days * DAY_S, memory.oldest())
    within = (INCIDENTS.c.at >= since) & sa.not_(INCIDENTS.c.again)
    with reading(memory.engine) as connection:
        verdicts = _counts(connection, INCIDENTS.c.verdict, within)
        said = _counts(connection, FEEDBACK.c.said, FEEDBACK.c.at >= since)
        entries = _most(connection, INCIDENTS.c.entry, within & (INCIDENTS.c.entry != ""), most)
        marks = _most(connection, INCIDENTS.c.fingerprint, within & (INCIDENTS.c.verdict != "nothing-failed"), most)
        new, newest = _new(connection, since, most)
        failures = [_failure(connection, mark, count) for mark, count in marks]
        first_met = [_failure(connection, mark, count) for mark, count in newest]
    words = {word: said.get(word, 0) for word in ("helped", "did-not-help", "something-else")}
    named = [EntryCount(entry, count) for entry, count in entries]
    return Figures(since, until, sum(verdicts.values()), verdicts, words, named, failures, new, first_met)


def _counts(connection: sa.Connection, column: "sa.Column[str]", which: "sa.ColumnElement[bool]") -> dict[str, int]:
    query = sa.select(column, sa.func.count()).where(which).group_by(column).order_by(column)
    return {row[0]: row[1] for row in connection.execute(query)}


def _most(
    connection: sa.Connection, column: "sa.Column[str]", which: "sa.ColumnElement[bool]", most: int
) -> list[tuple[str, int]]:
    count = sa.func.count().label("times")
    query = sa.select(column, count).where(which).group_by(column).order_by(count.desc(), column).limit(most)
    return [(value, times) for value, times in connection.execute(query)]


def _new(connection: sa.Connection, since: float, most: int) -> tuple[int, list[tuple[str, int]]]:
    """How many failures of this time are new, and which of them are the most frequent."""
    times = sa.func.count().label("times")
    now = (INCIDENTS.c.at >= since) & sa.not_(INCIDENTS.c.again) & (INCIDENTS.c.verdict != "nothing-failed")
    met = sa.select(INCIDENTS.c.fingerprint, times).where(now).group_by(INCIDENTS.c.fingerprint).subquery()
    earlier = INCIDENTS.alias("earlier")
    before = sa.exists().where((earlier.c.fingerprint == met.c.fingerprint) & (earlier.c.at < since))
    ordered = sa.select(met.c.fingerprint, met.c.times, sa.func.count().over().label("all")).where(~before)
    rows = connection.execute(ordered.order_by(met.c.times.desc(), met.c.fingerprint).limit(most)).all()
    return rows[0].all if rows else 0, [(row.fingerprint, row.times) for row in rows]


def _failure(connection: sa.Connection, mark: str, count: int) -> Failure:
    """A failure with the entry and the message of its newest diagnosis."""
    newest = sa.select(INCIDENTS.c.entry, INCIDENTS.c.message).where(INCIDENTS.c.fingerprint == mark)
    row = connection.execute(newest.order_by(INCIDENTS.c.at.desc()).limit(1)).one_or_none()
    return Failure(mark, count, row.entry if row else "", row.message if row else "")


class FreshFigures:
    """The figures of a memory, queried at most once in ``fresh_s`` seconds. Thread-safe.

    While one thread queries the database, the others get the previous figures, if there are any.

    Args:
        memory: the memory.
        days: how far back they go.
        fresh_s: how old they may be.
        timer: a monotonic clock in seconds.
    """

    def __init__(
        self,
        memory: TeamMemory,
        days: float = WEEK_DAYS,
        fresh_s: float = FRESH_S,
        timer: typing.Callable[[], float] = time.monotonic,
    ) -> None:
        self._memory = memory
        self._days = days
        self._fresh_s = fresh_s
        self._timer = timer
        self._known: tuple[float, Figures] | None = None
        self._lock = threading.Lock()

    def get(self) -> Figures:
        """The figures.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: the query failed.
        """
        known = self._known
        if known and self._timer() - known[0] < self._fresh_s:
            return known[1]
        if not self._lock.acquire(blocking=known is None):
            return typing.cast(tuple[float, Figures], known)[1]
        try:
            if self._known is None or self._known is known:
                self._known = (self._timer(), read(self._memory, self._days))
            return self._known[1]
        finally:
            self._lock.release()
