"""Find the files to check in the files and folders that you name."""

import fnmatch
import os
import subprocess
import typing

ENDINGS = (".py", ".pyw", ".ipynb")
# Folders with other people's files, or with files built from yours.
_SKIPPED = frozenset(
    ("node_modules", "__pycache__", "__pypackages__", "site-packages", "venv", "build", "_build", "dist", "buck-out")
)
_GIT_SECONDS = 20.0


class Exclude:
    """Patterns of paths to leave out. One without a slash matches any part of a path, any other the path relative to a folder."""

    __slots__ = ("_rows",)

    def __init__(self) -> None:
        self._rows: list[tuple[str, str]] = []

    def add(self, patterns: typing.Iterable[str], folder: str) -> None:
        """Add patterns relative to a folder (that of the settings file, or the current one)."""
        self._rows += [(pattern.rstrip("/").removeprefix("./"), os.path.abspath(folder)) for pattern in patterns]

    def matches(self, path: str) -> bool:
        """Return whether a path, or a folder above it, is excluded."""
        return any(self._matches(os.path.abspath(path), pattern, folder) for pattern, folder in self._rows)

    @staticmethod
    def _matches(path: str, pattern: str, folder: str) -> bool:
        inside = os.path.relpath(path, folder).replace(os.sep, "/") if path.startswith(folder.rstrip(os.sep) + os.sep) else ""
        if "/" not in pattern:
            parts = inside.split("/") if inside else path.replace(os.sep, "/").split("/")[-1:]
            return any(fnmatch.fnmatch(part, pattern) for part in parts)
        whole = inside if not os.path.isabs(pattern) else path.replace(os.sep, "/")
        return bool(whole) and (fnmatch.fnmatch(whole, pattern) or fnmatch.fnmatch(whole, pattern + "/*"))


class Sources(typing.NamedTuple):
    """The result: files in order, and sentences about names that give no file."""

    files: list[str]
    notes: list[str]
    faults: list[str]


def find(paths: typing.Sequence[str], exclude: Exclude) -> Sources:
    """The named files, and the scripts and notebooks in the named folders.

    In folders, hidden files, virtual environments and what git ignores are left out. A named file is read with any extension,
    unless ``exclude`` matches it.
    """
    sources = Sources([], [], [])
    seen: set[str] = set()
    for path in paths:
        if os.path.isdir(path):
            found = _in_folder(path, exclude, sources.faults)
            if not found:
                sources.notes.append(f"{path}: no Python script or notebook in this folder")
        elif exclude.matches(path):
            found = []
            sources.notes.append(f"{path}: left out, because an exclude pattern names it")
        elif os.path.lexists(path):
            found = [path]
        else:
            found = []
            sources.faults.append(f"cannot read {path}: no such file or folder")
        for name in found:
            real = os.path.realpath(name)
            if real not in seen:
                seen.add(real)
                sources.files.append(name)
    return sources


def _in_folder(folder: str, exclude: Exclude, faults: list[str]) -> list[str]:
    found: list[str] = []

    def note(error: OSError) -> None:
        faults.append(f"cannot read {error.filename or folder}: {error.strerror or error}")

    for where, folders, names in os.walk(folder, onerror=note):
        folders[:] = sorted(name for name in folders if not _left_out(where, name, exclude))
        paths = (os.path.join(where, name) for name in sorted(names) if name.endswith(ENDINGS) and not name.startswith("."))
        found += [os.path.normpath(path) for path in paths if not exclude.matches(path)]
    ignored = _ignored_by_git(folder, found)
    return [path for path in found if path not in ignored]


def _left_out(where: str, name: str, exclude: Exclude) -> bool:
    path = os.path.join(where, name)
    return (
        name.startswith(".")
        or name in _SKIPPED
        or name.endswith(".egg-info")
        or os.path.exists(os.path.join(path, "pyvenv.cfg"))
        or exclude.matches(path)
    )


def _ignored_by_git(folder: str, paths: list[str]) -> set[str]:
    """The paths that git ignores; none if it ignores the whole folder, because the user named that folder explicitly.

    Also none if there is no git or no repository, or if git does not answer.
    """
    if not paths or not _in_repository(folder):
        return set()
    # A repository's settings can name a program as fsmonitor; an untrusted repository must not make git run one.
    command = ["git", "-C", folder, "-c", "core.fsmonitor=false", "check-ignore", "-z", "--stdin"]
    absolute = {os.path.abspath(path): path for path in paths}
    try:
        done = subprocess.run(
            command,
            input="\0".join((os.path.abspath(folder), *absolute)).encode(errors="surrogateescape"),
            capture_output=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return set()
    said = done.stdout.decode(errors="surrogateescape").split("\0") if done.returncode == 0 else []
    return set() if os.path.abspath(folder) in said else {absolute[path] for path in said if path in absolute}


def _in_repository(folder: str) -> bool:
    folder = os.path.realpath(folder)
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return True
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
