"""Run by Alembic: migrates over the connection that ``database.migrate`` holds, inside its transaction."""

from alembic import context

from tfhelp.service.memory.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
