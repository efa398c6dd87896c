"""Write an edited source file of the user, and show an edit as a diff. All commands that edit scripts use these functions."""

import contextlib
import difflib
import os
import shutil
import tempfile


def replace_file(path: str, content: bytes) -> None:
    """Replace a file's content atomically: if the disk is full or tfhelp is killed, the old file stays.

    The file keeps its permissions and its owner.

    Args:
        path: an existing file, not a symbolic link: a link would be replaced, and its target would stay unchanged.
        content: the new content.

    Raises:
        OSError: the file cannot be written.
    """
    handle, temporary = tempfile.mkstemp(prefix=".tfhelp-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, temporary)
        _copy_owner(path, temporary)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _copy_owner(path: str, temporary: str) -> None:
    """Only root can edit another user's file and give it back. Any other user owns the file that it may replace."""
    old, new = os.stat(path), os.stat(temporary)
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with contextlib.suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)


def unified_diff(name: str, before: list[str], after: list[str]) -> str:
    """A unified diff, as ``git apply`` and ``patch -p1`` read it; empty if nothing changed.

    Args:
        name: path of the file, relative to the folder in which the diff is applied.
        before, after: the lines with their line ends; the last line may have none.
    """
    lines = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
