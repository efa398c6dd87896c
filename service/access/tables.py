"""The tables of tokens, owners, the audit log and rates, next to those of a team's memory. A migration creates them."""

import sqlalchemy as sa

from tfhelp.service.memory.tables import BIG, METADATA

TOKENS = sa.Table(
    "tokens",
    METADATA,
    sa.Column("id", BIG, primary_key=True, autoincrement=True),
    sa.Column("uid", sa.String(32), nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False, unique=True),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("created", sa.Float(53), nullable=False),
    sa.Column("expires", sa.Float(53)),
    sa.Column("revoked", sa.Float(53)),
    sa.Column("last_used", sa.Float(53)),
    sqlite_autoincrement=True,
)
"""A token of the API. ``hash`` is its SHA-256, ``scopes`` are names separated by commas, times are seconds since 1970, UTC."""

OWNERS = sa.Table(
    "owners",
    METADATA,
    sa.Column("incident", BIG, sa.ForeignKey("incidents.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False),
)
"""Who had a diagnosis kept: a hash of ``Who.key``."""

AUDIT = sa.Table(
    "audit",
    METADATA,
    sa.Column("id", BIG, primary_key=True, autoincrement=True),
    sa.Column("at", sa.Float(53), nullable=False, index=True),
    sa.Column("action", sa.String(20), nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False, index=True),
    sqlite_autoincrement=True,
)
"""Who did what to which diagnosis or token. ``subject`` is a diagnosis's ``uid`` or a token's name. No pasted text is stored."""

RATES = sa.Table(
    "rates",
    METADATA,
    sa.Column("client", sa.String(64), primary_key=True),
    sa.Column("hits", sa.Integer, nullable=False),
    sa.Column("expires", sa.Float(53), nullable=False),
)
"""How many requests a client sent in the window that ends at ``expires``. ``client`` is a hash."""
