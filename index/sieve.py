"""Stream a long text once: anything that can matter is kept with its surroundings, and the rest is counted and dropped.

A failure is found anywhere in the text: all bytes are scanned for the knowledge base's patterns and for the marks of failures, of
the run's course and of facts (``tfhelp.index.sieve_scanners``). For each pattern, the first and the last matches are kept, each
as a window: a few lines before and after the match, or the whole traceback around it. The start and the end of the text are kept
too, because people write there. The result is at most half a megabyte for any input, and memory stays bounded as well.
"""

import collections
import typing

from tfhelp.index.sieve_scanners import Scanner, scanned

Part = tuple[int, str]
"""The number of its first line, counted from 1, and whole lines of a text."""

MOST_KEPT = 480_000  # bytes
EDGE = 1 << 17  # bytes at each end of the text, searched for what people say
_HEAD, _TAIL = 6_000, 12_000  # bytes at each end that are always kept
_BEFORE, _BEHIND = 1_500, 1_500  # bytes around a place
_LONGEST_TRACEBACK = 40_000  # bytes
_FAR = 3_000  # bytes from a place back to a frame, if the place belongs to a traceback
_MOST_HELD = 24_000_000  # bytes of windows; above this, new windows are short
_STARTS = (b"Traceback (most recent call last", b"(most recent call first)")  # how a traceback and a fault handler's dump begin
_CHAINED = (b"During handling of the above exception", b"direct cause of the following exception")
_LineAt = typing.Callable[[int], int]
_FRAME = (b'File "', b"---> ", b"in <module>")


class _Window(typing.NamedTuple):
    start: int
    line: int
    content: bytes

    @property
    def end(self) -> int:
        return self.start + len(self.content)


class Sieve:
    """The state while a text streams through: a rolling buffer, and the windows of each pattern.

    Args:
        kept: for each pattern, how many of its matches count from each end.
    """

    def __init__(self, kept: list[tuple[int, int]]) -> None:
        self._kept = kept
        self._buffer = b""
        self._base = 0
        self._counted = (0, 1)
        self._waiting: list[tuple[int, int]] = []
        self._first: dict[int, list[_Window]] = {}
        self._last: dict[int, collections.deque[_Window]] = {}
        self._edges: list[_Window] = []
        self._held = 0
        self._latest: _Window | None = None

    def add(self, piece: bytes, places: list[tuple[int, int]]) -> None:
        """Take the next piece of the text, and its matches as (pattern, end of the match in the piece)."""
        offset = self._base + len(self._buffer)
        self._buffer += piece
        if not offset:
            self._edges.append(self._cut(0, min(_HEAD, len(self._buffer))))
        self._waiting += [(offset + end, number) for number, end in places]
        behind = self._base + len(self._buffer) - _LONGEST_TRACEBACK
        ready = [place for place in self._waiting if place[0] < behind]
        self._waiting = [place for place in self._waiting if place[0] >= behind]
        self._keep(ready)
        self._forget(max(0, len(self._buffer) - EDGE - _LONGEST_TRACEBACK))

    def close(self, edges: Scanner | None, head: bytes) -> list[Part]:
        """The parts, once the text has ended.

        Args:
            edges: further patterns that only the edges are searched for.
            head: the text's first bytes.
        """
        self._keep(self._waiting)
        size = self._base + len(self._buffer)
        self._edges.append(self._cut(max(self._base, size - _TAIL), size))
        if edges is not None:
            tail = self._buffer[-EDGE:]
            self._keep_said(self._buffer, self._base, self._line_at, len(self._buffer) - len(tail), edges.scan(tail))
            self._keep_said(head, 0, lambda place: 1 + head.count(b"\n", 0, place), 0, edges.scan(head))
        return _parts(_merged(_within(self._ranked(), MOST_KEPT)))

    def _keep_said(self, text: bytes, base: int, line_at: _LineAt, offset: int, places: list[tuple[int, int]]) -> None:
        for _, end in sorted(places, key=lambda place: place[1])[:64]:
            start, stop = max(0, offset + end - _BEFORE), min(len(text), offset + end + _BEHIND)
            self._edges.append(_whole_lines(text, base, line_at, start, stop))

    def _keep(self, places: list[tuple[int, int]]) -> None:
        """From places in order, keep the first ones of each pattern until it has enough, and the last ones."""
        of_pattern: dict[int, list[int]] = {}
        for end, number in sorted(places):
            of_pattern.setdefault(number, []).append(end)
        wanted: list[tuple[int, int, bool]] = []
        for number, ends in of_pattern.items():
            most_first, most_last = self._kept[number]
            lacking = most_first - len(self._first.get(number, ()))
            wanted += [(end, number, True) for end in ends[: max(0, lacking)]]
            if most_last:
                wanted += [(end, number, False) for end in ends[max(0, lacking) :][-most_last:]]
        for end, number, is_first in sorted(wanted):
            window = self._around(end)
            if is_first:
                self._first.setdefault(number, []).append(window)
            else:
                last = self._last.setdefault(number, collections.deque(maxlen=self._kept[number][1]))
                last.append(window)

    def _around(self, end: int) -> _Window:
        """The window of a place; the previous window if the place is well inside it."""
        latest = self._latest
        if latest is not None and latest.start + _BEFORE // 2 <= end and end + _BEHIND // 2 <= latest.end:
            return latest
        place = end - self._base
        start, stop = max(0, place - _BEFORE), min(len(self._buffer), place + _BEHIND)
        if self._held < _MOST_HELD:
            start, stop = self._traceback(place, start, stop)
        self._latest = self._cut(start + self._base, stop + self._base)
        self._held += len(self._latest.content)
        return self._latest

    def _traceback(self, place: int, start: int, stop: int) -> tuple[int, int]:
        """The window, extended to the whole traceback that the place is in."""
        buffer = self._buffer
        if any(buffer.rfind(frame, max(0, place - _FAR), place) >= 0 for frame in _FRAME):
            lowest = max(0, place - _LONGEST_TRACEBACK)
            found = _last_start(buffer, lowest, place)
            while found >= 0:
                start = min(start, max(0, found - 200))
                earlier = max(buffer.rfind(chained, lowest, found) for chained in _CHAINED)
                found = _last_start(buffer, lowest, earlier) if found - 400 < earlier >= 0 else -1
        head = _last_start(buffer, start, place)
        head = _next_start(buffer, place, stop) if head < 0 else head
        highest = min(head + _LONGEST_TRACEBACK, len(buffer))
        while 0 <= head < highest:
            end = min(_end_of_traceback(buffer, head), highest)
            stop = max(stop, end + _BEHIND)
            chained = max(buffer.find(said, end, end + _BEHIND) for said in _CHAINED)
            head = _next_start(buffer, chained, chained + 200) if chained >= 0 else -1
        return start, stop

    def _cut(self, start: int, stop: int) -> _Window:
        return _whole_lines(self._buffer, self._base, self._line_at, start - self._base, stop - self._base)

    def _forget(self, count: int) -> None:
        if count > len(self._buffer) // 2:
            self._line_at(self._base + count)
            self._base += count
            self._buffer = self._buffer[count:]

    def _line_at(self, place: int) -> int:
        """The line number of a place that is in the buffer, counted from the place of the previous call."""
        counted, line = self._counted
        low, high = sorted((counted, place))
        between = self._buffer.count(b"\n", low - self._base, high - self._base)
        self._counted = (place, line + between if place >= counted else line - between)
        return self._counted[1]

    def _ranked(self) -> list[_Window]:
        """The windows, most important first: the edges, then the first and last place of each pattern, then the others."""
        ranked: list[list[_Window]] = [[], [], [], []]
        for windows in self._first.values():
            for rank, window in enumerate(windows):
                ranked[min(2 * rank, 3)].append(window)
        for others in self._last.values():
            for rank, window in enumerate(reversed(others)):
                ranked[min(2 * rank + 1, 3)].append(window)
        return [window for windows in (self._edges, *ranked) for window in windows]


def _last_start(buffer: bytes, start: int, stop: int) -> int:
    return max(buffer.rfind(said, start, stop) for said in _STARTS)


def _next_start(buffer: bytes, start: int, stop: int) -> int:
    return min((place for said in _STARTS if (place := buffer.find(said, start, stop)) >= 0), default=-1)


def _end_of_traceback(buffer: bytes, start: int) -> int:
    """The start of the line with the exception, for the traceback that starts here."""
    place = start
    column = start - (buffer.rfind(b"\n", 0, start) + 1)  # the width of the prefix that a launcher puts before each line
    while place < start + _LONGEST_TRACEBACK:
        place = buffer.find(b"\n", place) + 1
        if not place:
            return len(buffer)
        following = buffer[place + column : place + column + 1]
        if following and not following.isspace():
            return place
    return place


def _whole_lines(text: bytes, base: int, line_at: _LineAt, start: int, stop: int) -> _Window:
    """The window, widened to whole lines if their ends are near; a longer line is cut between characters."""
    begins = text.rfind(b"\n", max(0, start - 2_000), start) + 1
    if begins == 0 and start > 2_000:
        begins = start
        while begins < stop and text[begins] & 0xC0 == 0x80:
            begins += 1
    ends = text.find(b"\n", stop, stop + 2_000)
    return _Window(base + begins, line_at(base + begins), text[begins : stop if ends < 0 else ends + 1])


def _within(windows: list[_Window], most: int) -> list[_Window]:
    """Each window once, as many as fit."""
    chosen: dict[tuple[int, int], _Window] = {}
    for window in windows:
        key = (window.start, window.end)
        if key not in chosen and len(window.content) <= most:
            chosen[key] = window
            most -= len(window.content)
    return sorted(chosen.values())


def _merged(windows: list[_Window]) -> list[_Window]:
    """Windows in order; those that touch are merged."""
    merged: list[_Window] = []
    for window in windows:
        before = merged[-1] if merged else None
        if before is None or window.start > before.end:
            merged.append(window)
        elif window.end > before.end:
            merged[-1] = before._replace(content=before.content + window.content[before.end - window.start :])
    return merged


def _parts(windows: list[_Window]) -> list[Part]:
    return [(window.line, window.content.decode("utf-8", "replace")) for window in windows]


def sieve(pieces: typing.Iterable[bytes], everywhere: Scanner, edges: Scanner | None = None) -> list[Part]:
    """Stream a text and keep what can matter.

    Args:
        pieces: the text as valid UTF-8, in pieces of about a megabyte that end where a line ends, if a line does.
        everywhere: the scanner for all bytes.
        edges: the scanner for the start and the end of the text.

    Returns:
        Parts in the order of the text, at most about half a megabyte; for a short text, possibly one part.
    """
    state = Sieve(everywhere.kept)
    head = b""
    for piece, places in scanned(pieces, everywhere):
        if len(head) < EDGE:
            head = (head + piece)[:EDGE]
        state.add(piece, places)
    return state.close(edges, head)
