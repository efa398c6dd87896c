"""An index in a file next to its database: written atomically, checked when it is read, shared by the processes that read it.

The file contains nothing that is not in the database. If it is missing or damaged, it is rebuilt.
"""

import contextlib
import json
import os
import pathlib
import struct
import typing
import zlib

_MAGIC = b"tfhelp-similar-1"
_END = struct.Struct(f"<I{len(_MAGIC)}s")  # after the index: the head as JSON, its length, the magic word
_BLOCK = 1 << 20


class Head(typing.NamedTuple):
    """The metadata of an index.

    Attributes:
        newest: the highest identifier in it.
        trained: how many vectors there were when it was trained.
        probe: identifiers spread over it, each with the checksum of its vector, which detect another database.
    """

    newest: int
    trained: int
    probe: dict[int, int]


def write(path: pathlib.Path, index: typing.Any, head: Head) -> None:
    """Write an index, readable by the owner of the database only. A concurrent reader gets the old one or the new one.

    Raises:
        OSError: it cannot be written.
    """
    import faiss

    for left in path.parent.glob(f"{path.name}.*.new"):  # left by a process that was killed; this process has the lock
        left.unlink(missing_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            faiss.write_index(index, str(fresh))
        except RuntimeError as error:  # for example, a full disk
            raise OSError(f"{fresh} cannot be written: {str(error)[:200]}") from None
        header = json.dumps({**head._asdict(), "size": fresh.stat().st_size, "checksum": _checksum(fresh)}).encode()
        with open(fresh, "ab") as file:
            file.write(header + _END.pack(len(header), _MAGIC))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def read(path: pathlib.Path, shared: bool = True) -> tuple[typing.Any, Head] | None:
    """The index of a file; None if it is missing or damaged.

    Args:
        path: of the file.
        shared: whether its pages stay in the file, shared by all processes. Such an index is read-only.
    """
    import faiss

    try:
        head, size, checksum = _head(path)
        if _checksum(path, size) != checksum:
            return None
        index: typing.Any = faiss.read_index(str(path), faiss.IO_FLAG_MMAP if shared else 0)
    except (OSError, ValueError, KeyError, TypeError, struct.error, RuntimeError):
        return None
    if shared:
        lists: typing.Any = faiss.downcast_InvertedLists(index.invlists)
        lists.prefetch_nthread = 0  # its threads cost more than fetching the few pages
    return index, head


def _head(path: pathlib.Path) -> tuple[Head, int, int]:
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - _END.size))
        length, magic = _END.unpack(file.read())
        if magic != _MAGIC:
            raise ValueError("no index")
        file.seek(max(0, end - _END.size - length))
        header = json.loads(file.read(length))
    if header["size"] != end - _END.size - length:
        raise ValueError("cut short")
    probe = {int(number): int(checksum) for number, checksum in header["probe"].items()}
    return Head(int(header["newest"]), int(header["trained"]), probe), int(header["size"]), int(header["checksum"])


def _checksum(path: pathlib.Path, size: int | None = None) -> int:
    """The checksum of the first ``size`` bytes, or of all."""
    value, left = 0, path.stat().st_size if size is None else size
    with open(path, "rb") as file:
        while left > 0 and (block := file.read(min(_BLOCK, left))):
            value, left = zlib.crc32(block, value), left - len(block)
    return value


@contextlib.contextmanager
def locked(path: pathlib.Path) -> typing.Iterator[bool]:
    """Yield whether this process got the lock for writing the file. The lock ends with the block, or with the process."""
    try:
        import fcntl
    except ImportError:  # Windows: the last writer wins, and each writes a whole file
        yield True
        return
    descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)
