"""The tables of a team's memory. ``migrations`` makes them; a test holds the two together."""

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
    """Numbers of four bytes, little-endian: as they are in SQLite, as ``real[]`` in PostgreSQL, which pgvector can index."""

    impl = sa.LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[typing.Any]:
        """The type in a database."""
        real = postgresql.ARRAY(postgresql.REAL)
        return dialect.type_descriptor(real if dialect.name == "postgresql" else sa.LargeBinary())

    def process_bind_param(self, value: bytes | None, dialect: sa.Dialect) -> typing.Any:
        """On the way in."""
        return array.array("f", value).tolist() if value is not None and dialect.name == "postgresql" else value

    def process_result_value(self, value: typing.Any, dialect: sa.Dialect) -> bytes | None:
        """On the way out."""
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

``uid`` names it in exports, ``token_hash`` is all that is known of its link. ``message`` is the
failure's without its values. ``cause`` is the one that the answer puts first.
``sender`` is a hash, ``log`` tells one log from another, ``digest`` one answer from another. ``again``: the same sender gave
the same log shortly before, so that it does not count. ``epochs`` and ``steps``: how far the run came. ``answer`` is zlib's
compression of the redacted document. The indexes hold all columns that counting needs, so that no row is read for it.
Identifiers are never given out twice, so that a deleted one cannot become another incident for who still remembers it.
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
"""What somebody said of a kept diagnosis: the last word of each sender. ``cause`` is ``entry/cause``, or empty.
``fingerprint`` and ``entry`` are the diagnosis's, and ``named`` is the entry of ``cause``: so the newest words on a failure or on
an entry are found without a look at all diagnoses of it."""

FAILURES = sa.Table(
    "failures",
    METADATA,
    sa.Column("id", BIG, primary_key=True, autoincrement=True),
    sa.Column("fingerprint", sa.String(32), nullable=False, unique=True),
    sa.Column("vector", VectorType, nullable=False),
    sqlite_autoincrement=True,
)
"""A failure that was kept once or more, and the ``vector`` of its message: 384 numbers of length one. A failure that comes back
a thousand times has one vector. Its row leaves with the last diagnosis of it."""
