"""A memory that checks the caller: an action whose scope the caller lacks is refused, and the audit log records the others."""

import collections
import hashlib
import threading
import typing

from tfhelp.service.access.identity import Caller, NotAllowedError, Who, current
from tfhelp.service.memory.memory import Json, Kept, Memory, Said, Seen
from tfhelp.service.memory.rows import token_hash

if typing.TYPE_CHECKING:
    import sqlalchemy as sa

_MOST_OWNERS = 4000
_NOT_YOURS = "only who had this answer kept, or an administrator, may delete it"


class Ledger(typing.Protocol):
    """Who owns which kept answer, and what they do with it."""

    def own(self, token: str, caller: Caller) -> None:
        """Record that an answer was kept for a caller."""
        ...

    def owner(self, token: str) -> str:
        """The mark of an answer's owner (``mark_of``); empty if it has no known owner."""
        ...

    def note(self, action: typing.Literal["read", "judged", "deleted"], token: str, caller: Caller) -> None:
        """Record what a caller does with an answer."""
        ...


def mark_of(who: Who) -> str:
    """A mark that identifies an owner without the name; empty for an unknown caller."""
    return hashlib.sha256(f"tfhelp owner: {who.key}".encode("utf-8", "replace")).hexdigest() if who.key else ""


class Owned:
    """A ``tfhelp.service.memory.memory.Memory`` that does for each caller only what that caller may do.

    Args:
        memory: keeps the answers.
        ledger: knows the owners of the answers.
        caller: the caller to assume outside requests, for a door that has no requests.
    """

    def __init__(self, memory: Memory, ledger: Ledger, caller: Caller | None = None) -> None:
        self._memory = memory
        self._ledger = ledger
        self._fixed = caller
        self.keeps_s = memory.keeps_s

    def keep(self, answer: Json, given: Json, sender: str = "", token: str = "") -> str:
        """Keep an answer; empty if the caller may not have one kept."""
        caller = self._caller()
        if not caller.who.may("memory-write"):
            return ""
        kept = self._memory.keep(answer, given, sender, token)
        if token and self._ledger.owner(token):
            return kept  # the same request arrived twice at the same time, and the other one was first
        try:
            self._ledger.own(kept, caller)
        except BaseException:
            self._memory.forget(kept)  # otherwise nobody could delete it, and the log would not know of it
            raise
        return kept

    def read(self, token: str) -> Kept | None:
        """The answer of a token. Raises: NotAllowedError: the caller may not read answers."""
        caller = self._with("memory-read")
        kept = self._memory.read(token)
        if kept is not None:
            self._ledger.note("read", token, caller)
        return kept

    def forget(self, token: str) -> bool:
        """Delete an answer. Raises: NotAllowedError: the answer is not the caller's."""
        caller = self._with("memory-write")
        if self._memory.read(token) is None:
            return False
        if not self.may_forget(token):
            raise NotAllowedError(_NOT_YOURS)
        self._ledger.note("deleted", token, caller)  # before the deletion: afterwards its id is gone
        return self._memory.forget(token)

    def may_forget(self, token: str) -> bool:
        """Return whether the caller may delete an answer; only an administrator may delete one that was kept without an owner."""
        who = self._caller().who
        return who.may("admin") or (bool(who.key) and self._ledger.owner(token) == mark_of(who))

    def feedback(self, token: str, said: Said, sender: str = "", words: str = "", by: str = "", cause: str = "") -> bool:
        """Store feedback on an answer. Raises: NotAllowedError: the caller may not judge answers."""
        caller = self._with("memory-write")
        noted = self._memory.feedback(token, said, sender, words, by, cause)
        if noted:
            self._ledger.note("judged", token, caller)
        return noted

    def seen(self, answer: Json) -> Seen | None:
        """How often the failure was seen before; None if the caller may not read the memory."""
        return self._memory.seen(answer) if self._caller().who.may("memory-read") else None

    def __getattr__(self, name: str) -> typing.Any:
        """The memory's other attributes. ``recall`` exists only if the memory has it: only a team's memory does."""
        found = getattr(self._memory, name)
        if name != "recall":
            return found
        return lambda answer, *rest: found(answer, *rest) if self._caller().who.may("memory-read") else answer

    def _caller(self) -> Caller:
        return self._fixed or current()

    def _with(self, scope: str) -> Caller:
        caller = self._caller()
        if not caller.who.may(scope):
            raise NotAllowedError(f"this needs the scope {scope}", scope)
        return caller


class ProcessLedger:
    """Owners of the answers that this process keeps for a day. Without a database there is no audit log."""

    def __init__(self) -> None:
        self._owners: collections.OrderedDict[str, str] = collections.OrderedDict()
        self._lock = threading.Lock()

    def own(self, token: str, caller: Caller) -> None:
        """See ``Ledger.own``."""
        with self._lock:
            self._owners[token_hash(token)] = mark_of(caller.who)
            while len(self._owners) > _MOST_OWNERS:
                self._owners.popitem(last=False)

    def owner(self, token: str) -> str:
        """See ``Ledger.owner``."""
        with self._lock:
            return self._owners.get(token_hash(token), "")

    def note(self, action: typing.Literal["read", "judged", "deleted"], token: str, caller: Caller) -> None:
        """Do nothing: there is no audit log."""


class DatabaseLedger:
    """Owners and audit log in a team's memory.

    Args:
        engine: engine of its migrated database.
    """

    def __init__(self, engine: "sa.Engine") -> None:
        self._engine = engine

    def own(self, token: str, caller: Caller) -> None:
        """See ``Ledger.own``; the audit log says ``kept``."""
        from tfhelp.service.access.audit import note
        from tfhelp.service.access.tables import OWNERS

        with self._engine.begin() as connection:
            found = self._incident(connection, token)
            if found is None:
                return
            mark = mark_of(caller.who)
            if mark and not _inserted(connection, OWNERS, incident=found.id, owner=mark):
                return  # another server noted it for the same request, at the same time
            note(connection, "kept", found.uid, caller)

    def owner(self, token: str) -> str:
        """See ``Ledger.owner``."""
        import sqlalchemy as sa

        from tfhelp.service.access.tables import OWNERS
        from tfhelp.service.memory.database import reading
        from tfhelp.service.memory.tables import INCIDENTS

        query = sa.select(OWNERS.c.owner).select_from(OWNERS.join(INCIDENTS)).where(INCIDENTS.c.token_hash == token_hash(token))
        with reading(self._engine) as connection:
            return connection.scalar(query) or ""

    def note(self, action: typing.Literal["read", "judged", "deleted"], token: str, caller: Caller) -> None:
        """See ``Ledger.note``."""
        from tfhelp.service.access.audit import note

        with self._engine.begin() as connection:
            found = self._incident(connection, token)
            if found is not None:
                note(connection, action, found.uid, caller)

    @staticmethod
    def _incident(connection: "sa.Connection", token: str) -> typing.Any:
        import sqlalchemy as sa

        from tfhelp.service.memory.tables import INCIDENTS

        return connection.execute(
            sa.select(INCIDENTS.c.id, INCIDENTS.c.uid).where(INCIDENTS.c.token_hash == token_hash(token))
        ).first()


def _inserted(connection: "sa.Connection", table: "sa.Table", **row: object) -> bool:
    """Insert a row, unless there is one with the same key. Return whether it was inserted."""
    from sqlalchemy.dialects import postgresql, sqlite

    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    once = insert(table).values(**row).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(once).first() is not None


def ledger_of(memory: Memory) -> Ledger:
    """The ledger that belongs to a memory: in the memory's database, or in this process."""
    engine = getattr(memory, "engine", None)
    return ProcessLedger() if engine is None else DatabaseLedger(engine)


def may_forget(memory: Memory, token: str) -> bool:
    """Return whether the caller may delete an answer; a memory that does not check callers lets everybody delete it."""
    return memory.may_forget(token) if isinstance(memory, Owned) else True
