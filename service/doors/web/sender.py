"""An opaque id for the sender of a request: enough to count a sender once, but not to identify the person."""

import hashlib
import hmac
import secrets

from fastapi import Request

from tfhelp.service.access.addresses import network_of
from tfhelp.service.access.identity import current

_KEY = secrets.token_bytes(32)  # of this process: an address's id cannot be computed elsewhere, nor after a restart


def sender_of(request: Request) -> str:
    """The id: a hash of the login, the token or else the client's address, with a key that is never written down."""
    address = request.client.host if request.client else ""
    sender = current().who.key or network_of(address)
    return hmac.new(_KEY, sender.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:24]
