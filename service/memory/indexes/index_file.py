"""An index in a file beside its database: written at one stroke, checked when it is read, shared by the processes that read it.

The file holds nothing that the database does not hold. Whoever finds it missing or damaged makes it anew.
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
    """What is known of an index.

    Attributes:
        newest: the highest identifier that it has taken in.
        trained: of how many vectors there were when it was trained.
        probe: identifiers that are spread over it, each with the checksum of its vector: they tell another database.
    """

    newest: int
    trained: int
    probe: dict[int, int]


def write(path: pathlib.Path, index: typing.Any, head: Head) -> None:
    """Write an index, for the owner of the database alone. Who reads it meanwhile has the old one or the new one.

    Raises:
        OSError: it cannot be written.
    """
    import faiss

    for left in path.parent.glob(f"{path.name}.*.new"):  # of a process that was killed; the lock is ours
        left.unlink(missing_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            faiss.write_index(index, str(fresh))
        except RuntimeError as error:  # a full disk, for one
            raise OSError(f"{fresh} cannot be written: {str(error)[:200]}") from None
        told = json.dumps({**head._asdict(), "size": fresh.stat().st_size, "checksum": _checksum(fresh)}).encode()
        with open(fresh, "ab") as file:
            file.write(told + _END.pack(len(told), _MAGIC))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def read(path: pathlib.Path, shared: bool = True) -> tuple[typing.Any, Head] | None:
    """The index of a file; None where there is none, or a damaged one.

    Args:
        path: of the file.
        shared: whether its pages stay in the file, for all processes together. Such an index only reads.
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
        lists.prefetch_nthread = 0  # its threads cost more than the few pages that they fetch
    return index, head


def _head(path: pathlib.Path) -> tuple[Head, int, int]:
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - _END.size))
        length, magic = _END.unpack(file.read())
        if magic != _MAGIC:
            raise ValueError("no index")
        file.seek(max(0, end - _END.size - length))
        told = json.loads(file.read(length))
    if told["size"] != end - _END.size - length:
        raise ValueError("cut short")
    probe = {int(number): int(checksum) for number, checksum in told["probe"].items()}
    return Head(int(told["newest"]), int(told["trained"]), probe), int(told["size"]), int(told["checksum"])


def _checksum(path: pathlib.Path, size: int | None = None) -> int:
    """Of the first ``size`` bytes, or of all."""
    value, left = 0, path.stat().st_size if size is None else size
    with open(path, "rb") as file:
        while left > 0 and (block := file.read(min(_BLOCK, left))):
            value, left = zlib.crc32(block, value), left - len(block)
    return value


@contextlib.contextmanager
def locked(path: pathlib.Path) -> typing.Iterator[bool]:
    """Whether this process is the one that writes the file now. The lock leaves with the process that holds it."""
    try:
        import fcntl
    except ImportError:  # Windows: the last one wins, and each writes a whole file
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
