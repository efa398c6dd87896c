"""A queue in which the clients take turns, so that a client with much work delays another by one piece of it at most."""

import collections
import typing

_T = typing.TypeVar("_T")


class FairQueue(typing.Generic[_T]):
    """Items that wait, in a line for each client. It is not safe for threads; the caller holds a lock."""

    __slots__ = ("_length", "_lines")

    def __init__(self) -> None:
        self._lines: dict[str, collections.deque[_T]] = {}  # the first client is next
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def put(self, client: str, item: _T) -> None:
        """Add an item at the end of a client's line. A client without a line comes after all others."""
        self._lines.setdefault(client, collections.deque()).append(item)
        self._length += 1

    def take(self) -> _T:
        """Remove and return the oldest item of the client whose turn it is. That client comes last then.

        Raises:
            IndexError: the queue is empty.
        """
        if not self._lines:
            raise IndexError("the queue is empty")
        client = next(iter(self._lines))
        line = self._lines.pop(client)
        item = line.popleft()
        if line:
            self._lines[client] = line
        self._length -= 1
        return item

    def remove(self, client: str, item: _T) -> None:
        """Remove an item of a client. It is no error if it is not there."""
        line = self._lines.get(client)
        if line is None or item not in line:
            return
        line.remove(item)
        self._length -= 1
        if not line:
            del self._lines[client]

    def longest(self) -> str:
        """The client with the most items; empty if there are none."""
        return max(self._lines, key=self.waiting, default="")

    def waiting(self, client: str) -> int:
        """How many items of a client there are."""
        return len(self._lines.get(client, ()))

    def take_newest(self, client: str) -> _T:
        """Remove and return the newest item of a client that has at least one."""
        item = self._lines[client][-1]
        self.remove(client, item)
        return item

    def clear(self) -> list[_T]:
        """Remove and return all items."""
        items = [item for line in self._lines.values() for item in line]
        self._lines.clear()
        self._length = 0
        return items
