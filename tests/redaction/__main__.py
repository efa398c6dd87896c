"""``python -m tests.redaction``: how many planted secrets come through, by kind. Exit status 1 if any does."""

import argparse
import sys

from tests.redaction import planting


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.redaction", description="Plant secrets, redact, and count.")
    parser.add_argument("--count", type=int, default=10_000, help="secrets for each seed (default: %(default)s)")
    parser.add_argument("--seed", action="append", help="a seed of your own; may be repeated (default: the kept ones)")
    arguments = parser.parse_args()
    if arguments.count < 1:
        parser.error("--count must be at least 1")
    planted = through = 0
    for seed in arguments.seed or planting.KEPT_SEEDS:
        rows = planting.by_kind(seed, arguments.count)
        print(f"seed {seed!r}")
        print(f"  {'kind':34} {'planted':>8} {'through':>8}")
        for kind, row in rows.items():
            print(f"  {kind:34} {row.planted:8} {row.through:8}")
        planted += sum(row.planted for row in rows.values())
        through += sum(row.through for row in rows.values())
        print(f"  {len(rows)} kinds", end="\n\n")
    print(f"{planted} secrets planted, {through} came through")
    return 1 if through else 0


if __name__ == "__main__":
    sys.exit(main())
