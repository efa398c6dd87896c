"""``python -m tests.benchmarks``: speed, and correctness on the recordings. Numbers to look at; no test depends on them."""

import argparse
import sys

from tests.benchmarks import quality, recordings, speed


def main() -> int:
    """Print the tables. Exit status: 0, or 1 where there is nothing to measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure speed and correctness.")
    parser.add_argument("--runs", type=int, default=15, help="how often each thing is timed (default: %(default)s)")
    parser.add_argument("--only", choices=("speed", "quality"), help="one of the two")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("--runs must be at least 1")
    failures = recordings.failures()
    if not failures:
        print("bench: no recordings under kb/entries; make record ENTRY=... makes one", file=sys.stderr)
        return 1
    if arguments.only != "quality":
        print(f"{'speed':68} {'median':>10} {'worst':>10}  runs")
        for timing in speed.measure(failures, arguments.runs):
            print(f"{timing.what:68} {timing.median_ms:7.1f} ms {timing.worst_ms:7.1f} ms  {timing.runs:4}", flush=True)
    if arguments.only != "speed":
        _print_quality(failures)
    return 0


def _print_quality(failures: list[recordings.Recording]) -> None:
    for label, with_exit in (("text alone", False), ("text, exit code and signal", True)):
        outcomes = quality.answer_all(failures, with_exit)
        entries = sum(outcome.entry_right for outcome in outcomes)
        causes = sum(outcome.cause_right for outcome in outcomes)
        silent = sum(outcome.abstained for outcome in outcomes)
        print(f"\n{len(outcomes)} recorded failures, {label}: entry right {entries}, cause right {causes}, abstained {silent}")
        for outcome in outcomes:
            if not outcome.cause_right:
                what = "abstained" if outcome.abstained else "cause wrong" if outcome.entry_right else "entry wrong"
                print(f"  {what}: {outcome.recording.entry} / {outcome.recording.cause}")
        for name, count, sure, right in quality.calibration(outcomes):
            print(f"  confidence {name}: {count} answers, {sure:.2f} sure, {right:.2f} right")
    healthy = recordings.healthy()
    alarmed = quality.wrongly_alarmed(healthy)
    print(f"\n{len(healthy)} healthy runs: {len(alarmed)} taken for failures {sorted(set(alarmed)) or ''}")


if __name__ == "__main__":
    sys.exit(main())
