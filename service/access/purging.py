"""Old rows leave the tables of access, as old diagnoses leave a memory."""

import typing

from tfhelp.service.access import audit
from tfhelp.service.access.rates import DatabaseCounter

if typing.TYPE_CHECKING:
    import sqlalchemy as sa


def purge_access(engine: "sa.Engine", before: float) -> None:
    """Delete the events of the audit log before a time (seconds since 1970, UTC), and the counted requests that are over."""
    audit.purge(engine, before)
    DatabaseCounter(engine).purge()
