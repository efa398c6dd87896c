"""Reads the body of a request, and never holds more of it than the limit.

A door takes pasted logs, so bodies are large and come from anywhere. A body is read in the pieces in which it arrives. If a log
in a form is over the limit, its middle is dropped: the error is at the end.
"""

import typing
import urllib.parse

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from tfhelp.collectors.intake.compression import kind_of
from tfhelp.collectors.intake.encodings import decode

MEBIBYTE = 1024 * 1024
KEPT_WHEN_TOO_LARGE = MEBIBYTE  # how much of a text over the limit goes back into the form
_SMALL_FIELD = MEBIBYTE  # limit of each field other than the text and the file
_MOST_FIELDS = 64
_LARGE_FIELDS = ("text", "file")
_SHORT = 64 << 10  # bytes of a form that is parsed immediately
_TELLING = 4096  # the first bytes of a file, which show its kind
_READ_PAST = 64  # a form is read up to this many times the limit, to find the end of an oversized text


class BodyError(ValueError):
    """A body that cannot be read. The message says what is wrong with it, and where."""


class TooLargeError(BodyError):
    """A body over the limit."""


class Form:
    """The fields of a submitted form.

    Attributes:
        fields: name -> text; if a name came twice, the first one counts.
        notes: what was changed while reading, in sentences for the sender.
        too_large: the text was over the limit and its end could not be kept; ``fields`` then holds its first mebibyte.
        file: the chosen file, unchanged, and its name; ``None`` if there is none.
        sizes: bytes of the text and of the file as they came, however much of them was kept.
    """

    __slots__ = ("fields", "file", "notes", "sizes", "too_large")

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.notes: list[str] = []
        self.too_large = False
        self.file: tuple[bytes, str] | None = None
        self.sizes: dict[str, int] = {}


async def read_bounded(request: Request, limit: int) -> bytes:
    """The whole body.

    Raises:
        TooLargeError: it has more than ``limit`` bytes, whether the request announced them or not.
    """
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and (len(announced) > 18 or int(announced) > limit):
        raise TooLargeError(f"the body has {announced[:18]} bytes, the limit is {limit}")
    body = bytearray()
    async for piece in _pieces(request):
        body += piece
        if len(body) > limit:
            raise TooLargeError(f"the body has more than {limit} bytes")
    return bytes(body)


Apart = typing.Callable[..., typing.Awaitable[typing.Any]]


async def read_form(request: Request, limit: int, apart: Apart | None = None) -> Form:
    """A form as browsers (multipart) and curl (urlencoded) send it.

    Args:
        request: the request.
        limit: most bytes of the text, as UTF-8.
        apart: calls a function with its arguments where that delays no other request; ``None`` calls it here.

    Raises:
        BodyError: the form has neither of the two encodings, or a multipart body is malformed.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == b"multipart/form-data":
        parts = await _read_multipart(request, options.get(b"boundary", b""), limit)
    elif kind == b"application/x-www-form-urlencoded":
        parts = await _read_urlencoded(request, limit, apart)
    else:
        shown = kind.decode("latin-1")[:80] or "none"
        raise BodyError(f"the form's content type is {shown}; send multipart/form-data or application/x-www-form-urlencoded")
    return _form(parts, limit)


class _Part:
    __slots__ = ("cut", "data", "file_name", "lines_left_out", "name", "over", "size", "tail")

    def __init__(self, name: str, file_name: str = "") -> None:
        self.name = name
        self.file_name = file_name
        self.data = bytearray()
        self.tail = bytearray()  # what came after ``data``, as much of it as can be needed
        self.size = 0
        self.over = False
        self.cut = False  # whether the end of the part is missing
        self.lines_left_out = 0

    def add(self, data: bytes, limit: int) -> None:
        self.size += len(data)
        room = (limit if self.name in _LARGE_FIELDS else _SMALL_FIELD) - len(self.data)
        self.data += data[:room]
        if len(data) <= room:
            return
        self.over = True
        if self.name in _LARGE_FIELDS:
            self.tail += data[room:]
            if len(self.tail) > limit:
                self._leave_out(len(self.tail) - _end_of(limit))

    def _leave_out(self, count: int) -> None:
        self.lines_left_out += self.tail.count(b"\n", 0, count)
        del self.tail[:count]

    def keep_both_ends(self, limit: int) -> bool:
        """Make ``data`` a log's start (a quarter of the limit) and end (three quarters); False if it must be whole or was cut.

        Empty lines replace those that are left out, at most as many as the limit has bytes, so that lines keep their numbers.
        """
        if self.cut or is_no_log(bytes(self.data[:_TELLING])):
            return False
        start = self.data[: limit - _end_of(limit)]
        start = start[: start.rfind(b"\n") + 1] or start
        missing = _end_of(limit) - len(self.tail)
        end = self.data[-missing:] + self.tail if missing > 0 else self.tail[-_end_of(limit) :]
        end = end[end.find(b"\n") + 1 :] or end
        kept = start.count(b"\n") + end.count(b"\n")
        self.lines_left_out += self.data.count(b"\n") + self.tail.count(b"\n") - kept
        self.data = start + b"\n" * min(self.lines_left_out, limit) + end
        return True


def _end_of(limit: int) -> int:
    """How many bytes are kept from the end of a text that is over the limit."""
    return limit - limit // 4


class _Collector:
    """Takes the multipart parser's callbacks and keeps each part up to its limit."""

    def __init__(self, limit: int) -> None:
        self.parts: list[_Part] = []
        self._limit = limit
        self._header = bytearray()
        self._value = bytearray()
        self._name = self._file_name = ""

    def on_part_begin(self) -> None:
        self._name = self._file_name = ""

    def on_header_begin(self) -> None:
        self._header.clear()
        self._value.clear()

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def on_header_end(self) -> None:
        if bytes(self._header).lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self._value))
            self._name = options.get(b"name", b"").decode("utf-8", "replace")
            # Old browsers send the whole path.
            file_name = options.get(b"filename", b"").decode("utf-8", "replace")
            self._file_name = file_name.replace("\\", "/").rpartition("/")[2][:100]

    def on_headers_finished(self) -> None:
        if len(self.parts) >= _MOST_FIELDS:
            raise BodyError(f"the form has more than {_MOST_FIELDS} fields")
        self.parts.append(_Part(self._name, self._file_name))

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        self.parts[-1].add(data[start:end], self._limit)


async def _read_multipart(request: Request, boundary: bytes, limit: int) -> list[_Part]:
    if not boundary:
        raise BodyError("the form's content type names no boundary")
    collector = _Collector(limit)
    callbacks = {name: getattr(collector, name) for name in dir(collector) if name.startswith("on_")}
    seen = 0
    complete = True
    try:
        parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]
        async for piece in _pieces(request):
            seen += len(piece)
            if seen > limit * _READ_PAST + _MOST_FIELDS * _SMALL_FIELD:
                complete = False
                break
            parser.write(piece)
        if complete:
            parser.finalize()
    except FormParserError as error:
        raise BodyError(f"the form is malformed: {error}") from None
    if not complete and collector.parts:
        collector.parts[-1].over = collector.parts[-1].cut = True
    return collector.parts


async def _read_urlencoded(request: Request, limit: int, apart: Apart | None) -> list[_Part]:
    # A percent-encoded byte takes three. Whatever is cut off belongs to the text or follows it.
    most = limit * 3 + MEBIBYTE
    body = bytearray()
    cut = False
    async for piece in _pieces(request):
        if len(body) < most:
            body += piece[: most - len(body)]
            cut = cut or len(body) == most
        else:
            cut = True
            break
    pairs = await apart(_pairs, bytes(body)) if apart and len(body) > _SHORT else _pairs(bytes(body))
    parts = []
    for name, value in pairs:
        part = _Part(name.decode("utf-8", "replace"))
        part.add(value, limit)
        parts.append(part)
    if cut and parts:
        parts[-1].over = parts[-1].cut = True
    return parts


def _pairs(body: bytes) -> list[tuple[bytes, bytes]]:
    """The fields of a urlencoded form, decoded piece by piece: decoding it as a whole would take sixty times its size."""
    fields = body.split(b"&", _MOST_FIELDS)
    if len(fields) > _MOST_FIELDS:
        raise BodyError(f"the form has more than {_MOST_FIELDS} fields")
    pairs = (field.partition(b"=") for field in fields if field)
    return [(_unquoted(name), _unquoted(value)) for name, _, value in pairs]


def _unquoted(data: bytes) -> bytes:
    data = data.replace(b"+", b" ")
    text = bytearray()
    place = 0
    while place < len(data):
        end = place + _SHORT
        # The last two bytes of a piece may begin an escape that ends in the next piece.
        escape = data.rfind(b"%", end - 2, end) if end < len(data) else -1
        end = escape if escape > place else end
        text += urllib.parse.unquote_to_bytes(data[place:end])
        place = end
    return bytes(text)


async def _pieces(request: Request) -> typing.AsyncIterator[bytes]:
    try:
        async for piece in request.stream():
            yield piece
    except ClientDisconnect:
        raise BodyError("the connection ended before the body did") from None


def _form(parts: list[_Part], limit: int) -> Form:
    form = Form()
    for part in parts:
        if part.name in form.fields:
            continue
        if part.over and part.name not in _LARGE_FIELDS:
            raise BodyError(f"{part.name[:40]}: more than {_SMALL_FIELD // MEBIBYTE} MiB")
        form.sizes.setdefault(part.name, part.size)
        if part.over and part.keep_both_ends(limit):
            form.notes.append(_said_of_the_middle(part))
        elif part.over:
            form.too_large = True
            del part.data[KEPT_WHEN_TOO_LARGE:]
        if part.name == "file":
            form.file = form.file or (bytes(part.data), part.file_name)
            continue
        text, notes = decode(bytes(part.data))
        if part.name in _LARGE_FIELDS and not form.too_large:
            form.notes += notes
        # A browser sends the line ends of a text area as CR LF, however the text was pasted.
        form.fields[part.name] = text.replace("\r\n", "\n")
    return form


def is_no_log(start: bytes) -> bool:
    """Return whether a file must be read whole: its first bytes show compression, or characters of several bytes."""
    return bool(kind_of(start)) or b"\x00" in start


def _said_of_the_middle(part: _Part) -> str:
    what = part.file_name or "The text"
    return (
        f"{what} has {part.size / MEBIBYTE:,.0f} MiB. Its start and its end were read; "
        f"{part.lines_left_out:,} lines in the middle were left out."
    )
