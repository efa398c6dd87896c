"""An id for every request, so that you can match a log line with an answer."""

import re
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-Id"
_ACCEPTED = re.compile(r"[A-Za-z0-9._:@/+=-]{1,128}")


class RequestIds:
    """ASGI middleware: sends the sender's ``X-Request-Id`` back; a request without one gets a new one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get(HEADER, "")
        # Anything but a plain word could forge log lines.
        number = said if _ACCEPTED.fullmatch(said) else uuid.uuid4().hex

        async def send_with_number(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = number
            await send(message)

        scope.setdefault("state", {})["request_id"] = number
        await self._app(scope, receive, send_with_number)


def request_id(scope: Scope) -> str:
    """The id of the request, empty outside a request."""
    return str(scope.get("state", {}).get("request_id", ""))
