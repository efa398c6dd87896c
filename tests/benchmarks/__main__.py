"""``python -m tests.benchmarks``: speed, and correctness on the recordings. No test depends on the figures."""

import argparse
import sys

from tests.benchmarks import page_table, quality, recordings, speed


def main() -> int:
    """Print the tables. Exit status: 0, or 1 if something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure speed and correctness.")
    parser.add_argument("--rounds", type=int, default=15, help="how often each quick thing is timed (default: %(default)s)")
    parser.add_argument(
        "--only",
        choices=(*speed.SECTIONS, "quality"),
        action="append",
        help="one part, and leave docs/benchmarks.md as it is; may be repeated",
    )
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    failures = recordings.failures()
    if not failures:
        print("bench: no recordings under kb/entries; make record ENTRY=... makes one", file=sys.stderr)
        return 1
    sections = [section for section in speed.SECTIONS if not arguments.only or section in arguments.only]
    try:
        rows = _print_speed(failures, arguments.rounds, sections) if sections else []
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if not arguments.only or "quality" in arguments.only:
        _print_quality(failures)
    if not arguments.only:
        if page_table.put(recordings.ROOT / "docs" / "benchmarks.md", page_table.table(rows, speed.machine())):
            print(f"\nthe table of docs/benchmarks.md is rewritten, {sum(row.met for row in rows)} of {len(rows)} targets met")
        else:
            print("\ndocs/benchmarks.md has no <!-- bench --> ... <!-- /bench --> to write the table into")
    return 0


def _print_speed(failures: list[recordings.Recording], rounds: int, sections: list[str]) -> list[speed.Row]:
    print(speed.machine())
    rows = []
    for row in speed.measure(failures, rounds, sections):
        rows.append(row)
        print(
            f"{'met   ' if row.met else 'MISSED'} {row.ratio:7.2f}  {row.wanted():18}  {row.what}: {row.ours} ({row.peer})",
            flush=True,
        )
    return rows


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
