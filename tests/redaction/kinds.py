"""All kinds of planted secrets, by name."""

from tests.redaction import credentials, identities
from tests.redaction.table import KINDS

__all__ = ["KINDS", "credentials", "identities"]
