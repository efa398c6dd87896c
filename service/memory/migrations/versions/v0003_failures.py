"""One vector for each different failure, and indexes for the queries of a request and of the weekly figures."""

import typing

import sqlalchemy as sa
from alembic import op

from tfhelp.service.memory.tables import VectorType

revision = "0003"
down_revision = "0002"

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_BATCH = 500
_OF_FEEDBACK = {"fingerprint": sa.String(32), "entry": sa.Text(), "named": sa.Text()}
_INDEXES = {
    "incidents": {
        "at": ("at", "again", "verdict", "entry", "fingerprint"),
        "fingerprint": ("fingerprint", "at", "again", "digest"),
        "log": ("log", "sender", "at"),
        "entry": ("entry", "at"),
    },
    "feedback": {
        "at": ("at", "said"),
        "sender": ("sender",),
        "fingerprint": ("fingerprint", "said", "at"),
        "entry": ("entry", "at"),
        "named": ("named", "at"),
    },
}


def upgrade() -> None:
    """Create the table of failures from the vectors of the incidents, and the indexes."""
    op.create_table(
        "failures",
        sa.Column("id", _BIG, primary_key=True, autoincrement=True),
        sa.Column("fingerprint", sa.String(32), nullable=False),
        sa.Column("vector", VectorType, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_failures"),
        sa.UniqueConstraint("fingerprint", name="uq_failures_fingerprint"),
        sqlite_autoincrement=True,
    )
    for name, kind in _OF_FEEDBACK.items():
        op.add_column("feedback", sa.Column(name, kind, nullable=False, server_default=""))
    for name in ("fingerprint", "entry"):
        op.execute(f"UPDATE feedback SET {name} = (SELECT {name} FROM incidents WHERE incidents.id = feedback.incident)")
    place = "strpos" if op.get_bind().dialect.name == "postgresql" else "instr"
    op.execute(f"UPDATE feedback SET named = substr(cause, 1, {place}(cause, '/') - 1) WHERE {place}(cause, '/') > 0")
    _move_vectors(op.get_bind())
    op.drop_column("incidents", "vector")
    for column in ("at", "fingerprint", "verdict"):
        op.drop_index(f"ix_incidents_{column}", "incidents")
    for table, indexes in _INDEXES.items():
        for name, columns in indexes.items():
            op.create_index(f"ix_{table}_{name}", table, list(columns))


def _move_vectors(connection: sa.Connection) -> None:
    """Move the vector of the newest incident of each fingerprint; a vector without 384 numbers is not moved."""
    newest = "SELECT max(id) FROM incidents WHERE vector IS NOT NULL GROUP BY fingerprint"
    identifiers = connection.execute(sa.text(newest)).scalars().all()
    given = sa.text("SELECT fingerprint, vector FROM incidents WHERE id IN :ids").bindparams(sa.bindparam("ids", expanding=True))
    failures = sa.table("failures", sa.column("fingerprint"), sa.column("vector", VectorType))
    for start in range(0, len(identifiers), _BATCH):
        rows = connection.execute(given, {"ids": identifiers[start : start + _BATCH]}).all()
        values = [{"fingerprint": row.fingerprint, "vector": bytes(row.vector)} for row in rows if len(row.vector) == 4 * 384]
        if values:
            connection.execute(sa.insert(failures), values)


def downgrade() -> None:
    """Restore the vectors and the indexes of the incidents."""
    op.add_column("incidents", sa.Column("vector", sa.LargeBinary))
    connection = op.get_bind()
    failures = sa.table("failures", sa.column("fingerprint"), sa.column("vector", VectorType))
    for row in connection.execute(sa.select(failures)).all():
        values: dict[str, typing.Any] = {"vector": row.vector, "fingerprint": row.fingerprint}
        connection.execute(sa.text("UPDATE incidents SET vector = :vector WHERE fingerprint = :fingerprint"), values)
    for table, indexes in _INDEXES.items():
        for name in indexes:
            op.drop_index(f"ix_{table}_{name}", table)
    for column in ("at", "fingerprint", "verdict"):
        op.create_index(f"ix_incidents_{column}", "incidents", [column])
    for name in _OF_FEEDBACK:
        op.drop_column("feedback", name)
    op.drop_table("failures")
