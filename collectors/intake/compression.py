"""Compressed logs: gzip, bzip2 and xz with Python's own modules, zstd with ``zstandard`` (Python's own from 3.14 on).

No more is unpacked than the caller allows, so a file that unpacks to a thousand times its size does no harm. From a
truncated file, such as the log of a killed process, it returns as much as could be read.
"""

import typing

MOST_LAYERS = 2  # a log compressed twice by mistake is still read; more layers are a trick
_MOST_MEMBERS = 1000  # compressed files joined into one, as with rotated logs
_PIECE = 64 << 10

_MAGIC = {
    b"\x1f\x8b\x08": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
}
_TOOLS = {"gzip": "zcat", "zstd": "zstdcat", "bzip2": "bzcat", "xz": "xzcat"}


class _TooLargeError(Exception):
    """It unpacks to more than is allowed."""


def kind_of(content: bytes) -> str:
    """``gzip``, ``zstd``, ``bzip2``, ``xz``, or empty for uncompressed data."""
    for magic, kind in _MAGIC.items():
        if content.startswith(magic):
            # "BZh" alone may begin a word; in a bzip2 file, the digit and the first block's number follow.
            return kind if kind != "bzip2" or content[4:10] in (b"1AY&SY", b"\x17rE8P\x90") else ""
    return ""


def unpacked(content: bytes, kind: str, name: str, most: int) -> tuple[bytes, list[str], str]:
    """Unpack.

    Args:
        content: the compressed bytes.
        kind: from ``kind_of``.
        name: the file's name, for the sentences.
        most: maximum number of bytes after decompression.

    Returns:
        (unpacked bytes, sentences about the file, why it is refused or empty).
    """
    what = name or "This"
    out = bytearray()
    try:
        whole = (_zstd if kind == "zstd" else _streams)(kind, content, out, most)
    except _TooLargeError:
        advice = f"Read it with the command line: {_TOOLS[kind]} {name or 'FILE'} | tfhelp ask"
        return b"", [], f"{what} unpacks to more than {_in_words(most)}. {advice}"
    except ImportError:
        advice = f"Install zstandard, or unpack it first: zstdcat {name or 'FILE'} | tfhelp ask"
        return b"", [], f"{what} is compressed with zstd, which this Python cannot read. {advice}"
    if not out and not whole:
        return b"", [], f"{what} begins as a {kind} file does, and cannot be unpacked."
    notes = [f"Unpacked {what if name else 'it'} with {kind}."]
    if not whole:
        notes.append(f"The {kind} file is cut off or damaged; what could be unpacked was read.")
    return bytes(out), notes, ""


def _streams(kind: str, content: bytes, out: bytearray, most: int) -> bool:
    """Unpack all members; false if the data is truncated or damaged."""
    make, faults = _machine(kind)
    machine, started, members = make(), False, 0
    view = memoryview(content)
    for place in range(0, len(view), _PIECE):
        piece = bytes(view[place : place + _PIECE])
        while piece:
            try:
                out += machine.decompress(piece, most + 1 - len(out))
            except faults:
                return not started and members > 0 and not piece.strip(b"\x00")
            started = True
            if len(out) > most:
                raise _TooLargeError
            if not machine.eof:
                break
            piece, machine, started, members = machine.unused_data, make(), False, members + 1
            if members > _MOST_MEMBERS:
                return False
    return not started


def _machine(kind: str) -> tuple[typing.Callable[[], typing.Any], tuple[type[Exception], ...]]:
    if kind == "gzip":
        import zlib

        return lambda: zlib.decompressobj(31), (zlib.error,)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor, (OSError, ValueError)
    import lzma

    return lambda: lzma.LZMADecompressor(memlimit=256 << 20), (lzma.LZMAError, MemoryError)


def _zstd(_kind: str, content: bytes, out: bytearray, most: int) -> bool:
    import io

    stream, fault = _zstd_stream(io.BytesIO(content))
    try:
        while piece := stream.read(1 << 20):
            out += piece
            if len(out) > most:
                raise _TooLargeError
    except (fault, EOFError, MemoryError):
        return False
    return len(out) >= _announced(content)


def _announced(content: bytes) -> int:
    """The size that a zstd file's first frame announces, else 0 (RFC 8878, section 3.1.1.1). If the header is missing, 1."""
    if len(content) < 5:
        return 1
    description = content[4]
    single, size_flag = description >> 5 & 1, description >> 6
    length = (single, 2, 4, 8)[size_flag]
    place = 5 + (0 if single else 1) + (0, 1, 2, 4)[description & 3]
    return int.from_bytes(content[place : place + length], "little") + (256 if length == 2 else 0)


def _zstd_stream(file: typing.BinaryIO) -> tuple[typing.Any, type[Exception]]:
    import importlib

    try:
        zstd = importlib.import_module("compression.zstd")  # Python 3.14 and later
    except ImportError:
        zstandard = importlib.import_module("zstandard")
        machine = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        return machine.stream_reader(file, read_across_frames=True), zstandard.ZstdError
    return zstd.ZstdFile(file), zstd.ZstdError


def _in_words(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
