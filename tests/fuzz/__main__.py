"""Coverage-guided fuzzing of every reader of external input: ``make fuzz``, or ``python -m tests.fuzz --help``."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time
import typing

from tests.fuzz import inputs
from tests.fuzz.distil import distilled
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
_MOST_MIB = 3_000  # of memory; above this a fuzzer ends
_EXECUTED = re.compile(r"stat::number_of_executed_units: (\d+)")  # in the output of libFuzzer
_LONGEST_S = 60  # seconds for one input; above this a fuzzer ends
_EXAMPLES = """\
examples:
  python -m tests.fuzz                        every reader for 60 seconds
  python -m tests.fuzz reading --seconds 600  one reader for ten minutes
  python -m tests.fuzz --distil               keep the smallest inputs that reach the same code, in tests/fuzz/corpus

Exit status: 0, or 1 when an input shows a fault; the inputs are in build/fuzz/faults. Move one to tests/fuzz/found/READER
under a name that says what was wrong, and fix the reader: the tests read it from then on.
"""


class Outcome(typing.NamedTuple):
    """The outcome of one fuzzer: how many inputs it tried, and whether it ran to its end."""

    name: str
    executed: int
    ended: bool


def _dictionary(target: Target) -> list[str]:
    if not target.words:
        return []
    file = BUILD / f"{target.name}.dict"
    file.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words), encoding="ascii")
    return [f"-dict={file}"]


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode("utf-8" if word.isascii() else "latin-1"))


def fuzz(target: Target, seconds: int) -> Outcome:
    """Fuzz one reader for this many seconds of wall time, with fresh random choices."""
    folder = inputs.as_files(target, BUILD)
    faults = BUILD / "faults" / target.name
    options = [f"-max_total_time={seconds}", f"-max_len={target.longest}", *_dictionary(target)]
    options += [f"-timeout={_LONGEST_S}", f"-rss_limit_mb={_MOST_MIB}", f"-artifact_prefix={faults}/", "-print_final_stats=1"]
    faults.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.worker", target.name, str(faults), *options, str(folder)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = done.stdout.decode("utf-8", "replace")
    (BUILD / f"{target.name}.log").write_text(said[-200_000:], encoding="utf-8")
    return Outcome(target.name, max(map(int, _EXECUTED.findall(said)), default=0), done.returncode == 0)


def _report(outcome: Outcome, seconds: float) -> bool:
    """Report the outcome of one fuzzer; return whether it found a fault."""
    faults = [path for path in (BUILD / "faults" / outcome.name).glob("*") if path.suffix != ".txt"]
    end = "" if outcome.ended else f", ended early ({BUILD / outcome.name}.log)"
    print(f"{outcome.name:14} {outcome.executed:>10,} inputs in {seconds:5.0f} s, {len(faults)} faults{end}", flush=True)
    for path in faults:
        print(f"    {path}")
    return bool(faults) or not outcome.ended


def main() -> int:
    """Fuzz, or distil the corpus."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__, epilog=_EXAMPLES)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"which ones; all of them by default: {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=int, default=60, help="for each reader (default: %(default)s)")
    parser.add_argument("--at-once", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="fuzzers that run at once")
    parser.add_argument("--distil", action="store_true", help="do not fuzz; rewrite the kept corpus from all inputs")
    asked = parser.parse_args()
    if unknown := [name for name in asked.readers if name not in TARGETS]:
        parser.error(f"no reader is called {unknown[0]!r}; there are {', '.join(TARGETS)}")
    targets = [TARGETS[name] for name in asked.readers or TARGETS]
    if asked.distil:
        for target in targets:
            inputs.write_corpus(
                target.name, distilled(target, [path.read_bytes() for path in inputs.as_files(target, BUILD).iterdir()])
            )
        return 0
    BUILD.mkdir(parents=True, exist_ok=True)

    def work(target: Target) -> bool:
        started = time.monotonic()
        return _report(fuzz(target, asked.seconds), time.monotonic() - started)

    with concurrent.futures.ThreadPoolExecutor(asked.at_once) as pool:
        return int(any(list(pool.map(work, targets))))


if __name__ == "__main__":
    sys.exit(main())
