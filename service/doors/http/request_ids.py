"""A number for every request, so that a line of a log and an answer can be brought together."""

import re
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-Id"
_ACCEPTED = re.compile(r"[A-Za-z0-9._:@/+=-]{1,128}")


class RequestIds:
    """ASGI middleware: the sender's ``X-Request-Id`` is sent back; a request without one gets one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get(HEADER, "")
        # What is no plain word could forge lines of a log.
        number = said if _ACCEPTED.fullmatch(said) else uuid.uuid4().hex

        async def send_with_number(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = number
            await send(message)

        scope.setdefault("state", {})["request_id"] = number
        await self._app(scope, receive, send_with_number)


def request_id(scope: Scope) -> str:
    """The number of the request, empty outside of one."""
    return str(scope.get("state", {}).get("request_id", ""))
