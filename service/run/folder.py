"""Folders of runs: a run's output, its curves and its answer, readable by this user only."""

import csv
import json
import os
import shutil
import sys
import time
import typing

from tfhelp.kb.whole_file import write_whole
from tfhelp.service.errors import InputError

Json = dict[str, typing.Any]


def root() -> str:
    """The folder of all runs: ``$XDG_STATE_HOME/tfhelp/runs``, on Windows below ``%LOCALAPPDATA%``."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(base, "tfhelp", "runs")


class RunFolder:
    """One run's folder.

    Attributes:
        identifier: its name, which 'tfhelp ask --run' takes: when it began, and the process id of its tfhelp.
        path: the folder.
    """

    __slots__ = ("identifier", "path")

    def __init__(self, identifier: str) -> None:
        self.identifier = identifier
        self.path = os.path.join(root(), identifier)

    @classmethod
    def make(cls, keep: int) -> "RunFolder":
        """Create a new folder. Of the older ones, the last ``keep - 1`` stay, the last good run of each of as many commands, and
        the runs that have not ended.

        Raises:
            OSError: it cannot be created.
        """
        folder = cls(f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")
        os.makedirs(folder.path, mode=0o700)
        known = identifiers()
        protected = _last_good_ones(known, keep) | _still_running(known[:-keep])
        for name in known[:-keep]:
            if name not in protected:
                shutil.rmtree(os.path.join(root(), name), ignore_errors=True)
        return folder

    @classmethod
    def find(cls, identifier: str) -> "RunFolder":
        """The folder of an earlier run; ``last`` is the latest.

        Raises:
            InputError: there is none.
        """
        known = identifiers()
        if not known:
            raise InputError(f"no run is kept in {root()}; 'tfhelp run -- python train.py' makes one")
        if identifier == "last":
            return cls(known[-1])
        if identifier not in known:
            raise InputError(f"no run {identifier!r} is kept in {root()}; the last ones are {', '.join(known[-3:])}")
        return cls(identifier)

    def remove(self) -> None:
        """Remove the folder, because nothing ran."""
        shutil.rmtree(self.path, ignore_errors=True)

    def make_folder(self, name: str) -> str | None:
        """Create a folder inside it, for this user only; ``None`` if that fails, for example because the disk is full."""
        try:
            os.makedirs(self.file(name), mode=0o700, exist_ok=True)
        except OSError:
            return None
        return self.file(name)

    def mark(self, name: str) -> str | None:
        """The text of a small file in it; ``None`` if there is none."""
        try:
            with open(self.file(name), encoding="utf-8", errors="replace") as file:
                return file.read(1000)
        except OSError:
            return None

    def file(self, name: str) -> str:
        """Path of one of its files."""
        return os.path.join(self.path, name)

    def write(self, name: str, content: bytes) -> None:
        """Write a file that only this user can read, whole or not at all.

        Raises:
            OSError: it cannot be written, for example because the disk is full.
        """
        write_whole(self.file(name), content, 0o600)

    def write_json(self, name: str, document: typing.Mapping[str, typing.Any]) -> None:
        """Write a JSON document, with the same errors as ``write``."""
        self.write(name, json.dumps(document, ensure_ascii=False, indent=1).encode())

    def write_table(self, name: str, rows: typing.Iterable[list[str]]) -> None:
        """Write a CSV file, with the same errors as ``write``."""
        import io

        text = io.StringIO()
        csv.writer(text).writerows(rows)
        self.write(name, text.getvalue().encode())

    def read_text(self) -> str:
        """The run's kept output, and the hidden output of its processes.

        Raises:
            InputError: there is none.
        """
        return self._text("output.log") + (self._text("hidden.log") if os.path.exists(self.file("hidden.log")) else "")

    def _text(self, name: str) -> str:
        try:
            with open(self.file(name), "rb") as file:
                return file.read().decode("utf-8", "replace").replace("\x00", "")
        except OSError as error:
            raise InputError(f"cannot read {self.file(name)}: {error.strerror or error}") from None

    def read_json(self, name: str) -> Json:
        """A document of the run; empty if it was never written because the run was ended together with tfhelp.

        Raises:
            InputError: it exists and cannot be read as JSON.
        """
        try:
            with open(self.file(name), encoding="utf-8") as file:
                document: Json = json.load(file)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {self.file(name)}: {error}") from None
        return document


def _still_running(names: list[str]) -> set[str]:
    """Runs without a mark of their end whose tfhelp still exists."""
    import psutil

    def runs(name: str) -> bool:
        number, folder = name.rpartition("-")[2], RunFolder(name)
        ended = folder.mark("good") is not None or folder.mark("bad") is not None
        return number.isdigit() and not ended and psutil.pid_exists(int(number))

    return {name for name in names if runs(name)}


def _last_good_ones(known: list[str], most: int) -> set[str]:
    """For each command, the last run that ended well; if there are too many commands, only those that ran most recently."""
    found: dict[str, str] = {}
    for name in reversed(known):
        if key := RunFolder(name).mark("good"):
            found.setdefault(key, name)
    return set(list(found.values())[:most])


def identifiers() -> list[str]:
    """Names of all kept runs, oldest first."""
    try:
        names = [name for name in os.listdir(root()) if os.path.isdir(os.path.join(root(), name))]
    except OSError:
        return []
    return sorted(names, key=_age)


def _age(name: str) -> tuple[str, int, str]:
    """Sorts the names of runs by age. Of two runs that began in one second, the later one has the higher process id.

    >>> sorted(["20260301-120000-10003", "20260301-120000-9998", "20260301-115959-20000"], key=_age)
    ['20260301-115959-20000', '20260301-120000-9998', '20260301-120000-10003']
    """
    began, _, number = name.rpartition("-")
    return began, int(number) if number.isdecimal() else 0, name
