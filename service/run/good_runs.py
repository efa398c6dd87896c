"""Runs of the same command: which ended well, and what is kept for comparison."""

import os
import time
import typing

from tfhelp.collectors.run.sampler import is_python
from tfhelp.collectors.run.setting import Setting, Sources, fingerprint, setting_of
from tfhelp.service.errors import InputError
from tfhelp.service.run.comparison import SinceLastGood, changes_between
from tfhelp.service.run.folder import RunFolder, identifiers

if typing.TYPE_CHECKING:
    from tfhelp.service.run.watched_run import WatchedRun

_TAKES_A_VALUE = ("-W", "-X", "--check-hash-based-pycs")


def program_of(command: list[str]) -> str:
    """The program without its arguments: a script, a module, or another program; empty for code on the command line.

    >>> program_of(["python3", "-u", "-X", "dev", "train.py", "--lr", "1"]), program_of(["python", "-m", "train", "x"])
    ('train.py', '-m train')
    >>> program_of(["bash", "job.sh"]), program_of(["make", "train"]), program_of(["python", "-c", "print()"])
    ('job.sh', 'make', '')
    """
    words = iter(command[1:])
    runs_a_file = bool(command) and (is_python(command[0]) or os.path.basename(command[0]) in ("sh", "bash", "dash", "zsh"))
    if not runs_a_file:
        return command[0] if command else ""
    for word in words:
        if word in _TAKES_A_VALUE:
            next(words, None)
        elif word == "-m":
            return f"-m {next(words, '')}"
        elif word in ("-c", "-", "-s") and not (word == "-s" and is_python(command[0])):
            return ""
        elif not word.startswith("-"):
            return word
    return ""


def key_of(command: list[str]) -> str:
    """A key that is the same for runs of the same program in the same folder; empty if there is nothing to compare."""
    program = program_of(command)
    if program and program == command[0]:  # behind a launcher, the script tells the programs apart
        script = next((word for word in command[1:] if word.endswith((".py", ".sh")) and os.path.isfile(word)), "")
        program = f"{program} {script}".rstrip()
    return fingerprint(f"{os.getcwd()}\n{program}".encode()) if program else ""


class Keeping:
    """What is kept of a run so that later ones can be compared with it. Create it before the program starts."""

    def __init__(self, watched: "WatchedRun") -> None:
        self._watched = watched
        self._sources = Sources()
        self._begun = time.time()
        program = program_of(watched.command)
        if os.path.isfile(program):
            self._sources.add(os.path.abspath(program))  # read it now, because it may be edited while it runs

    def keep(self, good: bool) -> None:
        """Write, at the end, the setting and whether the run was good."""
        folder = self._watched.folder
        if folder is None:
            return
        try:
            folder.write_json("setting.json", self.setting())
            folder.write_json("sources.json", self._sources.texts)
            key = key_of(self._watched.command)
            folder.write("good" if good else "bad", key.encode())
        except OSError:
            pass

    def setting(self) -> Setting:
        """The run's setting."""
        observation = self._watched.observation
        records = observation.processes()
        for record in records:
            for path in record.own_files:
                self._sources.add(path, not_after=self._begun)
        return setting_of(self._watched.command, os.environ, records, self._sources.files, observation.sampler.files.found)

    def since_last_good(self) -> SinceLastGood | None:
        """The comparison with the last good run of the same command; ``None`` if none is kept."""
        good = last_good(key_of(self._watched.command), before=self._watched.folder)
        if good is None:
            return None
        try:
            before, texts = good.read_json("setting.json"), good.read_json("sources.json")
        except InputError:
            return None
        if not before:
            return None
        now = self.setting()
        for path in before["files"]:  # a crashed run reports no modules: read the earlier run's files as they are now
            self._sources.add(path)
        changes = changes_between(typing.cast(Setting, before), now, texts, self._sources.texts)
        return {"run": good.identifier, "when": started_at(good.identifier), "changes": changes}


def started_at(identifier: str) -> str:
    """When a run began, from its name: ``2026-11-17T14:03:09``."""
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.strptime(identifier[:15], "%Y%m%d-%H%M%S"))
    except ValueError:
        return ""


def last_good(key: str, before: RunFolder | None = None) -> RunFolder | None:
    """The last run of a command that ended well, except the given one."""
    for identifier in reversed(identifiers() if key else []):
        folder = RunFolder(identifier)
        if (before is None or identifier != before.identifier) and folder.mark("good") == key:
            return folder
    return None


def list_of_runs() -> list[dict[str, typing.Any]]:
    """All kept runs, oldest first: ``id``, ``when``, ``state`` (good, bad, or unknown) and ``command``."""
    rows = []
    for identifier in identifiers():
        folder = RunFolder(identifier)
        state = next((mark for mark in ("good", "bad") if folder.mark(mark) is not None), "unknown")
        try:
            command = folder.read_json("setting.json").get("command", [])
        except InputError:
            command = []
        rows.append({"id": identifier, "when": started_at(identifier), "state": state, "command": command})
    return rows
