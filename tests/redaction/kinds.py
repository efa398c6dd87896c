"""All kinds of planted secrets, by name."""

from tests.redaction import arguments, credentials, identities
from tests.redaction.table import KINDS

__all__ = ["KINDS", "arguments", "credentials", "identities"]
