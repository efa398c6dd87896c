"""The compatibility tables, read once for all tests of this room."""

import pytest

from tfhelp.kb import compat_tables
from tfhelp.kb.tables import Tables


@pytest.fixture(scope="session")
def tables() -> Tables:
    """The tables straight from their YAML files."""
    return compat_tables.tables()
