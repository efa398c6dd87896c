"""Write a file as a whole: a reader sees the old content or the new one, never a part, however many threads write at once."""

import contextlib
import itertools
import os

_NUMBERS = itertools.count()


def write_whole(path: str | os.PathLike[str], content: bytes, mode: int = 0o666) -> None:
    """Write a file, or leave the old one.

    Args:
        path: the file; its folder exists.
        content: its bytes.
        mode: its permissions, less what the process's umask forbids.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    # The process id alone is not enough: two threads of a server may write the same file.
    temporary = f"{os.fspath(path)}.{os.getpid()}-{next(_NUMBERS)}.new"
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode), "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
