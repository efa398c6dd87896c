"""An opaque id for the sender of a request: enough to count a sender once, but not to identify the person."""

import hashlib
import hmac
import secrets

from fastapi import Request

from tfhelp.service.access.addresses import network_of
from tfhelp.service.access.identity import current
from tfhelp.service.memory.memory import Memory


def sender_key(memory: Memory) -> bytes:
    """The key that senders are hashed with.

    All replicas know the password of their database, so a sender has the same id on all of them. The database does not hold the
    password, so a reader of the database cannot try addresses until an id matches. Deriving the key is slow, so that a reader
    cannot try passwords either. Without a password the key is random, and lasts as long as the process.
    """
    engine = getattr(memory, "engine", None)
    password = engine.url.password if engine is not None else None
    if not password:
        return secrets.token_bytes(32)
    return hashlib.scrypt(str(password).encode(), salt=b"tfhelp sender", n=1 << 14, r=8, p=1, dklen=32)


def sender_of(request: Request) -> str:
    """The id: a hash of the login, the token or else the client's address, with the application's key."""
    address = request.client.host if request.client else ""
    sender = current().who.key or network_of(address)
    key: bytes = request.app.state.sender_key
    return hmac.new(key, sender.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:24]
