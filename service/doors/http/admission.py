"""How much is let in: no more bodies than the memory can hold, and no more questions than may wait."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import typing

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tfhelp.service.access.identity import current
from tfhelp.service.workers.limits import BusyError

_QUESTIONS = ("/", "/api/v1/diagnose")
_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_HELD = 3  # a body is held up to this many times the longest text; the rest is dropped as it is read
_TOGETHER = 4  # all bodies together: at most this many times the longest text
_OF_A_CLIENT = 2  # all bodies of one client together: likewise
_MEBIBYTE = 1 << 20
_SHORT = 64 << 10  # bytes of a body that is read to its end before its request is refused
_DIGITS = 10

Refuse = typing.Callable[[Scope, int, str, str, int], ASGIApp]


class Admission:
    """ASGI middleware. If a client disconnects, it also cancels the work for that client.

    Args:
        app: the application behind it.
        max_bytes: bytes of the longest text.
        check_room: raises ``BusyError`` if another question would be refused.
        refuse: makes the answer from scope, status, code, reason, and the seconds after which to ask again (0 for never).
    """

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int,
        check_room: typing.Callable[[], None],
        refuse: Refuse,
    ) -> None:
        self._app = app
        self._check_room = check_room
        self._refuse = refuse
        self._most = max_bytes * _TOGETHER
        self._most_of_a_client = max_bytes * _OF_A_CLIENT
        self._most_of_one = max_bytes * _HELD + _MEBIBYTE
        self._held = 0
        self._held_by: collections.Counter[str] = collections.Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in _CHANGING:
            await self._app(scope, receive, send)
            return
        request = _Request(self, receive, send)
        try:
            if scope["path"] in _QUESTIONS:
                self._check_room()
            await request.run(self._app, scope)
        except BusyError as error:
            if not request.answered:
                await request.read_short(Headers(scope=scope))
                await self._refuse(scope, 503, error.code, str(error), error.retry_after_s)(scope, receive, request.send)
        finally:
            self.give_back(request.client, request.held)

    def take(self, client: str, count: int, held: int) -> int:
        """Reserve room for a piece of a body. Return how many of its bytes count.

        Args:
            client: identifies the client that sends the request.
            count: bytes of the piece.
            held: bytes that this request holds already.

        Raises:
            BusyError: the bodies of all requests together, or of all requests of this client, are too large.
        """
        count = max(0, min(count, self._most_of_one - held))
        # A single request always finds room.
        if self._held + count > self._most and self._held > held:
            raise BusyError("The service holds as much text as it can. Ask again in a moment.", 2)
        if self._held_by[client] + count > self._most_of_a_client and self._held_by[client] > held:
            raise BusyError("The service holds as much of your text as it can. Ask again in a moment.", 2)
        self._held += count
        self._held_by[client] += count
        return count

    def give_back(self, client: str, count: int) -> None:
        """Free the room of a request."""
        self._held -= count
        self._held_by[client] -= count
        if not self._held_by[client]:
            del self._held_by[client]


class _Request:
    """One request while it is handled.

    Attributes:
        client: identifies the client that sends it.
        held: bytes of its body that count.
        answered: whether the answer has begun.
    """

    def __init__(self, admission: Admission, receive: Receive, send: Send) -> None:
        self.client = current().client
        self.held = 0
        self.answered = False
        self._admission = admission
        self._receive = receive
        self._send = send
        self._whole = False
        self._left = False
        self._watch: asyncio.Task[None] | None = None
        self._task: asyncio.Task[typing.Any] | None = None

    async def run(self, app: ASGIApp, scope: Scope) -> None:
        self._task = asyncio.current_task()
        try:
            await app(scope, self.receive, self.send)
        except asyncio.CancelledError:
            if self._left:
                return  # no client is left to read an answer
            if not self.answered:
                raise BusyError("The service is ending. Ask again in a moment.", 5) from None
            raise
        finally:
            if self._watch is not None:
                self._watch.cancel()

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self.held += self._admission.take(self.client, len(message.get("body", b"")), self.held)
            if not message.get("more_body", False) and not self._whole:
                self._whole = True
                self._watch = asyncio.create_task(self._until_left())
        return message

    async def read_short(self, headers: Headers) -> None:
        """Read a short body to its end, so that the connection can be used again: a new one would cost both sides more."""
        announced = headers.get("content-length", "")
        if not self._whole and announced.isdigit() and len(announced) < _DIGITS and int(announced) <= _SHORT:
            while not self._whole:
                message = await self._receive()
                self._whole = message["type"] != "http.request" or not message.get("more_body", False)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.answered = True
            if not self._whole and message["status"] >= 400:
                # The rest of the body is not read, so the connection cannot be used again.
                MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)

    async def _until_left(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            while (await self._receive())["type"] != "http.disconnect":
                pass
            if not self.answered and self._task is not None:
                self._left = True
                self._task.cancel()
