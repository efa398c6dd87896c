"""Errors of the API: codes for programs, and reasons for people."""

from starlette.responses import Response

from tfhelp.service.doors.http import strict_json

CODES = {
    "bad-body": "the body could not be read",
    "bad-header": "a header was sent twice or is not valid",
    "bad-token": "the token is unknown, revoked or expired",
    "busy": "the service is busy; ask again after Retry-After seconds",
    "deadline": "the answer took longer than a question may take",
    "empty": "there is nothing to diagnose",
    "fault": "tfhelp failed; the fault is logged, without the text",
    "foreign-origin": "a page of another site sent the request",
    "invalid-fact": "a fact does not exist or has another type",
    "invalid-json": "the body is not acceptable JSON",
    "invalid-reply": "a reply is not a possible value of the fact that was asked for",
    "invalid-value": "the value of a key or parameter is not valid",
    "memory-away": "the memory of this server fails or does not answer; ask again after Retry-After seconds",
    "method-not-allowed": "the path does not support this method",
    "no-token": "the request has no token",
    "no-text": "the file holds no text",
    "not-allowed": "the caller may not do this",
    "not-found": "there is no such path or entry",
    "not-ready": "the service is still starting",
    "refused": "the request is refused",
    "too-much-memory": "the text needs more memory than a question may take",
    "worker-lost": "the worker processes that read the text ended",
    "too-large": "the text is over the limit",
    "too-many": "the client sent more requests than it may",
    "unknown-key": "the body has an unknown key",
    "unsupported-type": "the type of the body, or of the requested answer, is not supported",
    "wrong-host": "the server does not answer under this host name",
}
"""Every code, and what it means. A code never changes its meaning."""

_BY_STATUS = {
    400: "bad-body",
    401: "no-token",
    403: "not-allowed",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-type",
}


class ApiError(Exception):
    """A request that cannot be answered: HTTP status, path of the wrong field, reason, and a code from ``CODES``."""

    def __init__(self, status: int, path: str, reason: str, code: str = "invalid-value") -> None:
        super().__init__(status, path, reason, code)  # all of them, so that the error survives pickling in another process
        self.status = status
        self.path = path
        self.reason = reason
        self.code = code


def error_response(status: int, path: str, reason: str, code: str = "", retry_after_s: int = 0, request_id: str = "") -> Response:
    """``{"error": {"status", "code", "path", "reason"}}``; ``path`` is empty if the error belongs to no field.

    Args:
        status, path, reason, code: as in ``ApiError``; without a code, the status decides it.
        retry_after_s: when to ask again, in seconds; 0 for never.
        request_id: added as ``request_id``, if given.
    """
    code = code or _BY_STATUS.get(status, "fault" if status >= 500 else "refused")
    number = {"request_id": request_id} if request_id else {}
    response = json_response({"error": {"status": status, "code": code, "path": path, "reason": reason, **number}}, status)
    if retry_after_s:
        response.headers["Retry-After"] = str(retry_after_s)
    return response


def json_response(document: object, status: int = 200) -> Response:
    """A document as it is, without validating it again."""
    return Response(strict_json.dump(document), status, media_type="application/json")
