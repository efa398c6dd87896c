"""The first tables: incidents and their feedback."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "incidents",
        sa.Column("id", _BIG, primary_key=True, autoincrement=True),
        sa.Column("uid", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("fingerprint", sa.String(32), nullable=False),
        sa.Column("fingerprint_version", sa.Integer, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("kb_version", sa.Text, nullable=False),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("sender", sa.String(32), nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("log", sa.String(32), nullable=False),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("again", sa.Boolean, nullable=False),
        sa.Column("epochs", sa.Integer),
        sa.Column("steps", _BIG),
        sa.Column("condensed", sa.Text, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("given", sa.Text, nullable=False),
        sa.Column("vector", sa.LargeBinary),
        sa.PrimaryKeyConstraint("id", name="pk_incidents"),
        sa.UniqueConstraint("uid", name="uq_incidents_uid"),
        sa.UniqueConstraint("token_hash", name="uq_incidents_token_hash"),
        sqlite_autoincrement=True,
    )
    for column in ("at", "fingerprint", "verdict", "sender"):
        op.create_index(f"ix_incidents_{column}", "incidents", [column])
    op.create_table(
        "feedback",
        sa.Column("id", _BIG, primary_key=True, autoincrement=True),
        sa.Column("incident", _BIG, nullable=False),
        sa.Column("sender", sa.String(32), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("said", sa.String(20), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feedback"),
        sa.ForeignKeyConstraint(["incident"], ["incidents.id"], name="fk_feedback_incident", ondelete="CASCADE"),
        sa.UniqueConstraint("incident", "sender", name="uq_feedback_incident"),
    )
    op.create_index("ix_feedback_incident", "feedback", ["incident"])


def downgrade() -> None:
    """Delete both tables with their content."""
    op.drop_table("feedback")
    op.drop_table("incidents")
