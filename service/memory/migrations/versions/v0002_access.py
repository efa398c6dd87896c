"""API tokens, the owners of kept diagnoses, the audit log, and counted requests."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the four tables."""
    op.create_table(
        "tokens",
        sa.Column("id", _BIG, primary_key=True, autoincrement=True),
        sa.Column("uid", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("expires", sa.Float(53)),
        sa.Column("revoked", sa.Float(53)),
        sa.Column("last_used", sa.Float(53)),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("uid", name="uq_tokens_uid"),
        sa.UniqueConstraint("hash", name="uq_tokens_hash"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "owners",
        sa.Column("incident", _BIG, nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("incident", name="pk_owners"),
        sa.ForeignKeyConstraint(["incident"], ["incidents.id"], name="fk_owners_incident", ondelete="CASCADE"),
    )
    op.create_table(
        "audit",
        sa.Column("id", _BIG, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_subject", "audit", ["subject"])
    op.create_table(
        "rates",
        sa.Column("client", sa.String(64), nullable=False),
        sa.Column("hits", sa.Integer, nullable=False),
        sa.Column("expires", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("client", name="pk_rates"),
    )


def downgrade() -> None:
    """Delete the four tables with their content."""
    for name in ("rates", "audit", "owners", "tokens"):
        op.drop_table(name)
