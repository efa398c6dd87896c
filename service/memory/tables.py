"""The tables of a team's memory. ``migrations`` creates them; a test compares the two."""

import array
import typing

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


class VectorType(sa.types.TypeDecorator[bytes]):
    """Four-byte floats, little-endian: stored as bytes in SQLite, and as ``real[]`` in PostgreSQL, which pgvector can index."""

    impl = sa.LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[typing.Any]:
        """The column type of a database."""
        real = postgresql.ARRAY(postgresql.REAL)
        return dialect.type_descriptor(real if dialect.name == "postgresql" else sa.LargeBinary())

    def process_bind_param(self, value: bytes | None, dialect: sa.Dialect) -> typing.Any:
        """Convert a value for the database."""
        return array.array("f", value).tolist() if value is not None and dialect.name == "postgresql" else value

    def process_result_value(self, value: typing.Any, dialect: sa.Dialect) -> bytes | None:
        """Convert a value from the database."""
        return array.array("f", value).tobytes() if isinstance(value, list) else value


INCIDENTS = sa.Table(
    "incidents",
    METADATA,
    sa.Column("id", BIG, primary_key=True, autoincrement=True),
    sa.Column("uid", sa.String(32), nullable=False, unique=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("fingerprint", sa.String(32), nullable=False),
    sa.Column("fingerprint_version", sa.Integer, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("kb_version", sa.Text, nullable=False),
    sa.Column("verdict", sa.String(20), nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
    sa.Column("cause", sa.Text, nullable=False),
    sa.Column("sender", sa.String(32), nullable=False, index=True),
    sa.Column("job", sa.Text, nullable=False),
    sa.Column("log", sa.String(32), nullable=False),
    sa.Column("digest", sa.String(32), nullable=False),
    sa.Column("again", sa.Boolean, nullable=False),
    sa.Column("epochs", sa.Integer),
    sa.Column("steps", BIG),
    sa.Column("condensed", sa.Text, nullable=False),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    sa.Column("given", sa.Text, nullable=False),
    sa.Index("ix_incidents_at", "at", "again", "verdict", "entry", "fingerprint"),
    sa.Index("ix_incidents_fingerprint", "fingerprint", "at", "again", "digest"),
    sa.Index("ix_incidents_log", "log", "sender", "at"),
    sa.Index("ix_incidents_entry", "entry", "at"),
    sqlite_autoincrement=True,
)
"""A kept diagnosis.

``uid`` identifies it in exports; ``token_hash`` is the only trace of its link. ``message`` is the failure's, without its values.
``cause`` is the first one of the answer. ``sender`` is a hash, ``log`` identifies the log, and ``digest`` the answer. ``again``:
the same sender gave the same log shortly before, so it does not count. ``epochs`` and ``steps``: how far the run got. ``answer``
is the redacted document, compressed with zlib. The indexes contain all columns that counting needs, so that no row is read for
it. Identifiers are never reused, so that an old reference to a deleted incident cannot point to another one.
"""

FEEDBACK = sa.Table(
    "feedback",
    METADATA,
    sa.Column("id", BIG, primary_key=True, autoincrement=True),
    sa.Column("incident", BIG, sa.ForeignKey("incidents.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("sender", sa.String(32), nullable=False),
    sa.Column("at", sa.Float(53), nullable=False),
    sa.Column("said", sa.String(20), nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("cause", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.String(32), nullable=False, server_default=""),
    sa.Column("entry", sa.Text, nullable=False, server_default=""),
    sa.Column("named", sa.Text, nullable=False, server_default=""),
    sa.UniqueConstraint("incident", "sender"),
    sa.Index("ix_feedback_at", "at", "said"),
    sa.Index("ix_feedback_sender", "sender"),
    sa.Index("ix_feedback_fingerprint", "fingerprint", "said", "at"),
    sa.Index("ix_feedback_entry", "entry", "at"),
    sa.Index("ix_feedback_named", "named", "at"),
)
"""Feedback on a kept diagnosis: the last one of each sender. ``cause`` is ``entry/cause``, or empty.
``fingerprint`` and ``entry`` are the diagnosis's, and ``named`` is the entry of ``cause``: so the newest feedback on a failure or
an entry is found without reading all of its diagnoses.
"""

FAILURES = sa.Table(
    "failures",
    METADATA,
    sa.Column("id", BIG, primary_key=True, autoincrement=True),
    sa.Column("fingerprint", sa.String(32), nullable=False, unique=True),
    sa.Column("vector", VectorType, nullable=False),
    sqlite_autoincrement=True,
)
"""A failure that was kept at least once, and the ``vector`` of its message: 384 numbers of length one. A failure that occurs a
thousand times has one vector. Its row is deleted with its last diagnosis.
"""
