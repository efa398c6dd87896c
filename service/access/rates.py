"""How many requests a client may send: counted in this process, or in a database that several servers share."""

import hashlib
import time
import typing

from tfhelp.service.access.addresses import SettingError
from tfhelp.service.faults import log_fault

if typing.TYPE_CHECKING:
    import limits
    import sqlalchemy as sa

DEFAULT = "300/minute"
OFF = "off"


class Allowance(typing.NamedTuple):
    """What a client has left.

    Attributes:
        allowed: whether this request is within the limit.
        limit: requests in a window.
        remaining: requests left in this window.
        seconds: until the next window begins, at least 1.
    """

    allowed: bool
    limit: int
    remaining: int
    seconds: int


class Counter(typing.Protocol):
    """Counts hits in windows."""

    shared: bool
    """Whether ``hit`` may take so long that it must not run on the event loop."""

    def hit(self, client: str, window_s: int) -> tuple[int, float]:
        """Count a hit. Return the hits in the window so far, and when the window ends, in seconds since 1970, UTC."""
        ...


class ProcessCounter:
    """Counts in this process, with the library ``limits``."""

    shared = False

    def __init__(self) -> None:
        from limits.storage import MemoryStorage

        self._storage = MemoryStorage()

    def hit(self, client: str, window_s: int) -> tuple[int, float]:
        """See ``Counter.hit``."""
        return self._storage.incr(client, window_s), self._storage.get_expiry(client)


class DatabaseCounter:
    """Counts in a database, with one statement per hit, so that servers that share it count together.

    Args:
        engine: engine of a migrated database.
        clock: the time, in seconds since 1970, UTC.
    """

    shared = True

    def __init__(self, engine: "sa.Engine", clock: typing.Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock

    def hit(self, client: str, window_s: int) -> tuple[int, float]:
        """See ``Counter.hit``."""
        import sqlalchemy as sa
        from sqlalchemy.dialects import postgresql, sqlite

        from tfhelp.service.access.tables import RATES

        now = self._clock()
        insert = postgresql.insert if self._engine.dialect.name == "postgresql" else sqlite.insert
        first = insert(RATES).values(client=client, hits=1, expires=now + window_s)
        over = RATES.c.expires <= now
        counted = first.on_conflict_do_update(
            index_elements=["client"],
            set_={
                "hits": sa.case((over, 1), else_=RATES.c.hits + 1),
                "expires": sa.case((over, now + window_s), else_=RATES.c.expires),
            },
        ).returning(RATES.c.hits, RATES.c.expires)
        with self._engine.begin() as connection:
            row = connection.execute(counted).one()
        return row.hits, row.expires

    def purge(self) -> int:
        """Delete the windows that are over. Return how many there were."""
        import sqlalchemy as sa

        from tfhelp.service.access.tables import RATES

        with self._engine.begin() as connection:
            return connection.execute(sa.delete(RATES).where(RATES.c.expires <= self._clock())).rowcount


class Rates:
    """The limit of each client.

    Args:
        rate: how many requests in what time, such as ``60/minute``.
        counter: counts the requests. If a counter in a database fails, this process counts that hit instead.
        clock: the time, in seconds since 1970, UTC.

    Raises:
        SettingError: the rate cannot be read.
    """

    def __init__(self, rate: str, counter: Counter | None = None, clock: typing.Callable[[], float] = time.time) -> None:
        item = _read(rate)
        self._most = item.amount
        self._window_s = item.get_expiry()
        self._here = ProcessCounter()
        self._counter: Counter = counter or self._here
        self._clock = clock

    @property
    def shared(self) -> bool:
        """Whether ``hit`` asks a database."""
        return self._counter.shared

    def hit(self, client: str) -> Allowance:
        """Count a request of a client.

        Args:
            client: identifies the client; only a hash of it is stored.
        """
        mark = _mark(client)
        try:
            count, ends = self._counter.hit(mark, self._window_s)
        except Exception as error:  # noqa: BLE001 - drivers raise their own classes, and no error may keep all requests out
            log_fault("counting requests", error)
            return self.hit_here(client)
        return self._allowance(count, ends)

    def hit_here(self, client: str) -> Allowance:
        """The same, counted in this process alone."""
        return self._allowance(*self._here.hit(_mark(client), self._window_s))

    def _allowance(self, count: int, ends: float) -> Allowance:
        seconds = max(1, min(self._window_s, int(ends - self._clock()) + 1))
        return Allowance(count <= self._most, self._most, max(0, self._most - count), seconds)


def _mark(client: str) -> str:
    return hashlib.sha256(f"tfhelp rate: {client}".encode("utf-8", "replace")).hexdigest()


def _read(rate: str) -> "limits.RateLimitItem":
    import limits

    wrong = SettingError(f"--rate is {rate[:40]!r}; it takes a number of requests and a time, such as 60/minute, or {OFF}")
    try:
        found = limits.parse(rate)
    except ValueError:
        raise wrong from None
    if found.amount < 1:
        raise wrong
    return found
