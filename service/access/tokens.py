"""Tokens of the API: made, looked up, listed, revoked. They are stored as hashes, in a team's memory or in a file."""

import functools
import hashlib
import re
import secrets
import time
import typing
import zlib

from tfhelp.service.access.identity import SCOPES, Who
from tfhelp.service.errors import InputError
from tfhelp.service.faults import log_fault

if typing.TYPE_CHECKING:
    import sqlalchemy as sa

PREFIX = "tfhelp_"
DEFAULT_DAYS = 365.0
_TOKEN = re.compile(PREFIX + r"[A-Za-z0-9_-]{43}[0-9a-f]{8}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,79}")
_BYTES = 32
_DAY_S = 86_400.0
_MOST_DAYS = 36_500.0
_NOTED_EVERY_S = 60.0  # the time of the last use is written at most this often


class Listed(typing.NamedTuple):
    """What is known about a token; times are seconds since 1970, UTC.

    Attributes:
        id: distinguishes the token from another one that had the same name.
        name: the name that it was given.
        scopes: what it allows.
        created: when it was made.
        expires: when it expires; None for never.
        revoked: when it was revoked; None if it was not.
        last_used: to the minute; None if it was not used, or if its use is not recorded.
    """

    id: str
    name: str
    scopes: tuple[str, ...]
    created: float
    expires: float | None
    revoked: float | None
    last_used: float | None

    def state(self, now: float) -> str:
        """``live``, ``revoked`` or ``expired``."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and self.expires <= now else "live"


class Tokens(typing.Protocol):
    """A place that keeps tokens."""

    at_hand: bool
    """Whether ``find`` needs no database, which may not answer."""

    def find(self, token: str) -> Who | None:
        """Who has this token; None if there is no such token, or it no longer works."""
        ...

    def any_live(self) -> bool:
        """Return whether any token works."""
        ...

    def create(self, name: str, scopes: typing.Sequence[str], days: float | None) -> str:
        """Make a token and return it; it cannot be read again.

        Raises:
            InputError: the name, the scopes or the days cannot be used, or a working token already has the name.
        """
        ...

    def listed(self) -> list[Listed]:
        """All tokens, the oldest first."""
        ...

    def revoke(self, name: str) -> Listed:
        """Revoke the token with a name or an id, immediately for every server that reads this place.

        Raises:
            InputError: no working token has this name.
        """
        ...


def new_token() -> str:
    """A token of 256 random bits. Its prefix identifies it to secret scanners; its last eight digits reveal a typing mistake.

    >>> is_token(new_token()), is_token("tfhelp_" + "a" * 51)
    (True, False)
    """
    random = secrets.token_urlsafe(_BYTES)
    return f"{PREFIX}{random}{_checksum(random)}"


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token. A text without it is refused without a database look-up."""
    return _TOKEN.fullmatch(text) is not None and _checksum(text[len(PREFIX) : -8]) == text[-8:]


def _checksum(random: str) -> str:
    return f"{zlib.crc32(random.encode('ascii')):08x}"


def hash_of(token: str) -> str:
    """The hash that is stored for a token.

    Passwords need a slow hash, because people choose words that can be guessed. 256 random bits cannot be guessed. So SHA-256 is
    enough, and costs a request only a microsecond. The time of a look-up by this hash reveals nothing either: how much of a hash
    agrees with a stored one says nothing about the token, and a client cannot choose the hash of what it sends.
    """
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def checked(name: str, scopes: typing.Sequence[str], days: float | None) -> None:
    """Check a new token's fields. Raises: InputError: one of them cannot be used; the message names it."""
    if not _NAME.fullmatch(name):
        raise InputError(f"{name[:80]!r} is not a valid token name; it takes letters, digits and . _ @ -, 80 at most")
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        raise InputError(f"--scope {','.join(unknown)[:80]!r}: unknown scope; the scopes are {', '.join(SCOPES)}")
    if days is not None and not 0 < days <= _MOST_DAYS:
        raise InputError(f"--days is {days:g}; it takes a number of days from above 0 to {_MOST_DAYS:g}, or never")


def expiry(days: float | None, now: float) -> float | None:
    """When a token that is valid for this many days expires."""
    return None if days is None else now + days * _DAY_S


def who_of(token: Listed) -> Who:
    """The bearer of a token."""
    return Who(f"token:{token.id}", f"token {token.name}", frozenset(token.scopes))


class DatabaseTokens:
    """Tokens in a team's memory. Each request looks its token up, so a revoked token immediately stops working everywhere.

    Args:
        engine: engine of a migrated database.
        clock: the time, in seconds since 1970, UTC.
    """

    at_hand = False

    def __init__(self, engine: "sa.Engine", clock: typing.Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock
        self._note_again = 0.0  # after a failure, uses are not recorded before this time

    def find(self, token: str) -> Who | None:
        """See ``Tokens.find``. The use is noted, if the database can be written."""
        if not is_token(token):
            return None
        now = self._clock()
        reader, query = self._look_up
        with reader.connect() as connection:
            row = connection.execute(query, {"hash_of_token": hash_of(token)}).first()
        found = _listed(row) if row else None
        if found is None or found.state(now) != "live":
            return None
        if (found.last_used is None or now - found.last_used >= _NOTED_EVERY_S) and now >= self._note_again:
            try:
                self._note_use(found, now)
            except Exception as error:  # noqa: BLE001 - drivers raise their own classes, and a full disk must keep nobody out
                self._note_again = now + _NOTED_EVERY_S  # a locked database makes a writer wait for half a minute
                log_fault("noting the use of a token", error)
        return who_of(found)

    def any_live(self) -> bool:
        """See ``Tokens.any_live``."""
        now = self._clock()
        return any(token.state(now) == "live" for token in self.listed())

    def create(self, name: str, scopes: typing.Sequence[str], days: float | None) -> str:
        """See ``Tokens.create``."""
        import sqlalchemy as sa

        from tfhelp.service.access.tables import TOKENS

        checked(name, scopes, days)
        token, now = new_token(), self._clock()
        row = {"uid": secrets.token_hex(16), "name": name, "hash": hash_of(token), "scopes": ",".join(scopes)}
        with self._engine.begin() as connection:
            if self._live(connection, name):
                raise InputError(f"there is already a token named {name}; 'tfhelp token revoke {name}' revokes it")
            connection.execute(sa.insert(TOKENS).values(**row, created=now, expires=expiry(days, now)))
        return token

    def listed(self) -> list[Listed]:
        """See ``Tokens.listed``."""
        import sqlalchemy as sa

        from tfhelp.service.access.tables import TOKENS
        from tfhelp.service.memory.database import reading

        with reading(self._engine) as connection:
            return [_listed(row) for row in connection.execute(sa.select(TOKENS).order_by(TOKENS.c.id))]

    def revoke(self, name: str) -> Listed:
        """See ``Tokens.revoke``."""
        import sqlalchemy as sa

        from tfhelp.service.access.tables import TOKENS

        now = self._clock()
        with self._engine.begin() as connection:
            found = self._live(connection, name)
            if found is None:
                raise InputError(f"there is no working token named {name[:80]!r}; 'tfhelp token list' lists the tokens")
            connection.execute(sa.update(TOKENS).where(TOKENS.c.uid == found.id).values(revoked=now))
        return found._replace(revoked=now)

    @functools.cached_property
    def _look_up(self) -> "tuple[sa.Engine, sa.Select[typing.Any]]":
        """The query that every request needs. It is built once, since building it takes longer than running it."""
        import sqlalchemy as sa

        from tfhelp.service.access.tables import TOKENS
        from tfhelp.service.memory.database import READS

        return self._engine.execution_options(**READS), sa.select(TOKENS).where(TOKENS.c.hash == sa.bindparam("hash_of_token"))

    def _note_use(self, token: Listed, now: float) -> None:
        import sqlalchemy as sa

        from tfhelp.service.access.tables import TOKENS

        with self._engine.begin() as connection:
            connection.execute(sa.update(TOKENS).where(TOKENS.c.uid == token.id).values(last_used=now))

    def _live(self, connection: "sa.Connection", name: str) -> Listed | None:
        import sqlalchemy as sa

        from tfhelp.service.access.tables import TOKENS

        rows = connection.execute(sa.select(TOKENS).where(sa.or_(TOKENS.c.name == name, TOKENS.c.uid == name)))
        now = self._clock()
        return next((token for token in map(_listed, rows) if token.state(now) == "live"), None)


def _listed(row: typing.Any) -> Listed:
    return Listed(row.uid, row.name, tuple(row.scopes.split(",")), row.created, row.expires, row.revoked, row.last_used)
