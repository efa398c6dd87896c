"""A small folder for each kernel in the user's cache: what it ran last, what its C++ code wrote, and how much memory it used.

A kernel that dies cannot report it; the next kernel of the same notebook reads what it left. Only this user can read the folder.
For each kernel the cells are kept as they were run, because their lines explain a crash; old folders are removed.

``kernel.json``  what it was running, and its memory limit; a kernel that ends normally removes the folder
``stderr.log``   what was written to file descriptor 2 (``native_output``)
``stacks.txt``   what the fault handler writes at a fatal signal or SIGTERM
``memory``       resident memory and its peak, in MiB, and the time of the reading
``lock``         locked for as long as the kernel lives
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import typing

from . import machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    Json = dict[str, typing.Any]

_KEPT, _DAYS = 20, 14
_TAIL = 32_768  # bytes of a file that are read
_STACKS = 4 << 20  # bytes of the stacks: their first line names the signal, and all threads follow it


def root() -> str:
    """Where the folders are: ``$XDG_CACHE_HOME/tfhelp/notebook``, on Windows below ``%LOCALAPPDATA%``."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "tfhelp", "notebook")


class Journal:
    """The folder of this kernel.

    Attributes:
        folder: its path.
        document: what ``kernel.json`` holds.
    """

    def __init__(self, notebook: str, connection: str) -> None:
        """Create the folder.

        Args:
            notebook: name of the notebook's file, if the front end provides it.
            connection: name of the connection file. A restarted kernel keeps it.

        Raises:
            OSError: the folder cannot be created.
        """
        self.folder = os.path.join(root(), f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")
        os.makedirs(self.folder, mode=0o700)
        self._pid = os.getpid()
        self._lock = _locked(os.path.join(self.folder, "lock"))
        self.document: Json = {
            "pid": self._pid,
            "boot": _boot(),
            "notebook": notebook,
            "connection": connection,
            "cwd": os.getcwd(),
            "limit_mib": machine.memory_limit_mib(),
            "cell": None,
            "cells": {},
            "files": {},
        }
        self._write()

    def path(self, name: str) -> str:
        """Path of one of its files."""
        return os.path.join(self.folder, name)

    def begins(self, number: int, cells: dict[int, str], files: typing.Mapping[str, int]) -> None:
        """Note that a cell begins to run.

        Args:
            number: number of the cell.
            cells: number -> source of all cells.
            files: file name of a cell -> its number.
        """
        self.document["cell"] = {"number": number, "began": time.time(), "kills": machine.kills_for_memory()}
        self.document["cells"], self.document["files"] = cells, dict(files)
        self._write()
        self.note_memory()

    def cell_ends(self) -> None:
        """Note that the cell is over."""
        self.document["cell"] = None
        self._write()

    def remove(self) -> None:
        """Remove the folder: the kernel ends normally, or the extension is unloaded."""
        if os.getpid() == self._pid:  # a forked child runs the same handlers when it exits
            _unlock(self._lock)
            shutil.rmtree(self.folder, ignore_errors=True)

    def note_memory(self) -> None:
        """Write down how much memory this process uses now."""
        try:
            with open(self.path("memory"), "w", encoding="ascii") as file:
                file.write("%.0f %.0f %.3f\n" % (*machine.memory_mib(), time.time()))
        except OSError:
            pass

    def _write(self) -> None:
        _write_json(self.path("kernel.json"), self.document)


class Death:
    """A kernel that ended without a message, as its folder shows it.

    Attributes:
        pid: its process id.
        cell: number of the cell that it was running; 0 for none.
        cells: number -> source of its cells.
        said: the last output of its C++ code.
        stacks: what the fault handler wrote, with cell numbers in place of file names.
        seconds: how long the cell had run at the last check; 0 for unknown.
        peak_mib, limit_mib: its highest memory use and its limit; 0 for unknown.
        kill_line: the kernel log's line about it; empty for none.
        kills: processes of the control group that were killed for lack of memory since the cell began; ``None`` if the system
            does not count them.
    """

    def __init__(self, folder: str, document: Json) -> None:
        from .failures import with_cells

        cell = document.get("cell") or {}
        self.pid = int(document["pid"])
        self.cell = int(cell.get("number", 0))
        self.cells = {int(number): str(source) for number, source in document.get("cells", {}).items()}
        self.said = _tail(os.path.join(folder, "stderr.log"))
        self.stacks = with_cells(_tail(os.path.join(folder, "stacks.txt"), _STACKS), document.get("files", {}))
        memory = [float(word) for word in _tail(os.path.join(folder, "memory")).split()]
        self.peak_mib, seen = (memory[1], memory[2]) if len(memory) == 3 else (0.0, 0.0)
        self.seconds = max(0.0, seen - float(cell.get("began", seen)))
        self.limit_mib = float(document.get("limit_mib") or 0)
        self.kill_line = machine.killed_for_memory(self.pid) if document.get("boot") == _boot() else ""
        before, now = cell.get("kills"), machine.kills_for_memory()
        self.kills = max(0, now - int(before)) if now is not None and before is not None else None

    @property
    def signal(self) -> str:
        """The signal that ended it, such as ``SIGSEGV``, if there is evidence of one; otherwise empty."""
        for words, name in _FATAL:
            if words in self.stacks:
                return name
        if self.kill_line or self.kills:
            return "SIGKILL"
        return "SIGTERM" if self.stacks else ""

    @property
    def is_worth_reporting(self) -> bool:
        """Whether it died while it ran a cell, or crashed. Stopping an idle kernel is normal."""
        return bool(self.cell) or self.signal not in ("", "SIGTERM")


_FATAL = (
    ("Segmentation fault", "SIGSEGV"),
    ("Aborted", "SIGABRT"),
    ("Bus error", "SIGBUS"),
    ("Floating point exception", "SIGFPE"),
    ("Floating-point exception", "SIGFPE"),
    ("Illegal instruction", "SIGILL"),
    ("Fatal Python error", "SIGABRT"),
)


def last_death(notebook: str, connection: str) -> Death | None:
    """The latest kernel of the same notebook, if it died and that was not yet reported. Also removes old folders."""
    found = None
    for folder in sorted(_folders(), key=_age, reverse=True):
        document = _read_json(os.path.join(folder, "kernel.json"))
        if _is_same(document, notebook, connection) and _is_dead(folder):
            if not document.get("told"):
                found = Death(folder, document)
                _write_json(os.path.join(folder, "kernel.json"), {**document, "told": True})
            break
    _remove_old()
    return found if found is not None and found.is_worth_reporting else None


def _is_same(document: Json, notebook: str, connection: str) -> bool:
    if "pid" not in document:
        return False
    if connection and document.get("connection") == connection:
        return True
    if notebook or document.get("notebook"):
        return bool(document.get("notebook") == notebook)
    return bool(document.get("cwd") == os.getcwd())


def _is_dead(folder: str) -> bool:
    lock = _locked(os.path.join(folder, "lock"))
    _unlock(lock)
    return lock is not None


def _locked(path: str) -> typing.IO[str] | None:
    """The file, locked; ``None`` if another process holds the lock. The system releases it when that process dies."""
    try:
        file = open(path, "a", encoding="ascii")  # noqa: SIM115 - for as long as the lock is held
    except OSError:
        return None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _unlock(file: typing.IO[str] | None) -> None:
    if file is not None:
        file.close()


def _folders() -> list[str]:
    try:
        return [os.path.join(root(), name) for name in os.listdir(root())]
    except OSError:
        return []


def _age(folder: str) -> tuple[str, int, str]:
    """Sorts folders by age, as ``tfhelp run`` sorts its own. A test compares the two: this package must work without tfhelp."""
    name = os.path.basename(folder)
    began, _, number = name.rpartition("-")
    return began, int(number) if number.isdecimal() else 0, name


def _remove_old() -> None:
    oldest = time.time() - _DAYS * 86400
    for place, folder in enumerate(sorted(_folders(), key=_age, reverse=True)):
        try:
            old = place >= _KEPT or os.path.getmtime(folder) < oldest
        except OSError:
            continue
        if old and _is_dead(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def _tail(path: str, most: int = _TAIL) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - most))
            return file.read().decode("utf-8", "replace").replace("\x00", "")
    except OSError:
        return ""


def _read_json(path: str) -> Json:
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _write_json(path: str, document: Json) -> None:
    """Write the whole document or nothing; a full disk must not disturb the notebook."""
    try:
        with open(os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=True)
        os.replace(path + ".new", path)
    except OSError:
        pass
