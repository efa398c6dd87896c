"""Requests that are sent again. A client or a proxy that got no answer may repeat its request; the answer is kept only once.

The token of a kept answer is then computed from the request itself. So every replica of the server makes the same token, and the
database refuses the second row. Nothing more is stored: to make the token, you need the key, which is never logged, and the text.
"""

import base64
import hashlib
import hmac
import json

from fastapi import Request

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.service.diagnosis.given import Given
from tfhelp.service.doors.http.errors import ApiError

HEADER = "Idempotency-Key"
_ACCEPTED = Pattern(r"[\x21-\x7e]{16,128}")


def token_of_request(request: Request, given: Given) -> str:
    """The token under which the answer to a request is kept; empty if the request has no ``Idempotency-Key``.

    The same key with a different text, facts or path gives a different token. ``X-Request-Id`` is not used for this: it
    appears in logs, and clients use the same one for several requests.

    Args:
        request: the request, which may have the header.
        given: what is diagnosed.

    Raises:
        ApiError: the key is too short to be a secret, or too long.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not _ACCEPTED.fullmatch(key):
        raise ApiError(422, HEADER, "expected 16 to 128 printable characters without spaces, such as a random UUID")
    asked = json.dumps([request.url.path, given.text, given.facts], sort_keys=True)
    made = hmac.new(key.encode("ascii"), asked.encode("ascii"), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).decode("ascii").rstrip("=")
