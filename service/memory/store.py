"""A team's memory of answers, in SQLite or PostgreSQL."""

import json
import secrets
import threading
import time
import typing

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tfhelp.service.memory import recall
from tfhelp.service.memory.database import empty_log, open_engine, reading
from tfhelp.service.memory.fingerprint import VERSION, fingerprint
from tfhelp.service.memory.indexes.choice import similar_of
from tfhelp.service.memory.memory import Json, Kept, Said, Seen
from tfhelp.service.memory.priors import Vote
from tfhelp.service.memory.rows import digest_of, redacted, row_of, said_row, token_hash, unpacked
from tfhelp.service.memory.similar import Embedder, Similar
from tfhelp.service.memory.sqlite_file import fault_of_file
from tfhelp.service.memory.tables import FAILURES, FEEDBACK, INCIDENTS

DAY_S = 86_400.0
DEFAULT_DAYS = 180
ALIKE, ALIKE_OF_AN_ENTRY = 0.85, 0.7
"""Minimum cosine of two similar failures, and of two with the same entry. Of the pairs among 200 recorded failures
that are above the first, 94 % have the same entry; 44 % of those above 0.75.
"""
_SAME_ATTEMPT_S = 600.0  # within this time, the same log from the same sender is the same question, asked with more facts
_BATCH = 500
_PAUSE_S = 0.01  # between two batches, so that others can write
_MOST_WORDS = 500
MOST_COUNTED = 10_000
"""Maximum number of occurrences of a failure that a request counts one by one."""
_BYTES_OF_TOKEN = 32


class SimilarFailure(typing.NamedTuple):
    """A kept failure that is similar to another one: the cosine, and its stored data."""

    likeness: float
    id: int
    at: float
    fingerprint: str
    entry: str
    cause: str
    message: str


class TeamMemory:
    """See ``tfhelp.service.memory.memory.Memory``. Thread-safe, and safe for several processes on one database.

    Args:
        engine: of a migrated database.
        keep_days: how long a diagnosis is kept; None until it is deleted.
        weighs: whether feedback moves the causes of later answers.
        clock: the time, in seconds since 1970, UTC.
        embedder: makes the vectors.
        similar: finds similar failures; None for the search that fits the database.

    Attributes:
        notes: sentences for the server's operator about what the database cannot do.
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
        self.notes: list[str] = []
        self._lock = threading.Lock()

    @classmethod
    def open(cls, where: str, keep_days: float | None = DEFAULT_DAYS, weighs: bool = True) -> "TeamMemory":
        """Open a memory; a missing one is created.

        Args:
            where: the path of an SQLite file, ``sqlite:///PATH`` or ``postgresql://...``.
            keep_days: how long a diagnosis is kept; None for ever.
            weighs: whether feedback moves the causes of later answers.

        Raises:
            InputError: it cannot be opened.
        """
        memory = cls(open_engine(where), keep_days, weighs)
        memory.renew_fingerprints()
        memory.similar()
        return memory

    def close(self) -> None:
        """Close all connections, once the work on the index has ended."""
        if self._similar is not None:
            self._similar.close()
        self.engine.dispose()

    def fault(self) -> str:
        """What keeps answers from being kept, as the rest of a sentence about the memory; empty for nothing.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: the database fails for another reason.
        """
        if self.engine.dialect.name == "sqlite":
            return fault_of_file(self.engine)
        with reading(self.engine) as connection:
            read_only = connection.scalar(sa.text("SHOW transaction_read_only")) == "on"
        return "it can only be read" if read_only else ""

    # --- keeping -------------------------------------------------------------------------------------------------------

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        """Keep an answer, with what is recalled about its failure, and return its token. See ``Memory.keep``."""
        answered = answer if "memory" in answer else self.recall(answer, given, sender)
        cleaned = redacted({"answer": answered, "given": given})
        row = row_of(cleaned["answer"], cleaned["given"], sender)
        token = token or secrets.token_urlsafe(_BYTES_OF_TOKEN)
        now = self.clock()
        row |= {"uid": secrets.token_hex(16), "token_hash": token_hash(token), "at": now}
        vector = self._vector_of_new(row)
        with self.engine.begin() as connection:
            row["again"] = _is_known(connection, row, now)
            insert = self._insert(INCIDENTS).values(**row)
            connection.execute(insert.on_conflict_do_nothing(index_elements=["token_hash"]))  # another replica may have kept it
            self.keep_vector(connection, row["fingerprint"], vector)
        return token

    def _vector_of_new(self, row: Json) -> bytes | None:
        """The vector of a failure that has none yet: the encoder is the most expensive part of keeping."""
        known = sa.select(FAILURES.c.id).where(FAILURES.c.fingerprint == row["fingerprint"])
        with reading(self.engine) as connection:
            if connection.scalar(known) is not None:
                return None
        return self.embedder.vector(row["message"])

    def keep_vector(self, connection: sa.Connection, mark: str, vector: bytes | None) -> None:
        """Store the vector of a failure, unless there is none or the failure has one."""
        if vector is not None:
            said = self._insert(FAILURES).values(fingerprint=mark, vector=vector)
            connection.execute(said.on_conflict_do_nothing(index_elements=["fingerprint"]))

    def _insert(self, table: sa.Table) -> "postgresql.Insert | sqlite.Insert":
        """An insert statement that supports ``ON CONFLICT``."""
        return postgresql.insert(table) if self.engine.dialect.name == "postgresql" else sqlite.insert(table)

    def read(self, token: str) -> Kept | None:
        """The answer of a token; None if there is none, or it is no longer kept."""
        query = sa.select(INCIDENTS.c.at, INCIDENTS.c.answer, INCIDENTS.c.given).where(
            INCIDENTS.c.token_hash == token_hash(token), INCIDENTS.c.at >= self.oldest()
        )
        with reading(self.engine) as connection:
            row = connection.execute(query).first()
        return Kept(token, row.at, unpacked(row.answer), json.loads(row.given)) if row else None

    def forget(self, token: str) -> bool:
        """Delete an answer and its feedback. False if there was none."""
        return self.delete(INCIDENTS.c.token_hash == token_hash(token)) > 0

    def feedback(self, token: str, said: Said, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        """Store feedback on an answer; only a sender's last feedback counts."""
        row = {**said_row(said, sender, words, by, cause), "at": self.clock()}
        with self.engine.begin() as connection:
            incident = connection.execute(
                sa.select(INCIDENTS.c.id, INCIDENTS.c.fingerprint, INCIDENTS.c.entry)
                .where(INCIDENTS.c.token_hash == token_hash(token), INCIDENTS.c.at >= self.oldest())
                .with_for_update(read=True)  # so that it is not deleted in the meantime
            ).one_or_none()
            if incident is None:
                return False
            row |= {"fingerprint": incident.fingerprint, "entry": incident.entry}
            said_now = self._insert(FEEDBACK).values(incident=incident.id, **row)
            connection.execute(said_now.on_conflict_do_update(index_elements=["incident", "sender"], set_=row))
        return True

    # --- recalling -----------------------------------------------------------------------------------------------------

    def recall(self, answer: Json, given: Json | None = None, sender: str = "") -> Json:
        """The answer with what is known about its failure (``recall.recalled``); the given answer is not changed."""
        return recall.recalled(self, answer, given or {}, sender)

    def seen(self, answer: Json) -> Seen | None:
        """How often exactly this failure occurred before, and what helped; None for never."""
        if answer["verdict"] == "nothing-failed":
            return None
        others = self._others(answer)
        with reading(self.engine) as connection:
            times, first, last = connection.execute(_counts(others)).one()
            helped = connection.execute(_newest_help(others, fingerprint(answer).value)).first() if times else None
        if not times:
            return None
        if helped is None:
            return Seen(times, first, last)
        return Seen(times, first, last, helped.it or f"{helped.entry}/{helped.shown}".strip("/"), helped.words, helped.by)

    def alike(self, answer: Json, count: int = 10) -> list[SimilarFailure]:
        """Similar kept failures with a different fingerprint, most similar first; never of a different entry."""
        mark = fingerprint(answer)
        vector = self.embedder.vector(mark.message)
        if vector is None:
            return []
        rows = self._newest_of(dict(self.similar().nearest(vector, 4 * count)), mark.value)
        return sorted((row for row in rows if _is_alike(row, mark.entry)), key=lambda row: (-row.likeness, -row.at))[:count]

    def _newest_of(self, near: dict[int, float], own: str) -> list[SimilarFailure]:
        """The newest incident of each failure, without those of one fingerprint."""
        later = INCIDENTS.alias("later")
        same = (later.c.fingerprint == FAILURES.c.fingerprint) & sa.not_(later.c.again) & (later.c.at >= self.oldest())
        newest = sa.select(sa.func.max(later.c.at)).where(same).scalar_subquery()
        query = (
            sa.select(FAILURES.c.id.label("failure"), *(INCIDENTS.c[name] for name in SimilarFailure._fields[1:]))
            .join_from(FAILURES, INCIDENTS, INCIDENTS.c.fingerprint == FAILURES.c.fingerprint)
            .where(FAILURES.c.id.in_(near), FAILURES.c.fingerprint != own, INCIDENTS.c.at == newest, sa.not_(INCIDENTS.c.again))
        )
        with reading(self.engine) as connection:
            found = {row.failure: SimilarFailure(near[row.failure], *row[1:]) for row in connection.execute(query)}
        return list(found.values())

    def attempts(self, answer: Json, within_s: float = DAY_S) -> list[sa.Row[typing.Any]]:
        """Recent kept diagnoses of exactly the same failure, newest first: (at, sender, job, log, epochs, steps)."""
        names = ("at", "sender", "job", "log", "epochs", "steps")
        query = sa.select(*(INCIDENTS.c[name] for name in names)).where(
            self._others(answer), INCIDENTS.c.at >= self.clock() - within_s
        )
        with reading(self.engine) as connection:
            return list(connection.execute(query.order_by(INCIDENTS.c.at.desc()).limit(_BATCH)))

    def votes(self, entries: typing.Iterable[str]) -> list[Vote]:
        """The votes on the causes of some entries: the newest ones for each entry, in the order in which they were given."""
        columns = [FEEDBACK.c.entry, FEEDBACK.c.named]
        newest = [_newest_words(column == name) for name in sorted(set(entries)) for column in columns]
        if not newest:
            return []
        query = (
            sa.select(FEEDBACK.c.sender, FEEDBACK.c.said, FEEDBACK.c.cause.label("it"), INCIDENTS.c.fingerprint)
            .add_columns(INCIDENTS.c.entry, INCIDENTS.c.cause)
            .select_from(FEEDBACK.join(INCIDENTS))
            .where(INCIDENTS.c.at >= self.oldest(), FEEDBACK.c.id.in_(sa.union_all(*newest)))
        )
        with reading(self.engine) as connection:
            rows = connection.execute(query.order_by(FEEDBACK.c.at, FEEDBACK.c.id)).all()
        return [vote for row in rows for vote in _votes_of(row)]

    def similar(self) -> Similar:
        """The similarity search over the vectors that all processes have stored."""
        with self._lock:
            if self._similar is None:
                self._similar = similar_of(self.engine, self.notes.append)
            return self._similar

    # --- housekeeping --------------------------------------------------------------------------------------------------

    def oldest(self) -> float:
        """The time before which diagnoses are not kept."""
        return 0.0 if self.keeps_s is None else self.clock() - self.keeps_s

    def purge(self) -> int:
        """Delete diagnoses older than the memory's limit; return how many."""
        return self.delete(INCIDENTS.c.at < self.oldest(), tidy=True)

    def delete(self, which: sa.ColumnElement[bool], tidy: bool = False) -> int:
        """Delete incidents with their feedback; return how many.

        It works in batches, so that another writer waits for one batch at most. What was deleted before an error stays deleted.
        Deleted incidents are no longer found by similarity.

        Args:
            which: a condition on incidents.
            tidy: whether the index is freed of all deleted vectors now; otherwise the next purge does that.
        """
        done = 0
        while True:
            with self.engine.begin() as connection:
                deleted = _delete_some(connection, which)
            done += deleted
            if deleted < _BATCH:
                break
            time.sleep(_PAUSE_S)
        if done or tidy:
            empty_log(self.engine)
        if tidy and (done or self.similar().holds_deleted()):
            self.similar().tidy()
        return done

    def renew_fingerprints(self) -> int:
        """Recompute the fingerprints that were made by different rules; return how many."""
        done, newest = 0, 0
        old = INCIDENTS.c.fingerprint.label("old")
        query = sa.select(INCIDENTS.c.id, INCIDENTS.c.answer, old).where(INCIDENTS.c.fingerprint_version != VERSION)
        while True:
            with self.engine.begin() as connection:
                rows = connection.execute(query.where(INCIDENTS.c.id > newest).order_by(INCIDENTS.c.id).limit(_BATCH)).all()
                for row in rows:
                    mark = fingerprint(unpacked(row.answer))
                    values: Json = {"fingerprint": mark.value, "fingerprint_version": mark.version, "message": mark.message}
                    connection.execute(sa.update(INCIDENTS).where(INCIDENTS.c.id == row.id).values(**values))
                    said = sa.update(FEEDBACK).where(FEEDBACK.c.incident == row.id)
                    connection.execute(said.values(fingerprint=mark.value))
                    self.keep_vector(connection, mark.value, self.embedder.vector(mark.message))
                _delete_unmet(connection, {row.old for row in rows})
            if not rows:
                return done
            done, newest = done + len(rows), rows[-1].id

    def _others(self, answer: Json) -> sa.ColumnElement[bool]:
        """The incidents of the same failure, without the answer itself."""
        mark = fingerprint(answer)
        is_other = INCIDENTS.c.digest != digest_of(answer, mark)
        return (INCIDENTS.c.fingerprint == mark.value) & (INCIDENTS.c.at >= self.oldest()) & is_other


def _is_alike(row: SimilarFailure, entry: str) -> bool:
    if row.entry and entry:
        return row.entry == entry and row.likeness >= ALIKE_OF_AN_ENTRY
    return row.likeness >= ALIKE


def _is_known(connection: sa.Connection, row: Json, now: float) -> bool:
    """Return whether the same sender gave the same log shortly before."""
    same = sa.select(INCIDENTS.c.id).where(
        INCIDENTS.c.log == row["log"], INCIDENTS.c.sender == row["sender"], INCIDENTS.c.at >= now - _SAME_ATTEMPT_S
    )
    return connection.scalar(same.limit(1)) is not None


def _counts(others: sa.ColumnElement[bool]) -> "sa.Select[typing.Any]":
    """The query for the number, the first and the last time: from the index alone, with at most ``MOST_COUNTED`` rows."""
    at = sa.select(INCIDENTS.c.at).where(others, sa.not_(INCIDENTS.c.again))
    some = at.limit(MOST_COUNTED).subquery()
    first, last = (at.order_by(order).limit(1).scalar_subquery() for order in (INCIDENTS.c.at, INCIDENTS.c.at.desc()))
    return sa.select(sa.select(sa.func.count()).select_from(some).scalar_subquery(), first, last)


def _newest_help(others: sa.ColumnElement[bool], mark: str) -> "sa.Select[typing.Any]":
    return (
        sa.select(
            FEEDBACK.c.cause.label("it"), INCIDENTS.c.entry, INCIDENTS.c.cause.label("shown"), FEEDBACK.c.words, FEEDBACK.c.by
        )
        .select_from(FEEDBACK.join(INCIDENTS))
        .where(others, FEEDBACK.c.fingerprint == mark, FEEDBACK.c.said == "helped")
        .order_by(FEEDBACK.c.at.desc(), FEEDBACK.c.id.desc())
        .limit(1)
    )


def _newest_words(which: sa.ColumnElement[bool]) -> "sa.Select[tuple[int]]":
    """The newest feedback on an entry. Experience is bounded, so older feedback would hardly change it."""
    newest = sa.select(FEEDBACK.c.id).where(which).order_by(FEEDBACK.c.at.desc()).limit(_MOST_WORDS).subquery()
    return sa.select(newest.c.id)


def _delete_some(connection: sa.Connection, which: sa.ColumnElement[bool]) -> int:
    """Delete at most one batch of incidents, with their feedback and the failures that have no incident left."""
    some = sa.select(INCIDENTS.c.id, INCIDENTS.c.fingerprint).where(which).limit(_BATCH)
    rows = connection.execute(some.with_for_update()).all()
    identifiers = [row.id for row in rows]
    connection.execute(sa.delete(FEEDBACK).where(FEEDBACK.c.incident.in_(identifiers)))
    connection.execute(sa.delete(INCIDENTS).where(INCIDENTS.c.id.in_(identifiers)))
    _delete_unmet(connection, {row.fingerprint for row in rows})
    return len(rows)


def _delete_unmet(connection: sa.Connection, marks: set[str]) -> None:
    met = sa.exists().where(INCIDENTS.c.fingerprint == FAILURES.c.fingerprint)
    connection.execute(sa.delete(FAILURES).where(FAILURES.c.fingerprint.in_(marks), ~met))


def _votes_of(row: sa.Row[typing.Any]) -> list[Vote]:
    """The votes in one piece of feedback: the named or shown cause was right, or the shown one was wrong."""
    shown = f"{row.entry}/{row.cause}" if row.entry and row.cause else ""
    if row.said == "helped":
        return [Vote(row.sender, row.fingerprint, row.it or shown, True)] if row.it or shown else []
    votes = [Vote(row.sender, row.fingerprint, shown, False)] if shown and shown != row.it else []
    named = row.said == "something-else" and row.it
    return [*votes, Vote(row.sender, row.fingerprint, row.it, True)] if named else votes
