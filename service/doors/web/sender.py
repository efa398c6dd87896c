"""Who sent a request, as an opaque word: enough to count a sender once, and nothing to find the person by."""

import hashlib
import hmac
import secrets

from fastapi import Request

from tfhelp.service.access.addresses import network_of
from tfhelp.service.access.identity import current

_KEY = secrets.token_bytes(32)  # of this process: the word of an address cannot be computed elsewhere, nor after a restart


def sender_of(request: Request) -> str:
    """Who is logged in or has the token, else the client's address; hashed with a key that is never written down."""
    address = request.client.host if request.client else ""
    sender = current().who.key or network_of(address)
    return hmac.new(_KEY, sender.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:24]
