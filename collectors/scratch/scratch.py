"""Folders in which a program can run as in the user's own, without changing anything there.

On Linux an overlay (https://docs.kernel.org/filesystems/overlayfs.html) is mounted over the folder in a namespace that only
the program sees: nothing is copied, and absolute paths into the folder lead into the overlay too. If that is not allowed,
the folder is copied.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from tfhelp.collectors.errors import CollectorError

_ENTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "enter.py")
LARGEST_COPY_MIB = 1024
_NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "venv", "node_modules", "__pycache__")
_PROBE_SECONDS = 20


class ScratchError(CollectorError):
    """A scratch folder cannot be made here. The message says why."""


class Scratch:
    """A scratch folder over one of the user's. Use it in a ``with`` statement, whose end discards everything that was written.

    Attributes:
        folder: the user's.
        overlay: an overlay protects the folder under its own path; otherwise the program runs in a copy, under a different path.
    """

    def __init__(self, folder: str) -> None:
        """Make a scratch folder.

        Raises:
            ScratchError: no overlay is allowed, and the folder is too large to be copied.
        """
        self.folder = os.path.realpath(folder)
        self._root = tempfile.mkdtemp(prefix="tfhelp-try-")
        try:
            for name in ("upper", "work", "state"):
                os.mkdir(self._path(name))
            self.overlay = self._is_allowed()
            if not self.overlay:
                self._copy()
        except BaseException:
            self.remove()
            raise

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Discard everything."""
        _remove(self._root)

    @property
    def state(self) -> str:
        """A folder next to the scratch folder, for whatever observes the program."""
        return self._path("state")

    def fresh(self) -> None:
        """Discard everything that programs have written so far, so that the next one starts from the same state as the first."""
        if self.overlay:
            self._clear("upper")
            self._clear("work")
        else:
            _remove(self._path("copy"))
            self._copy()

    def _clear(self, name: str) -> None:
        _remove(self._path(name))
        os.mkdir(self._path(name))

    def write(self, path: str, content: str) -> None:
        """Put a file into the scratch folder in place of the user's.

        Args:
            path: path of the user's file, inside the folder.
            content: what the program will read.

        Raises:
            ScratchError: the file lies outside the folder.
        """
        inside = os.path.relpath(os.path.realpath(path), self.folder)
        if inside.startswith(os.pardir):
            raise ScratchError(f"{path} lies outside of {self.folder}, which alone is protected")
        target = os.path.join(self._path("upper" if self.overlay else "copy"), inside)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8", newline="") as file:
            file.write(content)
        shutil.copymode(path, target)

    def command(self, command: list[str]) -> list[str]:
        """The command that runs this one in the scratch folder."""
        specification = {
            "folder": self.folder if self.overlay else self._path("copy"),
            "overlay": self.overlay,
            "upper": self._path("upper"),
            "work": self._path("work"),
        }
        return [sys.executable, "-I", _ENTER, json.dumps(specification), *command]

    def _path(self, name: str) -> str:
        return os.path.join(self._root, name)

    def _is_allowed(self) -> bool:
        """Return whether an overlay can be mounted here; a test mount finds out."""
        if not sys.platform.startswith("linux") or any(mark in self.folder for mark in ':,\\"'):
            return False
        self.overlay = True
        tried = os.path.join(self.folder, f".tfhelp-{os.getpid()}")
        script = f"open({tried!r}, 'w').close()"
        try:
            ended = subprocess.run(
                self.command([sys.executable, "-I", "-c", script]), capture_output=True, timeout=_PROBE_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        leaked = os.path.exists(tried)
        if leaked:
            os.unlink(tried)
        done = ended.returncode == 0 and not leaked and os.path.exists(self._path(f"upper/{os.path.basename(tried)}"))
        self._clear("upper")
        self._clear("work")
        return done

    def _copy(self) -> None:
        size = _size_mib(self.folder, LARGEST_COPY_MIB)
        if size > LARGEST_COPY_MIB:
            raise ScratchError(
                f"{self.folder} holds more than {LARGEST_COPY_MIB} MiB and cannot be covered by an overlay here; "
                "run it from a folder that holds the program without its data"
            )
        try:
            shutil.copytree(self.folder, self._path("copy"), symlinks=True, ignore=_NOT_COPIED, dirs_exist_ok=True)
        except (OSError, shutil.Error) as error:
            raise ScratchError(f"{self.folder} cannot be copied: {error}") from None


def _remove(folder: str) -> None:
    """Remove a folder, even the one that an overlay keeps for itself and that cannot be entered."""
    for place, folders, _ in os.walk(folder):
        for name in folders:
            if not os.path.islink(os.path.join(place, name)):
                os.chmod(os.path.join(place, name), 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _size_mib(folder: str, enough: int) -> float:
    """The size of a folder's content; the count stops when it exceeds ``enough``."""
    total = 0
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", ".venv", "venv", "node_modules", "__pycache__")]
        for name in files:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
        if total > enough << 20:
            break
    return total / (1 << 20)
