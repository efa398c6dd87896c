"""A team's memory of answers, in SQLite or PostgreSQL."""

import json
import secrets
import threading
import time
import typing

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tfhelp.service.memory import recall
from tfhelp.service.memory.database import open_engine, reading
from tfhelp.service.memory.fingerprint import VERSION, fingerprint
from tfhelp.service.memory.memory import Json, Kept, Said, Seen
from tfhelp.service.memory.priors import Vote
from tfhelp.service.memory.rows import digest_of, redacted, row_of, said_row, token_hash, unpacked
from tfhelp.service.memory.similar import Embedder, FlatSimilar, Similar
from tfhelp.service.memory.tables import FEEDBACK, INCIDENTS

DAY_S = 86_400.0
DEFAULT_DAYS = 180
ALIKE, ALIKE_OF_AN_ENTRY = 0.85, 0.7
"""Cosine from which two failures are alike, and from which two of the same entry are. Of the pairs among 200 recorded failures
that are above the first, 94 % are of one entry; 44 % of those above 0.75."""
_DIMENSION = 384
_SAME_ATTEMPT_S = 600.0  # the same log of the same sender within it is the same question, asked with more facts
_BATCH = 500
_BYTES_OF_TOKEN = 32


class Alike(typing.NamedTuple):
    """A kept failure that is like another one: how much (cosine), and what is kept of it."""

    likeness: float
    id: int
    at: float
    fingerprint: str
    entry: str
    cause: str
    message: str


class TeamMemory:
    """See ``tfhelp.service.memory.memory.Memory``. Safe for threads and for several processes on one database.

    Args:
        engine: of a migrated database.
        keep_days: how long a diagnosis is kept; None for as long as nobody deletes it.
        weighs: whether what people said moves the causes of later answers.
        clock: the time, in seconds since 1970, UTC.
        embedder: makes the vectors.
        similar: finds what is like a failure.
    """

    def __init__(
        self,
        engine: sa.Engine,
        keep_days: float | None = DEFAULT_DAYS,
        weighs: bool = True,
        clock: typing.Callable[[], float] = time.time,
        embedder: Embedder | None = None,
        similar: Similar | None = None,
    ) -> None:
        self.engine = engine
        self.keeps_s = None if keep_days is None else keep_days * DAY_S
        self.weighs = weighs
        self.clock = clock
        self.embedder = embedder or Embedder()
        self._similar = similar
        self._lock = threading.Lock()

    @classmethod
    def open(cls, where: str, keep_days: float | None = DEFAULT_DAYS, weighs: bool = True) -> "TeamMemory":
        """Open a memory, made where there is none.

        Args:
            where: the path of an SQLite file, ``sqlite:///PATH`` or ``postgresql://...``.
            keep_days: how long a diagnosis is kept; None for ever.
            weighs: whether what people said moves the causes of later answers.

        Raises:
            InputError: it cannot be opened.
        """
        memory = cls(open_engine(where), keep_days, weighs)
        memory.renew_fingerprints()
        return memory

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    # --- keeping -------------------------------------------------------------------------------------------------------

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        """Keep an answer, with what is recalled of its failure, and return its token. See ``Memory.keep``."""
        told = answer if "memory" in answer else self.recall(answer, given, sender)
        cleaned = redacted({"answer": told, "given": given})
        row = row_of(cleaned["answer"], cleaned["given"], sender)
        token = token or secrets.token_urlsafe(_BYTES_OF_TOKEN)
        now = self.clock()
        row |= {"uid": secrets.token_hex(16), "token_hash": token_hash(token), "at": now}
        row["vector"] = self.embedder.vector(row["message"])
        with self.engine.begin() as connection:
            row["again"] = _is_known(connection, row, now)
            insert = self._insert(INCIDENTS).values(**row)
            connection.execute(insert.on_conflict_do_nothing(index_elements=["token_hash"]))  # another replica may have kept it
        return token

    def read(self, token: str) -> Kept | None:
        """The answer of a token; None where there is none, or no longer."""
        query = sa.select(INCIDENTS.c.at, INCIDENTS.c.answer, INCIDENTS.c.given).where(
            INCIDENTS.c.token_hash == token_hash(token), INCIDENTS.c.at >= self.oldest()
        )
        with reading(self.engine) as connection:
            row = connection.execute(query).first()
        return Kept(token, row.at, unpacked(row.answer), json.loads(row.given)) if row else None

    def forget(self, token: str) -> bool:
        """Delete an answer and what people said of it. False where there was none."""
        return self.delete(INCIDENTS.c.token_hash == token_hash(token)) > 0

    def feedback(self, token: str, said: Said, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        """Note what somebody says of an answer; the last word of a sender counts."""
        row = {**said_row(said, sender, words, by, cause), "at": self.clock()}
        with self.engine.begin() as connection:
            incident = connection.scalar(
                sa.select(INCIDENTS.c.id)
                .where(INCIDENTS.c.token_hash == token_hash(token), INCIDENTS.c.at >= self.oldest())
                .with_for_update(read=True)  # nobody deletes it meanwhile
            )
            if incident is None:
                return False
            said_now = self._insert(FEEDBACK).values(incident=incident, **row)
            connection.execute(said_now.on_conflict_do_update(index_elements=["incident", "sender"], set_=row))
        return True

    # --- recalling -----------------------------------------------------------------------------------------------------

    def recall(self, answer: Json, given: Json | None = None, sender: str = "") -> Json:
        """The answer with what is known of its failure (``recall.recalled``); the one that was given stays as it is."""
        return recall.recalled(self, answer, given or {}, sender)

    def seen(self, answer: Json) -> Seen | None:
        """How often the very same failure was met before, and what helped; None for never."""
        if answer["verdict"] == "nothing-failed":
            return None
        others = self._others(answer)
        counts = sa.select(sa.func.count(), sa.func.min(INCIDENTS.c.at), sa.func.max(INCIDENTS.c.at)).where(
            others, sa.not_(INCIDENTS.c.again)
        )
        with reading(self.engine) as connection:
            times, first, last = connection.execute(counts).one()
            helped = connection.execute(_newest_help(others)).first() if times else None
        if not times:
            return None
        if helped is None:
            return Seen(times, first, last)
        return Seen(times, first, last, helped.it or f"{helped.entry}/{helped.shown}".strip("/"), helped.words, helped.by)

    def alike(self, answer: Json, count: int = 10) -> list[Alike]:
        """Kept failures that are like this one and have another fingerprint, the best first; none that is of another entry."""
        mark = fingerprint(answer)
        vector = self.embedder.vector(mark.message)
        if vector is None:
            return []
        near = dict(self.similar().nearest(vector, 4 * count))
        columns = [INCIDENTS.c[name] for name in Alike._fields[1:]]
        query = sa.select(*columns).where(
            INCIDENTS.c.id.in_(near),
            INCIDENTS.c.fingerprint != mark.value,
            INCIDENTS.c.at >= self.oldest(),
            sa.not_(INCIDENTS.c.again),
        )
        with reading(self.engine) as connection:
            rows = [Alike(near[row.id], *row) for row in connection.execute(query)]
        return sorted((row for row in rows if _is_alike(row, mark.entry)), key=lambda row: (-row.likeness, -row.at))[:count]

    def attempts(self, answer: Json, within_s: float = DAY_S) -> list[sa.Row[typing.Any]]:
        """Kept diagnoses of the very same failure in the last time, the newest first: (at, sender, job, log, epochs, steps)."""
        names = ("at", "sender", "job", "log", "epochs", "steps")
        query = sa.select(*(INCIDENTS.c[name] for name in names)).where(
            self._others(answer), INCIDENTS.c.at >= self.clock() - within_s
        )
        with reading(self.engine) as connection:
            return list(connection.execute(query.order_by(INCIDENTS.c.at.desc()).limit(_BATCH)))

    def votes(self, entries: typing.Iterable[str]) -> list[Vote]:
        """What people said of the causes of some entries, in the order in which they said it."""
        names = list(entries)
        query = (
            sa.select(FEEDBACK.c.sender, FEEDBACK.c.said, FEEDBACK.c.cause.label("it"), INCIDENTS.c.fingerprint)
            .add_columns(INCIDENTS.c.entry, INCIDENTS.c.cause)
            .select_from(FEEDBACK.join(INCIDENTS))
            .where(INCIDENTS.c.at >= self.oldest())
            .where(
                sa.or_(
                    INCIDENTS.c.entry.in_(names), *(FEEDBACK.c.cause.startswith(f"{name}/", autoescape=True) for name in names)
                )
            )
        )
        with reading(self.engine) as connection:
            rows = connection.execute(query.order_by(FEEDBACK.c.at, FEEDBACK.c.id)).all()
        return [vote for row in rows for vote in _votes_of(row)]

    def similar(self) -> Similar:
        """The search by likeness, with all vectors that any process has stored by now."""
        with self._lock:
            if self._similar is None:
                self._similar = FlatSimilar(_DIMENSION)
            found = self._similar
        query = sa.select(INCIDENTS.c.id, INCIDENTS.c.vector).where(
            INCIDENTS.c.id > found.newest, INCIDENTS.c.vector.is_not(None)
        )
        with reading(self.engine) as connection:
            found.learn((row.id, row.vector) for row in connection.execute(query.order_by(INCIDENTS.c.id)))
        return found

    # --- keeping house -------------------------------------------------------------------------------------------------

    def oldest(self) -> float:
        """The time before which nothing is kept."""
        return 0.0 if self.keeps_s is None else self.clock() - self.keeps_s

    def purge(self) -> int:
        """Delete what is older than the memory keeps it; how many."""
        return self.delete(INCIDENTS.c.at < self.oldest())

    def delete(self, which: sa.ColumnElement[bool]) -> int:
        """Delete incidents with what people said of them; how many."""
        with self.engine.begin() as connection:
            connection.execute(sa.delete(FEEDBACK).where(FEEDBACK.c.incident.in_(sa.select(INCIDENTS.c.id).where(which))))
            return connection.execute(sa.delete(INCIDENTS).where(which)).rowcount

    def renew_fingerprints(self) -> int:
        """Make the fingerprints anew that were made by other rules; how many."""
        done, newest = 0, 0
        query = sa.select(INCIDENTS.c.id, INCIDENTS.c.answer).where(INCIDENTS.c.fingerprint_version != VERSION)
        while True:
            with self.engine.begin() as connection:
                rows = connection.execute(query.where(INCIDENTS.c.id > newest).order_by(INCIDENTS.c.id).limit(_BATCH)).all()
                for row in rows:
                    mark = fingerprint(unpacked(row.answer))
                    values: Json = {"fingerprint": mark.value, "fingerprint_version": mark.version, "message": mark.message}
                    values["vector"] = self.embedder.vector(mark.message)
                    connection.execute(sa.update(INCIDENTS).where(INCIDENTS.c.id == row.id).values(**values))
            if not rows:
                return done
            done, newest = done + len(rows), rows[-1].id

    def _insert(self, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
        """An insertion that can say what happens where the row is there already, in the words of the database."""
        return postgresql.insert(table) if self.engine.dialect.name == "postgresql" else sqlite.insert(table)

    def _others(self, answer: Json) -> sa.ColumnElement[bool]:
        """The incidents of the same failure, without the answer itself."""
        mark = fingerprint(answer)
        is_other = INCIDENTS.c.digest != digest_of(answer, mark)
        return (INCIDENTS.c.fingerprint == mark.value) & (INCIDENTS.c.at >= self.oldest()) & is_other


def _is_alike(row: Alike, entry: str) -> bool:
    if row.entry and entry:
        return row.entry == entry and row.likeness >= ALIKE_OF_AN_ENTRY
    return row.likeness >= ALIKE


def _is_known(connection: sa.Connection, row: Json, now: float) -> bool:
    """Whether the same sender gave the same log shortly before."""
    same = sa.select(INCIDENTS.c.id).where(
        INCIDENTS.c.log == row["log"], INCIDENTS.c.sender == row["sender"], INCIDENTS.c.at >= now - _SAME_ATTEMPT_S
    )
    return connection.scalar(same.limit(1)) is not None


def _newest_help(others: sa.ColumnElement[bool]) -> "sa.Select[typing.Any]":
    return (
        sa.select(
            FEEDBACK.c.cause.label("it"), INCIDENTS.c.entry, INCIDENTS.c.cause.label("shown"), FEEDBACK.c.words, FEEDBACK.c.by
        )
        .select_from(FEEDBACK.join(INCIDENTS))
        .where(others, FEEDBACK.c.said == "helped")
        .order_by(FEEDBACK.c.at.desc(), FEEDBACK.c.id.desc())
        .limit(1)
    )


def _votes_of(row: sa.Row[typing.Any]) -> list[Vote]:
    """What a word says of causes: that it was the one that was named or shown, or that the shown one was not it."""
    shown = f"{row.entry}/{row.cause}" if row.entry and row.cause else ""
    if row.said == "helped":
        return [Vote(row.sender, row.fingerprint, row.it or shown, True)] if row.it or shown else []
    votes = [Vote(row.sender, row.fingerprint, shown, False)] if shown and shown != row.it else []
    named = row.said == "something-else" and row.it
    return [*votes, Vote(row.sender, row.fingerprint, row.it, True)] if named else votes
