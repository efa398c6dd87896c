"""Who sent a request, as an opaque word: enough to count a sender once, and nothing to find the person by."""

import hashlib
import hmac
import secrets

from fastapi import Request

_KEY = secrets.token_bytes(32)  # of this process: the word of an address cannot be computed elsewhere, nor after a restart


def sender_of(request: Request) -> str:
    """The address of the other side, hashed with a key that is never written down."""
    host = request.client.host if request.client else ""
    return hmac.new(_KEY, host.encode(), hashlib.sha256).hexdigest()[:24]
