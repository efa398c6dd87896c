"""Runs a fault program as a person at a terminal would, and reports how it ended and what was on the screen.

A real interactive bash starts the program, so that what a shell prints about a signal (``Killed``) is real. The run has its
own folder and home, gets none of our variables, and is ended with all its children when its time is up.
"""

import json
import os
import pathlib
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
import typing

from tests.faults.environments import Interpreter, interpreter_for
from tests.faults.errors import UnsupportedError
from tests.faults.neutral import neutral
from tests.faults.worker import Worker, cluster
from tfhelp.kb.programs import Program, read_program

_POLL_SECONDS = 0.02
# When one worker has failed, the others notice after a while, or never; their remaining output belongs to the recording.
_PEERS_SECONDS = 20.0


Json = dict[str, typing.Any]


class Outcome:
    """How a run ended.

    Attributes:
        exit_code: as a shell reports it (128 + number of the signal); ``None`` if the run was ended because its time was up. With
            several workers, it is the code of the one that failed first.
        signal: name of the signal that ended it, else ``None``.
        output: standard output and error together, in order, with neutral paths.
        seconds: how long it ran.
        interpreter: the interpreter that ran it.
        facts: what was observed in the run and read from its script, as a facts document; ``None`` if it was not observed.
    """

    __slots__ = ("exit_code", "facts", "interpreter", "output", "seconds", "signal")

    def __init__(
        self, exit_code: int | None, output: str, seconds: float, interpreter: Interpreter, facts: Json | None = None
    ) -> None:
        self.exit_code = exit_code
        self.signal = signal_of(exit_code)
        self.output = output
        self.seconds = seconds
        self.interpreter = interpreter
        self.facts = facts


def signal_of(exit_code: int | None) -> str | None:
    """Name of the signal in a shell's exit code, ``None`` if there is none."""
    if exit_code is None or exit_code <= 128:
        return None
    try:
        return signal.Signals(exit_code - 128).name
    except ValueError:
        return None


def run_program(path: str | pathlib.Path, python: str | None = None) -> Outcome:
    """Run one program file under the conditions that its metadata states.

    Args:
        path: a ``.py`` file with an inline script-metadata block.
        python: path of an interpreter that overrides what the program asks for.

    Raises:
        ProgramError: its metadata cannot be understood.
        UnsupportedError: this machine cannot provide what it asks for.
    """
    program = read_program(str(path), pathlib.Path(path).read_text(encoding="utf-8"))
    _demand(program)
    interpreter = interpreter_for(program, python)
    base = tempfile.mkdtemp(prefix="tfhelp-run-")
    folder, home = os.path.join(base, "project"), os.path.join(base, "home")
    os.mkdir(folder)
    os.mkdir(home)
    try:
        if program.tmpfs_mib is not None:
            _mount(folder, program.tmpfs_mib)
        return _run_in(program, interpreter, folder, home)
    finally:
        if program.tmpfs_mib is not None:
            subprocess.run(["umount", "--lazy", folder], check=False, capture_output=True)
        shutil.rmtree(base, ignore_errors=True)


def _demand(program: Program) -> None:
    missing = [name for name in program.needs if not shutil.which(name) and not os.path.exists(name)]
    if missing:
        raise UnsupportedError(f"{program.path}: this machine has no {' and no '.join(missing)}")


def _mount(folder: str, size_mib: int) -> None:
    command = ["mount", "-t", "tmpfs", "-o", f"size={size_mib}m", "tmpfs", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnsupportedError(f"a file system of {size_mib} MiB cannot be mounted here: {done.stderr.strip()}")


def _run_in(program: Program, interpreter: Interpreter, folder: str, home: str) -> Outcome:
    pathlib.Path(folder, program.name).write_text(program.text, encoding="utf-8")
    for name, content in program.files.items():
        file = pathlib.Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    environments = cluster(program.workers) if program.workers else [{}]
    base = _environment(interpreter, home)
    started = time.monotonic()
    workers = []
    observed = [os.path.join(home, f".observed-{index}.json") for index in range(len(environments))] if program.observed else []
    try:
        for index, extra in enumerate(environments):
            facts = observed[index] if observed else None
            workers.append(Worker(program, folder, {**base, **extra, **program.env}, index, facts))
        output, exit_code = _watch(program, workers, started)
    finally:
        for worker in workers:
            worker.end()
    text = output.decode("utf-8", errors="replace")
    return Outcome(
        exit_code,
        neutral(text, folder, home, interpreter.prefix, interpreter.base_prefix),
        time.monotonic() - started,
        interpreter,
        _observed(observed),
    )


def _observed(files: list[str]) -> Json | None:
    """What the observers wrote; with several workers, the facts of the first, as a person looks at one terminal."""
    if not files or not os.path.exists(files[0]):
        return None
    with open(files[0], encoding="utf-8") as file:
        document: Json = json.load(file)
    return document


def _environment(interpreter: Interpreter, home: str) -> dict[str, str]:
    """The environment of a person who has just logged in and activated the virtual environment."""
    return {
        "HOME": home,
        "USER": "user",
        "LOGNAME": "user",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "SHELL": "/bin/bash",
        "PATH": f"{os.path.dirname(interpreter.executable)}:/usr/local/bin:/usr/bin:/bin",
        "VIRTUAL_ENV": interpreter.prefix,
        # A terminal is line-buffered, a pipe is not: without this, the order of standard output and error would differ
        # from what a person sees, and output printed just before a signal would be missing.
        "PYTHONUNBUFFERED": "1",
    }


def _watch(program: Program, workers: list[Worker], started: float) -> tuple[bytes, int | None]:
    """Collect the output of all workers line by line as it arrives, until all have ended or the time is up."""
    merged = bytearray()
    failed_first: int | None = None
    deadline = started + program.timeout
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.pipe, selectors.EVENT_READ, worker)
        while True:
            for key, _ in selector.select(_POLL_SECONDS):
                merged += key.data.read()
                if key.data.at_end:
                    selector.unregister(key.fileobj)
            for worker in workers:
                worker.tend()
                if failed_first is None and worker.exit_code:
                    failed_first = worker.exit_code
                    deadline = min(deadline, time.monotonic() + _PEERS_SECONDS)
            if all(worker.exit_code is not None for worker in workers):
                break
            if time.monotonic() > deadline:
                break
    over_time = failed_first is None and any(worker.exit_code is None for worker in workers)
    for worker in workers:
        worker.freeze()
    for worker in workers:
        worker.end()
        merged += worker.rest()
    return bytes(merged), None if over_time else failed_first or 0


def versions_of(interpreter: Interpreter) -> dict[str, str | None]:
    """Versions that a recording names: ``tensorflow``, ``keras``, ``python``."""
    names = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tf-nightly", "tf-nightly-cpu")
    return {
        "tensorflow": interpreter.package_version(*names),
        "keras": interpreter.package_version("keras"),
        "python": re.sub(r"\s.*", "", interpreter.version),
    }
