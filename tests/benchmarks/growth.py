"""``python -m tests.benchmarks.growth``: the cost of a larger knowledge base, compared with the shipped one in the same run.

Every step runs in a separate process, over a program that ``grown`` laid out. Cold and warm measurements alternate.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import typing

from tests.benchmarks import cold, grown, page_table, prose, recordings, speed
from tests.benchmarks.targets import Row, milliseconds
from tests.benchmarks.timing import by_turns

FOLDER = recordings.ROOT / "build" / "growth"
PAGE = recordings.ROOT / "docs" / "benchmarks.md"
COMMAND = "bench-growth"
TARGETS: dict[int, dict[str, float]] = {
    10: {"compile": 11, "train": 11, "line": 1.2, "prose": 1.2, "warm": 1.3, "memory": 1.5},
    100: {"compile": 110, "train": 110, "line": 2, "prose": 2, "warm": 2, "memory": 4},
}
_ASK = "import sys; from tfhelp.service.__main__ import start; sys.exit(start())"
_WORKERS = 2
_EVERY = 8  # one in this many recordings is diagnosed by a worker


def main() -> int:
    """Print the rows, and write them into the page. Exit status: 0, or 1 if something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.growth", description="Measure larger knowledge.")
    parser.add_argument("--times", type=int, nargs="+", choices=TARGETS, default=list(TARGETS), help="sizes (default: both)")
    parser.add_argument("--rounds", type=int, default=9, help="how often the quick things are measured (default: %(default)s)")
    parser.add_argument("--keep", action="store_true", help="measure what an earlier run built")
    parser.add_argument("--step", nargs=2, metavar=("STEP", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        return _step(arguments.step[0], pathlib.Path(arguments.step[1]))
    rows = []
    try:
        for row in measure([1, *arguments.times], arguments.rounds, arguments.keep):
            rows.append(row)
            print(
                f"{'met   ' if row.met else 'MISSED'} {row.ratio:7.2f}  {row.wanted():18}  {row.what}: {row.ours} ({row.peer})",
                flush=True,
            )
    except RuntimeError as error:
        print(f"growth: {error}", file=sys.stderr)
        return 1
    if len(arguments.times) == len(TARGETS):
        page_table.put(PAGE, page_table.table(rows, speed.machine(), COMMAND), COMMAND)
    return 0


def measure(sizes: list[int], rounds: int, keep: bool = False) -> typing.Iterator[Row]:
    """The rows of every size but the first, compared with the first.

    Args:
        sizes: multiples of the shipped knowledge; the first is 1.
        rounds: how often the fast measurements are repeated.
        keep: whether to reuse what an earlier run built; its costs were saved.

    Raises:
        RuntimeError: a step failed.
    """
    costs = {size: _built(size, keep) for size in sizes}
    quick = _quick(sizes, rounds)
    for size in sizes[1:]:
        found, base = costs[size] | quick[size], costs[1] | quick[1]
        for name, what in (
            ("compile", "compiling, processor time"),
            ("train", "training the classifier (copied texts have made vectors), processor time"),
            ("line", "`tfhelp ask --no-collect`, an error line"),
            ("prose", "`tfhelp ask --no-collect`, a question in words"),
            ("warm", "warm, the median text"),
            ("memory", f"memory of one of {_WORKERS} workers, shared pages divided"),
        ):
            shown = _megabytes if name == "memory" else milliseconds
            yield Row(
                f"knowledge {size} times as large: {what}",
                shown(found[name]),
                f"today's: {shown(base[name])}",
                found[name] / base[name],
                TARGETS[size][name],
            )


def _megabytes(size: float) -> str:
    return f"{size / 2**20:.0f} MB"


def _built(size: int, keep: bool) -> dict[str, float]:
    """Seconds of processor time that each step took; its files exist afterwards."""
    folder, costs = FOLDER / f"x{size}", FOLDER / f"x{size}.json"
    if keep and costs.is_file():
        kept: dict[str, float] = json.loads(costs.read_text(encoding="utf-8"))
        return kept
    grown.prepare(folder, size)
    found = {}
    for step in ("compile", "train"):
        said = json.loads(_run([sys.executable, "-m", "tests.benchmarks.growth", "--step", step, str(folder)]))
        print(f"  x{size} {step}: {said['seconds']:.1f} s, {said['peak'] / 2**20:.0f} MB", file=sys.stderr, flush=True)
        found[step] = said["seconds"]
    costs.write_text(json.dumps(found), encoding="utf-8")
    return found


def _quick(sizes: list[int], rounds: int) -> dict[int, dict[str, float]]:
    """Cold and warm, alternating: seconds, and bytes of memory."""
    found: dict[int, dict[str, float]] = {size: {} for size in sizes}
    for name, text in (("line", cold.ONE_LINE), ("prose", prose.SHORT[0])):
        actions = {str(size): lambda size=size, text=text: _ask(FOLDER / f"x{size}", text) for size in sizes}
        for size, seconds in by_turns(actions, rounds).items():
            found[int(size)][name] = seconds
    turns: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes}
    for _ in range(max(1, rounds // 3)):
        for size in sizes:
            turns[size].append(_warm(FOLDER / f"x{size}"))
    for size, measured in turns.items():
        found[size]["warm"] = statistics.median(seconds for seconds, _ in measured)
        found[size]["memory"] = statistics.median(memory for _, memory in measured)
    return found


def _ask(folder: pathlib.Path, text: str) -> None:
    command = [sys.executable, "-S", "-c", _ASK, "ask", "--no-collect"]  # without site, which reads how tfhelp is installed here
    ran = subprocess.run(command, input=text, env=grown.environment(folder), capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1) or "Traceback" in ran.stderr:
        raise RuntimeError(f"ask: exit status {ran.returncode}: {ran.stderr.strip()[-500:]}")


def _warm(folder: pathlib.Path) -> tuple[float, float]:
    """Seconds for the median text, and memory of a worker in bytes, with all workers alive."""
    command = [sys.executable, "-m", "tests.benchmarks.growth", "--step", "warm", str(folder)]
    workers = [
        subprocess.Popen(
            command, env=grown.environment(folder), cwd=recordings.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(_WORKERS)
    ]
    try:
        said = [worker.stdout.readline() if worker.stdout else b"" for worker in workers]
        if not all(said):
            raise RuntimeError("a warm worker ended; what it said stands above")
        memory = statistics.mean(grown.share_of_memory(worker.pid) for worker in workers)
    finally:
        for worker in workers:
            worker.communicate()
    return statistics.median(second for line in said for second in json.loads(line)), memory


def _run(command: list[str]) -> str:
    ran = subprocess.run(command, cwd=recordings.ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit status {ran.returncode}; what it said stands above")
    return ran.stdout


def _step(step: str, folder: pathlib.Path) -> int:
    if step == "warm":
        texts = [recording.output for recording in recordings.failures()][::_EVERY]
        print(json.dumps(grown.ask_many(texts + prose.SHORT)), flush=True)
        sys.stdin.read()  # it stays alive while its memory is measured
    else:
        print(json.dumps({"compile": grown.compile_entries, "train": grown.train}[step](folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
