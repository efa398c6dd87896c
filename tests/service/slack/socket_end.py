"""The server's end of a connection of Socket Mode (RFC 6455, unfragmented text frames)."""

import json
import socket
import struct
import threading
import typing

Json = dict[str, typing.Any]


class Socket:
    """A connection."""

    def __init__(self, connection: typing.Any) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self.acknowledged: list[str] = []

    def send(self, message: Json) -> None:
        """Send a message to the client."""
        data = json.dumps(message).encode()
        if len(data) < 126:
            head = struct.pack("!BB", 0x81, len(data))
        else:
            head = struct.pack("!BBQ", 0x81, 127, len(data)) if len(data) > 0xFFFF else struct.pack("!BBH", 0x81, 126, len(data))
        with self._lock:
            self._connection.sendall(head + data)

    def read_until_closed(self, changed: threading.Condition) -> None:
        """Record the client's acknowledgements."""
        try:
            while True:
                first, second = self._read(2)
                size = second & 127
                if size == 126:
                    (size,) = struct.unpack("!H", self._read(2))
                mask = self._read(4)
                data = bytes(byte ^ mask[index % 4] for index, byte in enumerate(self._read(size)))
                kind = first & 15
                if kind == 8:
                    return
                if kind == 9:
                    with self._lock:
                        self._connection.sendall(struct.pack("!BB", 0x8A, len(data)) + data)
                if kind == 1:
                    with changed:
                        self.acknowledged.append(json.loads(data)["envelope_id"])
                        changed.notify_all()
        except OSError:
            return

    def close(self) -> None:
        """Close the connection."""
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self._connection.recv(size - len(data))
            if not more:
                raise OSError("closed")
            data += more
        return data
