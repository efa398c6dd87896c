"""The tables of a team's memory. ``migrations`` makes them; a test holds the two together."""

import sqlalchemy as sa

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

INCIDENTS = sa.Table(
    "incidents",
    METADATA,
    sa.Column("id", BIG, primary_key=True, autoincrement=True),
    sa.Column("uid", sa.String(32), nullable=False, unique=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("at", sa.Float(53), nullable=False, index=True),
    sa.Column("fingerprint", sa.String(32), nullable=False, index=True),
    sa.Column("fingerprint_version", sa.Integer, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("kb_version", sa.Text, nullable=False),
    sa.Column("verdict", sa.String(20), nullable=False, index=True),
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
    sa.Column("vector", sa.LargeBinary),
    sqlite_autoincrement=True,
)
"""A kept diagnosis.

``uid`` names it in exports, ``token_hash`` is all that is known of its link. ``message`` is the
failure's without its values, of which ``vector`` is made. ``cause`` is the one that the answer puts first.
``sender`` is a hash, ``log`` tells one log from another, ``digest`` one answer from another. ``again``: the same sender gave
the same log shortly before, so that it does not count. ``epochs`` and ``steps``: how far the run came. ``answer`` is zlib's
compression of the redacted document. ``vector``: 384 numbers of four bytes, little-endian, of length one.
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
    sa.UniqueConstraint("incident", "sender"),
)
"""What somebody said of a kept diagnosis: the last word of each sender. ``cause`` is ``entry/cause``, or empty."""
