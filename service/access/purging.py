"""Delete old rows from the access tables, as old diagnoses are deleted from a memory."""

import typing

from tfhelp.service.access import audit
from tfhelp.service.access.rates import DatabaseCounter

if typing.TYPE_CHECKING:
    import sqlalchemy as sa


def purge_access(engine: "sa.Engine", before: float) -> None:
    """Delete the audit log's events before a time (seconds since 1970, UTC), and the request counts whose window is over."""
    audit.purge(engine, before)
    DatabaseCounter(engine).purge()
