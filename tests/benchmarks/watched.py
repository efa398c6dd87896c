"""The cost of ``tfhelp run`` for a program, compared with the same program run bare."""

import os
import statistics
import subprocess
import tempfile
import time
import typing

from tests.benchmarks.clean_environment import CleanEnvironment
from tests.benchmarks.targets import Row, milliseconds
from tests.benchmarks.timing import plain_environment

_WALL_LIMIT, _SHARE_LIMIT = 0.2, 0.01  # seconds per run; share of a core after the first seconds
_SHORT, _LONG = 5, 35  # seconds of the two programs; their difference is a run without its beginning
# It computes for a third of the time and prints as often as a progress bar does.
_PROGRAM = """
import time
for step in range({seconds} * 10):
    begun = time.thread_time()
    while time.thread_time() < begun + 0.03:
        pass
    print(step, "loss", 1 / (step + 1), flush=True)
    time.sleep(0.07)
"""


class Cost(typing.NamedTuple):
    """Seconds of wall clock and of processor time, including the program's own."""

    wall: float
    processor: float


def against_bare_run(environment: CleanEnvironment, rounds: int) -> typing.Iterator[Row]:
    """Wall time that is added to a run, and the processor time used continuously (POSIX only).

    Args:
        environment: where the wheel is.
        rounds: how often each program is run.
    """
    with tempfile.TemporaryDirectory() as folder:
        quick = _medians(environment, "import time; time.sleep(1)", folder, 5 * rounds)
        added = quick["ours"].wall - quick["bare"].wall
        yield Row(
            "`tfhelp run`, wall time that it adds to a run",
            milliseconds(added),
            f"the limit: {milliseconds(_WALL_LIMIT)}; bare: {milliseconds(quick['bare'].wall)}",
            added / _WALL_LIMIT,
            1.0,
        )
        short = _medians(environment, _PROGRAM.format(seconds=_SHORT), folder, rounds)
        long = _medians(environment, _PROGRAM.format(seconds=_LONG), folder, rounds)
    taken = {name: long[name].processor - short[name].processor for name in long}
    share = (taken["ours"] - taken["bare"]) / (_LONG - _SHORT)
    yield Row(
        f"`tfhelp run`, processor time beyond the first {_SHORT} s",
        f"{100 * share:.2f} % of a core",
        f"the limit: {100 * _SHARE_LIMIT:g} %; bare: {100 * taken['bare'] / (_LONG - _SHORT):.1f} %",
        share / _SHARE_LIMIT,
        1.0,
    )


def _medians(environment: CleanEnvironment, program: str, folder: str, rounds: int) -> dict[str, Cost]:
    """The cost of the program, bare and watched, alternating."""
    bare = [environment.python, "-c", program]
    commands = {"bare": bare, "ours": [environment.tfhelp, "run", "--", *bare]}
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            costs[name].append(cost_of(command, folder))
    return {
        name: Cost(statistics.median(cost.wall for cost in found), statistics.median(cost.processor for cost in found))
        for name, found in costs.items()
    }


def cost_of(command: list[str], folder: str) -> Cost:
    """Run a command to its end, with its runs kept in a folder.

    Raises:
        RuntimeError: it failed.
    """
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        env=plain_environment() | {"XDG_STATE_HOME": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise RuntimeError(f"{' '.join(command)[:100]}: exit status {process.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime)
