"""Connections of the web server, with limits on the size of a head, the time for head and body, and the number of connections.

uvicorn leaves these limits to a proxy. Here a connection that is slow, idle or stuck is closed, so that others find room.
"""

from __future__ import annotations

import asyncio
import collections
import os
import sys
import time
import typing

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tfhelp.service.access.addresses import Networks, network_of

HEAD_BYTES = 64 << 10
MOST_CONNECTIONS = 1000
_BODY_BYTES_A_SECOND = 16 << 10
_LINGER_BYTES = 256 << 20
_DESCRIPTORS_KEPT = 64  # file descriptors reserved for files, databases and workers
_FEWEST_CONNECTIONS = 16
_LOG_EVERY_S = 10.0
_FULL = "The service has as many connections as it can hold. Ask again in a moment."


class Patience(typing.NamedTuple):
    """How long a connection may take, in seconds.

    Attributes:
        head: time for the head of a request, or for the first byte of a new connection.
        idle: time between two requests.
        body: time for a body; one second more for each 16 KiB received.
        stuck: time in which a client must take some of its answer.
        linger: time in which a refused client may go on sending, so that it reads the reason.
    """

    head: float = 10.0
    idle: float = 15.0
    body: float = 20.0
    stuck: float = 30.0
    linger: float = 5.0


Phase = typing.Literal["idle", "head", "body", "answer", "linger"]
_WAITING = ("linger", "idle", "head")  # phases in which closing a connection loses no request


def most_connections() -> int:
    """How many connections this process can hold: a thousand, or fewer if it may open fewer files."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft < 0 else max(_FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, soft - _DESCRIPTORS_KEPT))


class _Transport:
    """A transport that lets a client finish sending before it closes; otherwise the system discards the answer."""

    __slots__ = ("_protocol", "_transport", "get_extra_info", "write")

    def __init__(self, transport: asyncio.Transport, protocol: BoundedProtocol) -> None:
        self._transport = transport
        self._protocol = protocol
        self.write = transport.write
        self.get_extra_info = transport.get_extra_info

    def close(self) -> None:
        self._protocol.close_gracefully()

    def is_closing(self) -> bool:
        return self._protocol.phase == "linger" or self._transport.is_closing()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, with limits.

    Attributes:
        patience: time limits of all connections.
        proxies: proxies whose connections are those of many clients.
        client_network: what counts as the client: an address, or a network of IPv6; empty for a proxy's connection.
        phase: what the connection waits for: a request, the rest of its head or body, our answer, or its end.
        since: when the phase began, by ``loop.time``.
    """

    patience = Patience()
    proxies = Networks()

    def __init__(self, *arguments: typing.Any, **named: typing.Any) -> None:
        super().__init__(*arguments, **named)
        self.phase: Phase = "idle"
        self.since = self.loop.time()
        self._received = 0  # bytes in this phase
        self._head = 0  # bytes of the head so far
        self._unsent = 0
        self._unsent_since = 0.0
        self._raw: asyncio.Transport | None = None
        self.client_network = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection. If there are too many, close another one, or refuse this one."""
        super().connection_made(transport)
        if self.client is not None and self.client[0] not in self.proxies:
            self.client_network = network_of(self.client[0])
        self._raw = transport
        self.transport = typing.cast(asyncio.Transport, _Transport(transport, self))
        self._enter("idle")
        _watch(self)
        if len(self.connections) > most_connections():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take the data, unless the connection was refused or its head is too large."""
        self._received += len(data)
        if self.phase == "linger":
            if self._received > _LINGER_BYTES:
                self.abort()
            return
        if self.phase in ("idle", "head"):
            self._head += len(data)
        super().data_received(data)
        if self.phase == "head" and self._head > HEAD_BYTES:
            self._refuse(431, "The head of the request is larger than 64 KiB.")

    def on_message_begin(self) -> None:
        """The first byte of a request has arrived."""
        super().on_message_begin()
        if self.phase == "idle":
            self._enter("head")

    def on_headers_complete(self) -> None:
        """The head is complete."""
        if self.phase == "linger":
            return
        if sum(len(name) + len(value) for name, value in self.headers) + len(self.url) > HEAD_BYTES:
            self._refuse(431, "The head of the request is larger than 64 KiB.")
            return
        self._head = 0
        self._enter("body")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body has arrived."""
        if self.phase != "linger":
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        if self.phase == "linger":
            return
        super().on_message_complete()
        self._enter("idle" if self.cycle.response_complete else "answer")

    def on_response_complete(self) -> None:
        """The answer was handed to the system."""
        if self.phase == "answer":
            self._enter("idle")
        super().on_response_complete()
        if self.phase == "body":  # answered before the whole body arrived; the answer says so
            self.close_gracefully()

    def close_gracefully(self) -> None:
        """Close, but let a client that has not sent its whole request finish sending and read the answer."""
        if self._raw is None or self._raw.is_closing() or self.phase == "linger":
            return
        if self.phase != "body" or not self._raw.can_write_eof():
            self._raw.close()
            return
        self._enter("linger")
        self._raw.write_eof()
        if self.flow is not None:
            self.flow.resume_reading()

    def abort(self) -> None:
        """Close immediately."""
        if self._raw is not None:
            self._raw.abort()

    def check(self, now: float) -> None:
        """Close the connection if it takes too long. Called every second."""
        waited, patience = now - self.since, self.patience
        if self.phase == "idle" and waited > (patience.head if self.cycle is None else patience.idle):
            self.close_gracefully()
        elif self.phase == "head" and waited > patience.head:
            self._refuse(408, "The head of the request did not come in time.")
        elif (
            self.phase == "body" and not self.flow.read_paused and waited > patience.body + self._received / _BODY_BYTES_A_SECOND
        ):
            self._refuse(408, "The body of the request did not come in time.")
        elif self.phase == "linger" and waited > patience.linger:
            self.abort()
        self._check_answer(now)

    def _check_answer(self, now: float) -> None:
        unsent = self._raw.get_write_buffer_size() if self._raw is not None else 0
        if unsent != self._unsent or not unsent:
            self._unsent, self._unsent_since = unsent, now
        elif now - self._unsent_since > self.patience.stuck:
            self.abort()

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.since = self.loop.time()
        self._received = 0

    def _refuse(self, status: int, reason: str) -> None:
        """Send an error, unless an answer has begun; then close."""
        if self.phase == "linger" or self._raw is None:
            return
        started = self.phase == "body" and self.cycle is not None and self.cycle.response_started
        if not started:
            body = reason.encode()
            self._raw.write(
                STATUS_LINE[status]
                + b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: "
                + str(len(body)).encode()
                + b"\r\n\r\n"
                + body
            )
        if self.phase == "body" and self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.phase = "body"  # so that close_gracefully lets the client finish
        self.close_gracefully()

    def _make_room(self) -> None:
        others = [one for one in self.connections if isinstance(one, BoundedProtocol) and one is not self]
        _say_full(len(others))
        closed = self._first_to_close(others)
        if closed is None:
            self._refuse(503, _FULL)
        elif closed.phase == "body":
            closed._refuse(503, _FULL)
        else:
            closed.abort()

    def _first_to_close(self, others: list[BoundedProtocol]) -> BoundedProtocol | None:
        """The connection that makes room for this one; ``None`` if there is none, and this one has to go.

        A client that holds more connections than this one's gives one up, even in the middle of a request: otherwise one address could
        hold all connections with bodies that drip. A client never closes the connections of one that holds fewer. A proxy's
        connections are those of many clients: they count together, and only those that wait are closed.
        """
        held = collections.Counter(one.client_network for one in [*others, self])
        own, most = held[self.client_network], max((count for client, count in held.items() if client), default=0)
        if most > own:
            those = [one for one in others if one.client_network and held[one.client_network] == most]
        else:
            those = [one for one in others if one.phase in _WAITING and held[one.client_network] >= own]
        return min(those, key=lambda one: (one.phase not in _WAITING, one.phase == "answer", one.since), default=None)


def protocol_of(proxies: Networks | None) -> type[BoundedProtocol]:
    """The protocol of a server behind these proxies."""
    return type("BoundedProtocol", (BoundedProtocol,), {"proxies": proxies or Networks()})


def _watch(protocol: BoundedProtocol) -> None:
    """Check all connections of a server every second, as long as there are any."""
    state: typing.Any = protocol.server_state
    if getattr(state, "is_watched", False):
        return
    state.is_watched = True

    def look() -> None:
        now = protocol.loop.time()
        for connection in list(protocol.connections):
            if isinstance(connection, BoundedProtocol):
                connection.check(now)
        state.is_watched = bool(protocol.connections)
        if state.is_watched:
            protocol.loop.call_later(1.0, look)

    protocol.loop.call_later(1.0, look)


_said_full = [0.0]


def _say_full(count: int) -> None:
    now = time.monotonic()
    if now - _said_full[0] > _LOG_EVERY_S:
        _said_full[0] = now
        print(
            f"tfhelp: {count} connections are open, which is all that process {os.getpid()} can hold", file=sys.stderr, flush=True
        )
