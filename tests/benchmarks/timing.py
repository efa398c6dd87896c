"""Timing in which a busy machine affects all compared actions alike: they alternate, and the median of each counts."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import typing


def by_turns(actions: dict[str, typing.Callable[[], object]], rounds: int) -> dict[str, float]:
    """Do every action once per round.

    Args:
        actions: name -> what is timed. Each runs once beforehand, to fill the caches of the system and of libraries.
        rounds: how often, one or more.

    Returns:
        name -> median in seconds.
    """
    seconds: dict[str, list[float]] = {name: [] for name in actions}
    for action in actions.values():
        action()
    for _ in range(rounds):
        for name, action in actions.items():
            started = time.perf_counter()
            action()
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in seconds.items()}


class Spent(typing.NamedTuple):
    """The cost of a process: wall clock in seconds, peak resident memory in bytes."""

    seconds: float
    peak: int


def run_process(command: list[str], text: str = "", folder: str | None = None) -> None:
    """Run a program as a user would, and check that it answers.

    Args:
        command: the program and its arguments.
        text: its standard input.
        folder: where it runs.

    Raises:
        RuntimeError: it ended with a status other than "answered" (0) or "no answer" (1).
    """
    process = subprocess.Popen(
        command, cwd=folder, env=plain_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    _, errors = process.communicate(text.encode())
    if process.returncode not in (0, 1) or b"Traceback" in errors:
        said = errors.decode(errors="replace").strip()[-500:]
        raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}: {said}")


def run_measured(command: list[str]) -> Spent:
    """Run a program and measure its peak memory too (POSIX only).

    Its output goes to a file, because grep would otherwise stop at its first match.

    Args:
        command: the program with its whole path, and its arguments.

    Raises:
        RuntimeError: as in ``run_process``.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        between = [
            sys.executable,
            "-I",
            "-S",
            str(pathlib.Path(__file__).with_name("spend.py")),
            str(report),
            os.path.join(folder, "output"),
        ]
        subprocess.run([*between, *command], env=plain_environment(), check=True)
        spent = json.loads(report.read_text(encoding="utf-8"))
    if spent["status"] not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: exit status {spent['status']}; what it said stands above")
    return Spent(spent["seconds"], spent["peak"])


def plain_environment() -> dict[str, str]:
    """This environment without the variables that change how Python starts: compiled modules are kept, output is buffered."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TFHELP_"))}
