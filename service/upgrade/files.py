"""The scripts that the user names: find them in folders, read them, show them as a diff, write them."""

import os
import typing

from tfhelp.service.errors import InputError
from tfhelp.service.source_files import replace_file, unified_diff

_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})
_MOST = 5_000  # scripts in the folders of one call


class File:
    """One script.

    Attributes:
        path: as the user gave it.
        text: with line feeds only.
        fault: why it can be read but not edited; empty if it can.
    """

    __slots__ = ("_bom", "_encoding", "_newline", "fault", "path", "text")

    def __init__(self, path: str) -> None:
        """Read the script.

        Raises:
            InputError: it cannot be read, or is not text.
        """
        from tfhelp.service.lint.linting import read_source

        self.path = path
        self.text = read_source(path)
        with open(path, "rb") as file:
            content = file.read()
        self._bom = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
        self._encoding = _encoding(content)
        both, single = content.count(b"\r\n"), content.count(b"\n")
        self._newline = "\r\n" if both else "\n"
        self.fault = "notebooks are read, not rewritten" if path.endswith(".ipynb") else ""
        if "\r" in self.text or (both and both != single):
            self.fault = "its lines end in more than one way, so it is read and not rewritten"

    def diff(self, edited: str) -> str:
        """A unified diff for ``git apply`` and ``patch -p1``; empty if nothing changed."""
        return unified_diff(_relative(self.path), self._lines(self.text), self._lines(edited))

    def _lines(self, text: str) -> list[str]:
        lines = text.split("\n")
        whole = [f"{line}{self._newline}" for line in lines[:-1]]
        return [*whole, lines[-1]] if lines[-1] else whole

    def write(self, edited: str) -> str:
        """Replace the old file with the edited text, keep the old file next to it, and return the old file's new path.

        Raises:
            InputError: there is already an older copy, or the folder is not writable.
        """
        path = os.path.realpath(self.path)
        kept = f"{path}.orig"
        if os.path.lexists(kept):
            raise InputError(f"{kept} already exists; move it away, or apply --diff with patch")
        content = self._bom + edited.replace("\n", self._newline).encode(self._encoding)
        try:
            os.link(path, kept)
            replace_file(path, content)
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from None
        return kept


def _encoding(content: bytes) -> str:
    import io
    import tokenize

    return tokenize.detect_encoding(io.BytesIO(content).readline)[0].removesuffix("-sig")


def _relative(path: str) -> str:
    """A path for a diff: relative to the current folder if it is inside it."""
    inside = os.path.relpath(path)
    return (path.lstrip("/") if inside.startswith("..") else inside).replace(os.sep, "/")


def found(paths: typing.Iterable[str]) -> list[str]:
    """The scripts and notebooks in paths, each once, those of folders sorted.

    Folders with other people's code (environments, ``site-packages``) and hidden folders are skipped.

    Raises:
        InputError: a path does not exist, or folders contain too many.
    """
    scripts: dict[str, None] = {}
    for path in paths:
        if not os.path.isdir(path):
            if not os.path.exists(path):
                raise InputError(f"cannot read {path}: No such file or directory")
            scripts[path] = None
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(one for one in folders if _is_own(folder, one))
            scripts.update({os.path.join(folder, one): None for one in sorted(files) if one.endswith((".py", ".ipynb"))})
            if len(scripts) > _MOST:
                raise InputError(f"{path}: more than {_MOST} scripts; name a folder further inside")
    return list(scripts)


def _is_own(folder: str, name: str) -> bool:
    inside = os.path.join(folder, name)
    return not name.startswith(".") and name not in _SKIPPED and not os.path.exists(os.path.join(inside, "pyvenv.cfg"))
