"""Bytes of any length, from a file, a pipe or a string, as pieces of valid UTF-8 that end at line ends."""

import codecs
import typing

PIECE = 1 << 20  # bytes
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
Read = typing.Callable[[int], bytes]


def decoded(content: bytes) -> str:
    """The text of any bytes: UTF-16 if they have its byte order mark, else UTF-8; unreadable bytes are replaced, zero characters dropped."""
    return content.decode("utf-16" if content[:2] in _UTF_16 else "utf-8", "replace").replace("\x00", "")


def pieces(start: bytes, read: Read) -> typing.Iterator[bytes]:
    """The text as valid UTF-8 without zero bytes, in pieces that end at a line end; a piece of one long line may not.

    Args:
        start: the bytes read so far, at least two unless the text is shorter.
        read: returns at most the given number of further bytes, none at the end.
    """
    left = b""
    for raw in _utf_8(start, read):
        whole = left + raw
        end = whole.rfind(b"\n") + 1
        if not end and len(whole) >= PIECE:
            end = _between_characters(whole)
        left = whole[end:]
        if end:
            yield _valid(whole[:end])
    if left:
        yield _valid(left)


def _utf_8(start: bytes, read: Read) -> typing.Iterator[bytes]:
    if start[:2] not in _UTF_16:
        yield from _read_on(start, read)
        return
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    for raw in _read_on(start, read):
        yield decoder.decode(raw).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _read_on(start: bytes, read: Read) -> typing.Iterator[bytes]:
    raw = start
    while raw:
        yield raw
        raw = read(PIECE)


def _between_characters(content: bytes) -> int:
    """The place at the end, or before the last character if that is incomplete."""
    return codecs.utf_8_decode(content, "replace", False)[1]


def _valid(content: bytes) -> bytes:
    if b"\x00" in content:
        return content.decode("utf-8", "replace").replace("\x00", "").encode()  # decoded first: a zero byte ends a character
    if content.isascii():
        return content
    try:
        content.decode()
    except UnicodeDecodeError:
        return content.decode("utf-8", "replace").encode()
    return content
